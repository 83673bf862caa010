/// Reads values that `StateEncoder` has written, one after the other.
///
/// Bytes that are none of its are refused, never trusted: a length is checked before it is used.
struct StateDecoder {
    private let source: StateSource

    init(_ bytes: [UInt8]) throws { source = try StateSource(bytes) }

    var isAtEnd: Bool { source.position == source.bytes.count }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try source.value(type)
    }
}

private struct Damaged: Error, CustomStringConvertible {
    let description: String
}

/// Where reading stands, and the names.
private final class StateSource {
    let bytes: [UInt8]
    var position = 0
    private(set) var names: [String] = []

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        let count = try unsigned()
        while names.count < count { names.append(try characters()) }
    }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == Timestamp.self { return Timestamp(microseconds: try integer()) as! Value }
        if type == Span.self { return Span(microseconds: try integer()) as! Value }
        let end = try endOfValue()
        let value = try Value(from: Reader(source: self))
        position = end
        return value
    }

    // MARK: Pieces

    func byte() throws -> UInt8 {
        guard position < bytes.count else { throw Damaged(description: "ends too early") }
        defer { position += 1 }
        return bytes[position]
    }

    func tag() throws -> StateFormat.Tag {
        guard let tag = StateFormat.Tag(rawValue: try byte()) else {
            throw Damaged(description: "an unknown kind of value at \(position)")
        }
        return tag
    }

    private func peekTag() throws -> StateFormat.Tag {
        defer { position -= 1 }
        return try tag()
    }

    func unsigned() throws -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let next = try byte()
            guard shift < 64 else { throw Damaged(description: "a number too long at \(position)") }
            value |= UInt64(next & 0x7f) << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }

    private func fixed(_ count: Int) throws -> UInt64 {
        guard bytes.count - position >= count else { throw Damaged(description: "ends too early") }
        var value: UInt64 = 0
        for offset in 0..<count { value |= UInt64(bytes[position + offset]) << UInt64(8 * offset) }
        position += count
        return value
    }

    /// The end of the container that begins here, its length having been read.
    func end() throws -> Int {
        let length = Int(try fixed(4))
        guard length <= bytes.count - position else {
            throw Damaged(description: "a length beyond the end at \(position)")
        }
        return position + length
    }

    /// Where the value that begins here ends; reading stays where it is.
    func endOfValue() throws -> Int {
        let start = position
        defer { position = start }
        switch try tag() {
        case .null, .no, .yes: break
        case .integer: _ = try unsigned()
        case .number: _ = try fixed(8)
        case .text:
            let length = try unsigned()
            guard length <= UInt64(bytes.count - position) else {
                throw Damaged(description: "a text beyond the end at \(position)")
            }
            position += Int(length)
        case .list, .object: position = try end()
        }
        return position
    }

    func name() throws -> Int {
        let number = try unsigned()
        guard number < UInt64(names.count) else { throw Damaged(description: "an unknown name at \(position)") }
        return Int(number)
    }

    private func characters() throws -> String {
        let length = try unsigned()
        guard length <= UInt64(bytes.count - position) else {
            throw Damaged(description: "a text beyond the end at \(position)")
        }
        defer { position += Int(length) }
        return String(decoding: bytes[position..<position + Int(length)], as: UTF8.self)
    }

    // MARK: Values

    func integer() throws -> Int64 {
        guard try tag() == .integer else { throw Damaged(description: "no whole number at \(position)") }
        let value = try unsigned()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    func number() throws -> Double {
        guard try tag() == .number else { throw Damaged(description: "no number at \(position)") }
        return Double(bitPattern: try fixed(8))
    }

    func text() throws -> String {
        guard try tag() == .text else { throw Damaged(description: "no text at \(position)") }
        return try characters()
    }

    func flag() throws -> Bool {
        switch try tag() {
        case .yes: return true
        case .no: return false
        default: throw Damaged(description: "neither yes nor no at \(position)")
        }
    }

    func isNull() throws -> Bool {
        guard try peekTag() == .null else { return false }
        position += 1
        return true
    }

    func whole<Value: FixedWidthInteger>(_: Value.Type) throws -> Value {
        guard let value = Value(exactly: try integer()) else {
            throw Damaged(description: "a number out of range at \(position)")
        }
        return value
    }
}

private struct Reader: Decoder {
    let source: StateSource
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try Members<Key>(source))
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try Elements(source) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single(source: source) }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let source: StateSource
    private var places: [(name: Int, position: Int)] = []
    var codingPath: [any CodingKey] { [] }

    init(_ source: StateSource) throws {
        self.source = source
        guard try source.tag() == .object else { throw Damaged(description: "no object at \(source.position)") }
        let end = try source.end()
        while source.position < end {
            let name = try source.name()
            places.append((name, source.position))
            source.position = try source.endOfValue()
        }
    }

    private func find(_ key: any CodingKey) -> Int? {
        let text = key.stringValue
        return places.first { source.names[$0.name] == text }?.position
    }

    private func go(to key: any CodingKey) throws {
        guard let position = find(key) else { throw Damaged(description: "“\(key.stringValue)” is missing") }
        source.position = position
    }

    var allKeys: [Key] { places.compactMap { Key(stringValue: source.names[$0.name]) } }
    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        try go(to: key)
        return try source.isNull()
    }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try go(to: key); return try source.flag() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try go(to: key); return try source.text() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try go(to: key); return try source.number() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try go(to: key); return try source.whole(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try go(to: key); return try source.integer() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try go(to: key); return try source.whole(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try go(to: key); return try source.whole(type)
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try go(to: key)
        return try source.value(type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<Nested>
    {
        try go(to: key)
        return KeyedDecodingContainer(try Members<Nested>(source))
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try go(to: key)
        return try Elements(source)
    }
    func superDecoder() throws -> any Decoder { throw Damaged(description: "saved states have no classes") }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        throw Damaged(description: "saved states have no classes")
    }
}

private struct Elements: UnkeyedDecodingContainer {
    private let source: StateSource
    private let end: Int
    private var next: Int
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var isAtEnd: Bool { next >= end }

    init(_ source: StateSource) throws {
        self.source = source
        guard try source.tag() == .list else { throw Damaged(description: "no list at \(source.position)") }
        end = try source.end()
        next = source.position
    }

    private mutating func take<Value>(_ body: (StateSource) throws -> Value) throws -> Value {
        guard !isAtEnd else { throw Damaged(description: "a list ends too early") }
        source.position = next
        let value = try body(source)
        next = source.position
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        source.position = next
        guard try source.isNull() else { return false }
        next = source.position
        currentIndex += 1
        return true
    }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try take { try $0.flag() } }
    mutating func decode(_ type: String.Type) throws -> String { try take { try $0.text() } }
    mutating func decode(_ type: Double.Type) throws -> Double { try take { try $0.number() } }
    mutating func decode(_ type: Int.Type) throws -> Int { try take { try $0.whole(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try take { try $0.integer() } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try take { try $0.whole(type) } }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try take { try $0.value(type) } }

    mutating func nestedContainer<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw Damaged(description: "lists of a saved state hold whole values")
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw Damaged(description: "lists of a saved state hold whole values")
    }
    mutating func superDecoder() throws -> any Decoder { throw Damaged(description: "saved states have no classes") }
}

private struct Single: SingleValueDecodingContainer {
    let source: StateSource
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { (try? source.isNull()) ?? false }
    func decode(_ type: Bool.Type) throws -> Bool { try source.flag() }
    func decode(_ type: String.Type) throws -> String { try source.text() }
    func decode(_ type: Double.Type) throws -> Double { try source.number() }
    func decode(_ type: Float.Type) throws -> Float { Float(try source.number()) }
    func decode(_ type: Int.Type) throws -> Int { try source.whole(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try source.whole(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try source.whole(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try source.whole(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try source.integer() }
    func decode(_ type: UInt.Type) throws -> UInt { UInt(UInt64(bitPattern: try source.integer())) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try source.whole(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try source.whole(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try source.whole(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { UInt64(bitPattern: try source.integer()) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try source.value(type) }
}
