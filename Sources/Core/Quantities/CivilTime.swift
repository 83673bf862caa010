/// A date and a time of day without zone, in the proleptic Gregorian calendar.
package struct CivilTime: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour = 0
    package var minute = 0
    package var second = 0
    package var microsecond = 0

    package init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, microsecond: Int = 0
    ) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second, self.microsecond) = (hour, minute, second, microsecond)
    }

    /// The civil time shown by a UTC clock at `instant`.
    package init(_ instant: Timestamp) {
        let perDay: Int64 = 86_400_000_000
        let days = instant.microseconds.flooredQuotient(perDay)
        var rest = instant.microseconds - days * perDay
        // Days to date after Hinnant: eras of 400 years that begin in March.
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
        month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
        microsecond = Int(rest % 1_000_000)
        rest /= 1_000_000
        (second, minute, hour) = (Int(rest % 60), Int(rest / 60 % 60), Int(rest / 3600))
    }

    /// False for the 30th of February, the 25th hour and the like; a leap second (`60`) is refused.
    package var isValid: Bool {
        guard (1...12).contains(month), day >= 1, (0...23).contains(hour), (0...59).contains(minute) else {
            return false
        }
        guard (0...59).contains(second), (0...999_999).contains(microsecond) else { return false }
        return day <= Self.days(inMonth: month, of: year)
    }

    package static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// The instant at which a clock `offset` ahead of UTC shows this time.
    package func instant(offset: Span = .zero) -> Timestamp {
        let marchYear = Int64(month <= 2 ? year - 1 : year)
        let era = marchYear.flooredQuotient(400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        return Timestamp(microseconds: seconds * 1_000_000 + Int64(microsecond)) - offset
    }

    /// 0 = Monday … 6 = Sunday.
    package var weekday: Int {
        let days = CivilTime(year: year, month: month, day: day).instant().microseconds / 86_400_000_000
        return Int((days + 3) - (days + 3).flooredQuotient(7) * 7)
    }
}

extension Int64 {
    /// Division that rounds towards negative infinity, so that instants before 1970 fall into the right day.
    package func flooredQuotient(_ divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor != 0 && (self < 0) != (divisor < 0) ? quotient - 1 : quotient
    }
}
