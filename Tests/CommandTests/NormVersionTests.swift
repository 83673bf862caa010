import Core
import Foundation
import Pipeline
import Support
import Testing

@testable import Command
@testable import Store

extension ProcessTests {
    @Suite("Who changed a norm, when and why, and the way back")
    struct NormVersionTests {
        private let folder = TemporaryFolder()
        private var data: String { folder.path + "/data" }
        private var norms: String { folder.path + "/norms" }
        private let original: String

        init() throws {
            original = try String(contentsOfFile: Product.norms + "/gas.json", encoding: .utf8)
            _ = try folder.file("norms/gas.json", original)
        }

        private func limit(_ upper: Int) throws {
            try Data(original.replacing(#""upper": 100"#, with: #""upper": \#(upper)"#).utf8).write(
                to: URL(fileURLWithPath: norms + "/gas.json"))
        }

        private func norms(_ words: String...) async throws -> Ended {
            try await run([Product.binary, "norms"] + words + ["--data", data])
        }

        @Test(
            "A changed limit: a version with author and reason, alarms that keep theirs, a difference, and the way back"
        )
        func story() async throws {
            let service = try await RunningService.start(data, norms: norms)
            try await publish(gas([120], from: .systemNow), to: service.broker())
            let raised = try await service.transition(["event": "raised", "hazard": "poisoning"])
            #expect(raised["norm"]?["version"] == 1)

            try limit(110)
            let changed = try await norms("reload", "--reason", "works until Friday", "--by", "anna")
            #expect(changed.code == 0 && changed.output.contains("version 2"), "\(changed)")
            let judged = try await service.transition(["event": "norm-changed"])
            #expect(judged["alarm"] == raised["alarm"] && judged["by"] == "anna" && judged["norm"]?["version"] == 2)
            try limit(150)
            service.signal(SIGHUP)
            let ended = try await service.transition(["event": "ended", "hazard": "poisoning"])
            #expect(ended["alarm"] == raised["alarm"] && ended["norm"]?["version"] == 3)
            #expect(try await service.stop() == 0)

            let list = try await norms("versions")
            #expect(
                list.lines.filter { !$0.hasPrefix(" ") }.map { $0.split(separator: " ").dropFirst(2).first ?? "" }
                    == ["start", "anna", "SIGHUP"], "\(list.output)")
            #expect(list.output.contains("“works until Friday”") && list.output.contains("1 changed: fixture/co"))
            let json = try await norms("versions", "--json").lines.map { try JSONValue(parsing: $0) }
            #expect(json.map { $0["version"] } == [1, 2, 3])
            #expect(json[1]["by"] == "anna" && json[1]["reason"] == "works until Friday" && json[2]["reason"] == .null)

            let difference = try await norms("diff", "1", "2")
            #expect(
                difference.code == 1 && difference.output.contains("100 ppm") && difference.output.contains("110 ppm"))

            let back = folder.path + "/back"
            #expect(try await norms("export", "1", back).code == 0)
            #expect(try String(contentsOfFile: back + "/gas.json", encoding: .utf8) == original)
            let again = try await RunningService.start(data, norms: back)
            #expect(try await again.stop() == 0)
            let last = try #require(try await norms("versions", "--json").lines.last)
            #expect(try JSONValue(parsing: last)["version"] == 4)
        }

        @Test("What cannot be done is said, and nothing is half done")
        func refused() async throws {
            let service = try await RunningService.start(data, norms: norms)
            #expect(try await norms("reload").code == 2)
            #expect(try await norms("reload", "--reason", " ").code == 2)
            try Data("{".utf8).write(to: URL(fileURLWithPath: norms + "/gas.json"))
            let broken = try await norms("reload", "--reason", "a try")
            #expect(broken.code == 1 && broken.error.contains("the norms in force stay"), "\(broken)")
            #expect(broken.error.contains("gas.json"), "\(broken)")
            try await service.transition(["event": "raised", "kind": "norms-rejected"])
            try limit(100)
            #expect(try await norms("reload", "--reason", "as before").output.contains("nothing has changed"))
            try await service.transition(["event": "cleared", "kind": "norms-rejected"])
            #expect(try await service.stop() == 0)
            #expect(try await norms("versions").lines.filter { !$0.hasPrefix(" ") }.count == 1)

            #expect(try await norms("reload", "--reason", "nobody there").error.contains("no service runs"))
            let unknown = try await norms("export", "7", folder.path + "/x")
            #expect(unknown.code == 2 && unknown.error.contains("there are 1"), "\(unknown)")
            let full = try await norms("export", "1", norms)
            #expect(full.code == 2 && full.error.contains("not empty"), "\(full)")
        }
    }
}
