import Core
import Foundation
import Ingest
import Pipeline
import Store
import Support
import Testing

extension ProcessTests {
    @Suite("What stands in the way of a start")
    struct StartTests {
        private let folder: TemporaryFolder
        private var data: String { folder.path + "/data" }

        init() throws { folder = TemporaryFolder() }

        private func start(_ flags: String..., norms: String = Product.norms) async throws -> Ended {
            try await run([Product.binary, "run", "--data", data, "--norms", norms, "--json"] + flags, seconds: 30)
        }

        @Test("Broken norms: the first start fails and tells every problem")
        func brokenNorms() async throws {
            _ = try folder.file("norms/a.json", "{")
            let good = try String(contentsOfFile: Product.norms + "/gas.json", encoding: .utf8)
            _ = try folder.file(
                "norms/b.json",
                good.replacing("\"upper\": 100", with: "\"uper\": 100").replacing("\"clause\": \"1\",", with: ""))
            let ended = try await start(norms: folder.path + "/norms")
            #expect(ended.code == 3)
            for part in ["a.json: not valid JSON", "b.json: norms[0].clause", "uper", "did you mean “upper”?"] {
                #expect(ended.error.contains(part), "\(ended.error)")
            }
            #expect(!FileManager.default.fileExists(atPath: data + "/service.json"))
        }

        @Test("Broken norms at a later start: those in force go on judging, and the fault is raised")
        func brokenNormsLater() async throws {
            let file = try folder.file(
                "norms/gas.json", try String(contentsOfFile: Product.norms + "/gas.json", encoding: .utf8))
            let norms = folder.path + "/norms"
            #expect(try await RunningService.start(data, norms: norms).stop() == 0)
            try Data("{".utf8).write(to: URL(fileURLWithPath: file))

            let service = try await RunningService.start(data, norms: norms, ["--http", "127.0.0.1:0"])
            try await service.transition(["event": "raised", "kind": "norms-rejected", "device": "normwatch"])
            try await publish(gas([120], from: .systemNow), to: service.broker())
            try await service.transition(["event": "raised", "hazard": "poisoning"])
            _ = try await service.health("engine", is: "degraded")

            try Data(contentsOf: URL(fileURLWithPath: Product.norms + "/gas.json")).write(
                to: URL(fileURLWithPath: file))
            service.signal(SIGHUP)
            try await service.transition(["event": "cleared", "kind": "norms-rejected"])
            #expect(try await service.stop() == 0)
        }

        @Test("A port for the console that is taken")
        func httpPort() async throws {
            let taken = TakenPort()
            let ended = try await start("--http", "127.0.0.1:\(taken.number)")
            #expect(ended.code == 3)
            #expect(ended.error.contains("127.0.0.1:\(taken.number)") && ended.error.contains("another port"))
        }

        @Test("A port for devices that is taken")
        func brokerPort() async throws {
            let taken = TakenPort()
            let ended = try await start("--broker-listen", "127.0.0.1:\(taken.number)")
            #expect(ended.code == 3)
            #expect(ended.error.contains("127.0.0.1:\(taken.number) is in use"), "\(ended.error)")
        }

        @Test("Words that are no address", arguments: ["8080", "localhost", "::1:80", "127.0.0.1:99999", "a:b"])
        func addresses(text: String) async throws {
            #expect(try await start("--http", text).code == 2)
        }

        @Test("A data folder that cannot be")
        func underFile() async throws {
            let file = try folder.file("file", "")
            let ended = try await normwatch("run", "--data", file + "/data", "--norms", Product.norms)
            #expect(ended.code == 3)
            #expect(ended.error.contains(file + "/data") && ended.error.contains("--data"), "\(ended.error)")
        }

        @Test("A data folder that can only be read", .enabled(if: getuid() == 0, "needs root, to mount one"))
        func readOnly() async throws {
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            let mount = try await run(["mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", data])
            try #require(mount.code == 0, "\(mount.error)")
            defer { umount2(data, Int32(MNT_DETACH)) }
            let ended = try await start()
            #expect(ended.code == 3)
            #expect(ended.error.contains(data) && ended.error.contains("Read-only file system"), "\(ended.error)")
        }

        @Test("A second service on one folder is refused, and the first goes on")
        func second() async throws {
            let first = try await RunningService.start(data)
            let ended = try await start()
            #expect(ended.code == 3)
            #expect(ended.error.contains("another Normwatch uses the data folder \(data)"), "\(ended.error)")
            try await publish(gas([120], from: .systemNow), to: first.broker())
            try await first.transition(["event": "raised", "hazard": "poisoning"])
            #expect(try await first.stop() == 0)
        }

        @Test("A reader of its output that goes away does not end the service")
        func closedOutput() async throws {
            let script = "\"$0\" run --data \"$1\" --norms \"$2\" --json 2>&1 | head -n 1 >/dev/null"
            let shell = try Child(
                ["sh", "-c", script, Product.binary, data, Product.norms], output: "/dev/null", error: "/dev/null")
            let address = try await wait(for: "service.json") {
                FileManager.default.contents(atPath: data + "/service.json").flatMap {
                    try? JSONValue(parsing: String(decoding: $0, as: UTF8.self))
                }
            }
            guard case .string(let url)? = address["broker"], case .number(let id)? = address["process"] else {
                return #expect(Bool(false))
            }
            defer { kill(pid_t(id), SIGTERM) }
            for number in 0..<3 {
                try await publish(gas([120], device: "g\(number)", from: .systemNow), to: .init(url: url))
            }
            let alarms = try await wait(for: "the alarms") {
                let count = kill(pid_t(id), 0) == 0 ? try? openAlarms() : 0
                return count.flatMap { $0 > 0 ? $0 : nil }
            }
            #expect(alarms == 1)
            kill(pid_t(id), SIGTERM)
            _ = try await wait(for: "its end") { shell.exitCode }
        }

        private func openAlarms() throws -> Int { try Reader(DataFolder(data)).alarms(all: false).count }
    }
}
