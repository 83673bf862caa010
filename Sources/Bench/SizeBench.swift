import Core
import Foundation
import Ingest
import Pipeline

/// Memory with many channels, and how soon a service with many channels judges again after a start.
struct SizeBench {
    func run() throws -> [Measurement] {
        let setup = try Setup()
        var measurements: [Measurement] = []
        for (channels, target) in [(1000, 60.0), (10_000, 150.0)] {
            let service = try setup.service("size-\(channels)")
            try service.wait(for: "judging live", seconds: 20)
            try fill(setup, channels: channels)
            sleep(3)
            let megabytes = service.residentMegabytes
            measurements.append(
                Measurement(
                    measure: "memory", subject: "\(channels) channels", value: megabytes, unit: "MB resident",
                    reference: "target \(Int(target)) MB", ratio: megabytes / target))
            service.stop()
            guard channels == 10_000 else { continue }
            measurements.append(try start(setup, channels))
        }
        return measurements
    }

    /// Twenty readings of each channel, ten seconds apart in the devices' time.
    private func fill(_ setup: Setup, channels: Int) throws {
        let readings = HouseReadings(channels: channels)
        let flood = try setup.flood("fill-\(channels)")
        let begin = Timestamp.systemNow - .seconds(200)
        for round in 0..<20 {
            for channel in 0..<channels {
                flood.publish(
                    readings.topic(round * channels + channel),
                    readings.payload(round * channels + channel, time: begin + .seconds(round * 10)))
            }
        }
        try flood.finish()
    }

    private func start(_ setup: Setup, _ channels: Int) throws -> Measurement {
        let begin = now()
        let service = try setup.service("size-\(channels)")
        defer { service.stop() }
        let ready = try service.wait(for: "judging live", seconds: 60)
        return Measurement(
            measure: "start to judging", subject: "\(channels) channels", value: ready - begin, unit: "s",
            reference: "target 2 s",
            ratio: (ready - begin) / 2)
    }
}
