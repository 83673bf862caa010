/// A span of a site's calendar that a report is about.
///
/// Bounds are local midnights, so the week of the spring change has 167 hours and that of the autumn change 169.
package struct Period: Hashable, Sendable {
    /// As it was asked for: `2026-W47`, `2026-11`, `2026`, `2026-11-30`.
    package let text: String
    package let start: Timestamp
    /// Exclusive.
    package let end: Timestamp

    package var length: Span { end - start }

    package init(text: String, start: Timestamp, end: Timestamp) {
        (self.text, self.start, self.end) = (text, start, end)
    }

    /// Reads a day, an ISO week, a month or a year; nil for anything else, and for the 53rd week of a year that has 52.
    package init?(_ text: String, zone: Zone) {
        guard let (first, next) = Self.days(text) else { return nil }
        self.init(text: text, start: zone.instant(first), end: zone.instant(next))
    }

    package func contains(_ instant: Timestamp) -> Bool { start <= instant && instant < end }

    /// How much of a stretch of time lies in the period.
    func overlap(_ from: Timestamp, _ to: Timestamp) -> Span { max(min(to, end) - max(from, start), .zero) }

    /// The first day, and the first day after.
    private static func days(_ text: String) -> (CivilTime, CivilTime)? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let year = number(parts[0], digits: 4), year >= 1 else { return nil }
        switch parts.count {
        case 1: return (CivilTime(year: year, month: 1, day: 1), CivilTime(year: year + 1, month: 1, day: 1))
        case 2 where parts[1].hasPrefix("W"):
            return number(parts[1].dropFirst(), digits: 2).flatMap { week($0, of: year) }
        case 2:
            guard let month = number(parts[1], digits: 2), (1...12).contains(month) else { return nil }
            let next = month == 12 ? (year + 1, 1) : (year, month + 1)
            return (CivilTime(year: year, month: month, day: 1), CivilTime(year: next.0, month: next.1, day: 1))
        case 3:
            guard let month = number(parts[1], digits: 2), let day = number(parts[2], digits: 2) else { return nil }
            let first = CivilTime(year: year, month: month, day: day)
            return first.isValid ? (first, first.adding(days: 1)) : nil
        default: return nil
        }
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        text.utf8.count == digits && text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }

    /// ISO 8601: weeks begin on Monday, and the 4th of January lies in the first.
    private static func week(_ number: Int, of year: Int) -> (CivilTime, CivilTime)? {
        func firstMonday(_ year: Int) -> CivilTime {
            let fourth = CivilTime(year: year, month: 1, day: 4)
            return fourth.adding(days: -fourth.weekday)
        }
        let monday = firstMonday(year).adding(days: (number - 1) * 7)
        guard number >= 1, monday.instant() < firstMonday(year + 1).instant() else { return nil }
        return (monday, monday.adding(days: 7))
    }
}

extension CivilTime {
    fileprivate func adding(days: Int) -> CivilTime { CivilTime(instant() + .days(days)) }
}
