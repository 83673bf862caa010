import Core
import Foundation
import Ingest
import Pipeline

/// From publishing a bad reading to the hand-over of the message about it to the notifier, while a thousand readings a second come in.
///
/// The notifier is the terminal channel of one person: the line arrives in our pipe, so the figure includes the writing of it.
struct LatencyBench {
    let seconds: Int
    let perSecond: Int

    func run() throws -> [Measurement] {
        let setup = try Setup()
        let site = setup.workspace.path + "/site.json"
        try """
        {"site": "bench", "selfPlacement": true, "people": [{"id": "janitor", "role": "staff", "channels": [{"kind": "terminal"}]}]}
        """.write(toFile: site, atomically: true, encoding: .utf8)
        let service = try setup.service("latency", ["--site", site])
        defer { service.stop() }
        try service.wait(for: "judging live", seconds: 20)
        let latencies = try measure(setup, service)
        guard latencies.count >= seconds * 5 else { throw BenchFailure("only \(latencies.count) messages came") }
        return [0.5, 0.95, 0.99].map { part in
            Measurement(
                measure: "latency p\(Int(part * 100))", subject: "publish to notifier at \(perSecond) readings/s",
                value: latencies.percentile(part) * 1000, unit: "ms", reference: "target 25 ms for p99",
                ratio: latencies.percentile(part) * 1000 / 25)
        }
    }

    private func measure(_ setup: Setup, _ service: RunningService) throws -> [Double] {
        let readings = HouseReadings(channels: 1000)
        let flood = try setup.flood("latency")
        var sent: [String: Double] = [:]
        let begin = now()
        for number in 0..<seconds * perSecond {
            let due = begin + Double(number) / Double(perSecond)
            while now() < due { try flood.turn(milliseconds: 0); if due - now() > 0.0005 { usleep(200) } }
            flood.publish(readings.topic(number), readings.payload(number, time: .systemNow))
            try flood.turn(milliseconds: 0)
            guard number % (perSecond / 10) == 0 else { continue }
            // A flat of its own each time, so that each time an alarm is raised.
            let flat = "smoke\(number)"
            flood.publish(
                "sensors/b1/\(flat)/hall/s\(number)/smoke", #"{"value":true,"time":"\#(Timestamp.systemNow)"}"#)
            sent[flat] = now()
            try flood.turn(milliseconds: 0)
        }
        sleep(2)
        let lines = service.lines
        return sent.compactMap { flat, at in
            lines.first { $0.text.contains("flat \(flat)") && !$0.text.hasPrefix("{") }.map { $0.at - at }
        }
    }
}
