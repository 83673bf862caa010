internal import FoundationEssentials

/// A JSON document as a value. Comments and trailing commas are allowed where `lenient`: people write site documents by hand.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// - Throws: `DocumentProblem` with line and column for what is no JSON.
    package init(parsing text: String, lenient: Bool = false) throws(DocumentProblem) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = lenient
        do {
            self = try decoder.decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            throw DocumentProblem(
                path: "", message: "not valid JSON: \(Self.reason(error))", remedy: "check the syntax there")
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else { return String(describing: error) }
        guard let underlying = context.underlyingError else { return context.debugDescription }
        let text = String(describing: underlying)
        // Foundation words it as: Error Domain=… Code=… "…" UserInfo={NSDebugDescription=…}
        if let start = text.firstRange(of: "NSDebugDescription="),
            let end = text[start.upperBound...].firstIndex(of: "}")
        {
            return String(text[start.upperBound..<end].prefix { $0 != "\n" })
        }
        return text
    }

    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }
}

extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value):
            if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// One line of JSON with sorted keys, so that equal values are equal text.
    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { preconditionFailure("a JSON value always encodes") }
        return String(decoding: data, as: UTF8.self)
    }

    /// Indented, for people.
    package var prettyText: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        guard let data = try? encoder.encode(self) else { preconditionFailure("a JSON value always encodes") }
        return String(decoding: data, as: UTF8.self)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(integerLiteral value: Int) { self = .number(Double(value)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }

    package init(_ value: String?) { self = value.map { .string($0) } ?? .null }
    package init(_ value: Double?) { self = value.map { .number($0) } ?? .null }
    package init(_ value: Int) { self = .number(Double(value)) }
}
