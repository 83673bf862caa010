/// The common case, one object of plain values, read five times as fast as by Foundation.
///
/// This is no JSON parser: at anything but strings, numbers, `true`, `false` and `null` it gives up, at surrogates and control characters
/// in strings too, and Foundation decides what the document is. A test holds the two against each other.
struct FlatObject {
    private let bytes: Bytes
    private var position: Int
    private let end: Int
    private static let mostFields = 48

    /// The fields in their order; nil when the payload is anything else, which does not mean that it is wrong.
    static func read(_ bytes: Bytes) -> [JSON.Field]? {
        let (start, end) = Scalar.trimmed(bytes)
        guard end - start >= 2, bytes[start] == UInt8(ascii: "{"), bytes[end - 1] == UInt8(ascii: "}") else {
            return nil
        }
        var scan = FlatObject(bytes: bytes, position: start + 1, end: end)
        return scan.fields()
    }

    private mutating func fields() -> [JSON.Field]? {
        var fields: [JSON.Field] = []
        fields.reserveCapacity(8)
        skipBlanks()
        while fields.count < Self.mostFields {
            guard take(UInt8(ascii: "\"")), let key = text() else { return nil }
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { return nil }
            skipBlanks()
            guard let value = value() else { return nil }
            // Two keys may be one String in different bytes (é); Foundation decides on those.
            guard !fields.contains(where: { $0.key == key }) else { return nil }
            fields.append(JSON.Field(key: key, value: value))
            skipBlanks()
            if take(UInt8(ascii: "}")) { return position == end ? fields : nil }
            guard take(UInt8(ascii: ",")) else { return nil }
            skipBlanks()
        }
        return nil
    }

    private mutating func skipBlanks() {
        while position < end, bytes[position] <= 0x20 {
            guard
                bytes[position] == 0x20 || bytes[position] == 0x0a || bytes[position] == 0x0d || bytes[position] == 0x09
            else { return }
            position += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// The string whose opening quote was taken.
    private mutating func text() -> String? {
        let start = position
        var isASCII = true
        while position < end {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                let slice = bytes[start..<position]
                position += 1
                return isASCII ? String(decoding: slice, as: UTF8.self) : String(validating: slice, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") { return escapedText(from: start) }
            guard byte >= 0x20 else { return nil }
            if byte >= 0x80 { isASCII = false }
            position += 1
        }
        return nil
    }

    /// The rest of a string that has an escape; many publishers write `\u00b0C`.
    private mutating func escapedText(from start: Int) -> String? {
        var text = Array(bytes[start..<position])
        while position < end {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                text.append(contentsOf: UTF8.encode(scalar)!)
            case 0x20...: text.append(byte)
            default: return nil
            }
        }
        return nil
    }

    /// What stands for the characters after a backslash.
    private mutating func escape() -> Unicode.Scalar? {
        guard position < end else { return nil }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "u"):
            guard end - position >= 4,
                let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
            else {
                return nil
            }
            // `+123` is a number to Swift and none to JSON.
            guard bytes[position] != UInt8(ascii: "+"), bytes[position] != UInt8(ascii: "-"), code >= 0x20 else {
                return nil
            }
            position += 4
            return Unicode.Scalar(code)
        default: return nil
        }
    }

    private mutating func value() -> JSON? {
        guard position < end else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "\""):
            position += 1
            return text().map { .text($0) }
        case UInt8(ascii: "t"): return word("true") ? .flag(true) : nil
        case UInt8(ascii: "f"): return word("false") ? .flag(false) : nil
        case UInt8(ascii: "n"): return word("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func word(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard end - position >= count else { return false }
        for offset in 0..<count where bytes[position + offset] != word.utf8Start[offset] { return false }
        position += count
        return true
    }

    /// Strictly as in JSON: no plus, no leading zero, digits on both sides of the point.
    private mutating func number() -> JSON? {
        let start = position
        _ = take(UInt8(ascii: "-"))
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[position - whole] != UInt8(ascii: "0") else { return nil }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            guard digits() > 0 else { return nil }
        }
        if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            position += 1
            if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
            guard digits() > 0 else { return nil }
        }
        if isWhole {
            guard whole <= 18 else { return nil }
            var value: Int64 = 0
            for byte in bytes[(position - whole)..<position] { value = value * 10 + Int64(byte - 48) }
            return .integer(bytes[start] == UInt8(ascii: "-") ? -value : value)
        }
        if let plain = NumberText.plain(bytes, start, position) { return .number(plain) }
        guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)), value.isFinite else {
            return nil
        }
        return .number(value)
    }

    private mutating func digits() -> Int {
        let start = position
        while position < end, bytes[position] &- 48 <= 9 { position += 1 }
        return position - start
    }
}
