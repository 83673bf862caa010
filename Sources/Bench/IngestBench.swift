import Core
import Foundation
import Ingest
import Pipeline
import Store

/// The full service against `mosquitto_sub -q 1`: both receive the same live stream from the same broker, in turns.
struct IngestBench {
    private let messages: Int
    private let rounds: Int
    /// The devices' clocks run as fast as messages go, roughly; per second.
    private static let expectedRate = 50_000.0

    init(isQuick: Bool) { (messages, rounds) = isQuick ? (50_000, 1) : (300_000, 7) }

    func run() throws -> [Measurement] {
        let setup = try Setup()
        var (service, reference): ([Double], [Double]) = ([], [])
        for round in 0..<rounds {
            reference.append(try subscriberRate(setup))
            service.append(try serviceRate(setup, round))
        }
        let (ours, theirs) = (service.percentile(0.5), reference.percentile(0.5))
        // Round by round: a machine that others use too gets slower and faster.
        let ratios = zip(service, reference).map { $0 / $1 }
        return [
            Measurement(
                measure: "ingest", subject: "normwatch run (judged, stored, acknowledged after commit)", value: ours,
                unit: "messages/s",
                reference: "mosquitto_sub -q 1: \(Int(theirs)) messages/s", ratio: ratios.percentile(0.5))
        ]
    }

    private func publish(_ setup: Setup, _ name: String) throws -> Double {
        let readings = HouseReadings(channels: 1000)
        let flood = try setup.flood(name)
        let start = Timestamp.systemNow
        for number in 0..<messages {
            let time = start + .seconds(Double(number) / Self.expectedRate)
            flood.publish(readings.topic(number), readings.payload(number, time: time))
        }
        // What raises an alarm is committed at once: the end is not a wait for the next second.
        flood.publish("sensors/b1/f0/hall/smoke-\(name)/smoke", "true")
        let begin = now()
        try flood.finish()
        return begin
    }

    private func subscriberRate(_ setup: Setup) throws -> Double {
        let address = setup.broker.address
        // A shell stands between, so that its output goes nowhere and not into a pipe that we would have to read.
        let command =
            "exec mosquitto_sub -h 127.0.0.1 -p \(address.port) -u \(address.user ?? "") -P \(address.password ?? "") -q 1 -t 'sensors/#' -C \(messages + 1) >/dev/null"
        let subscriber = try ChildProcess("/bin/sh", ["-c", command])
        usleep(500_000)
        let begin = try publish(setup, "flood-reference")
        while subscriber.isRunning { usleep(1000) }
        return Double(messages) / (now() - begin)
    }

    private func serviceRate(_ setup: Setup, _ round: Int) throws -> Double {
        let service = try setup.service("ingest-\(round)")
        try service.wait(for: "judging live", seconds: 20)
        let begin = try publish(setup, "flood-\(round)")
        let reader = try Reader(DataFolder(service.data))
        // Each reading has a number of its own; devices that come up have one too.
        while try reader.newestSequence() < messages { usleep(5000) }
        while try reader.readingCount() <= messages { usleep(20_000) }
        let rate = Double(messages) / (now() - begin)
        try setup.end(service)
        return rate
    }
}
