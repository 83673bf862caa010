/// Numbers as devices write them.
enum NumberText {
    enum Finding: Hashable {
        /// The value, and where the text behind it begins.
        case number(Double, rest: Int)
        /// `1,234` and `1.234,5` may mean two numbers each.
        case ambiguous
        case noNumber
    }

    private static let powersOfTen: [Double] = (0...22).map { power in
        (0..<power).reduce(1.0) { value, _ in value * 10 }
    }

    /// A sign, digits and one point and nothing else; nil for everything that needs a closer look.
    ///
    /// Exact: a mantissa below 2^53 and a power of ten up to 22 are exact, and one division rounds once.
    static func plain(_ bytes: Bytes, _ start: Int, _ end: Int) -> Double? {
        var position = start
        let isNegative = position < end && bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        guard end - position <= 16, position < end else { return nil }
        var mantissa: UInt64 = 0
        var fractionDigits: Int?
        var digits = 0
        while position < end {
            let byte = bytes[position]
            if byte &- 48 <= 9 {
                mantissa = mantissa &* 10 &+ UInt64(byte &- 48)
                digits += 1
                fractionDigits = fractionDigits.map { $0 + 1 }
            } else if byte == UInt8(ascii: "."), fractionDigits == nil {
                fractionDigits = 0
            } else {
                return nil
            }
            position += 1
        }
        guard digits > 0, digits <= 15 else { return nil }
        let value = Double(mantissa) / powersOfTen[fractionDigits ?? 0]
        return isNegative ? -value : value
    }

    /// The number at the beginning of the text, with exponent and decimal comma.
    static func scan(_ bytes: Bytes, _ start: Int, _ end: Int) -> Finding {
        var position = start
        var text: [UInt8] = []
        func isDigit(_ at: Int) -> Bool { at < end && bytes[at] &- 48 <= 9 }
        func digits() -> Int {
            let first = position
            while isDigit(position) {
                text.append(bytes[position])
                position += 1
            }
            return position - first
        }
        if position < end, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
            text.append(bytes[position])
            position += 1
        }
        var count = digits()
        if count == 0 { text.append(48) }
        if position < end, bytes[position] == UInt8(ascii: ".") || bytes[position] == UInt8(ascii: ",") {
            let isComma = bytes[position] == UInt8(ascii: ",")
            if isComma && count == 0 { return .noNumber }
            position += 1
            text.append(UInt8(ascii: "."))
            let fraction = digits()
            if fraction == 0 { text.append(48) }
            if isComma && fraction == 0 { return .noNumber }
            count += fraction
            let hasMore =
                position < end && (bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: "."))
            if hasMore && isDigit(position + 1) { return .ambiguous }
            if isComma && fraction == 3 { return .ambiguous }
        }
        guard count > 0 else { return .noNumber }
        readExponent(bytes, &position, end, into: &text)
        guard let value = Double(String(decoding: text, as: UTF8.self)) else { return .noNumber }
        return .number(value, rest: position)
    }

    /// Only where digits follow: the `e` of a unit or a word is left alone.
    private static func readExponent(_ bytes: Bytes, _ position: inout Int, _ end: Int, into text: inout [UInt8]) {
        guard position < end, bytes[position] | 0x20 == UInt8(ascii: "e") else { return }
        var next = position + 1
        var exponent: [UInt8] = [UInt8(ascii: "e")]
        if next < end, bytes[next] == UInt8(ascii: "-") || bytes[next] == UInt8(ascii: "+") {
            exponent.append(bytes[next])
            next += 1
        }
        let first = next
        while next < end, bytes[next] &- 48 <= 9 {
            exponent.append(bytes[next])
            next += 1
        }
        guard next > first else { return }
        text += exponent
        position = next
    }
}
