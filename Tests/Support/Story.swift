package import Core

/// A random story of a small house: readings of all kinds, silence, retained values, commands, changed documents.
package struct Story {
    /// When it begins.
    package static let start = CivilTime(year: 2026, month: 3, day: 2, hour: 8).instant()

    package let site: Site
    package let otherSite: Site
    package let norms: NormLibrary
    package let otherNorms: NormLibrary
    package private(set) var events: [(arrival: Timestamp, event: Event)] = []

    package init(seed: UInt64, length: Int = 250) throws {
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
        var arrival = Self.start
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

    package func engine() -> Engine { Engine(site: site, norms: norms) }
}
