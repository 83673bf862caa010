import Core
import Support
import Testing

@Suite("The engine is a deterministic fold")
struct DeterminismTests {
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
