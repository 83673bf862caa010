import Core

/// Finds out when a device measured, from what it wrote.
enum DeviceTime: Hashable, Sendable {
    case instant(Timestamp)
    /// Something is written, but it names no instant: seconds since boot, an impossible date, a time without usable zone.
    case unusable

    private static let earliest = CivilTime(year: 2000, month: 1, day: 1).instant()

    /// Reads a number, digits in a string, or a date; nil for what is not even meant as a time.
    ///
    /// A time ahead of ours is returned as it is: the engine tells a wrong clock, and keeps the claim.
    init?(_ json: JSON, arrival: Timestamp, isLive: Bool) {
        switch json {
        case .integer(let value): self = Self.epoch(value)
        case .number(let value): self = Self.epoch(value)
        case .text(let text): self = Self.read(text, arrival: arrival, isLive: isLive)
        case .null, .flag, .list, .object: return nil
        }
    }

    /// Seconds, milliseconds, micro- or nanoseconds by their size; exact for whole numbers.
    static func epoch(_ value: Int64) -> DeviceTime {
        switch value {
        case 100_000_000..<100_000_000_000: plausible(value * 1_000_000)
        case 100_000_000_000..<100_000_000_000_000: plausible(value * 1000)
        case 100_000_000_000_000..<100_000_000_000_000_000: plausible(value)
        case 100_000_000_000_000_000...: plausible(value / 1000)
        default: .unusable
        }
    }

    static func epoch(_ value: Double) -> DeviceTime {
        switch value {
        case 1e8..<1e11: plausible(Int64((value * 1e6).rounded()))
        case 1e11..<1e14: plausible(Int64((value * 1e3).rounded()))
        case 1e14..<1e17: plausible(Int64(value.rounded()))
        case 1e17..<1e20: plausible(Int64((value / 1e3).rounded()))
        default: .unusable
        }
    }

    private static func plausible(_ microseconds: Int64) -> DeviceTime {
        let time = Timestamp(microseconds: microseconds)
        return time < earliest ? .unusable : .instant(time)
    }

    private static func read(_ text: String, arrival: Timestamp, isLive: Bool) -> DeviceTime {
        var text = text
        if let fast = text.withUTF8({ internetTime($0) }) { return fast < earliest ? .unusable : .instant(fast) }
        if text.utf8.count > 64 { return .unusable }
        if let value = Int64(text) { return epoch(value) }
        if text.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") }), let value = Double(text) {
            return epoch(value)
        }
        // Of an interval the end counts.
        if let slash = text.lastIndex(of: "/"), let end = WrittenTime(String(text[text.index(after: slash)...])) {
            return read(end, arrival: arrival, isLive: isLive)
        }
        guard let written = WrittenTime(text) else { return .unusable }
        return read(written, arrival: arrival, isLive: isLive)
    }

    private static func read(_ written: WrittenTime, arrival: Timestamp, isLive: Bool) -> DeviceTime {
        let offset = written.offset ?? (isLive ? zone(of: written.civil, arrival: arrival) : nil)
        guard let offset else { return .unusable }
        let time = written.civil.instant(offset: offset)
        return time < earliest ? .unusable : .instant(time)
    }

    /// The zone of a clock that shows none: a live message was written just now, and zones are whole quarters of an hour.
    static func zone(of civil: CivilTime, arrival: Timestamp) -> Span? {
        let ahead = (civil.instant() - arrival).microseconds
        let quarter = Span.minutes(15).microseconds
        let nearest = (ahead + quarter / 2).flooredQuotient(quarter) * quarter
        guard abs(ahead - nearest) <= Span.seconds(120).microseconds else { return nil }
        let offset = Span(microseconds: nearest)
        return (Span.hours(-12)...Span.hours(14)).contains(offset) ? offset : nil
    }

    /// `2026-11-30T08:00:00Z`, with or without a fraction: what nearly every device writes, without the general scan.
    private static func internetTime(_ bytes: Bytes) -> Timestamp? {
        guard (20...30).contains(bytes.count), bytes[bytes.count - 1] == UInt8(ascii: "Z") else { return nil }
        func digits(_ from: Int, _ count: Int) -> Int? {
            var value = 0
            for byte in bytes[from..<from + count] {
                guard byte &- 48 <= 9 else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            return value
        }
        func has(_ byte: UInt8, at position: Int) -> Bool { bytes[position] == byte }
        let dash = UInt8(ascii: "-")
        let colon = UInt8(ascii: ":")
        guard has(dash, at: 4), has(dash, at: 7), has(UInt8(ascii: "T"), at: 10), has(colon, at: 13),
            has(colon, at: 16), let year = digits(0, 4), let month = digits(5, 2), let day = digits(8, 2),
            let hour = digits(11, 2), let minute = digits(14, 2), let second = digits(17, 2)
        else { return nil }
        var microsecond = 0
        if bytes.count > 20 {
            let count = bytes.count - 21
            guard has(UInt8(ascii: "."), at: 19), count > 0, let fraction = digits(20, min(count, 6)),
                digits(20, count) != nil
            else { return nil }
            microsecond = fraction
            for _ in min(count, 6)..<6 { microsecond *= 10 }
        }
        let civil = CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, microsecond: microsecond)
        return civil.isValid ? civil.instant() : nil
    }
}
