import Core
import Support
import Testing

@testable import Command

@Suite("The live view of a running service")
struct LiveViewTests {
    private let start = Story.start
    private var engine: Engine
    private var recent: [Transition] = []

    init() throws {
        let documents = try [Fixture.leak, Fixture.shaking].map { try ActDocument(parsing: $0, file: "fixture") }
        engine = Engine(site: House.site(flats: 4, gasInterval: nil), norms: NormLibrary(documents))
        for event in [Event.started(downSince: nil), .listening(true), .caughtUp] { step(event, at: -.seconds(1)) }
    }

    private mutating func step(_ event: Event, at offset: Span) {
        var effects: [Effect] = []
        engine.step(event, at: max(start + offset, engine.now + Span(microseconds: 1)), into: &effects)
        for case .transition(let transition) in effects { recent.append(transition) }
    }

    private mutating func leak(_ isWet: Bool, flat: Int = 2, at offset: Span) throws {
        step(.reading(try #require(Reading(House.leak(flat), isWet ? 1 : 0))), at: offset)
    }

    private mutating func shake() throws {
        for tick in 0..<1500 {
            for flat in 1...4 {
                let value = (300..<350).contains(tick) ? (tick % 2 == 0 ? 2.0 : -2) : 0
                let reading = try #require(Reading(House.shake(flat), value))
                step(.reading(reading), at: .seconds(Double(tick) * 0.1))
            }
        }
    }

    private func view(width: Int, height: Int = 40, speed: Double = 1) -> [String] {
        LiveView(
            engine: engine, recent: recent, console: nil, speed: speed, width: width, height: height, isColoured: false
        ).lines
    }

    @Test("Nothing wrong is said in words")
    func quiet() { #expect(view(width: 80).contains("ALL QUIET: no open alarms")) }

    @Test("An alarm says how bad, what, where, since when and by which act", arguments: [60, 80, 110])
    func alarm(width: Int) throws {
        var test = self
        try test.leak(true, at: .seconds(5))
        let lines = test.view(width: width)
        #expect(lines.contains("ALARMS: 1 danger"))
        let row = try #require(lines.firstIndex { $0.hasPrefix("  ! DANGER") })
        for word in ["flooding", "b1/f2", "08:00:05", "leak/leak"] {
            #expect((lines[row] + lines[row + 1]).contains(word), "\(lines)")
        }
        #expect(lines.allSatisfy { $0.count <= width })
        #expect(lines.contains { $0.contains("WET") } && lines.contains { $0.contains("raised") })
    }

    @Test("One that is over stays until somebody has acknowledged it, with the time of its end")
    func over() throws {
        var test = self
        try test.shake()
        let lines = test.view(width: 110)
        #expect(lines.contains("ALARMS: 1 over but not acknowledged"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  - over 08:0") && $0.contains("b1, 4 flats") }, "\(lines)")
        #expect(!lines.contains { $0.contains("ended") && $0.contains("b1/f") }, "flats are told with their building")
    }

    @Test("A picture is no higher than its window", arguments: [5, 10, 24, 60])
    func height(height: Int) throws {
        var test = self
        for flat in 1...4 { try test.leak(true, flat: flat, at: .seconds(Double(flat))) }
        #expect(test.view(width: 80, height: height).count <= height - 1)
    }

    @Test("Long texts are broken between words, and end with a sign where they are cut")
    func wrapped() {
        #expect("one two three four".wrapped(9, indent: 2, most: 2) == ["one two", "  three…"])
        #expect("one two".wrapped(9, indent: 2, most: 2) == ["one two"])
        #expect("onetwothreefour five".wrapped(9, indent: 2, most: 2) == ["onetwoth…"])
    }

    @Test("A clock that runs faster is said to")
    func speed() { #expect(view(width: 110, speed: 20)[0].contains("(20 times as fast)")) }
}
