import Core
import Testing

@testable import Decode

@Suite("Mutated messages")
struct FuzzTests {
    /// Messages of all fixtures with bytes changed, cut, doubled and mixed: whatever comes, the answer is bounded and sound.
    @Test("No message breaks the decoder", arguments: UInt64(1)...8)
    func mutated(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let messages = Fixture.all.flatMap(\.messages)
        var decoder = MessageDecoder()
        for round in 0..<2000 {
            let message = messages.randomElement(using: &random)!
            let other = messages.randomElement(using: &random)!
            let topic =
                Int.random(in: 0..<10, using: &random) == 0
                ? mutate(Array(message.topic.utf8), &random) : Array(message.topic.utf8)
            var payload = mutate(message.payload, &random)
            if Int.random(in: 0..<10, using: &random) == 0 { payload += other.payload }
            let understanding = decoder.decode(
                Message(
                    topic: String(decoding: topic, as: UTF8.self), payload: payload,
                    isRetained: Bool.random(using: &random), arrival: noon))
            #expect(understanding.readings.count <= Understanding.mostReadings, "seed \(seed), round \(round)")
            #expect(understanding.rejected.count <= Understanding.mostRejections, "seed \(seed), round \(round)")
            for reading in understanding.readings {
                #expect(reading.value.isFinite, "seed \(seed), round \(round)")
                #expect(reading.series.indicator.accepts(reading.series.unit), "seed \(seed), round \(round)")
                if reading.series.unit == .boolean {
                    #expect([0, 1].contains(reading.value), "seed \(seed), round \(round)")
                }
            }
        }
    }

    private func mutate(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(Array(#"{}[]",:0.eE+-"#.utf8).randomElement(using: &random)!, at: place)
            case 3: bytes.removeSubrange(place...)
            case 4:
                let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            default:
                let digits = String(UInt64.random(in: 0...(.max), using: &random))
                bytes.insert(contentsOf: Array(digits.utf8), at: place)
            }
        }
        return bytes
    }

    @Test("A flood of new topics, devices and keys does not make it grow without end")
    func flood() {
        var decoder = MessageDecoder(mostRoutes: 500)
        for number in 0..<1200 {
            let understanding = decoder.decode(Message("flood/\(number)/temperature", "20"))
            #expect(understanding.readings.count == 1)
        }
        var memory = Memory()
        for number in 0..<20_100 { _ = memory.glossary.meaning(of: "key\(number)") }
        #expect(memory.glossary.count <= 20_000)
        #expect(decoder.decode(Message("flood/7/temperature", "21")).told == ["temperature 21.0 °C"])
    }
}
