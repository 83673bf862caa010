import Support
import Testing

@testable import Core

@Suite("A saved state is read as it was written, or refused")
struct SavingTests {
    struct Inner: Hashable, Codable {
        var name: String?
        var values: [Int32]
        var at: Timestamp
    }
    enum Choice: Hashable, Codable {
        case none
        case one(Inner)
        case two(first: Double, second: Bool)
    }
    struct Whole: Hashable, Codable {
        var choices: [Choice]
        var extremes: [Int64]
        var small: UInt32
        var text: String
        var optional: Choice?
        var nested: [[Double]]
    }

    static let whole = Whole(
        choices: [
            .none, .one(Inner(name: nil, values: [], at: .distantPast)),
            .one(Inner(name: "Größe", values: [-1, 0, .max], at: .distantFuture)), .two(first: -0.1, second: true),
        ], extremes: [.min, -1, 0, 1, .max], small: .max, text: "", optional: .two(first: .infinity, second: false),
        nested: [[], [1.5, -2]])

    @Test("What goes in comes out, several values after one another")
    func roundTrip() throws {
        var encoder = StateEncoder()
        try encoder.encode(Self.whole)
        try encoder.encode(17)
        try encoder.encode(Self.whole)
        var decoder = try StateDecoder(encoder.bytes)
        #expect(try decoder.decode(Whole.self) == Self.whole)
        #expect(try decoder.decode(Int.self) == 17)
        #expect(try decoder.decode(Whole.self) == Self.whole)
        #expect(decoder.isAtEnd)
    }

    struct Older: Codable { var text: String }
    struct Newer: Codable, Hashable {
        var text: String
        var added: Int?
    }

    @Test(
        "A newer form with one more optional member reads an older one, and the older form passes over what it does not know"
    )
    func evolution() throws {
        var encoder = StateEncoder()
        try encoder.encode(Older(text: "x"))
        try encoder.encode(Newer(text: "y", added: 3))
        var decoder = try StateDecoder(encoder.bytes)
        #expect(try decoder.decode(Newer.self) == Newer(text: "x", added: nil))
        #expect(try decoder.decode(Older.self).text == "y")
    }

    @Test("Damaged bytes are refused without a crash", arguments: UInt64(1)...300)
    func damaged(seed: UInt64) throws {
        var encoder = StateEncoder()
        try encoder.encode(Self.whole)
        var (bytes, random) = (encoder.bytes, SplitMix64(state: seed))
        if seed % 3 == 0 {
            bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        } else {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
        }
        // Either it is noticed, or a value was changed that could as well have been written so.
        let read = Result { () throws -> Whole in
            var decoder = try StateDecoder(bytes)
            return try decoder.decode(Whole.self)
        }
        if seed % 3 == 0 {
            #expect(throws: (any Error).self) { try read.get() }
        } else if case .success(let whole) = read {
            var again = StateEncoder()
            try again.encode(whole)
            #expect(again.bytes.count <= bytes.count + 16)
        }
    }

    @Test("A checkpoint of a newer format is refused with a remedy")
    func newerFormat() throws {
        var bytes = Engine(norms: .empty).checkpoint.encoded()
        // The format is the first whole number of its value; its zigzag form has one byte. Make it larger.
        let marker: [UInt8] = [StateFormat.Tag.integer.rawValue, UInt8(Checkpoint.format * 2)]
        let place = try #require(
            bytes.indices.dropLast().first { bytes[$0] == marker[0] && bytes[$0 + 1] == marker[1] })
        bytes.replaceSubrange(place...place + 1, with: [StateFormat.Tag.integer.rawValue, 100])
        let problem = #expect(throws: DocumentProblem.self) { try Checkpoint(decoding: bytes) }
        #expect(problem?.remedy.contains("newer version") == true)
    }
}
