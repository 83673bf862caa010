import Testing
import Core

/// An engine in virtual time that begins at 2026-03-02T08:00:00Z, with everything it did so far.
struct Virtual {
    static let start = CivilTime(year: 2026, month: 3, day: 2, hour: 8).instant()

    private(set) var engine: Engine
    private(set) var journal: [Transition] = []
    private(set) var notices: [Notice] = []
    private(set) var stored: [StoredReading] = []
    private(set) var replies: [CommandReply] = []
    private var site: Site
    private var norms: NormLibrary
    private var now: Timestamp
    private let zones: @Sendable (String) -> Zone?

    init(
        site: Site = .none, norms: String..., at start: Timestamp = Virtual.start,
        zones: @escaping @Sendable (String) -> Zone? = { _ in nil }
    ) throws {
        self.site = site
        self.norms = NormLibrary(try norms.map { try ActDocument(parsing: $0, file: "fixture") })
        (now, self.zones) = (start - .seconds(1), zones)
        engine = Engine(site: site, norms: self.norms, zones: zones)
        step(.started(downSince: nil), at: now)
        step(.listening(true), at: now)
        step(.caughtUp, at: now)
    }

    private mutating func step(_ event: Event, at time: Timestamp) {
        now = max(now + Span(microseconds: 1), time)
        var effects: [Effect] = []
        engine.step(event, at: now, into: &effects)
        take(effects)
    }

    private mutating func take(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .transition(let transition): journal.append(transition)
            case .notice(let notice): notices.append(notice)
            case .store(let reading): stored.append(reading)
            case .reply(let reply): replies.append(reply)
            case .lastKnown, .device: break
            }
        }
    }

    // MARK: What happens

    mutating func event(_ event: Event, at offset: Span) { step(event, at: Self.start + offset) }

    /// A live value whose sample time is its arrival unless `stamp` says otherwise.
    mutating func value(
        _ value: Double, of series: Series, at offset: Span, stamp: Timestamp? = nil, isRetained: Bool = false
    ) throws {
        let time = isRetained ? stamp : stamp ?? Self.start + offset
        event(.reading(try #require(Reading(series, value, deviceTime: time, isRetained: isRetained))), at: offset)
    }

    mutating func advance(to offset: Span) { event(.time, at: offset) }

    mutating func command(_ command: Command, at offset: Span) { event(.command(command), at: offset) }

    /// Saves, forgets, reads again: killed at the last event, back at `offset` with nothing queued.
    mutating func restart(at offset: Span) throws {
        let saved = engine.checkpoint.encoded()
        engine = Engine(
            restoring: try Checkpoint(decoding: saved), site: engine.site, norms: engine.norms, zones: zones)
        let down = now
        event(.started(downSince: down), at: offset)
        event(.listening(true), at: offset)
        event(.caughtUp, at: offset)
    }

    /// Killed at the last event, back at `offset`; what came meanwhile is read in `backlog` before time goes on.
    mutating func restart(at offset: Span, backlog: (inout Virtual) throws -> Void) throws {
        let saved = engine.checkpoint.encoded()
        engine = Engine(
            restoring: try Checkpoint(decoding: saved), site: engine.site, norms: engine.norms, zones: zones)
        event(.started(downSince: now), at: offset)
        event(.listening(true), at: offset)
        try backlog(&self)
        step(.caughtUp, at: now)
    }

    // MARK: What came of it

    /// `1:00 raised danger poisoning` for each transition of class alarm.
    var alarms: [String] { journal.filter { $0.alarmClass == .alarm }.map(Self.short) }
    var faults: [String] { journal.filter { $0.alarmClass == .fault }.map(Self.short) }
    var all: [String] { journal.map(Self.short) }

    static func short(_ transition: Transition) -> String {
        let seconds = Int((transition.time - start).seconds.rounded(.down))
        let sign = seconds < 0 ? "-" : ""
        let what = transition.hazard?.rawValue ?? transition.fault?.rawValue ?? ""
        let severity =
            [.raised, .severity].contains(transition.event) && transition.alarmClass == .alarm
            ? " \(transition.severity?.rawValue ?? "")" : ""
        return
            "\(sign)\(abs(seconds) / 60):\((abs(seconds) % 60).padded(2)) \(transition.event.rawValue)\(severity) \(what)"
    }
}

/// The fixture norms of the field reports, and a few more.
enum Fixture {
    static let g50 = act(
        "g50",
        norm(
            "G50", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co", severity: "danger",
            limit: #"{"shape": "band", "upper": 50, "deadband": 5, "onDelay": "30 s", "offDelay": "60 s"}"#))

    static let v230 = act(
        "v230",
        norm(
            "V230", hazard: "power-quality", indicator: "voltage", unit: "V", severity: "warning",
            limit:
                #"{"shape": "mean", "windows": [{"length": "10 min", "kind": "block", "lower": 207, "upper": 253, "completeness": 0.8}]}"#
        ))

    static let outage = act(
        "outage",
        norm(
            "outage", hazard: "power-outage", indicator: "voltage", unit: "V", severity: "warning",
            limit: #"{"shape": "interruption", "belowShare": 0.05, "longerThan": "10 s"}"#))

    static let door = act(
        "doors",
        norm(
            "open", hazard: "door-left-open", indicator: "door", unit: "bool", severity: "notice",
            limit:
                #"{"shape": "state", "all": [{"indicator": "door", "is": true, "opening": "entrance"}], "onDelay": "5 min"}"#
        ),
        norm(
            "entry", hazard: "intrusion", indicator: "door", unit: "bool", severity: "danger",
            limit:
                #"{"shape": "state", "all": [{"indicator": "door", "is": true}, {"indicator": "armed", "is": true}], "onDelay": "45 s"}"#
        ),
        norm(
            "motion", hazard: "intrusion", indicator: "motion", unit: "bool", severity: "danger",
            limit:
                #"{"shape": "state", "all": [{"indicator": "motion", "is": true}, {"indicator": "armed", "is": true}]}"#
        ))

    static let vib = act(
        "vib",
        norm(
            "VIB", hazard: "earthquake", indicator: "vibration", unit: "bool", severity: "danger",
            limit: #"{"shape": "state", "all": [{"indicator": "vibration", "is": true}]}"#))

    static let shaking = act(
        "shaking",
        norm(
            "shaking", hazard: "earthquake", indicator: "vibration", unit: "m/s2",
            limit: """
                {"shape": "peak", "levels": [{"atLeast": 0.25, "total": "0.3 s", "severity": "warning"},
                 {"atLeast": 0.8, "total": "0.3 s", "severity": "danger"}], "corroborate": {"devices": 3, "within": "10 s"}}
                """))

    static let leak = act(
        "leak",
        norm(
            "leak", hazard: "flooding", indicator: "water_leak", unit: "bool", severity: "danger",
            limit: #"{"shape": "state", "all": [{"indicator": "water_leak", "is": true}]}"#))

    static let lamp = act(
        "lamp",
        norm(
            "burnt-out", hazard: "lamp-burnout", indicator: "lamp", unit: "bool", severity: "notice",
            limit: """
                {"shape": "state", "all": [{"indicator": "lamp", "is": true}, {"indicator": "light", "below": 75}], "onDelay": "60 s"}
                """))

    static func act(
        _ id: String, from: String = "2000-01-01", until: String = "null", jurisdiction: String = "EU",
        _ norms: String...
    ) -> String {
        """
        {"act": {"id": "\(id)", "kind": "standard", "jurisdictions": ["\(jurisdiction)"], "issuer": "fixture", "edition": "1",
                 "title": {"en": "Fixture \(id)"}, "inForce": {"from": "\(from)", "until": \(until)},
                 "source": {"title": "fixture", "kind": "house"}},
         "norms": [\(norms.joined(separator: ",\n"))]}
        """
    }

    static func norm(
        _ id: String, hazard: String, indicator: String, unit: String, species: String? = nil,
        severity: String = "warning", limit: String,
        appliesTo: String = #"{"rooms": ["*"]}"#
    ) -> String {
        """
        {"id": "\(id)", "clause": "clause of \(id)", "hazard": "\(hazard)", "indicator": "\(indicator)", "unit": "\(unit)",
         \(species.map { #""species": "\#($0)","# } ?? "") "severity": "\(severity)", "appliesTo": \(appliesTo), "limit": \(limit),
         "confidence": "read", "why": {"en": "because"}, "whatToDo": {"en": "act", "de": "handeln", "ru": "действовать"}}
        """
    }
}

/// One building with flats, each with the devices of the field reports.
enum House {
    static func site(flats: Int = 1, gasInterval: Span? = .seconds(60), people: [Person] = [], routes: [Route] = [])
        -> Site
    {
        var building = BuildingPlan(id: "b1", nominalVoltage: 230)
        for number in 1...flats {
            var flat = FlatPlan(id: "f\(number)")
            var gas = DevicePlan(id: "gas\(number)")
            gas.interval = gasInterval
            var door = DevicePlan(id: "door\(number)")
            door.opening = .entrance
            let rest = ["motion", "vib", "leak", "lamp", "light", "meter"].map { DevicePlan(id: "\($0)\(number)") }
            flat.rooms = [RoomPlan(id: "hall", kind: "hall", devices: [gas, door] + rest)]
            flat.tenancies = [Tenancy(person: "resident\(number)")]
            building.flats.append(flat)
        }
        var site = Site.none
        site.id = "house"
        site.selfPlacement = false
        site.buildings = [building]
        site.people = people
        site.routes = routes
        return site
    }

    static func gas(_ flat: Int = 1) -> Series {
        Series(device: "gas\(flat)", indicator: .gas, species: "co", unit: .ppm)
    }
    static func door(_ flat: Int = 1) -> Series { Series(device: "door\(flat)", indicator: .door, unit: .boolean) }
    static func motion(_ flat: Int = 1) -> Series {
        Series(device: "motion\(flat)", indicator: .motion, unit: .boolean)
    }
    static func vib(_ flat: Int = 1) -> Series { Series(device: "vib\(flat)", indicator: .vibration, unit: .boolean) }
    static func shake(_ flat: Int = 1) -> Series {
        Series(device: "vib\(flat)", indicator: .vibration, unit: .metrePerSecondSquared)
    }
    static func leak(_ flat: Int = 1) -> Series { Series(device: "leak\(flat)", indicator: .waterLeak, unit: .boolean) }
    static func lamp(_ flat: Int = 1) -> Series { Series(device: "lamp\(flat)", indicator: .lamp, unit: .boolean) }
    static func light(_ flat: Int = 1) -> Series { Series(device: "light\(flat)", indicator: .light, unit: .lux) }
    static func meter(_ flat: Int = 1) -> Series { Series(device: "meter\(flat)", indicator: .voltage, unit: .volt) }
}
