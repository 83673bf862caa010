/// A time zone as a table of its changes, filled outside: the core reads no system files.
package struct Zone: Hashable, Sendable {
    /// From `start` on, clocks are `offset` ahead of UTC. Sorted; the first one reaches back for ever.
    package struct Period: Hashable, Sendable {
        package let start: Timestamp
        package let offset: Span
        package init(start: Timestamp, offset: Span) { (self.start, self.offset) = (start, offset) }
    }
    package let name: String
    private let periods: [Period]

    package init(name: String, periods: [Period]) {
        self.name = name
        self.periods = periods.isEmpty ? [Period(start: .distantPast, offset: .zero)] : periods
    }

    package static let utc = Zone(name: "UTC", periods: [])

    private func index(at instant: Timestamp) -> Int {
        var (low, high) = (0, periods.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if periods[middle].start <= instant { low = middle } else { high = middle }
        }
        return low
    }

    /// The clock changes from `start` to before `end`.
    func changes(from start: Timestamp, to end: Timestamp) -> [Timestamp] {
        periods[index(at: start)...].lazy.map(\.start).prefix { $0 < end }.filter { $0 >= start }
    }

    package func offset(at instant: Timestamp) -> Span { periods[index(at: instant)].offset }

    package func civil(_ instant: Timestamp) -> CivilTime { CivilTime(instant + offset(at: instant)) }

    /// The instant at which clocks show `civil`; the first one where they show it twice, the change itself where never.
    package func instant(_ civil: CivilTime) -> Timestamp {
        let naive = civil.instant()
        let around = [naive - .days(1), naive, naive + .days(1)].map { offset(at: $0) }
        let fitting = around.map { naive - $0 }.filter { self.civil($0) == civil }
        if let first = fitting.min() { return first }
        return periods.first { $0.start > naive - around[0] }?.start ?? naive - around[0]
    }

    /// The block of the local calendar that holds `instant`: whole multiples of `length` from local midnight, a calendar day for
    /// a day, whole days from a Monday for more. On a day of a clock change a block may be shorter or longer; every instant
    /// lies in exactly one.
    package func block(containing instant: Timestamp, length: Span) -> (start: Timestamp, end: Timestamp) {
        if length >= .days(1) {
            return days(containing: instant, count: max(1, length.microseconds / Span.days(1).microseconds))
        }
        let current = index(at: instant)
        let offset = periods[current].offset
        let local = (instant + offset).microseconds
        let midnight = local.flooredQuotient(Span.days(1).microseconds) * Span.days(1).microseconds
        let inDay = (local - midnight).flooredQuotient(length.microseconds) * length.microseconds
        var start = Timestamp(microseconds: midnight + inDay) - offset
        var end = min(start + length, Timestamp(microseconds: midnight) - offset + .days(1))
        start = max(start, periods[current].start)
        if current + 1 < periods.count { end = min(end, periods[current + 1].start) }
        return (start, end)
    }

    private func days(containing instant: Timestamp, count: Int64) -> (start: Timestamp, end: Timestamp) {
        let civil = civil(instant)
        let day =
            CivilTime(year: civil.year, month: civil.month, day: civil.day).instant().microseconds
            / Span.days(1).microseconds
        // Day 4 of 1970 was a Monday.
        let first = (day - 4).flooredQuotient(count) * count + 4
        func midnight(_ day: Int64) -> Timestamp {
            self.instant(CivilTime(Timestamp(microseconds: day * Span.days(1).microseconds)))
        }
        return (midnight(first), midnight(first + count))
    }
}
