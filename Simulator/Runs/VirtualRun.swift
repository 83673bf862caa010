import Core
import Decode
import Pipeline

/// A scenario in virtual time, without a broker: the same messages through the same decoder and engine, as fast as they go.
struct VirtualRun {
    let scenario: Scenario
    private var simulation: Simulation
    private var decoder = MessageDecoder()
    private var engine: Engine
    private var arrival: Timestamp
    private var newest: [Series: Reading] = [:]
    private var raised = RaisedAlarms()
    private(set) var observations: [Observation] = []
    private(set) var messages = 0
    /// Over all topics and payloads: equal runs have equal ones.
    private(set) var fingerprint = Fingerprint()

    init(_ scenario: Scenario, seed: UInt64, norms: NormLibrary) throws {
        self.scenario = scenario
        simulation = Simulation(scenario, seed: seed)
        engine = Engine(norms: norms, zones: { TimeZones.zone($0) })
        arrival = simulation.start - .seconds(1)
        var effects: [Effect] = []
        let site = try Site(parsing: scenario.siteDocument)
        for event in [Event.started(downSince: nil), .listening(true), .caughtUp, .site(site)] {
            enter(event, &effects)
        }
    }

    /// - Parameters:
    ///   - show: called with each transition as it happens.
    ///   - tell: called now and then with how far it is, in seconds of the scenario, and how many messages that were.
    mutating func run(_ show: (Transition) -> Void = { _ in }, tell: (Double, Int) -> Void = { _, _ in }) {
        var effects: [Effect] = []
        while simulation.due < scenario.duration, let step = simulation.next() {
            switch step {
            case .publish(let publication): take(publication, &effects)
            case .act(let action): carryOut(action, &effects)
            }
            gather(&effects, show)
            if messages.isMultiple(of: 512) { tell(simulation.due, messages) }
        }
        engine.advance(to: simulation.start + .seconds(scenario.duration), into: &effects)
        gather(&effects, show)
    }

    var check: Check {
        Check(scenario, observations, start: simulation.start, reached: .infinity, hasData: true)
    }

    private mutating func enter(_ event: Event, _ effects: inout [Effect]) {
        arrival += Span(microseconds: 1)
        engine.step(event, at: arrival, into: &effects)
    }

    private mutating func take(_ publication: Publication, _ effects: inout [Effect]) {
        messages += 1
        fingerprint.add(publication)
        arrival = max(arrival, simulation.start + .seconds(publication.at))
        let understood = decoder.decode(
            Message(
                topic: publication.topic, payload: publication.payload, isRetained: publication.isReplay, qos: 1,
                arrival: arrival))
        for note in understood.devices where engine.note(of: note.device) != note { enter(.device(note), &effects) }
        for availability in understood.availability { enter(.availability(availability), &effects) }
        for series in understood.unreadable { enter(.unreadable(series), &effects) }
        for reading in understood.readings {
            // As the service does: what is stored already does not reach the engine.
            if reading.deviceTime != nil && newest.updateValue(reading, forKey: reading.series) == reading { continue }
            enter(.reading(reading), &effects)
        }
    }

    private mutating func carryOut(_ action: PersonAction, _ effects: inout [Effect]) {
        arrival = max(arrival, simulation.start + .seconds(action.at))
        guard let command = raised.command(for: action) else { return }
        enter(.command(command), &effects)
    }

    private mutating func gather(_ effects: inout [Effect], _ show: (Transition) -> Void) {
        for case .transition(let transition) in effects {
            show(transition)
            guard let observation = Observation(transition.json) else { continue }
            raised.note(observation)
            observations.append(observation)
        }
        effects.removeAll(keepingCapacity: true)
    }
}

/// The alarms that people of a scenario can acknowledge, by what and where.
struct RaisedAlarms: Sendable {
    private struct Key: Hashable {
        let hazard: Hazard
        let place: [String]
    }
    private var ids: [Key: String] = [:]

    mutating func note(_ observation: Observation) {
        guard observation.event == .raised, case .hazard(let hazard)? = observation.subject else { return }
        ids[Key(hazard: hazard, place: observation.place)] = observation.alarm
    }

    /// Nil where there is no such alarm to acknowledge.
    func command(for action: PersonAction) -> Command? {
        switch action.what {
        case .arm(let building, let flat, let mode):
            return .arm(building: building, flat: flat, mode: mode, by: action.by)
        case .acknowledge(let hazard, let place):
            return ids[Key(hazard: hazard, place: place)].map { .acknowledge(alarm: $0, by: action.by) }
        }
    }
}

/// FNV-1a over messages.
struct Fingerprint: Hashable, Sendable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ publication: Publication) {
        for byte in publication.topic.utf8 { add(byte) }
        add(publication.isRetained ? 1 : 0)
        for byte in publication.payload { add(byte) }
    }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
