import Core
import Testing

@testable import Decode

@Suite("Fixtures")
struct FixtureTests {
    @Test("Each message tells what its folder says", arguments: Fixture.all)
    func folder(fixture: Fixture) {
        #expect(fixture.messages.count == fixture.expected.count)
        var decoder = MessageDecoder()
        for (index, message) in fixture.messages.enumerated() {
            let told = Fixture.Expected(decoder.decode(message), arrival: message.arrival)
            #expect(told == fixture.expected[index], "\(fixture.name), line \(index + 1): \(message.topic)")
        }
    }

    @Test("A retained message is never a sign of trouble of its own")
    func retainedIsNotUnreadable() {
        for message in Fixture.all.flatMap(\.messages) {
            var decoder = MessageDecoder()
            let stored = Message(topic: message.topic, payload: message.payload, isRetained: true, arrival: noon)
            let understanding = decoder.decode(stored)
            #expect(understanding.unreadable.isEmpty, "\(message.topic)")
            #expect(understanding.readings.filter { !$0.isRetained }.isEmpty, "\(message.topic)")
        }
    }

    @Test("The same messages give the same answers, whatever was decoded before")
    func deterministic() {
        for fixture in Fixture.all {
            var first = MessageDecoder()
            var second = MessageDecoder()
            for message in fixture.messages {
                let a = Fixture.Expected(first.decode(message), arrival: message.arrival)
                let b = Fixture.Expected(second.decode(message), arrival: message.arrival)
                #expect(a == b, "\(message.topic)")
            }
        }
    }
}
