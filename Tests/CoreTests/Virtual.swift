import Support
import Testing
import Core

/// An engine in virtual time that begins at 2026-03-02T08:00:00Z, with everything it did so far.
struct Virtual {
    static let start = Story.start

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
        try self.init(site: site, documents: norms, at: start, zones: zones)
    }

    init(
        site: Site = .none, documents: [String], at start: Timestamp = Virtual.start,
        zones: @escaping @Sendable (String) -> Zone? = { _ in nil }
    ) throws {
        self.site = site
        self.norms = NormLibrary(try documents.map { try ActDocument(parsing: $0, file: "fixture") })
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
