import Core
import Testing

/// SplitMix64: the same seed gives the same story.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let a = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let b = (a ^ (a >> 27)) &* 0x94D0_49BB_1331_11EB
        return b ^ (b >> 31)
    }
}

@Suite("The engine is a deterministic fold")
struct DeterminismTests {
    /// A random story of a small house: readings of all kinds, silence, retained values, commands, changed documents.
    struct Story {
        let site: Site
        let otherSite: Site
        let norms: NormLibrary
        let otherNorms: NormLibrary
        var events: [(arrival: Timestamp, event: Event)] = []

        init(seed: UInt64, length: Int = 250) throws {
            var random = SplitMix64(state: seed)
            let people = [
                Person(id: "janitor", role: .staff, channels: [.init(kind: .terminal)]),
                Person(
                    id: "resident1", role: .resident, language: .de,
                    channels: [.init(kind: .email, address: "a@b.example")]),
            ]
            let route = Route(
                match: .init(severity: .warning),
                steps: [.init(to: ["resident"]), .init(to: ["staff"], after: .minutes(3))])
            site = House.site(flats: 4, people: people, routes: Bool.random(using: &random) ? [route] : [])
            var other = site
            other.buildings[0].flats.removeLast()
            other.selfPlacement = true
            otherSite = other
            let fixtures = [
                Fixture.g50, Fixture.v230, Fixture.outage, Fixture.door, Fixture.vib, Fixture.shaking, Fixture.leak,
                Fixture.lamp,
            ]
            let documents = try fixtures.map { try ActDocument(parsing: $0, file: "fixture") }
            norms = NormLibrary(documents)
            otherNorms = NormLibrary(Array(documents.dropFirst().shuffled(using: &random)))
            var arrival = Virtual.start
            events.append((arrival - .seconds(3), .started(downSince: nil)))
            events.append((arrival - .seconds(2), .listening(true)))
            events.append((arrival - .seconds(1), .caughtUp))
            for _ in 0..<length {
                arrival += .seconds([0.001, 0.5, 1, 5, 20, 60, 200].randomElement(using: &random) ?? 1)
                if let event = try Self.event(at: arrival, &random, self) { events.append((arrival, event)) }
            }
        }

        private static func event(at arrival: Timestamp, _ random: inout SplitMix64, _ story: Story) throws -> Event? {
            let flat = Int.random(in: 1...4, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<70:
                let series = [
                    House.gas(flat), House.door(flat), House.motion(flat), House.vib(flat), House.leak(flat),
                    House.lamp(flat), House.light(flat),
                    House.meter(flat), House.shake(flat),
                    Series(device: "new\(flat)", indicator: .gas, species: "co", unit: .ppm),
                ].randomElement(using: &random)!
                let value: Double =
                    switch series.unit {
                    case .boolean: Bool.random(using: &random) ? 1 : 0
                    case .volt: [0, 0, 5, 206, 230, 231, 260].randomElement(using: &random)!
                    default: [0, 3, 40, 46, 60, 120, 700, 43_521].randomElement(using: &random)!
                    }
                let lag: Span? = [nil, .zero, .seconds(2), .seconds(-30), .minutes(10), .seconds(-4000)].randomElement(
                    using: &random)!
                let isRetained = Int.random(in: 0..<12, using: &random) == 0
                return Reading(series, value, deviceTime: lag.map { arrival - $0 }, isRetained: isRetained).map {
                    .reading($0)
                }
            case 70..<78: return .time
            case 78..<82: return .unreadable(House.gas(flat))
            case 82..<86:
                return .availability(Availability(subject: "vib\(flat)", isOnline: Bool.random(using: &random)))
            case 86..<90:
                let mode = ArmMode.allCases.randomElement(using: &random)!
                return .command(.arm(building: "b1", flat: "f\(flat)", mode: mode, by: "anna"))
            case 90..<92: return .listening(Bool.random(using: &random))
            case 92..<94: return .trouble(.brokerAway, isActive: Bool.random(using: &random), detail: "refused")
            case 94..<96: return .site(Bool.random(using: &random) ? story.site : story.otherSite)
            case 96..<98: return .norms(Bool.random(using: &random) ? story.norms : story.otherNorms)
            default:
                return .device(
                    DeviceNote(
                        device: "new\(flat)", family: "native", gateway: Bool.random(using: &random) ? "g" : nil,
                        isBatteryPowered: Bool.random(using: &random),
                        placement: Place(building: "b1", flat: "f1", room: "hall")))
            }
        }

        func engine() -> Engine { Engine(site: site, norms: norms) }
    }

    /// Acknowledges a raised alarm now and then, decided by the seed and not by the path taken.
    private func acknowledgement(after effects: [Effect], at arrival: Timestamp) -> Event? {
        for case .transition(let transition) in effects where transition.event == .raised {
            guard let alarm = transition.alarm, Identity.fnv([alarm]) % 3 == 0 else { continue }
            return .command(.acknowledge(alarm: alarm, by: "anna"))
        }
        return nil
    }

    private func transitions(_ effects: [Effect]) -> Int {
        effects.count { if case .transition = $0 { true } else { false } }
    }

    /// The first place at which two runs differ, in few words.
    private func difference(_ a: [Effect], _ b: [Effect]) -> String? {
        for (index, pair) in zip(a, b).enumerated() where pair.0 != pair.1 {
            return "\(index): \(short(pair.0)) ≠ \(short(pair.1))"
        }
        return a.count == b.count ? nil : "\(a.count) effects ≠ \(b.count)"
    }

    private func short(_ effect: Effect) -> String {
        switch effect {
        case .transition(let transition): "\(transition.time) \(Virtual.short(transition)) \(transition.device ?? "")"
        case .notice(let notice): "notice \(notice.subject) \(notice.created)"
        case .store(let reading):
            "\(reading.arrival) \(reading.series.device) \(reading.value) \(reading.quality.words)"
        default: String(describing: effect).prefix(100).description
        }
    }

    private func run(_ story: Story, cutting random: inout SplitMix64?) throws -> [Effect] {
        var engine = story.engine()
        var all: [Effect] = []
        for (arrival, event) in story.events {
            if random != nil, Int.random(in: 0..<15, using: &random!) == 0 {
                let bytes = engine.checkpoint.encoded()
                let restored = try Checkpoint(decoding: bytes)
                let isSame = restored.encoded() == bytes
                #expect(isSame, "what is read is not what was written")
                engine = Engine(restoring: restored, site: engine.site, norms: engine.norms)
            }
            var effects: [Effect] = []
            engine.step(event, at: arrival, into: &effects)
            if let answer = acknowledgement(after: effects, at: arrival) {
                engine.step(answer, at: arrival + Span(microseconds: 1), into: &effects)
            }
            all += effects
        }
        return all
    }

    @Test("Saved, forgotten and read again at random points, it does the same", arguments: UInt64(1)...40)
    func restartChangesNothing(seed: UInt64) throws {
        let story = try Story(seed: seed)
        var none: SplitMix64?
        let whole = try run(story, cutting: &none)
        var cuts: SplitMix64? = SplitMix64(state: seed &* 7919)
        let cut = try run(story, cutting: &cuts)
        #expect(difference(whole, cut) == nil, "seed \(seed)")
        #expect(transitions(whole) > 0, "seed \(seed): a story in which nothing happens proves nothing")
    }

    @Test("Advancing in steps is the same as advancing at once", arguments: UInt64(1)...40)
    func advanceInSteps(seed: UInt64) throws {
        let story = try Story(seed: seed)
        var (once, steps) = (story.engine(), story.engine())
        var (effectsOnce, effectsSteps): ([Effect], [Effect]) = ([], [])
        var random = SplitMix64(state: seed &* 104_729)
        for (arrival, event) in story.events {
            if once.now > .distantPast {
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let span = (arrival - steps.now).microseconds
                    guard span > 1 else { break }
                    steps.advance(
                        to: steps.now + Span(microseconds: Int64.random(in: 0..<span, using: &random)),
                        into: &effectsSteps)
                }
            }
            once.step(event, at: arrival, into: &effectsOnce)
            steps.step(event, at: arrival, into: &effectsSteps)
        }
        #expect(difference(effectsOnce, effectsSteps) == nil, "seed \(seed)")
        let isSame = once.checkpoint.encoded() == steps.checkpoint.encoded()
        #expect(isSame, "seed \(seed)")
    }

    @Test("Deadlines come at their own time, however late the engine is asked")
    func ownTime() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: Fixture.door)
        try house.value(1, of: House.door(), at: .zero)
        house.advance(to: .hours(3))
        #expect(house.alarms == ["5:00 raised notice door-left-open"])
    }
}
