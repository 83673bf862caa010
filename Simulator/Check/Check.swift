import Core

/// Compares what the service told with what the scenario states.
struct Check: Sendable {
    enum Outcome: String, CaseIterable, Sendable {
        case ok
        case missing
        /// It came, but not as stated.
        case wrong
        case unexpected
        case notChecked = "not checked"
        /// The run ended before it was due.
        case notReached = "not reached"
        /// A silence that is none: where time runs faster, a moment of ours is long for a sensor.
        case passedOver = "passed over"

        var isFailure: Bool { self == .missing || self == .wrong || self == .unexpected }
    }

    struct Line: Sendable {
        let outcome: Outcome
        let subject: Expectation.Subject
        let place: [String]
        /// When it was raised, in seconds since the start.
        let at: Double?
        let observed: Observation?
        let remark: String
    }

    private(set) var lines: [Line] = []
    /// How long the scenario is, in seconds, and how much of it was played.
    let length: Double
    let played: Double

    var passed: Bool { !lines.contains { $0.outcome.isFailure } }
    func count(_ outcome: Outcome) -> Int { lines.count { $0.outcome == outcome } }

    /// - Parameters:
    ///   - start: of the scenario, by the service's clock.
    ///   - reached: how far the run went, in seconds.
    ///   - hasData: whether people's actions and the site document took part.
    ///   - speed: how much faster than the world it went.
    init(
        _ scenario: Scenario, _ observations: [Observation], start: Timestamp, reached: Double, hasData: Bool,
        speed: Double = 1
    ) {
        (length, played) = (scenario.duration, min(reached, scenario.duration))
        let devices = scenario.deviceIDs
        let told = observations.filter { $0.time >= start }
        // What comes while the last messages are waited for is no part of the scenario.
        var open = told.filter { $0.event == .raised && ($0.time - start).seconds <= played }
        for expected in scenario.expectations {
            func fits(_ seen: Observation) -> Bool {
                guard seen.subject == expected.subject else { return false }
                if case .fault = expected.subject { return seen.device == devices[expected.place] }
                return seen.place == expected.place
            }
            func isInTime(_ seen: Observation) -> Bool { expected.window.contains((seen.time - start).seconds) }
            let index = open.firstIndex { fits($0) && isInTime($0) } ?? open.firstIndex(where: fits)
            let seen = index.map { open.remove(at: $0) }
            let line = Self.judge(
                expected, seen, told, start: start, reached: reached, length: scenario.duration, hasData: hasData)
            if let line { lines.append(line) }
        }
        for seen in open { if let line = Self.unexpected(seen, scenario, start, speed) { lines.append(line) } }
    }

    private static func judge(
        _ expected: Expectation, _ seen: Observation?, _ told: [Observation], start: Timestamp, reached: Double,
        length: Double, hasData: Bool
    ) -> Line? {
        func line(_ outcome: Outcome, _ remark: String = "") -> Line {
            Line(
                outcome: outcome, subject: expected.subject, place: expected.place,
                at: seen.map { ($0.time - start).seconds }, observed: seen, remark: remark)
        }
        let (reached, isCut) = (min(reached, length), reached < length)
        if expected.needsData && !hasData { return line(.notChecked, "needs --data") }
        guard let seen else {
            if expected.isOptional { return nil }
            let isDue = expected.window.to.isFinite ? expected.window.to <= reached : !isCut
            return isDue ? line(.missing, "expected \(expected.window.shown)") : line(.notReached)
        }
        let at = (seen.time - start).seconds
        if !expected.window.contains(at) { return line(.wrong, "expected \(expected.window.shown)") }
        if let act = expected.act, !seen.cites(act) {
            return line(.wrong, "cites \(seen.act ?? "nothing"), not \(act)")
        }
        if let severity = expected.severity, seen.severity != severity {
            return line(.wrong, "\(seen.severity?.rawValue ?? "no severity"), not \(severity.rawValue)")
        }
        let later = told.filter { $0.alarm == seen.alarm }
        if let reaches = expected.reaches, !later.contains(where: { $0.severity == reaches }) {
            return isCut ? line(.ok) : line(.wrong, "never became \(reaches.rawValue)")
        }
        for event in expected.then where !later.contains(where: { $0.event == event }) {
            return isCut ? line(.ok) : line(.wrong, "no “\(event.rawValue)” followed")
        }
        return line(.ok)
    }

    /// Nil for what may come unstated.
    private static func unexpected(_ seen: Observation, _ scenario: Scenario, _ start: Timestamp, _ speed: Double)
        -> Line?
    {
        guard let subject = seen.subject else { return nil }
        if case .fault(let kind) = subject, scenario.allowedFaults.contains(kind) { return nil }
        let isHaste = speed > 1 && [.fault(.silent), .fault(.noReadings)].contains(subject)
        return Line(
            outcome: isHaste ? .passedOver : .unexpected, subject: subject, place: seen.place,
            at: (seen.time - start).seconds, observed: seen,
            remark: seen.text)
    }
}

extension Interval {
    var shown: String {
        to.isFinite
            ? "between \(ScenarioTime.shown(from)) and \(ScenarioTime.shown(to))"
            : from > 0 ? "after \(ScenarioTime.shown(from))" : "at any time"
    }
}

/// Time since a scenario's start, for people: `0:04:10`.
enum ScenarioTime {
    static func shown(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds))
        return "\(whole / 3600):\((whole / 60 % 60).padded(2)):\((whole % 60).padded(2))"
    }
}

extension Scenario {
    /// The service's ids of devices by their path.
    var deviceIDs: [[String]: String] {
        var ids: [[String]: String] = [:]
        for flat in flats {
            for room in flat.rooms {
                for device in room.devices {
                    ids[[flat.building, flat.id, room.id, device.id]] = device.serviceID(
                        building: flat.building, flat: flat.id, room: room.id)
                }
            }
        }
        return ids
    }
}
