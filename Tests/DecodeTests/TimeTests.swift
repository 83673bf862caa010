import Core
import Testing

@testable import Decode

@Suite("Times")
struct TimeTests {
    private func time(_ json: JSON, live: Bool = true) -> String? {
        guard case .instant(let time)? = DeviceTime(json, arrival: noon, isLive: live) else { return nil }
        return time.description
    }

    @Test(
        "Numbers by magnitude, exact where whole",
        arguments: [
            (JSON.integer(1_777_896_000), "2026-05-04T12:00:00Z"),
            (.number(1_777_896_000.25), "2026-05-04T12:00:00.25Z"),
            (.integer(1_777_896_000_125), "2026-05-04T12:00:00.125Z"),
            (.integer(1_777_896_000_000_125), "2026-05-04T12:00:00.000125Z"),
            (.integer(1_777_896_000_000_125_999), "2026-05-04T12:00:00.000125Z"),
            (.text("1777896000"), "2026-05-04T12:00:00Z"), (.text("1777896000.5"), "2026-05-04T12:00:00.5Z"),
            (.integer(946_684_800), "2000-01-01T00:00:00Z"), (.integer(99_999_999_999), "5138-11-16T09:46:39Z"),
            (.integer(100_000_000_000_000), nil), (.integer(946_684_799), nil), (.integer(99_999_999), nil),
            (.integer(0), nil), (.integer(-1), nil), (.integer(3), nil), (.integer(.min), nil), (.number(1e20), nil),
            (.number(.infinity), nil), (.text("100000000000000000000"), nil), (.null, nil), (.flag(true), nil),
        ] as [(JSON, String?)])
    func numbers(json: JSON, expected: String?) { #expect(time(json) == expected) }

    @Test(
        "Dates as devices write them",
        arguments: [
            ("2026-05-04T11:59:58Z", "2026-05-04T11:59:58Z"), ("2026-05-04T11:59:58.461Z", "2026-05-04T11:59:58.461Z"),
            ("2026-05-04T11:59:58.123456789Z", "2026-05-04T11:59:58.123456Z"),
            ("2026-05-04 11:59:58Z", "2026-05-04T11:59:58Z"), ("20260504T115958Z", "2026-05-04T11:59:58Z"),
            ("2026-05-04T13:59:58+02:00", "2026-05-04T11:59:58Z"), ("2026-05-04T06:29:58-0530", "2026-05-04T11:59:58Z"),
            ("2026-05-04T11:59:58UTC", "2026-05-04T11:59:58Z"),
            ("2026-05-04T11:50:00Z/2026-05-04T12:00:00Z", "2026-05-04T12:00:00Z"),
            ("2026-02-30T10:00:00Z", nil), ("2026-05-04T25:61:00Z", nil), ("1970-01-01T00:00:03Z", nil),
            ("1999-12-31T23:59:59Z", nil), ("yesterday", nil), ("", nil), ("2026-05-04", nil),
        ])
    func dates(text: String, expected: String?) { #expect(time(.text(text)) == expected) }

    @Test(
        "Without a zone the nearest quarter of an hour is the zone, if the message is live and the quarter exists",
        arguments: [
            ("2026-05-04T14:00:03", "2026-05-04T12:00:03Z"), ("2026-05-04T11:58:00", "2026-05-04T11:58:00Z"),
            ("2026-05-04T12:02:00", "2026-05-04T12:02:00Z"), ("2026-05-04T12:02:01", nil),
            ("2026-05-04T17:45:10", "2026-05-04T12:00:10Z"), ("2026-05-05T02:00:00", "2026-05-04T12:00:00Z"),
            ("2026-05-05T02:15:00", nil), ("2026-05-04T00:00:00", "2026-05-04T12:00:00Z"),
            ("2026-05-03T23:45:00", nil), ("2026.05.04 14:00:03", "2026-05-04T12:00:03Z"),
            ("2026-05-04T14:07:30", nil),
        ])
    func zoneless(text: String, expected: String?) {
        #expect(time(.text(text)) == expected)
        #expect(time(.text(text), live: false) == nil)
    }

    @Test("Of several candidates the one that names an instant counts, and the element's before the message's")
    func candidates() {
        let both = understand("a/box", #"{"temperature":20,"time":"12:00","epoch":1777895990}"#)
        #expect(both.readings[0].deviceTime == Timestamp("2026-05-04T11:59:50Z"))
        #expect(both.rejected.isEmpty)
        let inner = understand("a/box", #"{"ts":1777895990,"temperature":{"value":20,"ts":1777895980}}"#)
        #expect(inner.readings[0].deviceTime == Timestamp("2026-05-04T11:59:40Z"))
        let start = understand("a/box", #"{"TotalStartTime":"2025-01-01T00:00:00Z","temperature":20}"#)
        #expect(start.readings[0].deviceTime == nil)
    }

    @Test("Up to 120 s ahead is ordinary; more is told, with the claim kept for the engine", arguments: [120, 121])
    func ahead(seconds: Int) {
        let claim = noon + .seconds(seconds)
        let understanding = understand("a/temperature", #"{"value":20,"time":"\#(claim)"}"#)
        #expect(understanding.readings[0].deviceTime == claim)
        #expect(understanding.reasons == (seconds > 120 ? [.timeAhead] : []))
    }
}
