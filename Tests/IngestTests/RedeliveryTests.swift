import Ingest
import Testing

/// The macro that checks an expectation cannot call what changes a value.
private final class Recogniser {
    private var redelivery: Redelivery
    init(packets: [Redelivery.Packet], window: Int) { redelivery = Redelivery(packets: packets, window: window) }
    func connected(sessionPresent: Bool) { redelivery.connected(sessionPresent: sessionPresent) }
    func isRepeat(_ packet: Redelivery.Packet) -> Bool { redelivery.isRepeat(packet) }
}

@Suite("Messages delivered again are recognised by packet id and content")
struct RedeliveryTests {
    private func packets(_ ids: ClosedRange<UInt16>) -> [Redelivery.Packet] {
        ids.map { .init(id: $0, hash: UInt64($0) * 7) }
    }

    @Test(
        "An end piece of what was received is dropped; with the first new message the repetition is over",
        arguments: [1, 3, 10])
    func endPiece(_ unacknowledged: Int) {
        let redelivery = Recogniser(packets: packets(1...10), window: 100)
        redelivery.connected(sessionPresent: true)
        for packet in packets(1...10).suffix(unacknowledged) { #expect(redelivery.isRepeat(packet)) }
        #expect(!redelivery.isRepeat(.init(id: 11, hash: 77)))
        // The same id with the same content later is another message: ids come round again.
        #expect(!redelivery.isRepeat(.init(id: 10, hash: 70)))
    }

    @Test("Nothing is taken for a repeat when the first message is new")
    func nothingRepeated() {
        let redelivery = Recogniser(packets: packets(1...10), window: 100)
        redelivery.connected(sessionPresent: true)
        #expect(!redelivery.isRepeat(.init(id: 11, hash: 1)))
        for packet in packets(1...10) { #expect(!redelivery.isRepeat(packet)) }
    }

    @Test("The same id with other content is new")
    func sameIDOtherContent() {
        let redelivery = Recogniser(packets: packets(1...10), window: 100)
        redelivery.connected(sessionPresent: true)
        #expect(!redelivery.isRepeat(.init(id: 10, hash: 71)))
    }

    @Test("A broker that has forgotten the session repeats nothing")
    func sessionLost() {
        let redelivery = Recogniser(packets: packets(1...10), window: 100)
        redelivery.connected(sessionPresent: false)
        #expect(!redelivery.isRepeat(.init(id: 10, hash: 70)))
    }

    @Test("Messages without acknowledgement come in between and change nothing")
    func qosZeroBetween() {
        let redelivery = Recogniser(packets: packets(1...3), window: 100)
        redelivery.connected(sessionPresent: true)
        #expect(!redelivery.isRepeat(.init(id: 0, hash: 0)))
        #expect(redelivery.isRepeat(.init(id: 2, hash: 14)))
        #expect(!redelivery.isRepeat(.init(id: 0, hash: 0)))
        #expect(redelivery.isRepeat(.init(id: 3, hash: 21)))
    }

    @Test("What was repeated once may be repeated again at the next connection")
    func twice() {
        let redelivery = Recogniser(packets: packets(1...5), window: 100)
        for _ in 0..<3 {
            redelivery.connected(sessionPresent: true)
            for packet in packets(3...5) { #expect(redelivery.isRepeat(packet)) }
        }
    }

    @Test("The window bounds memory and still covers all that may be unacknowledged")
    func window() {
        let redelivery = Recogniser(packets: [], window: 1000)
        redelivery.connected(sessionPresent: true)
        for number in 1...50_000 {
            #expect(!redelivery.isRepeat(.init(id: UInt16(number % 65_000 + 1), hash: UInt64(number))))
        }
        redelivery.connected(sessionPresent: true)
        for number in 49_001...50_000 {
            #expect(redelivery.isRepeat(.init(id: UInt16(number % 65_000 + 1), hash: UInt64(number))))
        }
    }
}
