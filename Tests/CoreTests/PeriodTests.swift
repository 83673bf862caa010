import Core
import Testing

@Suite("Periods of the site's calendar")
struct PeriodTests {
    @Test(
        "Days, weeks, months and years, over both clock changes, a 53rd week and a leap day",
        arguments: [
            ("2026-03-28", "2026-03-27T23:00:00Z", 24.0), ("2026-03-29", "2026-03-28T23:00:00Z", 23.0),
            ("2026-10-25", "2026-10-24T22:00:00Z", 25.0), ("2026-W13", "2026-03-22T23:00:00Z", 167.0),
            ("2026-W43", "2026-10-18T22:00:00Z", 169.0), ("2026-W53", "2026-12-27T23:00:00Z", 168.0),
            ("2026-W01", "2025-12-28T23:00:00Z", 168.0), ("2026-03", "2026-02-28T23:00:00Z", 743.0),
            ("2026-10", "2026-09-30T22:00:00Z", 745.0), ("2026", "2025-12-31T23:00:00Z", 8760.0),
            ("2024-02", "2024-01-31T23:00:00Z", 696.0), ("2024-02-29", "2024-02-28T23:00:00Z", 24.0),
            ("2024", "2023-12-31T23:00:00Z", 8784.0),
        ] as [(String, String, Double)])
    func bounds(text: String, start: String, hours: Double) throws {
        let period = try #require(Period(text, zone: ZoneTests.berlin))
        #expect(period.start == Timestamp(start))
        #expect(period.length.seconds == hours * 3600)
    }

    @Test(
        "What is no period is refused",
        arguments: [
            "", "26", "2025-W53", "2026-W00", "2026-W54", "2026-W5", "2026-w47", "2026-13", "2026-00", "2026-2",
            "2025-02-29", "2026-11-31", "2026-11-30T00:00:00Z", "2026-", "2026-11-30-1", "0000", "+026", "２０２６",
        ])
    func refused(text: String) { #expect(Period(text, zone: ZoneTests.berlin) == nil) }

    @Test("A zone half an hour off has its own midnights")
    func kolkata() throws {
        let zone = Zone(name: "Kolkata", periods: [.init(start: .distantPast, offset: .minutes(330))])
        let period = try #require(Period("2026-11-30", zone: zone))
        #expect(period.start == Timestamp("2026-11-29T18:30:00Z") && period.length == .days(1))
        #expect(try #require(Period("2026-W13", zone: zone)).length == .days(7))
    }
}
