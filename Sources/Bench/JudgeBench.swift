import Core
import Foundation
import Pipeline

/// Judging alone: a flat of twelve channels under all norms of the EU and Germany, a day of readings, against the same engine without norms.
struct JudgeBench {
    let days: Int

    private static let every = Span.seconds(10)
    private static let channels: [(series: Series, base: Double)] = [
        (series(.temperature, .celsius), 21), (series(.humidity, .percent), 45), (series(.co2, .ppm), 700),
        (series(.light, .lux), 200), (series(.voltage, .volt), 229), (series(.frequency, .hertz), 50),
        (series(.gas, .ppm, "co"), 1), (series(.gas, .percentLEL, "ch4"), 0.5),
        (series(.particles, .microgramPerCubicMetre, "pm2.5"), 8), (series(.radon, .becquerelPerCubicMetre), 60),
        (series(.vibration, .metrePerSecondSquared), 0.01), (series(.smoke, .boolean), 0),
    ]

    private static func series(_ indicator: Indicator, _ unit: Core.Unit, _ species: String? = nil) -> Series {
        Series(
            device: "b1/f1/living/" + (species ?? indicator.rawValue), indicator: indicator, species: species,
            unit: unit)
    }

    func run() throws -> [Measurement] {
        guard let folder = NormFolder.locate(flag: nil) else { throw BenchFailure("no norm documents found") }
        let norms = try NormLibrary(reading: NormFolder.documents(in: folder))
        let (judged, bytes) = try judge(by: norms)
        let (plain, bare) = try judge(by: .empty)
        let count = norms.norms.count { $0.act.jurisdictions.contains { ["EU", "DE", "house"].contains($0) } }
        return [
            Measurement(
                measure: "judge", subject: "12 channels, \(count) norms of EU, DE and house", value: judged,
                unit: "readings/s on one core", reference: "no norms: \(Int(plain)) readings/s",
                ratio: judged / plain),
            Measurement(
                measure: "state", subject: "engine state per channel after \(days) days at 10 s", value: bytes,
                unit: "bytes", reference: "no norms: \(Int(bare)) bytes", ratio: bytes / bare),
        ]
    }

    /// Readings per second, and bytes of saved state for each channel.
    private func judge(by norms: NormLibrary) throws -> (rate: Double, bytes: Double) {
        var site = Site.none
        (site.jurisdictions, site.selfPlacement) = (["EU", "DE"], true)
        site.buildings = [BuildingPlan(id: "b1", nominalVoltage: 230)]
        var engine = Engine(site: site, norms: norms)
        var effects: [Effect] = []
        var arrival = Timestamp("2026-03-02T00:00:00Z") ?? .distantPast
        for event in [Event.started(downSince: nil), .listening(true), .caughtUp] + Self.notes {
            arrival += Span(microseconds: 1)
            engine.step(event, at: arrival, into: &effects)
        }
        let start = arrival
        let rounds = days * 86_400 / 10
        var random = UInt64(1)
        let begin = now()
        for round in 1...rounds {
            arrival = start + .seconds(Double(round) * Self.every.seconds)
            for channel in Self.channels {
                random = random &* 6_364_136_223_846_793_005 &+ 1
                let noise = Double(random >> 40) / 16_777_216 - 0.5
                let value = channel.series.unit == .boolean ? 0 : channel.base * (1 + noise * 0.02)
                guard let reading = Reading(channel.series, value, deviceTime: arrival) else { continue }
                arrival += Span(microseconds: 1)
                engine.step(.reading(reading), at: arrival, into: &effects)
                effects.removeAll(keepingCapacity: true)
            }
        }
        let seconds = now() - begin
        let count = Self.channels.count
        return (Double(rounds * count) / seconds, Double(engine.checkpoint.encoded().count) / Double(count))
    }

    private static var notes: [Event] {
        channels.map {
            .device(
                DeviceNote(
                    device: $0.series.device, family: "native",
                    placement: Place(building: "b1", flat: "f1", room: "living")))
        }
    }
}
