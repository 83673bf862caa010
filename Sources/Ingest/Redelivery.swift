/// Recognises messages that the broker delivers again because our acknowledgement may not have arrived.
///
/// libmosquitto does not show the DUP flag. After a reconnect into a kept session the broker first repeats, in order and under their old
/// packet ids, what it thinks unacknowledged: an end piece of what we had received. Those that match are dropped; with the first one
/// that does not, the repetition is over.
package struct Redelivery: Sendable {
    package struct Packet: Hashable, Sendable {
        package let id: UInt16
        package let hash: UInt64
        package init(id: UInt16, hash: UInt64) { (self.id, self.hash) = (id, hash) }
    }

    private enum Phase {
        case over
        case searching
        case matching(next: Int)
    }

    private let window: Int
    /// What was received, oldest first; at least the last `window`.
    private var packets: [Packet]
    private var phase = Phase.over

    /// - Parameters:
    ///   - packets: what was received before, oldest first.
    ///   - window: more than that many are never unacknowledged.
    package init(packets: [Packet], window: Int) { (self.packets, self.window) = (packets, window) }

    /// A connection begins.
    package mutating func connected(sessionPresent: Bool) {
        if !sessionPresent { packets = [] }
        phase = packets.isEmpty ? .over : .searching
    }

    /// Whether the message was received before. Otherwise it is remembered. Messages without acknowledgement (id 0) do not count.
    package mutating func isRepeat(_ packet: Packet) -> Bool {
        guard packet.id != 0 else { return false }
        switch phase {
        case .over: break
        case .searching:
            if let found = packets.lastIndex(of: packet) {
                phase = .matching(next: found + 1)
                return true
            }
        case .matching(let next):
            if next < packets.count, packets[next] == packet {
                phase = .matching(next: next + 1)
                return true
            }
        }
        phase = .over
        packets.append(packet)
        if packets.count >= 2 * window { packets.removeFirst(packets.count - window) }
        return false
    }

    /// FNV-1a over topic and payload.
    package static func hash(topic: UnsafePointer<CChar>, payload: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var character = topic
        while character.pointee != 0 {
            hash = (hash ^ UInt64(UInt8(bitPattern: character.pointee))) &* 0x100_0000_01b3
            character += 1
        }
        hash = (hash ^ 0xff) &* 0x100_0000_01b3  // no byte of UTF-8
        for byte in payload { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}
