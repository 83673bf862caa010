import Core
import Foundation
import Pipeline
import Store
import Support
import Testing

extension ProcessTests {
    @Suite("Site documents")
    struct SiteTests {
        private let folder: TemporaryFolder
        private var data: String { folder.path + "/data" }

        init() throws { folder = TemporaryFolder() }

        /// One of two documents, with a remark that only an exact copy keeps.
        private func document(_ number: Int) throws -> (file: String, text: String) {
            let flats = (0..<40).map { #"{"id": "f\#($0)", "rooms": [{"id": "kitchen"}]}"# }.joined(separator: ",\n ")
            let text = """
                // Document \(number), as it was written.
                {"site": "riverside-\(number)", "timeZone": "Europe/Berlin",
                 "buildings": [{"id": "b\(number)", "flats": [\(flats)]}],
                 "people": [{"id": "duty", "role": "administrator", "channels": [{"kind": "terminal"}]}],
                }
                """
            return (try folder.file("site\(number).json", text), text)
        }

        @Test("All mistakes of a document are told at once, and nothing changes")
        func mistakes() async throws {
            let good = try document(1)
            #expect(try await normwatch("site", "apply", good.file, "--data", data).code == 0)
            let bad = try folder.file(
                "bad.json",
                """
                {"site": "x", "timezone": "UTC",
                 "buildings": [{"id": "a/b", "flats": [{"id": "f", "rooms": [{"id": "hold", "kind": "spaceship"}],
                   "tenancies": [{"person": "nobody", "from": "yesterday"}]}]}],
                 "people": [{"id": "duty", "role": "boss", "channels": [{"kind": "terminal"}]}],
                 "site": "y"}
                """)
            let parts = [
                "site: is there twice",
                "timezone: is not a known key; did you mean “timeZone”?", "buildings[0].id: “a/b”",
                "rooms[0].kind: “spaceship”", "tenancies[0].person: “nobody”", "tenancies[0].from: “yesterday”",
                "people[0].role: “boss”",
            ]
            let service = try await RunningService.start(data)
            for flags in [[], ["--dry-run"]] {
                let ended = try await run([Product.binary, "site", "apply", bad, "--data", data] + flags)
                #expect(ended.code == 1)
                for part in parts { #expect(ended.error.contains(part), "\(part): \(ended.error)") }
            }
            #expect(try await service.stop() == 0)
            #expect(try await normwatch("site", "apply", bad, "--data", data).code == 1)
            #expect(try await normwatch("site", "export", "--data", data).output == good.text)
        }

        @Test("A time zone that is not known is a mistake, not UTC in silence")
        func timeZones() async throws {
            let bad = try folder.file(
                "bad.json",
                #"{"site": "x", "timeZone": "Europe/Berlim", "people": [{"id": "a", "role": "staff", "timeZone": "Mars"}]}"#
            )
            let ended = try await normwatch("site", "apply", bad, "--data", data)
            #expect(ended.code == 1)
            for part in ["timeZone: “Europe/Berlim”", "people[0].timeZone: “Mars”"] {
                #expect(ended.error.contains(part), "\(ended.error)")
            }
            let start = try await normwatch("run", "--data", data, "--norms", Product.norms, "--site", bad)
            #expect(start.code == 3 && start.error.contains("Europe/Berlim"), "\(start.error)")
        }

        @Test("A document after which nobody would be told is refused")
        func nobody() async throws {
            let good = try document(1)
            #expect(try await normwatch("site", "apply", good.file, "--data", data).code == 0)
            let silent = try folder.file("silent.json", #"{"site": "x", "people": [{"id": "a", "role": "staff"}]}"#)
            let ended = try await normwatch("site", "apply", silent, "--data", data)
            #expect(ended.code == 1 && ended.error.contains("nobody would be told"), "\(ended.error)")
            #expect(try await normwatch("site", "export", "--data", data).output == good.text)
        }

        @Test("What is exported is what was applied, and applying it again changes nothing")
        func roundTrip() async throws {
            let empty = try await normwatch("site", "export", "--data", data)
            #expect(empty.code == 3)
            let (file, text) = try document(1)
            let plan = try await normwatch("site", "apply", file, "--dry-run", "--data", data)
            #expect(plan.code == 0 && plan.lines.contains("+ building b1"), "\(plan.output)")
            #expect(!FileManager.default.fileExists(atPath: data))

            let service = try await RunningService.start(data)
            let before = try await normwatch("site", "export", "--data", data)
            #expect(before.code == 0)
            _ = try Site(parsing: before.output)
            #expect(try await normwatch("site", "apply", file, "--data", data).lines == plan.lines)
            #expect(try await normwatch("site", "export", "--data", data).output == text)
            #expect(try await normwatch("site", "apply", file, "--data", data).lines == ["nothing changes"])
            #expect(try await service.stop() == 0)
            #expect(try await normwatch("site", "export", "--data", data).output == text)
        }

        /// A document is in force whole, or the one before is; one that was confirmed is.
        private func expectWhole(_ texts: [String], confirmed: String?, _ hint: String) async throws -> String {
            let ended = try await normwatch("site", "export", "--data", data)
            #expect(texts.contains(ended.output), "\(hint): \(ended.output)\(ended.error)")
            if let confirmed { #expect(ended.output == confirmed, "\(hint): confirmed, and not in force") }
            return ended.output
        }

        @Test("Forty kills while documents are applied: always the old one or the new one", .timeLimit(.minutes(3)))
        func kills() async throws {
            let documents = [try document(0), try document(1)]
            #expect(try await normwatch("site", "apply", documents[0].file, "--data", data).code == 0)
            var random = SplitMix64(state: 40)
            var seen: Set<String> = []

            // Without a service the command writes by itself, and is killed.
            for turn in 0..<32 {
                let wanted = documents[(turn + 1) % 2]
                let child = try Child(
                    [Product.binary, "site", "apply", wanted.file, "--data", data], output: "/dev/null",
                    error: "/dev/null")
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &random)))
                child.signal(SIGKILL)
                let code = try await wait(for: "its end") { child.exitCode }
                seen.insert(
                    try await expectWhole(
                        documents.map(\.text), confirmed: code == 0 ? wanted.text : nil, "turn \(turn), code \(code)"))
            }
            #expect(seen.count == 2, "the kills were too early or too late")

            // With a service it is the service that writes, and is killed.
            for turn in 0..<8 {
                let wanted = documents[turn % 2]
                let service = try await RunningService.start(data)
                let child = try Child(
                    [Product.binary, "site", "apply", wanted.file, "--data", data], output: "/dev/null",
                    error: "/dev/null")
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &random)))
                service.signal(SIGKILL)
                _ = try await service.untilEnded()
                let code = try await wait(for: "the answer") { child.exitCode }
                _ = try await expectWhole(
                    documents.map(\.text), confirmed: code == 0 ? wanted.text : nil,
                    "service, turn \(turn), code \(code)")
            }
            #expect(try await normwatch("check", "--deep", "--data", data).code == 0)
        }
    }
}
