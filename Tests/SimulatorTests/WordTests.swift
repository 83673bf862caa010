import Testing

@testable import Simulator

@Suite("Words for times, places and values")
struct WordTests {
    @Test("An interval holds its start and not its end")
    func interval() {
        let interval = Interval(from: 10, to: 20)
        #expect(interval.contains(10) && interval.contains(19.9))
        #expect(!interval.contains(9.9) && !interval.contains(20))
    }

    @Test("Stretches that touch or overlap become one; empty ones go")
    func merged() {
        let pieces = [(5.0, 8.0), (0, 2), (2, 3), (7, 9), (4, 4), (6, 7)].map { Interval(from: $0.0, to: $0.1) }
        #expect(pieces.merged == [Interval(from: 0, to: 3), Interval(from: 5, to: 9)])
    }

    @Test(
        "When something is expected, in words",
        arguments: [
            (60.0, 90.0, "between 0:01:00 and 0:01:30"), (0, .infinity, "at any time"),
            (3600, .infinity, "after 1:00:00"),
        ])
    func shown(from: Double, to: Double, text: String) { #expect(Interval(from: from, to: to).shown == text) }

    @Test(
        "Time since the start", arguments: [(0.0, "0:00:00"), (59.9, "0:00:59"), (90_061, "25:01:01"), (-3, "0:00:00")])
    func time(seconds: Double, text: String) { #expect(ScenarioTime.shown(seconds) == text) }

    @Test(
        "A place covers what lies at or below it",
        arguments: [
            ("b1", ["b1", "f1", "kitchen"], true), ("b1/f1", ["b1", "f1"], true), ("b1/f1", ["b1"], false),
            ("b1/f1", ["b1", "f10"], false), ("b1/f*", ["b1", "f10"], true), ("b1/f*", ["b1", "a1"], false),
            ("b*/f1", ["b2", "f1", "hall"], true),
        ])
    func covers(pattern: String, path: [String], covers: Bool) {
        #expect(PlacePattern(pattern).covers(path) == covers)
    }

    @Test("A place names those with as many levels")
    func names() {
        #expect(PlacePattern("b1/f*").names(["b1", "f2"]))
        #expect(!PlacePattern("b1/f*").names(["b1", "f2", "hall"]))
    }

    @Test(
        "A value as a device writes it",
        arguments: [
            (230.04, 1, "230.0"), (-0.05, 1, "-0.1"), (-0.04, 1, "0.0"), (9.80665, 3, "9.807"), (0.005, 2, "0.01"),
            (43521, 0, "43521"), (-127, 0, "-127"),
        ])
    func decimal(value: Double, decimals: Int, text: String) {
        #expect(Written.decimal(value, decimals) == text)
    }

    @Test("What happens climbs, stays and falls back as fast")
    func strength() throws {
        let leak = try Sample.leak("", "").happenings[0]
        for (time, strength) in [(59.0, 0.0), (60, 0), (90, 0.5), (120, 1), (239, 1), (270, 0.5), (300, 0), (400, 0)] {
            #expect(leak.strength(at: time) == strength, "at \(time)")
        }
    }
}
