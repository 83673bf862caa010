import Core
import Testing

@Suite("Windows follow the site's calendar")
struct ZoneTests {
    private static func time(_ text: String) -> Timestamp { Timestamp(text)! }

    /// Central European time in 2026: summer from 29 March to 25 October, 01:00 UTC.
    static let berlin = Zone(
        name: "Berlin",
        periods: [
            .init(start: .distantPast, offset: .hours(1)),
            .init(start: time("2026-03-29T01:00:00Z"), offset: .hours(2)),
            .init(start: time("2026-10-25T01:00:00Z"), offset: .hours(1)),
        ])
    /// Half an hour of shift, as on Lord Howe Island.
    static let halfHour = Zone(
        name: "Lord Howe",
        periods: [
            .init(start: .distantPast, offset: .minutes(660)),
            .init(start: time("2026-04-04T15:00:00Z"), offset: .minutes(630)),
            .init(start: time("2026-10-03T15:30:00Z"), offset: .minutes(660)),
        ])

    @Test("Days have 23, 24 and 25 hours")
    func days() {
        func hours(_ text: String) -> Double {
            let day = Self.berlin.block(containing: Self.time(text), length: .days(1))
            return (day.end - day.start).seconds / 3600
        }
        #expect(hours("2026-03-28T12:00:00Z") == 24)
        #expect(hours("2026-03-29T12:00:00Z") == 23)
        #expect(hours("2026-10-25T12:00:00Z") == 25)
        let day = Self.halfHour.block(containing: Self.time("2026-04-05T00:00:00Z"), length: .days(1))
        #expect(day.end - day.start == .minutes(24 * 60 + 30))
    }

    @Test(
        "Every minute of both change nights lies in exactly one block, and blocks follow one another",
        arguments: [berlin, halfHour], [10, 60, 120])
    func partition(zone: Zone, minutes: Int) {
        for begin in ["2026-03-28T20:00:00Z", "2026-10-24T20:00:00Z", "2026-04-04T10:00:00Z", "2026-10-03T10:00:00Z"] {
            var instant = Self.time(begin)
            var previous = zone.block(containing: instant, length: .minutes(minutes))
            for _ in 0..<20 * 60 {
                instant += .minutes(1)
                let block = zone.block(containing: instant, length: .minutes(minutes))
                #expect(block.start <= instant && instant < block.end)
                #expect(block.start == previous.start || block.start == previous.end)
                #expect(block.end - block.start <= .minutes(minutes))
                previous = block
            }
        }
    }

    @Test("A block of an hour begins at the full hour of the clock on the wall, also where it is half past in UTC")
    func localHours() {
        let block = Self.halfHour.block(containing: Self.time("2026-06-01T00:45:00Z"), length: .hours(1))
        #expect(Self.halfHour.civil(block.start).minute == 0)
    }

    @Test(
        "Civil time and instants agree over centuries",
        arguments: [
            "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00Z", "2000-02-29T12:00:00Z", "2026-11-30T08:00:00.25Z",
            "2400-12-31T00:00:01Z",
        ])
    func civil(text: String) throws {
        let instant = try #require(Timestamp(text))
        #expect(instant.description == text)
        #expect(CivilTime(instant).instant() == instant)
    }

    @Test(
        "What is no time is refused",
        arguments: [
            "", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:61:00Z", "2026-01-01", "yesterday",
            "2026-01-01T00:00:00", "2026-01-01T00:00:00+25:00",
        ])
    func refused(text: String) { #expect(Timestamp(text) == nil) }

    @Test(
        "Durations are written and read with their unit",
        arguments: [
            ("45 s", 45.0), ("90 min", 5400), ("90min", 5400), ("2 h", 7200), ("1.5 h", 5400), ("0.3 s", 0.3),
            ("90 d", 7_776_000),
        ])
    func spans(text: String, seconds: Double) throws {
        let span = try #require(Span(text))
        #expect(span.seconds == seconds)
        #expect(Span(span.description) == span)
    }
}
