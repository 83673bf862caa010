import Support
import Testing

@testable import Core

/// A series with jitter, gaps and repeated times, in whole seconds.
struct SeededSeries {
    struct Point { let second: Int, value: Double, isRepeat: Bool }
    private(set) var points: [Point] = []

    init(seed: UInt64, until end: Int, every usual: Int, values: ClosedRange<Double>) {
        var random = SplitMix64(state: seed)
        var second = 0
        while second < end {
            points.append(Point(second: second, value: .random(in: values, using: &random), isRepeat: false))
            if Int.random(in: 0..<20, using: &random) == 0 {
                points.append(Point(second: second, value: .random(in: values, using: &random), isRepeat: true))
            }
            let isGap = Int.random(in: 0..<30, using: &random) == 0
            second +=
                isGap
                ? .random(in: 3 * usual + 1...40 * usual, using: &random) : usual + .random(in: -1...1, using: &random)
        }
    }

    func samples(from start: Timestamp, usual: Int) -> [Sample] {
        points.map {
            Sample(
                time: start + .seconds($0.second), value: $0.value, interval: .seconds(usual), isRepeat: $0.isRepeat)
        }
    }
}

@Suite("Limits that count block means over a period of the calendar")
struct PeriodGaugeTests {
    private static func time(_ text: String) -> Timestamp { Timestamp(text)! }
    static let kolkata = Zone(name: "Kolkata", periods: [.init(start: .distantPast, offset: .minutes(330))])

    private static func percentile(_ share: Double = 0.95, block: Span = .minutes(10), window: CalendarPeriod = .week)
        -> Percentile
    {
        Percentile(
            block: block, window: window, share: share, lower: 207, upper: 253, reaches: false, completeness: 0.75)
    }

    /// A value every minute from a local Monday on, bad for so many blocks; the finding when the week is over.
    private func week(badBlocks: Int, zone: Zone, from start: Timestamp, minutes: Int, missing: Int = 0) -> Finding {
        var gauge = PercentileGauge()
        var finding = Finding.within
        for minute in 0...minutes where minute >= missing {
            finding = gauge.take(
                Sample(
                    time: start + .minutes(minute), value: minute - missing < badBlocks * 10 ? 206 : 230,
                    interval: .minutes(1)),
                Self.percentile(), severity: .notice, zone: zone)
        }
        return finding
    }

    @Test(
        "Five percent of a week: 50 of 1008 blocks, also where clocks change within it",
        arguments: [
            (Zone.utc, "2026-01-12T00:00:00Z", 10_080, 50), (ZoneTests.berlin, "2026-03-22T23:00:00Z", 10_020, 50),
            (ZoneTests.berlin, "2026-10-18T22:00:00Z", 10_140, 50), (kolkata, "2026-01-11T18:30:00Z", 10_080, 50),
            (ZoneTests.halfHour, "2026-03-29T13:00:00Z", 10_110, 50),
        ])
    func edge(zone: Zone, start: String, minutes: Int, allowed: Int) {
        let start = Self.time(start)
        #expect(week(badBlocks: allowed, zone: zone, from: start, minutes: minutes) == .within)
        #expect(week(badBlocks: allowed, zone: zone, from: start, minutes: minutes - 1) == .unknown(.insufficientData))
        // The 51st bad block decides the week at once.
        let over = (allowed + 1) * 10
        #expect(week(badBlocks: 51, zone: zone, from: start, minutes: over - 1).excess == nil)
        let excess = week(badBlocks: 51, zone: zone, from: start, minutes: over).excess
        #expect(excess == Excess(severity: .notice, since: start, value: 206, limit: 207))
    }

    @Test("A window with too few measured blocks says nothing", arguments: [(2520, true), (2530, false)])
    func tooFew(missing: Int, isEnough: Bool) {
        let finding = week(
            badBlocks: 0, zone: .utc, from: Self.time("2026-01-12T00:00:00Z"), minutes: 10_080, missing: missing)
        #expect(finding == (isEnough ? .within : .unknown(.insufficientData)))
    }

    @Test(
        "The number of blocks of a window is what walking through it gives",
        arguments: [Zone.utc, ZoneTests.berlin, ZoneTests.halfHour, kolkata])
    func blockCount(zone: Zone) {
        for period in [CalendarPeriod.day, .week, .month, .year] {
            for length in [Span.minutes(10), .minutes(30), .hours(1), .hours(8), .days(1), .days(7)] {
                for day in stride(from: 0, to: 420, by: 9) {
                    let window = zone.period(containing: Self.time("2026-01-01T12:00:00Z") + .days(day), period)
                    var (time, count) = (window.start, 0)
                    while time < window.end {
                        let block = zone.block(containing: time, length: length)
                        if block.start >= window.start { count += 1 }
                        time = block.end
                    }
                    #expect(
                        zone.blockCount(from: window.start, to: window.end, length: length) == count,
                        "\(zone.name), \(period), \(length), day \(day)")
                }
            }
        }
    }

    @Test("Months and years of the local calendar, with a leap day")
    func calendar() {
        let february = ZoneTests.berlin.period(containing: Self.time("2028-02-29T22:59:59Z"), .month)
        #expect(february.start == Self.time("2028-01-31T23:00:00Z"))
        #expect(february.end == Self.time("2028-02-29T23:00:00Z"))
        let year = Self.kolkata.period(containing: Self.time("2027-12-31T18:30:00Z"), .year)
        #expect(year.start == Self.time("2027-12-31T18:30:00Z") && year.end - year.start == .days(366))
        #expect(CalendarPeriod("24 h") == .day && CalendarPeriod("7 d") == .week && CalendarPeriod("365 d") == .year)
        #expect(CalendarPeriod("30 d") == .span(.days(30)) && CalendarPeriod("0 d") == nil)
    }

    @Test("The last day that is allowed, the first that is not, and a new year", arguments: [0, 1, 18])
    func exceedances(allowed: Int) {
        let limit = Exceedances(
            block: .days(1), above: 45, below: nil, allowed: allowed, per: .year, reaches: false, completeness: 0.75)
        var gauge = ExceedancesGauge()
        let start = Self.time("2026-01-01T00:00:00Z")
        for hour in 0...366 * 24 {
            let isBad = hour < (allowed + 1) * 24
            let sample = Sample(time: start + .hours(hour), value: isBad ? 45.1 : 45, interval: .hours(1))
            let finding = gauge.take(sample, limit, severity: .notice, zone: .utc)
            let isExceeded = hour >= (allowed + 1) * 24 && hour < 366 * 24
            #expect((finding.excess != nil) == isExceeded, "hour \(hour)")
            if hour == 365 * 24 {
                #expect(gauge.verdict?.count.broken == allowed + 1 && gauge.verdict?.finding.excess != nil)
            }
        }
    }

    // MARK: The obvious way

    /// Means of blocks that lie wholly before `now`, by looking at every second. Nil where too little is covered.
    private func slowMeans(_ points: [SeededSeries.Point], usual: Int, block: Int) -> [Int: Double] {
        let first = points.filter { !$0.isRepeat }
        var sums: [Int: (sum: Double, held: Int, covered: Double)] = [:]
        for (point, next) in zip(first, first.dropFirst()) {
            let length = next.second - point.second
            let held = length > usual * 3 ? usual : length
            for second in 0..<held {
                let number = (point.second + second) / block
                var entry = sums[number] ?? (0, 0, 0)
                entry.sum += point.value
                entry.held += 1
                entry.covered += Double(min(length, usual)) / Double(held)
                sums[number] = entry
            }
        }
        let last = first.last.map { $0.second / block } ?? 0
        return sums.filter { $0.key < last && $0.value.covered >= 0.75 * Double(block) - 1e-6 }
            .mapValues { $0.sum / Double($0.held) }
    }

    @Test("Shares and counts agree with the obvious way, with gaps, jitter and repeats", arguments: UInt64(1)...60)
    func agree(seed: UInt64) {
        let series = SeededSeries(seed: seed, until: 3 * 86_400, every: 20, values: 203...257)
        let means = slowMeans(series.points, usual: 20, block: 60)
        let share = Self.percentile(0.8, block: .minutes(1), window: .day)
        let count = Exceedances(
            block: .minutes(1), above: 240, below: nil, allowed: 40, per: .day, reaches: false, completeness: 0.5)
        var (shares, counts) = (PercentileGauge(), ExceedancesGauge())
        let start = Self.time("2026-01-12T00:00:00Z")
        var day = 0
        for sample in series.samples(from: start, usual: 20) {
            _ = shares.take(sample, share, severity: .notice, zone: .utc)
            _ = counts.take(sample, count, severity: .notice, zone: .utc)
            guard let verdict = shares.verdict, verdict.count.end - start == .days(day + 1) else { continue }
            let values = means.filter { $0.key / 1440 == day }.values
            let broken = values.filter { $0 < 207 || $0 > 253 }.count
            #expect(
                verdict.count.measured == values.count && verdict.count.broken == broken, "seed \(seed), day \(day)")
            let isOver =
                Double(broken) > 0.2 * 1440 + 1e-6
                || values.count >= 1080 && Double(broken) > 0.2 * Double(values.count) + 1e-6
            let expected: Bool? = isOver ? false : values.count >= 1080 ? true : nil
            #expect((verdict.finding == .within ? true : verdict.finding.excess != nil ? false : nil) == expected)
            day += 1
        }
        #expect(day == 2)
        #expect(counts.verdict?.count.end == shares.verdict?.count.end)
    }

    @Test("Saved, read again and gone on is gone on", arguments: UInt64(1)...20)
    func saved(seed: UInt64) throws {
        let samples = SeededSeries(seed: seed, until: 86_400, every: 20, values: 203...257)
            .samples(from: Self.time("2026-03-28T12:00:00Z"), usual: 20)
        let share = Self.percentile(0.8, block: .minutes(1), window: .span(.hours(1)))
        let rate = Rate(upper: 30, lower: -30, per: .minutes(1), over: .minutes(2), reaches: false)
        var (one, two) = (PercentileGauge(), PercentileGauge())
        var (rising, again) = (RateGauge(), RateGauge())
        for (index, sample) in samples.enumerated() {
            if index % 97 == 0 { (two, again) = (try reloaded(two), try reloaded(again)) }
            let zone = ZoneTests.berlin
            #expect(
                one.take(sample, share, severity: .notice, zone: zone)
                    == two.take(sample, share, severity: .notice, zone: zone))
            #expect(
                rising.take(sample, rate, severity: .notice) == again.take(sample, rate, severity: .notice))
        }
        #expect(one == two && rising == again)
    }

    private func reloaded<Value: Codable>(_ value: Value) throws -> Value {
        var encoder = StateEncoder()
        try encoder.encode(value)
        var decoder = try StateDecoder(encoder.bytes)
        return try decoder.decode(Value.self)
    }
}
