/// A stretch of the site's calendar over which an act counts.
package enum CalendarPeriod: Hashable, Codable, Sendable {
    case day, week, month, year
    /// Of another length: a part of a day counted from midnight, or whole days counted from a Monday.
    case span(Span)

    /// Reads a word or a duration; a day, a week or a year written as a duration is the calendar's.
    package init?(_ text: String) {
        switch text {
        case "day": self = .day
        case "week": self = .week
        case "month": self = .month
        case "year": self = .year
        default:
            guard let span = Span(text), span > .zero else { return nil }
            switch span {
            case .days(1): self = .day
            case .days(7): self = .week
            case .days(365), .days(366): self = .year
            default: self = .span(span)
            }
        }
    }

    /// As it is written in a document.
    package var text: String {
        switch self {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        case .year: "year"
        case .span(let span): span.description
        }
    }
}

extension Zone {
    /// The period of the local calendar that holds `instant`; a week begins on Monday.
    package func period(containing instant: Timestamp, _ period: CalendarPeriod) -> (start: Timestamp, end: Timestamp) {
        switch period {
        case .day: return block(containing: instant, length: .days(1))
        case .week: return block(containing: instant, length: .days(7))
        case .span(let span): return block(containing: instant, length: span)
        case .month:
            let (year, month) = (civil(instant).year, civil(instant).month)
            return (first(of: month, year), month == 12 ? first(of: 1, year + 1) : first(of: month + 1, year))
        case .year:
            let year = civil(instant).year
            return (first(of: 1, year), first(of: 1, year + 1))
        }
    }

    private func first(of month: Int, _ year: Int) -> Timestamp {
        instant(CivilTime(year: year, month: month, day: 1))
    }

    /// How many blocks begin between two instants that are borders of days or of such blocks. A clock change may cut one in two.
    package func blockCount(from start: Timestamp, to end: Timestamp, length: Span) -> Int {
        let day = Span.days(1).microseconds
        if length >= .days(1) {
            let count = length.microseconds / day
            // Day 4 of 1970 was a Monday.
            func begun(before midnight: Timestamp) -> Int64 { (dayNumber(midnight) - 1 - 4).flooredQuotient(count) }
            return Int(begun(before: end) - begun(before: start))
        }
        guard end - start > .days(1) else { return walk(from: start, to: end, length) }
        let usual = Int((day + length.microseconds - 1) / length.microseconds)
        let changed = Set(changes(from: start, to: end).map { block(containing: $0, length: .days(1)).start })
        let days = Int(dayNumber(end) - dayNumber(start)) - changed.count
        return changed.reduce(days * usual) { sum, start in
            sum + walk(from: start, to: block(containing: start, length: .days(1)).end, length)
        }
    }

    private func dayNumber(_ instant: Timestamp) -> Int64 {
        (instant + offset(at: instant)).microseconds.flooredQuotient(Span.days(1).microseconds)
    }

    private func walk(from start: Timestamp, to end: Timestamp, _ length: Span) -> Int {
        var (time, count) = (start, 0)
        while time < end {
            time = max(block(containing: time, length: length).end, time + Span(microseconds: 1))
            count += 1
        }
        return count
    }
}
