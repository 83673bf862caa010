@testable import Core
import Support
import Testing

@Suite("A dose adds up, and begins anew")
struct DoseGaugeTests {
    private static let start = Timestamp("2026-03-28T23:00:00Z")!

    private func dose(_ upper: Double, per: CalendarPeriod? = .day, reaches: Bool = false, power: Double = 4) -> Dose {
        Dose(power: power, upper: upper, per: per, reaches: reaches)
    }

    private func at(_ seconds: Int) -> Timestamp { Self.start + .seconds(seconds) }

    @Test(
        "The last dose that passes and the first that does not",
        arguments: [(false, 15, false), (false, 16, false), (false, 17, true), (true, 15, false), (true, 16, true)])
    func edge(reaches: Bool, seconds: Int, isOver: Bool) {
        // 1 m/s² for 16 s is a dose of exactly 2 m/s^1.75.
        var gauge = DoseGauge()
        var finding = Finding.within
        for second in 0...seconds {
            let sample = Sample(time: at(second), value: 1, interval: .seconds(1))
            finding = gauge.take(sample, dose(2, reaches: reaches), severity: .notice, zone: .utc)
        }
        #expect((finding.excess != nil) == isOver)
        if let excess = finding.excess { #expect(excess.since == at(seconds) && excess.limit == 2) }
    }

    @Test("Sign does not count, silence adds nothing, repeats and uncertain times neither")
    func whatCounts() {
        var gauge = DoseGauge()
        func take(_ second: Int, _ value: Double, isRepeat: Bool = false, isUncertain: Bool = false) -> Finding {
            gauge.take(
                Sample(
                    time: at(second), value: value, interval: .seconds(1), isRepeat: isRepeat, isUncertain: isUncertain),
                dose(2), severity: .notice, zone: .utc)
        }
        for second in 0...8 { #expect(take(second, second % 2 == 0 ? -1 : 1) == .within) }
        #expect(take(8, 100, isRepeat: true) == .within)
        #expect(take(9, 100, isUncertain: true) == .within)
        // After a long silence its last value has held for one usual interval.
        #expect(take(2000, 1) == .within)
        for second in 2001...2006 { #expect(take(second, 1) == .within, "\(second)") }
        #expect(take(2007, 1) == .within)
        #expect(take(2008, 1).excess != nil)
    }

    @Test(
        "It agrees with the obvious sum over each day of the calendar, over the change of clocks",
        arguments: UInt64(1)...200)
    func reference(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let zone = ZoneTests.berlin
        let limit = dose(
            Double.random(in: 3...12, using: &random), power: Double(Int.random(in: 1...4, using: &random)))
        var gauge = DoseGauge()
        var samples: [(time: Timestamp, value: Double)] = []
        var time = Self.start - .hours(3)
        for step in 0..<600 {
            let value = Double.random(in: -2...2, using: &random)
            samples.append((time, value))
            let finding = gauge.take(
                Sample(time: time, value: value, interval: .minutes(5)), limit, severity: .notice, zone: zone)
            let day = zone.period(containing: time, .day)
            let sum = zip(samples, samples.dropFirst()).reduce(0.0) { sum, pair in
                let (from, until) = (pair.0.time, pair.1.time)
                let end = until - from > .minutes(15) ? from + .minutes(5) : until
                let part = (min(end, day.end) - max(from, day.start)).seconds
                return part > 0 ? sum + power(abs(pair.0.value), Int(limit.power)) * part : sum
            }
            let isOver = sum > power(limit.upper, Int(limit.power))
            #expect((finding.excess != nil) == isOver, "seed \(seed), step \(step)")
            time += Bool.random(using: &random) ? .minutes(5) : .seconds(Int.random(in: 1...1800, using: &random))
        }
    }

    private func power(_ value: Double, _ exponent: Int) -> Double {
        (0..<exponent).reduce(1.0) { product, _ in product * value }
    }

    @Test("A norm of the night ends with the night")
    func hours() throws {
        let act = Fixture.act(
            "dose",
            Fixture.norm(
                "night", hazard: "building-vibration", indicator: "vibration", unit: "m/s^1.75", severity: "notice",
                limit: #"{"shape": "dose", "upper": 2}"#, appliesTo: #"{"rooms": ["*"], "hours": "08:00-08:01"}"#))
        var house = try Virtual(site: House.site(), documents: [act])
        for second in 0...90 { try house.value(second % 2 == 0 ? 1 : -1, of: House.shake(), at: .seconds(second)) }
        #expect(house.alarms.count >= 2)
        #expect(house.alarms.first?.hasSuffix("raised notice building-vibration") == true)
        #expect(house.alarms.dropFirst().first == "1:00 ended building-vibration")
    }
}
