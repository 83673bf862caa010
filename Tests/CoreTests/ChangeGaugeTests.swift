import Support
import Testing

@testable import Core

@Suite("Change per time, shaking by frequency, outages together, devices that must be there")
struct ChangeGaugeTests {
    private static let start = Story.start
    private static let rise = Rate(upper: 8.3, lower: nil, per: .minutes(1), over: .minutes(1), reaches: false)

    // MARK: Rate

    @Test(
        "The last rise that passes and the first that does not", arguments: [(8.3, false), (8.31, true), (-20, false)])
    func rate(change: Double, isBroken: Bool) {
        var gauge = RateGauge()
        var finding = Finding.within
        for second in stride(from: 0, through: 120, by: 10) {
            let value = 20 + max(0, Double(second) - 60) / 60 * change
            finding = gauge.take(
                Sample(time: Self.start + .seconds(second), value: value, interval: .seconds(10)), Self.rise,
                severity: .danger)
        }
        #expect((finding.excess != nil) == isBroken)
        #expect(isBroken || finding == .within)
    }

    @Test("A gap starts anew, and a sensor that is too slow says nothing")
    func rateGaps() {
        var gauge = RateGauge()
        func take(_ second: Int, _ value: Double, every: Int) -> Finding {
            gauge.take(
                Sample(time: Self.start + .seconds(second), value: value, interval: .seconds(every)), Self.rise,
                severity: .danger)
        }
        #expect(take(0, 20, every: 10) == .unknown(.insufficientData))
        #expect(take(31, 40, every: 10) == .unknown(.insufficientData))
        #expect(take(61, 60, every: 10).excess?.since == Self.start + .seconds(31))
        gauge = RateGauge()
        _ = take(0, 20, every: 300)
        #expect(take(300, 21, every: 300) == .unknown(.tooSlow))
        #expect(take(600, 63, every: 300).excess != nil, "8.4 °C a minute, over five minutes")
    }

    @Test("Rises and falls agree with the obvious way", arguments: UInt64(1)...60)
    func ratesAgree(seed: UInt64) {
        let limit = Rate(upper: 20, lower: -25, per: .minutes(1), over: .minutes(2), reaches: false)
        var gauge = RateGauge()
        var seen: [SeededSeries.Point] = []
        let series = SeededSeries(seed: seed, until: 30_000, every: 10, values: 20...75)
        for (point, sample) in zip(series.points, series.samples(from: Self.start, usual: 10)) {
            let wasExceeded = gauge
            let finding = gauge.take(sample, limit, severity: .danger)
            if !point.isRepeat, let last = seen.last, point.second - last.second > 30 { seen = [] }
            let window = seen.filter { point.second - $0.second <= 120 }
            let rise = window.map { (point.value - $0.value) / 2 }.max() ?? 0
            let fall = window.map { (point.value - $0.value) / 2 }.min() ?? 0
            if rise > 20 || fall < -25 {
                #expect(finding.excess != nil, "seed \(seed), \(point.second) s")
            } else if !point.isRepeat, let first = seen.first, point.second - first.second >= 120 {
                #expect(finding == .within, "seed \(seed), \(point.second) s")
            }
            if !point.isRepeat { seen.append(point) } else if rise <= 20, fall >= -25 { #expect(gauge == wasExceeded) }
        }
    }

    // MARK: Frequency curve

    private static let din = FrequencyCurve(
        points: [
            .init(hertz: 1, value: 5), .init(hertz: 10, value: 5), .init(hertz: 50, value: 15),
            .init(hertz: 100, value: 20),
        ], severity: nil, reaches: false)

    @Test(
        "The limit at a frequency, and the first value beyond it",
        arguments: [(0.5, 5), (1, 5), (10, 5), (30, 10), (50, 15), (75, 17.5), (100, 20), (400, 20)]
            as [(Double, Double)])
    func curve(hertz: Double, limit: Double) {
        #expect(Self.din.limit(at: hertz) == limit)
        var gauge = FrequencyCurveGauge()
        let sample = Sample(time: Self.start, value: limit)
        #expect(gauge.take(sample, frequency: hertz, Self.din, severity: .warning) == .within)
        let beyond = Sample(time: Self.start + .seconds(1), value: limit + 0.01)
        #expect(gauge.take(beyond, frequency: hertz, Self.din, severity: .warning).excess?.limit == limit)
    }

    @Test("Without a frequency nothing is said, and nothing ends", arguments: [0.1, 5, 1000])
    func noFrequency(value: Double) {
        var gauge = FrequencyCurveGauge()
        let sample = Sample(time: Self.start, value: value)
        #expect(gauge.take(sample, frequency: nil, Self.din, severity: .warning) == .unknown(.noFrequency))
        // A frequency of another moment is not its own.
        #expect(
            gauge.take(frequency: 8, at: Self.start + .seconds(1.1), Self.din, severity: .warning) == nil)
        let found = gauge.take(frequency: 8, at: Self.start + .seconds(0.4), Self.din, severity: .warning)
        #expect((found?.excess != nil) == (value > 5))
        guard value > 5 else { return }
        let later = Sample(time: Self.start + .seconds(60), value: 0.1)
        #expect(gauge.take(later, frequency: nil, Self.din, severity: .warning).excess != nil)
        #expect(gauge.take(later, frequency: 8, Self.din, severity: .warning) == .within)
    }

    // MARK: Budget

    @Test(
        "Outages of a month together: the last second that passes and the first that does not",
        arguments: [false, true])
    func budget(isOneSecondMore: Bool) {
        let limit = Interruption(
            belowShare: 0.05, longerThan: nil,
            budget: OutageBudget(hours: 1, count: nil, per: .month, severity: .notice))
        var gauge = InterruptionGauge()
        let start = Timestamp("2026-03-01T00:00:00Z")!
        func take(_ second: Int, _ value: Double) -> Finding {
            gauge.take(
                Sample(time: start + .seconds(second), value: value, interval: .seconds(60)), limit, nominal: 230,
                severity: .danger, zone: .utc)
        }
        // Half an hour, told by two readings far apart; then the other half hour.
        #expect(take(0, 0) == .within)
        #expect(take(1740, 0) == .within)
        #expect(take(1800, 230) == .within)
        #expect(take(90_000, 0) == .within)
        #expect(take(91_740 + (isOneSecondMore ? 1 : 0), 0) == .within)
        let finding = take(91_800 + (isOneSecondMore ? 1 : 0), 230)
        #expect((finding.excess != nil) == isOneSecondMore)
        #expect(finding.excess.map { $0.since == start && $0.severity == .notice } ?? true)
        #expect(take(31 * 86_400, 230) == .within, "a new month")
    }

    @Test("A state that was saved before there were budgets is read")
    func olderState() throws {
        struct Older: Codable {
            var hold = Hold()
            var lowest = 0.0
        }
        var encoder = StateEncoder()
        try encoder.encode(Older())
        var decoder = try StateDecoder(encoder.bytes)
        #expect(try decoder.decode(InterruptionGauge.self) == InterruptionGauge())
    }

    @Test("An outage over the turn of the month is shared between both")
    func turnOfMonth() {
        let budget = OutageBudget(hours: 1, count: 1, per: .month, severity: nil)
        var tally = OutageTally()
        let turn = Timestamp("2026-04-01T00:00:00Z")!
        tally.takeDown(0, at: turn - .minutes(50), .month, .utc)
        tally.takeDown(0, at: turn + .minutes(55), .month, .utc)
        #expect(!tally.isOver(budget) && tally.spent == .minutes(55) && tally.count == 1 && tally.since == turn)
        tally.takeUp(at: turn + .minutes(300), usual: .minutes(1), .month, .utc)
        #expect(tally.spent == .minutes(56), "a gap stays a gap")
        tally.takeDown(0, at: turn + .minutes(400), .month, .utc)
        #expect(tally.isOver(budget), "the second of one")
    }

    // MARK: Presence

    @Test("Which places lack a device", arguments: [("room", 2), ("flat", 1), ("storey", 0), ("building", 0)])
    func presence(per: String, missing: Int) throws {
        let text = try NormFixtures.text("presence.json").replacing("\"per\": \"flat\"", with: "\"per\": \"\(per)\"")
        let norm = try ActDocument(parsing: text, file: "").norms[0]
        func room(_ flat: String, _ name: String, _ devices: [String]) -> Inventory.Room {
            Inventory.Room(
                place: Place(building: "b", flat: flat, room: name), kind: "bedroom", floor: 1,
                series: devices.map { Series(device: $0, indicator: .smoke, unit: .boolean) })
        }
        let inventory = Inventory(rooms: [
            room("1", "a", ["s"]), room("1", "b", []), room("2", "a", []),
        ])
        #expect(norm.absences(in: inventory).count == missing)
    }
}
