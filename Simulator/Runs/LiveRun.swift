import Core
import Foundation
import Ingest
import Pipeline
import Store

/// A scenario over a broker, by the clock of the service that listens there.
final class LiveRun {
    private let scenario: Scenario
    private let options: Options
    private let session: BrokerSession
    private let people: PeopleLink?
    private let stop: StopSign
    private var clock: SharedClock
    private var status: JSONValue?
    private var raised = RaisedAlarms()
    private var observations: [Observation] = []
    private var seen: Set<Observation> = []
    private var progress = Progress()
    private var skipped = 0

    init(_ scenario: Scenario, _ options: Options, stop: StopSign) throws {
        (self.scenario, self.options, self.stop) = (scenario, options, stop)
        people = options.data.map { PeopleLink(DataFolder($0)) }
        let address = try options.broker.map { try BrokerAddress(url: $0) } ?? people?.broker()
        guard let address else { throw UsageError("a run over a broker needs --broker or --data") }
        session = try BrokerSession(
            address, filters: ["normwatch/status", "normwatch/event"], wakeUp: stop.wakeUp)
        clock = SharedClock(speed: options.speed ?? 1)
    }

    private var needsService: Bool { options.checks || people != nil }

    /// - Parameter show: called with what was found, where that is asked for.
    /// - Returns: whether all is as stated.
    func run(_ show: (Report) -> Void) throws -> Bool {
        try connect()
        try readStatus()
        if let people { try people.apply(scenario.siteDocument) }
        // A moment of the shared clock, so that the first messages are not late.
        var simulation = Simulation(scenario, seed: options.seed, start: clock.now + .seconds(0.2 * clock.speed))
        let reached = try play(&simulation)
        if options.stays && !stop.isSet {
            progress.end()
            live(&simulation, until: SharedClock.ticks() + 1.5)
        } else {
            try finish()
        }
        if skipped > 0 { Main.complain("\(skipped) actions of people were left out: they need --data") }
        let report = report(simulation.start, reached)
        if options.checks { show(report) }
        if options.stays { live(&simulation, until: .infinity) }
        session.close()
        return !options.checks || report.passed
    }

    // MARK: Beginning

    private func connect() throws {
        let deadline = SharedClock.ticks() + 15
        while !session.isOpen {
            if SharedClock.ticks() > deadline || stop.isSet {
                throw EnvironmentError("\(session.shown) cannot be reached: \(session.reason)")
            }
            take(session.turn(atMost: 0.1))
        }
    }

    /// Waits for the service's word, and takes its clock over.
    private func readStatus() throws {
        let deadline = SharedClock.ticks() + (needsService || options.speed != nil ? 10 : 1)
        while !isOnline, SharedClock.ticks() < deadline, !stop.isSet { take(session.turn(atMost: 0.1)) }
        if needsService && !isOnline {
            throw EnvironmentError(
                "no service publishes normwatch/status on \(session.shown); start normwatch run there (with an outside "
                    + "broker it needs publish.alarms in its configuration, and we the right to read normwatch/#)")
        }
        if let shared = status.flatMap({ SharedClock($0) }) {
            if let wanted = options.speed, wanted != shared.speed {
                Main.complain("the service runs at speed \(shared.speed): so do we, not at \(wanted)")
            }
            clock = shared
        } else if isOnline, let wanted = options.speed, wanted != 1 {
            throw EnvironmentError(
                "the service runs at the speed of the world; start it with normwatch run --speed \(wanted)")
        }
    }

    private var isOnline: Bool { status?["state"] == "online" }

    // MARK: Playing

    /// - Returns: how far it went, in seconds of the scenario; infinite: to its end.
    private func play(_ simulation: inout Simulation) throws -> Double {
        while !stop.isSet {
            if session.awayFor > 60 {
                throw EnvironmentError("\(session.shown) has been away for a minute: \(session.reason)")
            }
            if session.refused > 0 {
                throw EnvironmentError(
                    "\(session.shown) does not let us publish the devices' topics; give this user the right")
            }
            let now = (clock.now - simulation.start).seconds
            send(&simulation, until: min(now, scenario.duration))
            if now >= scenario.duration && simulation.due >= scenario.duration { return .infinity }
            let next = min(simulation.due, scenario.duration)
            let wait = session.hasRoom ? clock.wait(until: simulation.start + .seconds(next)) : 0.2
            take(session.turn(atMost: max(0, wait)))
            progress.show(scenario, at: now) {
                "\(session.sent) messages, \(session.unconfirmed) under way, "
                    + "\(observations.count { $0.event == .raised }) raised"
                    + (session.isOpen ? "" : "  (no broker: \(session.reason))")
            }
        }
        return (clock.now - simulation.start).seconds
    }

    private func send(_ simulation: inout Simulation, until now: Double) {
        var count = 0
        while session.hasRoom, simulation.due <= now, count < 2000, let step = simulation.next() {
            switch step {
            case .publish(let publication): _ = session.publish(publication)
            case .act(let action): carryOut(action)
            }
            count += 1
        }
    }

    private func carryOut(_ action: PersonAction) {
        guard let people else {
            skipped += 1
            return
        }
        // What the people react to has to have arrived.
        take(session.turn(atMost: 0))
        guard let command = raised.command(for: action) else {
            return Main.complain("\(action.by) has nothing to acknowledge at \(ScenarioTime.shown(action.at))")
        }
        do { try people.ask(command) } catch { Main.complain("\(error)") }
    }

    /// After the scenario ordinary life goes on, until a moment of `ticks` or until somebody stops us.
    private func live(_ simulation: inout Simulation, until end: Double) {
        while !stop.isSet, SharedClock.ticks() < end {
            send(&simulation, until: (clock.now - simulation.start).seconds)
            let wait = clock.wait(until: simulation.start + .seconds(min(simulation.due, 1e9)))
            take(session.turn(atMost: max(0, min(wait, 0.5))))
        }
    }

    /// Waits until the broker has confirmed everything, and the service has had time to tell what it thinks of it.
    private func finish() throws {
        let deadline = SharedClock.ticks() + (stop.isSet ? 3 : 60)
        while session.unconfirmed > 0 {
            if SharedClock.ticks() > deadline {
                if stop.isSet { break }
                throw EnvironmentError("\(session.unconfirmed) messages were never confirmed: \(session.reason)")
            }
            take(session.turn(atMost: 0.1))
        }
        progress.end()
        // Not long where somebody has stopped us: to the service all sensors fall silent now.
        let quiet = SharedClock.ticks() + (options.checks ? (stop.isSet ? 0.2 : 1.5) : 0)
        while SharedClock.ticks() < quiet { take(session.turn(atMost: 0.1)) }
    }

    // MARK: Listening

    private func take(_ messages: [Message]) {
        for message in messages {
            guard let json = try? JSONValue(parsing: String(decoding: message.payload, as: UTF8.self)) else { continue }
            if message.topic == "normwatch/status" {
                status = json
            } else if let observation = Observation(json), seen.insert(observation).inserted {
                raised.note(observation)
                observations.append(observation)
            }
        }
    }

    private func report(_ start: Timestamp, _ reached: Double) -> Report {
        let check = Check(
            scenario, observations, start: start, reached: reached, hasData: people != nil, speed: clock.speed)
        return Report(scenario: scenario.name, seed: options.seed, messages: session.confirmed, check: check)
    }
}

/// Says that a run shall end.
final class StopSign: Sendable {
    let wakeUp = WakeUp()
    private let flag = Locked(false)

    var isSet: Bool { flag.withLock { $0 } }

    func set() {
        flag.withLock { $0 = true }
        wakeUp.signal()
    }
}
