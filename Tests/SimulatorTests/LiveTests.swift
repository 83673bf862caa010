import Core
import Foundation
import Ingest
import Support
import Testing

@testable import Simulator

/// With a real broker and a real service, one after the other.
@Suite("Runs over a broker", .serialized)
struct LiveTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func simulate(_ words: String..., seconds: Double = 90) async throws -> Ended {
        try await run([Product.simulator] + words, seconds: seconds)
    }

    @Test("Six emergencies reach a service whose time runs faster, and all alarms are as stated")
    func sixEmergencies() async throws {
        let service = try await RunningService.start(data, norms: Sample.thresholds, ["--speed", "60"])
        let ended = try await simulate("six-emergencies", "--check", "--json", "--data", data)
        #expect(ended.code == 0, "\(ended.output)\n\(ended.error)")
        let results = try ended.lines.map { try JSONValue(parsing: $0) }
        #expect(results.last?["passed"] == true)
        for hazard in ["power-outage", "flooding", "lamp-burnout", "intrusion", "earthquake", "explosion", "poisoning"]
        {
            #expect(results.contains { $0["hazard"] == .string(hazard) && $0["result"] == "ok" }, "\(hazard)")
            #expect(service.has(["event": "raised", "hazard": hazard]), "the service tells \(hazard) too")
        }
        #expect(try await service.stop() == 0)
    }

    @Test("An alarm that is not as stated fails the check with exit code 1")
    func failing() async throws {
        let text = Sample.leak.replacing(#""severity": "emergency""#, with: #""severity": "notice""#)
        let file = try folder.file("leak.json", text)
        let service = try await RunningService.start(data, norms: Sample.thresholds, ["--speed", "60"])
        let ended = try await simulate(file, "--check", "--data", data)
        #expect(ended.code == 1 && ended.output.contains("FAILED"), "\(ended)")
        #expect(service.exitCode == nil)
    }

    @Test("A service that is held up does not take it for the silence of sensors")
    func heldUp() async throws {
        let text = """
            {"title": "Calm", "start": "2026-11-30T18:00:00Z", "duration": "3 min",
             "templates": {"home": {"rooms": [{"id": "hall", "devices": [
               {"id": "node", "measures": ["vibration:x"], "every": "1 s"}, {"id": "meter", "measures": ["voltage"], "every": "2 s"}]}]}},
             "buildings": [{"id": "b1", "flats": [{"id": "f1", "template": "home"}]}], "expect": {"alarms": []}}
            """
        let service = try await RunningService.start(data, norms: Sample.thresholds, ["--speed", "20"])
        let (output, error) = (folder.path + "/output", folder.path + "/error")
        let child = try Child(
            [Product.simulator, try folder.file("calm.json", text), "--check", "--data", data], output: output,
            error: error)
        try await Task.sleep(for: .seconds(3))
        service.signal(SIGSTOP)
        try await Task.sleep(for: .seconds(1.5))
        service.signal(SIGCONT)
        let code = try await wait(for: "the end of the simulator", seconds: 30) { child.exitCode }
        let found = try String(contentsOfFile: output, encoding: .utf8)
        #expect(code == 0 && !found.contains("passed over"), "\(found)")
        #expect(service.log.contains("held up"))
    }

    @Test("A run that is asked to end says how far it went, and that what came was right")
    func interrupted() async throws {
        let service = try await RunningService.start(data, norms: Sample.thresholds, ["--speed", "60"])
        let output = folder.path + "/output"
        let child = try Child(
            [Product.simulator, "six-emergencies", "--check", "--stay", "--data", data], output: output,
            error: folder.path + "/error")
        try await service.transition(["event": "raised", "hazard": "flooding"])
        // The simulator has to have heard of it too.
        try await Task.sleep(for: .milliseconds(500))
        child.signal(SIGTERM)
        let code = try await wait(for: "the end", seconds: 10) { child.exitCode }
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(code == 0 && text.contains("not reached") && text.hasSuffix("passed\n"), "\(text)")
    }

    @Test("A broker that is absent is told, with exit code 3")
    func noBroker() async throws {
        let ended = try await simulate("six-emergencies", "--broker", "mqtt://127.0.0.1:\(freePort())")
        #expect(ended.code == 3 && ended.error.contains("cannot be reached"), "\(ended)")
    }

    @Test("A broker that does not let us in is told, with exit code 3")
    func wrongPassword() async throws {
        let broker = try Mosquitto(folder, port: freePort(), anonymous: false)
        defer { broker.stop() }
        let ended = try await simulate("six-emergencies", "--broker", broker.address.url)
        #expect(ended.code == 3 && ended.error.contains("cannot be reached"), "\(ended)")
        #expect(ended.error.lowercased().contains("auth"), "says why: \(ended.error)")
    }

    @Test("A folder on which no service runs is told, with exit code 3")
    func noService() async throws {
        let ended = try await simulate("six-emergencies", "--check", "--data", data)
        #expect(ended.code == 3 && ended.error.contains("no service runs on"), "\(ended)")
    }

    @Test("A check against a broker without a service is told, with exit code 3")
    func silentBroker() async throws {
        let broker = try Mosquitto(folder, port: freePort())
        defer { broker.stop() }
        let ended = try await simulate("six-emergencies", "--check", "--broker", broker.address.url)
        #expect(ended.code == 3 && ended.error.contains("no service publishes"), "\(ended)")
    }

    @Test("An address that is none is told, with exit code 2")
    func noAddress() async throws {
        let ended = try await simulate("six-emergencies", "--broker", "http://here")
        #expect(ended.code == 2 && ended.error.contains("mqtt://"), "\(ended)")
    }

    @Test("Without a check, a broker alone is enough, and everything is confirmed")
    func brokerOnly() async throws {
        let broker = try Mosquitto(folder, port: freePort())
        defer { broker.stop() }
        let ended = try await simulate(
            "load", "--flats", "5", "--set", "rate=2000", "--set", "count=2000", "--broker", broker.address.url)
        #expect(ended.code == 0 && ended.error.isEmpty, "\(ended)")
    }

    @Test("A site that is somebody's own is not replaced")
    func ownSite() async throws {
        let site = try folder.file(
            "site.json",
            #"{"site": "own", "timeZone": "UTC", "jurisdictions": ["EU"], "buildings": [{"id": "mine", "flats": [{"id": "f1", "rooms": []}]}]}"#
        )
        let service = try await RunningService.start(data, norms: Sample.thresholds, ["--speed", "60", "--site", site])
        let ended = try await simulate("six-emergencies", "--check", "--data", data)
        #expect(ended.code == 3 && ended.error.contains("a site of its own"), "\(ended)")
        #expect(service.exitCode == nil)
    }
}
