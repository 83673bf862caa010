import Core
import Foundation
import Ingest
import Pipeline
import Support
import Testing

@testable import Command
@testable import Store

extension ProcessTests {
    @Suite("Looking at what is stored, beside a running service")
    struct StoredTests {
        private let folder: TemporaryFolder
        private var data: String { folder.path + "/data" }

        init() throws { folder = TemporaryFolder() }

        private func call(_ words: String...) async throws -> Ended {
            try await run([Product.binary] + words + ["--data", data])
        }

        private func json(_ ended: Ended) throws -> [JSONValue] { try ended.lines.map { try JSONValue(parsing: $0) } }

        @Test("Export, history, alarms, journal and devices tell the same story")
        func story() async throws {
            let service = try await RunningService.start(data)
            let values = [0.1, 120, 1e-7, 99.99999999999999, 64.0]
            let begin = Timestamp.systemNow
            try await publish(gas(values, from: begin), to: service.broker())
            try await publish(
                [("house/a,\"b\"/temperature", "21.5"), ("house/x/temperature", "??")], to: service.broker())
            let raised = try await service.transition(["event": "raised", "hazard": "poisoning"])
            _ = try await wait(for: "the readings") {
                let rows = try? Reader(DataFolder(data)).newest(10, .init())
                return rows.flatMap { $0.count == 6 ? true : nil }
            }

            let export = try await call("export", "--indicator", "gas")
            #expect(export.lines.first == "time,device,indicator,species,channel,value,unit,quality")
            let rows = export.lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
            #expect(rows.map { Double($0[5]) } == values)
            #expect(
                rows.map { Timestamp(String($0[0])) } == values.indices.map { begin + .seconds(Double($0) * 0.001) })
            #expect(rows.allSatisfy { $0[3] == "co" && $0[6] == "ppm" })
            #expect(try await call("export").output.contains(#","house/a,""b""","#))
            #expect(try await call("export", "--from", "2099-01-01").lines.count == 1)

            let history = try json(
                try await call("history", "--json", "--last", "2", "--device", "sensors/b1/f1/kitchen/g1"))
            #expect(history.map { $0["value"] } == values.suffix(2).map { JSONValue.number($0) })
            #expect(try await call("history").lines.count == 6)

            let alarms = try json(try await call("alarms", "--json"))
            #expect(alarms.count == 1 && alarms[0]["alarm"] == raised["alarm"] && alarms[0]["acknowledged"] == .null)
            for key in ["since", "raised", "notified", "acknowledged", "cleared", "ended", "acknowledgedBy", "last"] {
                #expect(alarms[0][key] != nil, "\(key)")
            }
            #expect(try await call("journal", "--json").lines.first == raised.text)

            let devices = try json(try await call("devices", "--json"))
            #expect(devices.map { $0["placed"] } == [true, false] || devices.map { $0["placed"] } == [false, true])
            let gas = try #require(devices.first { $0["placed"] == true })
            #expect(gas["place"]?["room"] == "kitchen" && gas.text.contains("fixture/co"))
            #expect(try await call("devices", "--rejected").output.contains("house/x/temperature  ??"))
            #expect(try await service.stop() == 0)
        }

        @Test("Acknowledged by a command: with a service, without one, and it stays so", arguments: [true, false])
        func acknowledge(withService: Bool) async throws {
            var service: RunningService? = try await RunningService.start(data)
            try await publish(gas([120], from: .systemNow), to: #require(service).broker())
            let raised = try await #require(service).transition(["event": "raised", "hazard": "poisoning"])
            guard case .string(let alarm)? = raised["alarm"] else { return #expect(Bool(false)) }
            if !withService {
                #expect(try await #require(service).stop() == 0)
                service = nil
            }
            #expect(try await call("ack", alarm, "--by", "anna").code == 0)
            #expect(try await call("ack", "0000000000000000", "--by", "anna").code == 1)
            let after = try #require(try json(try await call("alarms", "--json")).first)
            #expect(after["acknowledgedBy"] == "anna" && after["state"] == "acknowledged")
            if let service { #expect(try await service.stop() == 0) }

            let again = try await RunningService.start(data)
            #expect(try json(try await call("alarms", "--json")) == [after])
            #expect(try await again.stop() == 0)
        }

        @Test("A flat is armed with a service and disarmed without one")
        func arm() async throws {
            let service = try await RunningService.start(data)
            try await publish(gas([1], from: .systemNow), to: service.broker())
            _ = try await wait(for: "the flat") {
                (try? Reader(DataFolder(data)).newest(1, .init()))?.first
            }
            #expect(try await call("arm", "f1", "away", "--by", "anna").code == 0)
            #expect(try await call("arm").output.contains("away"))
            #expect(try await call("arm", "f7", "away").code == 2)
            #expect(try await service.stop() == 0)
            #expect(try await call("arm", "b1/f1", "off", "--by", "anna").code == 0)
            #expect(try await call("arm").output.contains("off"))
            let events = try json(try await call("journal", "--json")).map { $0["event"] }
            #expect(events.suffix(2) == ["armed", "disarmed"])
        }

        @Test("The journal is followed before there is one, and after the database was put aside")
        func follow() async throws {
            let output = try folder.file("followed", "")
            let follower = try Child(
                [Product.binary, "journal", "--data", data, "--follow", "--json"], output: output,
                error: folder.path + "/follow.err")
            func followed() -> Int {
                ((try? String(contentsOfFile: output, encoding: .utf8)) ?? "").split(separator: "\n").count
            }
            let service = try await RunningService.start(data)
            try await publish(gas([120], from: .systemNow), to: service.broker())
            _ = try await wait(for: "the first line") { followed() == 1 ? true : nil }
            #expect(try await service.stop() == 0)
            let handle = try #require(FileHandle(forWritingAtPath: data + "/normwatch.db"))
            try handle.write(contentsOf: Data(count: 4096))
            try handle.close()
            let again = try await RunningService.start(data)
            try await publish(gas([130], device: "g2", from: .systemNow), to: again.broker())
            try await again.transition(["event": "raised", "hazard": "poisoning"])
            _ = try await wait(for: "the lines of the new database") { followed() == 3 ? true : nil }
            #expect(follower.exitCode == nil)
            follower.signal(SIGINT)
            #expect(try await wait(for: "its end") { follower.exitCode } == 128 + SIGINT)
            #expect(try await again.stop() == 0)
        }

        @Test("Output that nobody reads any more ends a command quietly", arguments: ["", "trap '' PIPE; "])
        func closedPipe(preparation: String) async throws {
            for command in ["norms list", "--help", "norms show en-50291-1 --json", "journal --follow"] {
                let script = "\(preparation)\"$0\" \(command) $1 | true; sleep 0.1"
                let flags = command.hasPrefix("norms") ? "--norms \(Product.repository)/Thresholds" : ""
                let ended = try await run(["bash", "-c", script, Product.binary, flags], seconds: 20)
                #expect(
                    ended.error.split(separator: "\n").allSatisfy { $0.hasSuffix("waiting for it") }, "\(ended.error)")
            }
        }

        @Test("Output that cannot be written is the environment's fault")
        func fullOutput() async throws {
            let child = try Child([Product.binary, "--help"], output: "/dev/full", error: folder.path + "/error")
            #expect(try await wait(for: "its end") { child.exitCode } == 3)
        }

        @Test("A recording that is none: the line and the remedy are told")
        func recordings() async throws {
            let cases: [(text: String, part: String)] = [
                ("", "is empty"), ("when,device,indicator,value\n", "no column “time”"),
                ("time,device,indicator,value,unit\nyesterday,d,gas,1,ppm\n", "line 2: time: “yesterday”"),
            ]
            for (text, part) in cases {
                let file = try folder.file("recording.csv", text)
                let ended = try await normwatch("replay", file, "--norms", Product.norms)
                #expect(ended.code == 3 && ended.error.contains(part), "\(ended.error)")
            }
            #expect(try await normwatch("replay", folder.path + "/none.csv", "--norms", Product.norms).code == 3)
            let mixed = try folder.file(
                "mixed.csv",
                "time,device,indicator,value,unit\n2026-11-30T08:00:00Z,d,co,120,ppm\n2026-11-30T08:00:01Z,d,mood,1,x\n2026-11-30T08:00:02Z,d,co,high,ppm\n"
            )
            let ended = try await normwatch("replay", mixed, "--norms", Product.norms, "--json")
            #expect(ended.code == 0 && ended.lines.count == 1)
            #expect(ended.error.contains("passed over 1 lines: indicator mood") && ended.error.contains("no number"))
        }
    }
}
