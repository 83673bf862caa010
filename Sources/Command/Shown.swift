import Core

/// How values look in lines for people.
enum Shown {
    static func padded(_ text: String, _ width: Int) -> String {
        text.count >= width ? text : text + String(repeating: " ", count: width - text.count)
    }

    /// `gas co 2`: indicator, species and channel.
    static func name(_ series: Series) -> String {
        [series.indicator.rawValue.replacing("_", with: " "), series.species, series.channel].compactMap { $0 }
            .joined(separator: " ")
    }

    static func value(_ value: Double, _ unit: Unit) -> String {
        if unit == .boolean { return value == 1 ? "yes" : "no" }
        let rounded = (value * 1000).rounded() / 1000
        let number = Int64(exactly: rounded).map(String.init) ?? String(rounded)
        return unit == .raw ? number : "\(number) \(unit.rawValue)"
    }

    /// `3 min`, `2 h`: in the largest unit of which there is at least one.
    static func span(_ span: Span) -> String {
        let seconds = max(0, span.microseconds / 1_000_000)
        if seconds < 120 { return "\(seconds) s" }
        if seconds < 7200 { return "\(seconds / 60) min" }
        return seconds < 172_800 ? "\(seconds / 3600) h" : "\(seconds / 86_400) d"
    }

    /// `3 h 36 min`: in the two largest units.
    static func length(_ span: Span) -> String {
        var rest = max(0, span.microseconds / 1_000_000)
        let parts: [String] = [(86_400 as Int64, "d"), (3600, "h"), (60, "min"), (1, "s")].compactMap { seconds, unit in
            defer { rest %= seconds }
            return rest >= seconds ? "\(rest / seconds) \(unit)" : nil
        }
        return parts.isEmpty ? "0 s" : parts.prefix(2).joined(separator: " ")
    }

    /// Text behind `head`, broken at blanks so that it fits; later lines begin where it began.
    static func wrapped(_ text: String, from head: String, width: Int = 110) -> [String] {
        var lines: [String] = []
        var line = head
        let indent = String(repeating: " ", count: head.count)
        for word in text.split(separator: " ") {
            let isFirst = line.count == head.count && (lines.isEmpty ? line == head : line == indent)
            // A per cent sign stays with its number.
            if !isFirst && word != "%" && line.count + 1 + word.count > width {
                lines.append(line)
                line = indent + word
            } else {
                line += isFirst ? String(word) : " " + word
            }
        }
        return lines + [line]
    }

    /// `1 act`, `2 acts`.
    static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }

    static func age(of time: Timestamp, now: Timestamp) -> String {
        time > now ? "just now" : "\(span(now - time)) ago"
    }

    static func bytes(_ count: Int64) -> String {
        for (unit, size) in [("GB", 1_000_000_000.0), ("MB", 1e6), ("kB", 1e3)] where Double(count) >= size {
            return "\((Double(count) / size * 10).rounded() / 10) \(unit)"
        }
        return "\(count) bytes"
    }
}
