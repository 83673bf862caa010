import Core
import Foundation
import Ingest
import Pipeline
import Support
import Testing

@testable import Store

extension ProcessTests {
    @Suite("Trouble with the database")
    struct DatabaseTests {
        private let folder: TemporaryFolder
        private var data: String { folder.path + "/data" }
        private var file: String { data + "/normwatch.db" }

        init() throws { folder = TemporaryFolder() }

        /// A database with a few readings and an alarm in it.
        private func fill() async throws {
            let service = try await RunningService.start(data)
            try await publish(gas([20, 120, 30], from: .systemNow), to: service.broker())
            try await service.transition(["event": "raised", "hazard": "poisoning"])
            try #require(try await service.stop() == 0)
        }

        /// Somebody to be told, and the flat of the readings.
        private func applySite() async throws -> String {
            let text = """
                // The house.
                {"site": "s", "buildings": [{"id": "b1", "flats": [{"id": "f1", "rooms": [{"id": "kitchen", "devices": [
                  {"id": "sensors/b1/f1/kitchen/g1"}, {"id": "sensors/b1/f1/kitchen/g2"}]}]}]}],
                 "people": [{"id": "duty", "role": "administrator", "channels": [{"kind": "terminal"}]}]}
                """
            let ended = try await normwatch("site", "apply", try folder.file("site.json", text), "--data", data)
            try #require(ended.code == 0, "\(ended.error)")
            return text
        }

        private func start() async throws -> Ended {
            try await normwatch("run", "--data", data, "--norms", Product.norms, "--json", seconds: 30)
        }

        private func contents() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file)) }

        // MARK: Files that are not ours to use

        @Test("A database of a newer version is left as it is")
        func newer() async throws {
            try await fill()
            try Database(path: file, mode: .readWrite).execute("PRAGMA user_version = 99")
            let before = try contents()
            let ended = try await start()
            #expect(ended.code == 3 && ended.error.contains("newer version"), "\(ended.error)")
            for command in ["alarms", "export", "devices"] {
                let ended = try await normwatch(command, "--data", data)
                #expect(ended.code == 3 && ended.error.contains("newer version"), "\(ended.error)")
            }
            #expect(try await normwatch("ack", "a81f03c2d94e7b56", "--data", data).code == 3)
            #expect(try await normwatch("check", "--data", data).code == 1)
            #expect(try contents() == before)
        }

        @Test("A database of another program is left as it is")
        func foreign() async throws {
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            try Database(path: file, mode: .readWrite).execute("CREATE TABLE notes (text)")
            let before = try contents()
            let ended = try await start()
            #expect(ended.code == 3 && ended.error.contains("another program"), "\(ended.error)")
            #expect(try await normwatch("journal", "--data", data).error.contains("another program"))
            #expect(try contents() == before)
        }

        // MARK: Damage

        @Test("A damaged database is kept aside, said, and watching goes on in a new one")
        func damaged() async throws {
            try await fill()
            let site = try await applySite()
            var bytes = try contents()
            bytes.replaceSubrange(0..<4096, with: [UInt8](repeating: 0, count: 4096))
            try bytes.write(to: URL(fileURLWithPath: file))
            let check = try await normwatch("check", "--data", data)
            #expect(check.code == 1 && check.output.contains("FINDING"), "\(check.output)\(check.error)")

            let begin = ContinuousClock.now
            let service = try await RunningService.start(data, ["--http", "127.0.0.1:0"])
            #expect(ContinuousClock.now - begin < .seconds(10))
            let aside = try #require(DataFolder(data).damagedFiles.first)
            #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == bytes)
            try await service.transition(["event": "raised", "kind": "storage-damaged"])
            _ = try await service.health("store", is: "degraded")
            try await publish(gas([120], from: .systemNow), to: service.broker())
            try await service.transition(["event": "raised", "hazard": "poisoning"])
            // People are told as before.
            #expect(try await normwatch("site", "export", "--data", data).output == site)
            let doctor = try await normwatch("doctor", "--data", data, "--norms", Product.norms)
            #expect(doctor.code == 1 && doctor.output.contains("storage-damaged") && doctor.output.contains(aside))
            #expect(try await service.stop() == 0)
        }

        @Test("Damage that shows only when the page is written to: told at once, put aside, and watching goes on")
        func damagedInside() async throws {
            try await fill()
            let site = try await applySite()
            #expect(try await normwatch("arm", "f1", "night", "--data", data).code == 0)
            let page = try Database(path: file, mode: .readOnly).number(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'alarms'")
            let begin = (Int(try #require(page)) - 1) * 4096
            var bytes = try contents()
            bytes.replaceSubrange(begin..<begin + 4096, with: [UInt8](repeating: 0, count: 4096))
            try bytes.write(to: URL(fileURLWithPath: file))

            let service = try await RunningService.start(data, ["--http", "127.0.0.1:0"])
            try await publish(gas([120], device: "g2", from: .systemNow), to: service.broker())
            let first = try await service.transition(["event": "raised", "hazard": "poisoning"])
            try await service.transition(["event": "raised", "kind": "storage-damaged"])
            #expect(DataFolder(data).damagedFiles.count == 1)
            // The broker has kept what was not stored; the same alarm has the same id.
            _ = try await wait(for: "the reading, delivered again", hint: { service.log }) {
                try Reader(DataFolder(data)).alarms(all: false).first { .string($0.id) == first["alarm"] }
            }
            #expect(try await normwatch("site", "export", "--data", data).output == site)
            #expect(try await normwatch("arm", "--data", data).output.contains("night"))
            #expect(try await service.stop() == 0)
        }

        @Test("A state that cannot be read is damage too")
        func unreadableState() async throws {
            try await fill()
            let site = try await applySite()
            try Database(path: file, mode: .readWrite).execute("UPDATE checkpoint SET body = x'0102'")
            #expect(try await normwatch("check", "--deep", "--data", data).code == 1)
            let service = try await RunningService.start(data)
            try await service.transition(["event": "raised", "kind": "storage-damaged"])
            #expect(DataFolder(data).damagedFiles.count == 1)
            #expect(try await normwatch("site", "export", "--data", data).output == site)
            #expect(try await service.stop() == 0)
        }

        @Test("A log that has lost its end: the start goes on with what is left, and says what is missing")
        func cutLog() async throws {
            let service = try await RunningService.start(data)
            let address = try await service.broker()
            try await publish(gas([20, 120], from: .systemNow), to: address)
            try await service.transition(["event": "raised", "hazard": "poisoning"])
            // The last thing that is written is a reading: what follows from the alarm is written within a second.
            try await Task.sleep(for: .seconds(2))
            try await publish(gas([30], device: "g2", from: .systemNow), to: address)
            _ = try await wait(for: "the last reading") {
                // Closed at once: as long as anybody has the database open, nobody looks whether its log is whole.
                try Reader(DataFolder(data)).newest(9, .init(device: "sensors/b1/f1/kitchen/g2")).first
            }
            // It is noted outside of the database once a second.
            try await Task.sleep(for: .seconds(1.5))
            service.signal(SIGKILL)
            _ = try await service.untilEnded()
            let log = file + "-wal"
            let size = try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
            #expect(truncate(log, size - 4096) == 0)

            let again = try await RunningService.start(data, ["--http", "127.0.0.1:0"])
            let lost = try await again.transition(["event": "raised", "kind": "storage-lost"])
            let health = try await again.health("store", is: "degraded")
            let span = try #require(lost.text.firstRange(of: #/20[-0-9T:.]+Z – 20[-0-9T:.]+Z/#).map { lost.text[$0] })
            #expect(health.text.contains(span), "\(health.text)")
            let beside = ("sensors/b1/f2/kitchen/g3/gas", #"{"value":120,"unit":"ppm","species":"co"}"#)
            try await publish([beside], to: again.broker())
            try await again.transition(["event": "raised", "hazard": "poisoning"])
            #expect(try await again.stop() == 0)
            #expect(try await normwatch("check", "--deep", "--data", data).code == 0)
        }

        // MARK: Held up

        @Test("Another program holds the lock while gas rises: the alarm comes on time, the rows come afterwards")
        func locked() async throws {
            let service = try await RunningService.start(data, ["--http", "127.0.0.1:0"])
            let address = try await service.broker()
            let other = try Database(path: file, mode: .readWrite)
            try other.execute("BEGIN IMMEDIATE")
            let begin = ContinuousClock.now
            try await publish(gas([20, 60, 120], from: .systemNow), to: address)
            try await service.transition(["event": "raised", "hazard": "poisoning"])
            #expect(ContinuousClock.now - begin < .seconds(5))
            try await service.transition(["event": "raised", "kind": "storage-blocked"])
            let store = try await service.health("store", is: "degraded")
            #expect(store.text.contains("locked"), "\(store.text)")
            #expect(try Reader(DataFolder(data)).newest(10, .init()).isEmpty)
            try other.execute("ROLLBACK")
            try await service.transition(["event": "cleared", "kind": "storage-blocked"])
            _ = try await service.health("store", is: "ready")
            #expect(try Reader(DataFolder(data)).newest(10, .init()).map(\.value) == [20, 60, 120])
            #expect(try await service.stop() == 0)
        }
    }
}
