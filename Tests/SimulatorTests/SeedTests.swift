import Core
import Testing

@testable import Simulator

@Suite("Seeds")
struct SeedTests {
    private static func publications(_ scenario: Scenario, seed: UInt64, start: Timestamp? = nil) -> [Publication] {
        var simulation = Simulation(scenario, seed: seed, start: start)
        var all: [Publication] = []
        while simulation.due < scenario.duration, let step = simulation.next() {
            if case .publish(let publication) = step { all.append(publication) }
        }
        return all
    }

    @Test(
        "The same seed gives the same messages, another one other values", arguments: ["six-emergencies", "earthquake"])
    func same(_ name: String) throws {
        let scenario = try Sample.scenario(name)
        let first = Self.publications(scenario, seed: 1)
        #expect(first.count > 1000)
        #expect(Self.publications(scenario, seed: 1) == first)
        let other = Self.publications(scenario, seed: 2)
        #expect(Set(other.map(\.topic)) == Set(first.map(\.topic)))
        #expect(Set(other.map(\.payload)).intersection(first.map(\.payload)).count < first.count / 10)
    }

    @Test("Messages come in the order of their times, which lie within the scenario")
    func order() throws {
        let scenario = try Sample.scenario("blackout")
        let times = Self.publications(scenario, seed: 3).map(\.at)
        #expect(times == times.sorted() && times.allSatisfy { (0..<scenario.duration).contains($0) })
    }

    @Test("What happens in one flat leaves the others as they were")
    func apart() throws {
        let calm = try Sample.leak(#""rise": "1 min""#, #""peak": 2"#)
        let leak = try Sample.leak("", "")
        func other(_ scenario: Scenario) -> [Publication] {
            Self.publications(scenario, seed: 1).filter { $0.topic.contains("f2") }
        }
        #expect(other(calm) == other(leak) && !other(calm).isEmpty)
    }

    @Test("A run tells its fingerprint: equal for equal runs")
    func fingerprint() throws {
        let scenario = try Sample.leak("", "")
        let first = try Sample.run(scenario, seed: 5).fingerprint
        #expect(try Sample.run(scenario, seed: 5).fingerprint == first)
        #expect(try Sample.run(scenario, seed: 6).fingerprint != first)
    }

    @Test("Spikes stand alone, about as many as stated", arguments: 1...5 as ClosedRange<UInt64>)
    func spikes(seed: UInt64) throws {
        let spikes = #""at": "0 s", "what": "spikes", "values": [43521], "percent": 30"#
        let scenario = try Sample.leak(#""at": "5 min", "what": "duplicates""#, spikes)
        let isSpike = Self.publications(scenario, seed: seed).filter { $0.topic.hasSuffix("f2/kitchen/gas/gas") }
            .map { String(decoding: $0.payload, as: UTF8.self).contains("43521") }
        #expect((8...35).contains(isSpike.count { $0 }), "\(isSpike.count { $0 }) of \(isSpike.count)")
        #expect(!zip(isSpike, isSpike.dropFirst()).contains { $0 && $1 })
    }

    @Test("Numbered readings: each number once, in order, at the stated rate")
    func numbers() throws {
        let scenario = try Sample.scenario("load", ["flats": 10, "rate": 100, "count": 500])
        let numbers = Self.publications(scenario, seed: 1).filter { $0.topic.hasSuffix("/radon") }.compactMap {
            publication -> Double? in
            guard
                case .number(let value)? =
                    (try? JSONValue(parsing: String(decoding: publication.payload, as: UTF8.self)))?[
                        "value"]
            else { return nil }
            return value
        }
        #expect(numbers == (0..<500).map(Double.init) && scenario.duration == 5)
    }
}
