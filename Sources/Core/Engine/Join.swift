/// A `state` norm in one place: conditions over channels that must hold together.
///
/// An event condition holds until the next event. A sampled one counts only with a sample taken after the others became true: the
/// darkness before a lamp was switched on says nothing about the lamp.
struct Join: Hashable, Codable, Sendable {
    var norm: Int
    /// Room or device, for scopes smaller than the flat.
    let scope: String
    var conditions: [Condition]
    var hold = Hold()
    /// Device and channel that stand for the join: the one that tipped it.
    var lead: Reference?

    struct Reference: Hashable, Codable, Sendable {
        let device: Int
        let channel: Int
    }

    struct Condition: Hashable, Codable, Sendable {
        /// Channels that may fulfil it.
        var channels: [Reference] = []
        /// Fulfilled since then, in sample time; nil while it is not.
        var since: Timestamp?
        var by: Reference?
        /// Newest sample that fulfils it.
        var proof: Timestamp?
        var isKnown = false
        let isSampled: Bool
    }

    init(norm: Int, scope: String, state: StateLimit) {
        (self.norm, self.scope) = (norm, scope)
        conditions = state.all.map { condition in
            let isSampled =
                switch condition.test {
                case .equals: false
                case .below, .above: true
                }
            return Condition(isSampled: isSampled)
        }
    }

    /// Takes what the conditions say at `time` and returns whether the join moved.
    mutating func settle(at time: Timestamp, _ state: StateLimit) -> Bool {
        let before = hold
        let eventStart = conditions.filter { !$0.isSampled }.compactMap(\.since).max()
        let allHold = conditions.allSatisfy { condition in
            guard let since = condition.since else { return false }
            guard condition.isSampled, let eventStart else { return since <= time }
            return condition.proof.map { $0 >= eventStart } ?? false
        }
        let proof = conditions.filter(\.isSampled).compactMap(\.proof).min()
        if allHold {
            // From the last of them on: a lamp that burnt for hours and goes out now has been dark only since now.
            let start = conditions.compactMap(\.since).max() ?? time
            if hold.phase == .idle || isEnding {
                hold.take(.bad, at: start, onDelay: state.onDelay, offDelay: state.offDelay)
            }
            // With samples among the conditions time passes by samples, otherwise by the clock.
            hold.take(.bad, at: proof ?? time, onDelay: state.onDelay, offDelay: state.offDelay)
            lead =
                conditions.filter { $0.by != nil }.max { ($0.since ?? .distantPast) < ($1.since ?? .distantPast) }?.by
                ?? lead
        } else if conditions.contains(where: { $0.isKnown && $0.since == nil }) {
            hold.take(.good, at: time, onDelay: state.onDelay, offDelay: state.offDelay)
        }
        return hold != before
    }

    /// What the alarm is shown with: a channel of what the norm is about, else the one that tipped it. A dark room is told with
    /// its light, not with the switch.
    func lead(about indicator: Indicator, in state: StateLimit) -> Reference? {
        for (condition, written) in zip(conditions, state.all) where written.subject == .indicator(indicator) {
            if let by = condition.by { return by }
        }
        return lead
    }

    /// What was measured so far proves nothing: it has all its time again. An alarm that stands is left alone.
    mutating func forgetSamples() {
        guard hold.activeSince == nil else { return }
        hold = Hold()
        for index in conditions.indices where conditions[index].isSampled {
            (conditions[index].since, conditions[index].by, conditions[index].proof) = (nil, nil, nil)
        }
    }

    private var isEnding: Bool {
        if case .ending = hold.phase { true } else { false }
    }

    var isSampled: Bool { conditions.contains(where: \.isSampled) }

    /// When time alone changes it.
    func due(_ state: StateLimit) -> Timestamp? {
        if case .pending = hold.phase, isSampled { return nil }
        return hold.due(onDelay: state.onDelay, offDelay: state.offDelay)
    }
}

extension StateLimit.Test {
    func holds(_ value: Double) -> Bool {
        switch self {
        case .equals(let wanted): value == wanted
        case .below(let limit): Comparison.isBelow(value, limit, reaches: false)
        case .above(let limit): Comparison.isAbove(value, limit, reaches: false)
        }
    }
}
