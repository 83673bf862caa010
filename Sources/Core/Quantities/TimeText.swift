extension Timestamp: CustomStringConvertible, LosslessStringConvertible {
    /// `2018-04-27`, in UTC.
    package var day: String { String(description.prefix(10)) }

    /// RFC 3339 in UTC, with as many fraction digits as are needed: `2026-11-30T08:00:00.25Z`.
    package var description: String {
        let civil = CivilTime(self)
        let date = "\(civil.year.padded(4))-\(civil.month.padded(2))-\(civil.day.padded(2))"
        let time = "\(civil.hour.padded(2)):\(civil.minute.padded(2)):\(civil.second.padded(2))"
        var fraction = ""
        if civil.microsecond != 0 {
            fraction = "." + civil.microsecond.padded(6)
            while fraction.hasSuffix("0") { fraction.removeLast() }
        }
        return "\(date)T\(time)\(fraction)Z"
    }

    /// Reads RFC 3339; nil without an explicit zone, since a time without one names no instant.
    package init?(_ text: String) {
        guard let written = WrittenTime(text), let offset = written.offset else { return nil }
        self = written.civil.instant(offset: offset)
    }
}

/// A date and time as devices and people write them, with the zone where one is given.
///
/// Read are RFC 3339 and ISO 8601, basic (`20260301T115958Z`) or extended, with `T` or a blank, dots instead of dashes in
/// the date, 0 to 9 fraction digits (kept to the microsecond), and `Z`, `±hh:mm`, `±hhmm`, `±hh` or a trailing `UTC`.
package struct WrittenTime: Hashable, Sendable {
    package let civil: CivilTime
    /// Ahead of UTC; nil where the text names no zone.
    package let offset: Span?

    package init?(_ text: String) {
        var scan = Scan(Array(text.utf8))
        scan.skipBlanks()
        guard let year = scan.digits(4) else { return nil }
        let separator = scan.take(anyOf: "-./")
        guard let month = scan.digits(2) else { return nil }
        if let separator, scan.take(anyOf: String(UnicodeScalar(separator))) == nil { return nil }
        guard let day = scan.digits(2) else { return nil }
        guard scan.take(anyOf: "Tt ") != nil else { return nil }
        guard let hour = scan.digits(2) else { return nil }
        let colons = scan.take(anyOf: ":") != nil
        guard let minute = scan.digits(2) else { return nil }
        var second = 0
        var microsecond = 0
        if !colons || scan.take(anyOf: ":") != nil {
            guard let read = scan.digits(2) else { return nil }
            second = read
            if scan.take(anyOf: ".,") != nil {
                guard let fraction = scan.fraction() else { return nil }
                microsecond = fraction
            }
        }
        guard let zone = scan.zone() else { return nil }
        civil = CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, microsecond: microsecond)
        offset = zone
        guard civil.isValid else { return nil }
    }
}

private struct Scan {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipBlanks() {
        while next == UInt8(ascii: " ") { position += 1 }
    }

    mutating func take(anyOf allowed: String) -> UInt8? {
        guard let byte = next, allowed.utf8.contains(byte) else { return nil }
        position += 1
        return byte
    }

    mutating func digits(_ count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[position..<position + count] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        position += count
        return value
    }

    /// One to nine digits after the point, as microseconds.
    mutating func fraction() -> Int? {
        var value = 0
        var count = 0
        while let byte = next, (48...57).contains(byte) {
            if count < 6 { value = value * 10 + Int(byte - 48) }
            count += 1
            position += 1
        }
        guard (1...9).contains(count) else { return nil }
        for _ in min(count, 6)..<6 { value *= 10 }
        return value
    }

    /// The zone and the end of the text: `.some(nil)` without a zone, nil for anything else left over.
    mutating func zone() -> Span?? {
        skipBlanks()
        guard let byte = next else { return .some(nil) }
        if bytes[position...].elementsEqual("UTC".utf8) || bytes[position...].elementsEqual("GMT".utf8) {
            return .some(.zero)
        }
        position += 1
        switch byte {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            return atEnd(.zero)
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard let hours = digits(2), hours < 24 else { return nil }
            let hasColon = take(anyOf: ":") != nil
            var minutes = 0
            if hasColon || next != nil && next != UInt8(ascii: " ") {
                guard let read = digits(2), read < 60 else { return nil }
                minutes = read
            }
            let offset = Span.minutes(hours * 60 + minutes)
            return atEnd(byte == UInt8(ascii: "-") ? -offset : offset)
        default:
            return nil
        }
    }

    private mutating func atEnd(_ offset: Span) -> Span?? {
        skipBlanks()
        return next == nil ? .some(offset) : nil
    }
}

extension Int {
    /// Decimal digits with leading zeros.
    package func padded(_ width: Int) -> String {
        let digits = String(self)
        return digits.count >= width ? digits : String(repeating: "0", count: width - digits.count) + digits
    }
}

extension Span: CustomStringConvertible {
    /// The largest unit that divides it: `90 min`, `45 s`, `2 d`; durations in norms and site documents are written so.
    package var description: String {
        for (unit, size) in [("d", Span.days(1)), ("h", .hours(1)), ("min", .minutes(1)), ("s", .seconds(1))]
        where self >= size && microseconds % size.microseconds == 0 {
            return "\(microseconds / size.microseconds) \(unit)"
        }
        let text = String(seconds)
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " s"
    }

    /// Reads a number and `s`, `min`, `h` or `d`: `45 s`, `0.3 s`, `90min`.
    package init?(_ text: String) {
        let trimmed = text.filter { $0 != " " }
        for (unit, seconds) in [("min", 60.0), ("s", 1.0), ("h", 3600.0), ("d", 86_400.0)] where trimmed.hasSuffix(unit)
        {
            // Up to some 3,000 years: more would not fit into whole microseconds.
            guard let number = Double(trimmed.dropLast(unit.count)), (0...1e11).contains(number * seconds) else {
                return nil
            }
            self = .seconds(number * seconds)
            return
        }
        return nil
    }
}
