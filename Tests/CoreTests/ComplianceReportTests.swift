import Core
import Support
import Testing

@Suite("A report counts what lies in its period and applies there")
struct ComplianceReportTests {
    private static func time(_ text: String) -> Timestamp { Timestamp(text)! }

    private func cited(_ limit: String, appliesTo: String = #"{"rooms": ["*"]}"#) throws -> CitedNorm {
        let norm = Fixture.norm(
            "n", hazard: "power-quality", indicator: "voltage", unit: "V", limit: limit, appliesTo: appliesTo)
        let document = try ActDocument(parsing: Fixture.act("a", norm), file: "a.json")
        return CitedNorm(act: document.act, norm: document.norms[0])
    }

    /// A value every minute from `lead` before the period to its end.
    private func measured(
        _ norm: CitedNorm, _ period: Period, lead: Span, zone: Zone, _ value: (Timestamp) -> Double
    ) throws -> Compliance {
        let from = period.start - lead
        var meter = try #require(ComplianceMeter(norm, nominal: 230, period: period, from: from, zone: zone))
        var now = from
        while now < period.end {
            meter.take(Sample(time: now, value: value(now), interval: .minutes(1)))
            now += .minutes(1)
        }
        meter.finish(at: period.end)
        return meter.compliance
    }

    @Test("A bad week is none of the good week that follows", arguments: [1, 7])
    func weekBefore(days: Int) throws {
        let norm = try cited(
            #"{"shape": "percentile", "block": "10 min", "window": "7 d", "share": 0.95, "lower": 207, "upper": 253}"#)
        let period = try #require(Period("2026-W47", zone: .utc))
        let good = try measured(norm, period, lead: .days(days), zone: .utc) { $0 < period.start ? 200 : 230 }
        #expect(good.verdict == .pass && good.share == 1, "\(good)")
        let bad = try measured(norm, period, lead: .days(days), zone: .utc) {
            $0 < period.start || $0 >= period.end - .hours(9) ? 200 : 230
        }
        #expect(bad.verdict == .fail && bad.blocks == .init(judged: 1008, outside: 54), "\(bad)")
    }

    @Test(
        "Hours by local time, over both clock changes",
        arguments: [("2026-W12", 63.0), ("2026-W13", 62.0), ("2026-W43", 64.0)])
    func hours(text: String, hours: Double) throws {
        let norm = try cited(
            #"{"shape": "band", "upper": 253}"#, appliesTo: #"{"rooms": ["*"], "hours": "22:00-07:00"}"#)
        let period = try #require(Period(text, zone: ZoneTests.berlin))
        let found = try measured(norm, period, lead: .zero, zone: ZoneTests.berlin) {
            // Too much by day only, which is none of this norm.
            (7..<22).contains(ZoneTests.berlin.civil($0).hour) ? 300 : 230
        }
        #expect(found.covered.seconds == hours * 3600 && found.completeness == 1 && found.verdict == .pass, "\(found)")
    }

    @Test("Readings from before fill the first window, and are not counted themselves")
    func warmUp() throws {
        let norm = try cited(#"{"shape": "mean", "windows": [{"length": "1 h", "kind": "sliding", "upper": 253}]}"#)
        let period = try #require(Period("2026-11-30", zone: .utc))
        let cold = try measured(norm, period, lead: .zero, zone: .utc) { _ in 230 }
        #expect(cold.covered == .hours(24) - .minutes(45))
        let warm = try measured(norm, period, lead: .days(1), zone: .utc) { $0 < period.start - .hours(2) ? 300 : 230 }
        #expect(warm.covered == .hours(24) && warm.verdict == .pass && warm.worst?.value == 230, "\(warm)")
    }

    @Test("Late and repeated readings stand in their place; implausible ones, and those of another time, do not count")
    func quality() throws {
        let norm = Fixture.norm(
            "n", hazard: "power-quality", indicator: "voltage", unit: "V", limit: #"{"shape": "band", "upper": 253}"#)
        var virtual = try Virtual(site: House.site())
        try virtual.value(230, of: House.meter(), at: .zero)
        let library = NormLibrary([try ActDocument(parsing: Fixture.act("a", norm), file: "a.json")])
        let period = try #require(Period("2026-11-30", zone: .utc))
        func found(_ extra: [(minute: Int, value: Double, quality: Quality)]) throws -> Compliance {
            var readings = (-60..<1500).map { (minute: $0, value: 230.0, quality: Quality()) } + extra
            readings.sort { ($0.minute, $0.value) < ($1.minute, $1.value) }
            var report = ComplianceReport(
                period, on: virtual.engine.reportedChannels, by: .init(norms: library, jurisdictions: ["EU"]),
                zone: .utc, now: .distantFuture)
            for (minute, value, quality) in readings {
                report.take(value, of: House.meter(), at: period.start + .minutes(minute), quality)
            }
            report.finish()
            #expect(report.lines.count == 1)
            return try #require(report.lines.first).compliance
        }
        let plain = try found([])
        #expect(plain.verdict == .pass && plain.completeness == 1)
        #expect(try found([(5, 230, []), (700, 230, .late)]) == plain)
        #expect(try found([(5, 900, .implausible), (-30, 300, []), (1440, 300, [])]) == plain)
        let late = try found([(700, 300, .late)])
        #expect(late.verdict == .fail && late.excesses == 1 && late.exceeded == .minutes(1), "\(late)")
        #expect(late.worst == .init(value: 300, time: period.start + .minutes(700)))
    }
}
