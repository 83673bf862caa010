import Core
import Foundation
import Ingest
import Pipeline
import Store
import Support
import Testing

extension ProcessTests {
    /// What goes wrong between broker and database in other programs, with the real ones.
    @Suite("Messages in")
    struct IngestTests {
        private let folder = TemporaryFolder()
        private var data: String { folder.path + "/data" }

        private func values() throws -> [Double] {
            try Reader(DataFolder(data)).newest(10_000, .init()).map(\.value).sorted()
        }

        /// Waits until there are as many readings, and gives them.
        @discardableResult
        private func values(count: Int, _ service: RunningService) async throws -> [Double] {
            try await wait(for: "\(count) readings", hint: { "\((try? values().count) ?? -1)\n\(service.log)" }) {
                let values = try values()
                return values.count >= count ? values : nil
            }
        }

        @Test("Two thousand messages that nobody can read are acknowledged, counted and shown, and hold up nothing")
        func unreadable() async throws {
            let service = try await RunningService.start(data)
            let start = Timestamp.systemNow
            let good = gas((1...200).map { Double($0) / 100 }, from: start)
            let mixed = good.flatMap { [$0] + Array(repeating: ("sensors/b1/f1/kitchen/g1/gas", "???"), count: 10) }
            try await publish(mixed, to: try await service.broker())
            #expect(try await values(count: 200, service) == (1...200).map { Double($0) / 100 })
            let rejected = try await wait(for: "the count of messages that were refused", hint: { service.log }) {
                let rejected = try Reader(DataFolder(data)).rejected()
                return rejected.counts.values.reduce(0, +) >= 2000 ? rejected : nil
            }
            #expect(rejected.counts.values.reduce(0, +) == 2000)
            #expect(rejected.last.last.map { String(decoding: $0.payload, as: UTF8.self) } == "???")
            #expect(rejected.last.count <= 1000, "the last ones, not all for ever")
            #expect(try await service.stop() == 0)
        }

        @Test("A broker that forgets its sessions five times: what is published afterwards arrives")
        func forgetfulBroker() async throws {
            let port = freePort()
            var broker: Mosquitto? = try Mosquitto(folder, port: port)
            let service = try await RunningService.start(data, ["--broker", "mqtt://127.0.0.1:\(port)"])
            for round in 1...5 {
                let connections = service.log.components(separatedBy: "broker connected").count
                broker = nil
                broker = try Mosquitto(folder, port: port)
                _ = try await wait(for: "connection \(round)", hint: { service.log }) {
                    service.log.components(separatedBy: "broker connected").count > connections ? true : nil
                }
                let address = try #require(broker).address
                // Until our subscription is there the broker has nobody to keep a message for.
                _ = try await wait(for: "backlog \(round)", hint: { service.log }) {
                    service.log.components(separatedBy: "judging live").count > round + 1 ? true : nil
                }
                try await publish(gas([Double(round)], from: .systemNow), to: address)
                try await values(count: round, service)
            }
            #expect(try values() == [1, 2, 3, 4, 5])
            #expect(try await service.stop() == 0)
        }

        @Test("What was published while the service was away is there after it has come back")
        func away() async throws {
            let broker = try Mosquitto(folder, port: freePort())
            let flags = ["--broker", "mqtt://127.0.0.1:\(broker.address.port)"]
            #expect(try await RunningService.start(data, flags).stop() == 0)
            let messages = (1...100).map { ("sensors/b1/f1/hall/t\($0)/temperature", "\(20 + Double($0) / 100)") }
            try await publish(messages, to: broker.address)
            let service = try await RunningService.start(data, flags)
            #expect(try await values(count: 100, service).count == 100)
            #expect(try await service.stop() == 0)
        }

        @Test("Each reading twice, before and after a reconnect: one row, one alarm, one message to people")
        func twice() async throws {
            let service = try await RunningService.start(data)
            let readings = gas((1...50).map { 200 + Double($0) }, from: .systemNow)
            let address = try await service.broker()
            try await publish(readings.flatMap { [$0, $0] }, to: address)
            try await values(count: 50, service)
            try await publish(readings, to: address)
            // Sent last, so everything before it has been judged.
            try await publish([("sensors/b1/f1/hall/t1/temperature", "21")], to: address)
            #expect(try await values(count: 51, service).count == 51)
            let raised = service.transitions.filter { $0["event"] == "raised" && $0["hazard"] == "poisoning" }
            #expect(raised.count == 1, "\(service.transitions)")
            #expect(try await service.stop() == 0)
        }

        @Test("A stored command is refused, is told, and arms nothing")
        func storedCommand() async throws {
            let service = try await RunningService.start(data)
            let address = try await service.broker()
            try await publish(
                [("normwatch/command", #"{"command":"arm","flat":"b1/f1","mode":"away"}"#)], to: address, retain: true)
            try await service.transition(["event": "raised", "kind": "command-refused"])
            let state = try Reader(DataFolder(data)).rejected().counts
            #expect(state.keys.contains { $0.contains("command") }, "\(state)")
            #expect(!service.has(["hazard": "intrusion"]))
            #expect(try await service.stop() == 0)
        }

        @Test("Large payloads: a thousand of twelve kilobytes pass, and the program does not keep them")
        func large() async throws {
            let service = try await RunningService.start(data)
            let padding = String(repeating: "x", count: 12_000)
            let start = Timestamp.systemNow
            let messages = (0..<1000).map { number in
                (
                    "sensors/b1/f1/hall/t1/temperature",
                    #"{"value":\#(20 + Double(number % 7)),"time":"\#(start + .seconds(Double(number) * 0.001))","note":"\#(padding)"}"#
                )
            }
            try await publish(messages, to: try await service.broker())
            #expect(try await values(count: 1000, service).count == 1000)
            let status = try String(contentsOfFile: "/proc/\(service.id)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
            let kilobytes = try #require(line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first)
            #expect(kilobytes < 200_000, "\(line)")
            #expect(try await service.stop() == 0)
        }
    }
}
