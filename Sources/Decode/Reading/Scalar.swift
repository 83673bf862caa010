import Core

typealias Bytes = UnsafeBufferPointer<UInt8>

/// A single value as it came, before it is known what it measures.
enum Scalar: Hashable, Sendable {
    case number(Double)
    /// A number with its unit behind it: `230 V`.
    case amount(Double, WrittenUnit)
    case flag(Bool)
    /// Any other word, in lower case and without blanks around it.
    case word(String)
    /// `null`, `nan`, `unknown`: the device says itself that it has none.
    case none
    case bad(Rejection.Reason)

    /// Reads a payload, or a JSON string.
    init(text bytes: Bytes) {
        let (start, end) = Self.trimmed(bytes)
        if start == end {
            self = .none
        } else if let number = NumberText.plain(bytes, start, end) {
            self = .number(number)
        } else if bytes[start..<end].contains(where: { $0 < 0x20 || $0 == 0x7f }) {
            self = .bad(.controlCharacters)
        } else {
            self = Self.read(bytes, start, end)
        }
    }

    init(text: String) {
        var text = text
        self = text.withUTF8 { Scalar(text: $0) }
    }

    init(text: [UInt8]) {
        self = text.withUnsafeBufferPointer { Scalar(text: $0) }
    }

    private static func read(_ bytes: Bytes, _ start: Int, _ end: Int) -> Scalar {
        guard let text = String(validating: bytes[start..<end], as: UTF8.self) else { return .bad(.notUTF8) }
        switch NumberText.scan(bytes, start, end) {
        case .ambiguous: return .bad(.ambiguousNumber)
        case .number(let value, let rest):
            guard value.isFinite else { return .bad(.notFinite) }
            var rest = rest
            while rest < end, bytes[rest] == 0x20 { rest += 1 }
            if rest == end { return .number(value) }
            let unit = String(decoding: bytes[rest..<end], as: UTF8.self)
            return UnitText.read(unit).map { .amount(value, $0) } ?? .bad(.notANumber)
        case .noNumber: break
        }
        let word = text.lowercased()
        if absent.contains(word) { return .none }
        if notFinite.contains(word) { return .bad(.notFinite) }
        return .word(word)
    }

    /// Blanks, line ends, NUL padding and a byte order mark around the value.
    static func trimmed(_ bytes: Bytes) -> (Int, Int) {
        var start = 0
        var end = bytes.count
        func isPadding(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0 || (0x09...0x0d).contains(byte) }
        while start < end {
            if isPadding(bytes[start]) {
                start += 1
            } else if end - start >= 3, bytes[start] == 0xef, bytes[start + 1] == 0xbb, bytes[start + 2] == 0xbf {
                start += 3
            } else {
                break
            }
        }
        while start < end {
            if isPadding(bytes[end - 1]) {
                end -= 1
            } else if end - start >= 3, bytes[end - 3] == 0xef, bytes[end - 2] == 0xbb, bytes[end - 1] == 0xbf {
                end -= 3
            } else {
                break
            }
        }
        return (start, end)
    }

    private static let notFinite: Set = [
        "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity", "nan", "+nan", "-nan",
    ]
    private static let absent: Set = [
        "null", "nil", "unknown", "unavailable", "undefined", "missing", "invalid", "n/a", "na", "n.a.",
        "not available", "-", "--", "---", "error", "err", "fail", "failed", "failure", "fault", "sensor error",
        "read error", "overflow", "ovf", "\"\"",
    ]
}
