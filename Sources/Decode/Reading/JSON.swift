import Foundation

/// A JSON value. Whole numbers up to 63 bits stay exact; an object keeps each key once, the last value of it.
enum JSON: Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([Field])

    struct Field: Hashable, Sendable {
        let key: String
        var value: JSON
    }

    static let deepest = 64

    /// Reads a payload that is an object or an array.
    ///
    /// - Throws: the reason why it is none; a document is never repaired.
    init(_ payload: [UInt8]) throws(Rejection.Reason) {
        let flat = payload.withUnsafeBufferPointer { FlatObject.read($0) }
        if let flat {
            self = .object(flat)
            return
        }
        let (start, end) = payload.withUnsafeBufferPointer { Scalar.trimmed($0) }
        let text = payload[start..<end]
        let shape = Self.shape(of: text)
        guard shape.depth <= Self.deepest else { throw .tooDeep }
        guard !shape.hasTrailingComma else { throw .malformed }
        // JSONSerialization would read UTF-16 and UTF-32 too, which shows in NUL bytes.
        guard String(validating: text, as: UTF8.self) != nil else { throw .notUTF8 }
        guard !text.contains(0) else { throw .controlCharacters }
        guard let tree = try? JSONSerialization.jsonObject(with: Data(text)) else { throw .malformed }
        self = Self(tree: tree)
    }

    /// How many brackets are open at one time, outside of strings, and whether a comma stands before a closing one: Foundation
    /// lets that pass, and it is the mark of a document that was cut or pieced together.
    static func shape(of bytes: ArraySlice<UInt8>) -> (depth: Int, hasTrailingComma: Bool) {
        var depth = 0
        var deepest = 0
        var isInText = false
        var isEscaped = false
        var hasTrailingComma = false
        var last: UInt8 = 0
        for byte in bytes {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case 0x20, 0x09, 0x0a, 0x0d: continue
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if last == UInt8(ascii: ",") { hasTrailingComma = true }
            default: break
            }
            last = byte
        }
        return (deepest, hasTrailingComma)
    }

    /// At most `deepest` levels: the depth was checked before. A cast to a type that the value does not have exactly goes through
    /// bridging and costs a microsecond, so the types are compared first.
    private init(tree: Any) {
        let type = type(of: tree)
        if type == String.self, let text = tree as? String {
            self = .text(text)
        } else if type == [String: Any].self, let object = tree as? [String: Any] {
            // Sorted, for Foundation's order differs from run to run.
            self = .object(object.map { Field(key: $0.key, value: JSON(tree: $0.value)) }.sorted { $0.key < $1.key })
        } else if type == [Any].self, let list = tree as? [Any] {
            self = .list(list.map { JSON(tree: $0) })
        } else if let number = tree as? NSNumber {
            self = Self(number)
        } else if let text = tree as? String {
            self = .text(text)
        } else {
            self = .null
        }
    }

    private init(_ number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .flag(number.boolValue)
        case UInt8(ascii: "q"), UInt8(ascii: "i"), UInt8(ascii: "l"), UInt8(ascii: "s"):
            self = .integer(number.int64Value)
        default: self = .number(number.doubleValue)
        }
    }
}

extension JSON {
    /// The value of a key; nil where this is no object or has no such key.
    subscript(key: String) -> JSON? {
        guard case .object(let fields) = self else { return nil }
        return fields.first { $0.key == key }?.value
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var isObject: Bool {
        if case .object = self { true } else { false }
    }

    /// Neither array nor object.
    var isSingle: Bool {
        switch self {
        case .null, .flag, .integer, .number, .text: true
        case .list, .object: false
        }
    }

    var list: [JSON]? {
        if case .list(let list) = self { list } else { nil }
    }

    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .null, .flag, .text, .list, .object: nil
        }
    }

    /// As a single value; nil for arrays and objects.
    var scalar: Scalar? {
        switch self {
        case .null: Scalar.none
        case .flag(let value): .flag(value)
        case .integer(let value): .number(Double(value))
        case .number(let value): value.isFinite ? .number(value) : .bad(.notFinite)
        case .text(let text): Scalar(text: text)
        case .list, .object: nil
        }
    }
}
