/// Writes values in `StateFormat`.
struct StateEncoder {
    private let buffer = StateBuffer()

    /// Appends one value.
    mutating func encode(_ value: some Encodable) throws {
        try buffer.write(value, path: [])
    }

    /// Names and values.
    var bytes: [UInt8] { buffer.nameTable + buffer.bytes }
}

/// The bytes so far, and the names that have been written.
private final class StateBuffer {
    var bytes: [UInt8] = []
    private var names: [String: Int] = [:]
    /// Where the lengths of the containers belong that are not closed yet.
    private var open: [Int] = []

    func write(_ value: some Encodable, path: [any CodingKey]) throws {
        // Numbers that say how to code themselves as one number are most of a state.
        if type(of: value) == Timestamp.self, let time = value as? Timestamp { return integer(time.microseconds) }
        if type(of: value) == Span.self, let span = value as? Span { return integer(span.microseconds) }
        let depth = open.count
        let start = bytes.count
        try value.encode(to: Writer(buffer: self, codingPath: path))
        if bytes.count == start { begin(.object) }
        while open.count > depth { close() }
    }

    func begin(_ tag: StateFormat.Tag) {
        bytes.append(tag.rawValue)
        open.append(bytes.count)
        bytes.append(contentsOf: [0, 0, 0, 0])
    }

    func close() {
        let place = open.removeLast()
        let length = UInt32(bytes.count - place - 4)
        withUnsafeBytes(of: length.littleEndian) { source in
            for offset in 0..<4 { bytes[place + offset] = source[offset] }
        }
    }

    /// Closes what was begun inside the container of this depth: a member of it follows, so they are complete.
    func close(toDepth depth: Int) {
        while open.count > depth { close() }
    }
    var depth: Int { open.count }

    func name(_ key: any CodingKey) {
        let text = key.stringValue
        let number = names[text] ?? names.count
        names[text] = number
        unsigned(UInt64(number))
    }

    var nameTable: [UInt8] {
        let table = StateBuffer()
        table.unsigned(UInt64(names.count))
        for (text, _) in names.sorted(by: { $0.value < $1.value }) {
            table.unsigned(UInt64(text.utf8.count))
            table.bytes.append(contentsOf: text.utf8)
        }
        return table.bytes
    }

    func unsigned(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    func integer(_ value: Int64) {
        bytes.append(StateFormat.Tag.integer.rawValue)
        unsigned(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    func number(_ value: Double) {
        bytes.append(StateFormat.Tag.number.rawValue)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    func text(_ value: String) {
        bytes.append(StateFormat.Tag.text.rawValue)
        unsigned(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    func flag(_ value: Bool) { bytes.append((value ? StateFormat.Tag.yes : .no).rawValue) }
    func null() { bytes.append(StateFormat.Tag.null.rawValue) }
}

private struct Writer: Encoder {
    let buffer: StateBuffer
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        buffer.begin(.object)
        return KeyedEncodingContainer(Members<Key>(buffer: buffer, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        buffer.begin(.list)
        return Elements(buffer: buffer, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(buffer: buffer, codingPath: codingPath) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let buffer: StateBuffer
    let codingPath: [any CodingKey]
    private let depth: Int

    init(buffer: StateBuffer, codingPath: [any CodingKey]) {
        (self.buffer, self.codingPath, depth) = (buffer, codingPath, buffer.depth)
    }

    private func name(_ key: Key) {
        buffer.close(toDepth: depth)
        buffer.name(key)
    }

    func encodeNil(forKey key: Key) { name(key); buffer.null() }
    func encode(_ value: Bool, forKey key: Key) { name(key); buffer.flag(value) }
    func encode(_ value: String, forKey key: Key) { name(key); buffer.text(value) }
    func encode(_ value: Double, forKey key: Key) { name(key); buffer.number(value) }
    func encode(_ value: Int, forKey key: Key) { name(key); buffer.integer(Int64(value)) }
    func encode(_ value: Int64, forKey key: Key) { name(key); buffer.integer(value) }
    func encode(_ value: Int32, forKey key: Key) { name(key); buffer.integer(Int64(value)) }
    func encode(_ value: UInt32, forKey key: Key) { name(key); buffer.integer(Int64(value)) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        name(key)
        try buffer.write(value, path: codingPath)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<
        Nested
    > {
        name(key)
        buffer.begin(.object)
        return KeyedEncodingContainer(Members<Nested>(buffer: buffer, codingPath: codingPath))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        name(key)
        buffer.begin(.list)
        return Elements(buffer: buffer, codingPath: codingPath)
    }

    func superEncoder() -> any Encoder { preconditionFailure("saved states have no classes") }
    func superEncoder(forKey key: Key) -> any Encoder { preconditionFailure("saved states have no classes") }
}

private struct Elements: UnkeyedEncodingContainer {
    let buffer: StateBuffer
    let codingPath: [any CodingKey]
    private(set) var count = 0

    init(buffer: StateBuffer, codingPath: [any CodingKey]) { (self.buffer, self.codingPath) = (buffer, codingPath) }

    mutating func encodeNil() { buffer.null(); count += 1 }
    mutating func encode(_ value: Bool) { buffer.flag(value); count += 1 }
    mutating func encode(_ value: String) { buffer.text(value); count += 1 }
    mutating func encode(_ value: Double) { buffer.number(value); count += 1 }
    mutating func encode(_ value: Int) { buffer.integer(Int64(value)); count += 1 }
    mutating func encode(_ value: Int64) { buffer.integer(value); count += 1 }
    mutating func encode(_ value: Int32) { buffer.integer(Int64(value)); count += 1 }
    mutating func encode(_ value: some Encodable) throws {
        try buffer.write(value, path: codingPath)
        count += 1
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
        preconditionFailure("lists of a saved state hold whole values")
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        preconditionFailure("lists of a saved state hold whole values")
    }
    mutating func superEncoder() -> any Encoder { preconditionFailure("saved states have no classes") }
}

/// Every number type has to be named here: what is not would come back to itself.
private struct Single: SingleValueEncodingContainer {
    let buffer: StateBuffer
    let codingPath: [any CodingKey]

    func encodeNil() { buffer.null() }
    func encode(_ value: Bool) { buffer.flag(value) }
    func encode(_ value: String) { buffer.text(value) }
    func encode(_ value: Double) { buffer.number(value) }
    func encode(_ value: Float) { buffer.number(Double(value)) }
    func encode(_ value: Int) { buffer.integer(Int64(value)) }
    func encode(_ value: Int8) { buffer.integer(Int64(value)) }
    func encode(_ value: Int16) { buffer.integer(Int64(value)) }
    func encode(_ value: Int32) { buffer.integer(Int64(value)) }
    func encode(_ value: Int64) { buffer.integer(value) }
    func encode(_ value: UInt) { buffer.integer(Int64(bitPattern: UInt64(value))) }
    func encode(_ value: UInt8) { buffer.integer(Int64(value)) }
    func encode(_ value: UInt16) { buffer.integer(Int64(value)) }
    func encode(_ value: UInt32) { buffer.integer(Int64(value)) }
    func encode(_ value: UInt64) { buffer.integer(Int64(bitPattern: value)) }
    func encode(_ value: some Encodable) throws { try buffer.write(value, path: codingPath) }
}
