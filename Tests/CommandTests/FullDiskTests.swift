import Core
import Foundation
import Ingest
import Pipeline
import Store
import Support
import Testing

extension ProcessTests {
    /// A small disk of its own, to be filled.
    @Suite("A full disk", .enabled(if: getuid() == 0, "needs root, to mount a small disk"))
    struct FullDiskTests {
        private let disk: Disk
        private let folder: TemporaryFolder
        private var data: String { disk.path + "/data" }

        init() async throws {
            disk = try await Disk()
            folder = TemporaryFolder()
        }

        private final class Disk {
            let path: String
            private let folder: TemporaryFolder
            private let filler: String

            init() async throws {
                folder = TemporaryFolder()
                (path, filler) = (folder.path, folder.path + "/filler")
                let mount = try await run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", path])
                try #require(mount.code == 0, "\(mount.error)")
            }

            deinit { umount2(path, Int32(MNT_DETACH)) }

            func fill() {
                let descriptor = open(filler, O_WRONLY | O_CREAT, 0o600)
                defer { close(descriptor) }
                let block = [UInt8](repeating: 1, count: 4096)
                while write(descriptor, block, block.count) > 0 {}
            }

            func free() { unlink(filler) }
        }

        private func stored() throws -> Int {
            Int(try Reader(DataFolder(data)).counts().first { $0.name == "readings" }!.count)
        }

        /// More than one batch, and an alarm at the end.
        private func flood(_ broker: Mosquitto, _ start: Timestamp) async throws {
            try await publish(gas((0..<3000).map { Double($0 % 50) }, from: start), to: broker.address)
            try await publish(gas([120], device: "g2", from: start), to: broker.address)
        }

        @Test("Judging goes on, the fault is raised, and everything is stored when there is room again")
        func judgingGoesOn() async throws {
            let broker = try Mosquitto(folder, port: freePort(), "max_queued_messages 0", "max_inflight_messages 0")
            let service = try await RunningService.start(
                data, ["--broker", "mqtt://127.0.0.1:\(broker.address.port)", "--http", "127.0.0.1:0"])
            disk.fill()
            try await flood(broker, .systemNow)
            try await service.transition(["event": "raised", "hazard": "poisoning"])
            try await service.transition(["event": "raised", "kind": "storage-blocked"])
            _ = try await service.health("store", is: "degraded")
            #expect(try stored() < 3001)
            disk.free()
            try await service.transition(["event": "cleared", "kind": "storage-blocked"])
            #expect(try stored() == 3001)
            #expect(try await service.stop() == 0)
        }

        @Test(
            "The broker keeps what is not stored: a service that ends with a full disk loses nothing",
            arguments: [SIGKILL, SIGTERM])
        func nothingIsLost(signal: Int32) async throws {
            let broker = try Mosquitto(folder, port: freePort(), "max_queued_messages 0", "max_inflight_messages 0")
            let flags = ["--broker", "mqtt://127.0.0.1:\(broker.address.port)"]
            let service = try await RunningService.start(data, flags)
            disk.fill()
            try await flood(broker, .systemNow)
            let alarm = try await service.transition(["event": "raised", "hazard": "poisoning"])
            service.signal(signal)
            _ = try await service.untilEnded()
            disk.free()

            let again = try await RunningService.start(data, flags)
            let same = try await again.transition(["event": "raised", "hazard": "poisoning"])
            #expect(same["alarm"] == alarm["alarm"])
            #expect(try await again.stop() == 0)
            #expect(try stored() == 3001)
        }
    }
}
