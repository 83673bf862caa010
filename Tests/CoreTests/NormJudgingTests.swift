import Core
import Testing

/// A flat whose devices place themselves, judged by the given norms.
private struct Flat {
    private var engine: Engine
    private var effects: [Effect] = []
    private let start = CivilTime(year: 2026, month: 1, day: 12).instant()

    init(
        _ norms: [CitedNorm], jurisdictions: [String] = ["house"], room: String = "living", feeds: Int? = nil,
        floor: Double? = nil, hasBurner: Bool? = nil
    ) throws {
        let attributes: JSONValue = [
            "site": "s", "jurisdictions": .array(jurisdictions.map { .string($0) }),
            "buildings": [
                [
                    "id": "b", "nominalVoltage": 230,
                    "flats": [
                        [
                            "id": "f", "floor": JSONValue(floor), "hasBurner": hasBurner.map { .bool($0) } ?? .null,
                            "exitDelay": "0 s",
                            "rooms": [
                                [
                                    "id": "r", "kind": .string(room),
                                    "devices": [
                                        ["id": "a"], ["id": "b"], ["id": "window", "opening": "window"],
                                        ["id": "front", "opening": "entrance"],
                                    ],
                                ]
                            ],
                        ]
                    ],
                ]
            ],
        ]
        let acts = norms.map { ActDocument(act: $0.act, norms: [$0.norm]) }
        engine = Engine(site: try Site(parsing: attributes.text), norms: NormLibrary(acts))
        for (index, event) in [Event.started(downSince: nil), .listening(true), .caughtUp].enumerated() {
            engine.step(event, at: start - .seconds(1) + Span(microseconds: Int64(index)), into: &effects)
        }
    }

    mutating func send(
        _ device: String, _ indicator: Indicator, _ value: Double, _ unit: Unit, species: String? = nil, at seconds: Int
    ) throws {
        let series = Series(device: device, indicator: indicator, species: species, unit: unit)
        let time = start + .seconds(seconds)
        let reading = try #require(Reading(series, value, deviceTime: time))
        engine.step(.reading(reading), at: max(time, engine.now + Span(microseconds: 1)), into: &effects)
    }

    mutating func arm() {
        engine.step(
            .command(.arm(building: "b", flat: "f", mode: .away, by: "me")), at: engine.now + Span(microseconds: 1),
            into: &effects)
    }

    /// What happened to people, with the seconds since the start.
    var story: [String] {
        effects.compactMap { effect in
            guard case .transition(let transition) = effect, transition.alarmClass == .alarm else { return nil }
            return
                "\(transition.event.rawValue) \(transition.hazard?.rawValue ?? "") \(Int((transition.time - start).seconds))"
        }
    }

    var raised: Transition? {
        for case .transition(let transition) in effects where transition.event == .raised { return transition }
        return nil
    }

    var firstSince: Int? {
        for case .transition(let transition) in effects {
            if let since = transition.since { return Int((since - start).seconds) }
        }
        return nil
    }
}

/// A norm of a fixture with some members changed.
private func norm(_ name: String, _ changes: (String, JSONValue?)...) throws -> CitedNorm {
    var document = try JSONValue(parsing: try NormFixtures.text(name + ".json"))
    for (path, value) in changes { document = DocumentPath(path).set(value, in: document) }
    let read = try ActDocument(parsing: document.text, file: name)
    return CitedNorm(act: read.act, norm: read.norms[0])
}

@Suite("What norms make of readings")
struct NormJudgingTests {
    @Test("A lamp that has burnt for hours and goes out is dark only since then")
    func lampGoesOut() throws {
        var flat = try Flat([try norm("state")])
        try flat.send("a", .lamp, 1, .boolean, at: 0)
        for second in stride(from: 0, through: 3600, by: 30) { try flat.send("b", .light, 150, .lux, at: second) }
        try flat.send("b", .light, 1, .lux, at: 3630)
        #expect(flat.story.isEmpty)
        try flat.send("b", .light, 1, .lux, at: 3660)
        #expect(flat.story.isEmpty)
        try flat.send("b", .light, 1, .lux, at: 3690)
        #expect(flat.story == ["raised lamp-burnout 3690"])
    }

    @Test("A burnt-out lamp is told with the light that is missing, not with the switch")
    func lampShown() throws {
        var flat = try Flat([try norm("state")])
        try flat.send("b", .light, 1, .lux, at: 0)
        try flat.send("a", .lamp, 1, .boolean, at: 10)
        try flat.send("b", .light, 2, .lux, at: 75)
        let raised = try #require(flat.raised)
        #expect(raised.device == "b" && raised.indicator == .light && raised.value == 2 && raised.limit == 10)
    }

    @Test("Darkness from before the lamp was switched on does not count")
    func lampSwitchedOn() throws {
        var flat = try Flat([try norm("state")])
        for second in stride(from: 0, through: 600, by: 30) { try flat.send("b", .light, 1, .lux, at: second) }
        try flat.send("a", .lamp, 1, .boolean, at: 610)
        #expect(flat.story.isEmpty)
        try flat.send("b", .light, 1, .lux, at: 630)
        #expect(flat.story.isEmpty)
        try flat.send("b", .light, 1, .lux, at: 670)
        #expect(flat.story == ["raised lamp-burnout 670"])
    }

    @Test("An outage is no bad quality of supply")
    func outage() throws {
        var flat = try Flat([try norm("mean"), try norm("interruption", ("act.id", "other"))])
        for second in stride(from: 0, to: 1800, by: 10) { try flat.send("a", .voltage, 0, .volt, at: second) }
        for second in stride(from: 1800, through: 3600, by: 10) { try flat.send("a", .voltage, 230, .volt, at: second) }
        #expect(flat.story == ["raised power-outage 180", "ended power-outage 1800", "cleared power-outage 1800"])
    }

    @Test("A dip that is no interruption is bad quality")
    func dip() throws {
        var flat = try Flat([try norm("mean")])
        for second in stride(from: 0, through: 600, by: 10) { try flat.send("a", .voltage, 12, .volt, at: second) }
        #expect(flat.story == ["raised power-quality 600"])
    }

    @Test("A mean that is bad before its window is full began with the first reading", arguments: ["sliding", "block"])
    func since(kind: JSONValue) throws {
        let window: JSONValue = ["length": "1 h", "kind": kind, "lower": 207, "completeness": 0.5]
        var flat = try Flat([try norm("mean", ("norms[0].limit.windows", [window]))])
        for second in stride(from: 600, through: 3600, by: 60) { try flat.send("a", .voltage, 200, .volt, at: second) }
        #expect(flat.story.count == 1 && flat.firstSince == 600)
    }

    @Test("A norm of the armed flat keeps to its openings")
    func armedOpening() throws {
        let windows = try norm(
            "armed", ("norms[0].limit.all[0].zone", "instant"), ("norms[0].appliesTo", ["opening": "window"]))
        var flat = try Flat([windows])
        flat.arm()
        try flat.send("front", .door, 1, .boolean, at: 10)
        #expect(flat.story.isEmpty)
        try flat.send("window", .door, 1, .boolean, at: 20)
        #expect(flat.story == ["raised intrusion 20"])
    }

    @Test("A norm in ppm that names no gas judges sensors that name none, and no others")
    func unnamedGas() throws {
        let gas = try norm("time-at-level", ("norms[0].species", nil), ("norms[0].limit.levels[0].by", "0 s"))
        var flat = try Flat([gas])
        try flat.send("a", .gas, 400, .ppm, species: "no2", at: 0)
        try flat.send("a", .gas, 1, .boolean, at: 1)
        try flat.send("a", .gas, 15, .percentLEL, at: 2)
        #expect(flat.story.isEmpty)
        try flat.send("b", .gas, 31, .ppm, at: 3)
        #expect(flat.story == ["raised poisoning 3"])
    }

    @Test("A detector's yes is judged by a norm that names the gas once, for the whole norm")
    func detector() throws {
        let detector = try norm(
            "armed", ("norms[0].indicator", "gas"), ("norms[0].unit", "bool"), ("norms[0].hazard", "poisoning"),
            ("norms[0].species", ["co", "h2s"]),
            ("norms[0].limit", ["shape": "state", "all": [["indicator": "gas", "is": true]]]))
        var flat = try Flat([detector])
        try flat.send("a", .gas, 1, .boolean, at: 0)
        try flat.send("a", .gas, 1, .boolean, species: "ch4", at: 1)
        #expect(flat.story.isEmpty)
        try flat.send("b", .gas, 1, .boolean, species: "h2s", at: 2)
        #expect(flat.story == ["raised poisoning 2"])
    }

    @Test(
        "Floor and burner decide where they are known",
        arguments: [
            (nil, nil, 1), (3, true, 1), (2, true, 0), (4, false, 0), (nil, false, 0), (5, nil, 1),
        ] as [(Double?, Bool?, Int)])
    func attributes(floor: Double?, burner: Bool?, raised: Int) throws {
        let limited = try norm(
            "band", ("norms[0].appliesTo", ["floor": ["atLeast": 3], "burner": true]), ("norms[0].limit.onDelay", nil))
        var flat = try Flat([limited], floor: floor, hasBurner: burner)
        try flat.send("a", .temperature, 40, .celsius, at: 0)
        #expect(flat.story.count == raised)
    }

    @Test("An act of another jurisdiction is not used, an international one neither where it is not listed")
    func international() throws {
        let band = try norm("band", ("act.jurisdictions", ["INT"]), ("norms[0].limit.onDelay", nil))
        for (codes, count) in [(["EU"], 0), (["EU", "INT"], 1)] {
            var flat = try Flat([band], jurisdictions: codes)
            try flat.send("a", .temperature, 40, .celsius, at: 0)
            #expect(flat.story.count == count)
        }
    }
}
