import Core
import Foundation
import Ingest
import Pipeline
import Store
import Support
import Testing

extension ProcessTests {
    @Suite("Brokers")
    struct BrokerTests {
        private let folder: TemporaryFolder
        private var data: String { folder.path + "/data" }

        init() throws { folder = TemporaryFolder() }

        @Test("An absent broker: the service keeps trying, says so, ends in order, and finds it when it comes")
        func absent() async throws {
            let port = freePort()
            let flags = ["--broker", "mqtt://127.0.0.1:\(port)", "--http", "127.0.0.1:0"]
            let (service, other) = (
                try RunningService(data, flags), try RunningService(folder.path + "/other", flags)
            )
            try await service.transition(["event": "raised", "kind": "broker-away", "device": "normwatch"])
            let failing = try await service.health("broker", is: "failing")
            #expect(failing["detail"] == .string("Connection refused"))
            #expect(try await other.stop() == 0)

            let broker = try Mosquitto(folder, port: port)
            try await service.transition(["event": "cleared", "kind": "broker-away"], seconds: 60)
            try await publish(gas([120], from: .systemNow), to: broker.address)
            try await service.transition(["event": "raised", "hazard": "poisoning"])
            #expect(try await service.stop() == 0)
        }

        @Test("With its private broker and nothing to do, the service rests")
        func idle() async throws {
            let service = try await RunningService.start(data)
            let (begin, used) = (Date(), try processorSeconds(of: service.id))
            try await Task.sleep(for: .seconds(5))
            // What the broker writes to its log every second once kept the loop turning: a third of a processor.
            let share = try (processorSeconds(of: service.id) - used) / Date().timeIntervalSince(begin)
            #expect(share < 0.05, "\(share) of a processor")
            #expect(try await service.stop() == 0)
        }

        private func processorSeconds(of process: pid_t) throws -> Double {
            let line = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            let fields = line[try #require(line.lastIndex(of: ")"))...].split(separator: " ")
            // User and system time, in ticks of a hundredth of a second.
            return try (Double(#require(Int(fields[12]))) + Double(#require(Int(fields[13])))) / 100
        }

        @Test("A broker that lets us read and not write: readings are judged live all the same")
        func readOnly() async throws {
            let access = try folder.file("access", "topic read #\ntopic read $SYS/#\nuser d\ntopic write #\n")
            let passwords = try folder.file("passwords", "d:d\n")
            #expect(try await run(["mosquitto_passwd", "-U", passwords]).code == 0)
            chmod(folder.path, 0o755)
            for file in [access, passwords] { chmod(file, 0o644) }
            let broker = try Mosquitto(folder, port: freePort(), "acl_file \(access)", "password_file \(passwords)")
            let configuration = try folder.file(
                "config.json",
                #"{"broker": {"url": "mqtt://127.0.0.1:\#(broker.address.port)"}, "publish": {"alarms": true}}"#)
            let service = try await RunningService.start(data, ["--config", configuration])
            var device = broker.address
            (device.user, device.password) = ("d", "d")
            try await publish(gas([120], from: .systemNow), to: device)
            try await service.transition(["event": "raised", "hazard": "poisoning"])
            try await Task.sleep(for: .seconds(2))
            #expect(service.log.components(separatedBy: "connection lost").count <= 3, "\(service.log)")
            #expect(service.log.contains("does not let us write"), "\(service.log)")
            #expect(try await service.stop() == 0)
        }

        @Test("A changed list of topics holds from the next start on: what is left out comes no more")
        func changedTopics() async throws {
            let broker = try Mosquitto(folder, port: freePort())
            func configuration(_ filter: String) throws -> String {
                try folder.file(
                    "\(filter.prefix(2)).json",
                    #"{"broker": {"url": "mqtt://127.0.0.1:\#(broker.address.port)", "subscribe": ["\#(filter)"]}}"#)
            }
            let first = try await RunningService.start(data, ["--config", try configuration("b1/#")])
            #expect(try await first.stop() == 0)
            let second = try await RunningService.start(data, ["--config", try configuration("b2/#")])
            try await publish(
                [("b1/kitchen/temperature", "21"), ("b2/kitchen/temperature", "22")], to: broker.address)
            let reader = try Reader(DataFolder(data))
            let rows = try await wait(for: "the reading", hint: { second.log }) {
                let rows = try reader.newest(10, .init())
                return rows.isEmpty ? nil : rows
            }
            #expect(rows.map(\.value) == [22])
            #expect(try await second.stop() == 0)
        }

        @Test("Doctor looks in without taking the service's session, and says what is wrong with a broker")
        func doctor() async throws {
            let broker = try Mosquitto(folder, port: freePort(), "max_qos 0", "retain_available false")
            let service = try await RunningService.start(data, ["--broker", "mqtt://127.0.0.1:\(broker.address.port)"])
            let ended = try await normwatch("doctor", "--data", data, "--norms", Product.norms, "--json")
            #expect(ended.code == 0, "\(ended.output)")
            let signs = try ended.lines.map { try JSONValue(parsing: $0) }
            for text in ["MQTT 5", "QoS 0 only", "no retained messages"] {
                #expect(signs.contains { $0["part"] == "broker" && $0.text.contains(text) }, "\(text): \(ended.output)")
            }
            #expect(!service.log.contains("lost"))
            #expect(try await service.stop() == 0)

            let old = OldBroker()
            let older = try await normwatch(
                "doctor", "--data", data, "--norms", Product.norms, "--broker", "mqtt://127.0.0.1:\(old.port)")
            #expect(older.code == 1)
            #expect(older.output.contains("MQTT 3.1.1 only"), "\(older.output)")
        }
    }
}
