/// The alarm system of a flat: armed or not, and what runs because of it.
struct Panel: Hashable, Codable, Sendable {
    enum Phase: Hashable, Codable, Sendable {
        case disarmed
        /// The exit delay: people are still leaving.
        case leaving(ArmMode, until: Timestamp)
        case armed(ArmMode)
        /// The entry delay: it runs from the first trigger, whatever opens later.
        case entering(ArmMode, Trigger, until: Timestamp)
        case triggered(ArmMode, Trigger)
    }

    struct Trigger: Hashable, Codable, Sendable {
        var device: Int
        var channel: Int
        var norm: Int
        var time: Timestamp
        var severity: Severity
    }

    private(set) var phase = Phase.disarmed

    var mode: ArmMode {
        switch phase {
        case .disarmed: .off
        case .leaving(let mode, _), .armed(let mode), .entering(let mode, _, _), .triggered(let mode, _): mode
        }
    }

    var triggered: Trigger? {
        if case .triggered(_, let trigger) = phase { trigger } else { nil }
    }

    var due: Timestamp? {
        switch phase {
        case .leaving(_, let until), .entering(_, _, let until): until
        case .disarmed, .armed, .triggered: nil
        }
    }

    mutating func set(_ mode: ArmMode, at now: Timestamp, exitDelay: Span) {
        switch mode {
        case .off: phase = .disarmed
        case .home, .night: phase = .armed(mode)
        case .away: phase = exitDelay > .zero ? .leaving(mode, until: now + exitDelay) : .armed(mode)
        }
    }

    mutating func elapse(to now: Timestamp) {
        switch phase {
        case .leaving(let mode, let until) where until <= now: phase = .armed(mode)
        case .entering(let mode, let trigger, let until) where until <= now: phase = .triggered(mode, trigger)
        case .disarmed, .leaving, .armed, .entering, .triggered: break
        }
    }

    /// Something opened or moved.
    mutating func take(_ trigger: Trigger, zone: DevicePlan.Zone, indicator: Indicator, entryDelay: Span) {
        switch phase {
        case .disarmed, .leaving, .triggered: return
        case .armed(let mode):
            // Who is at home moves.
            if indicator == .motion && mode != .away { return }
            phase =
                zone == .entry && entryDelay > .zero
                ? .entering(mode, trigger, until: trigger.time + entryDelay) : .triggered(mode, trigger)
        case .entering(let mode, let first, _):
            // On the way to the keypad; only what no resident passes ends the delay at once.
            guard zone == .instant else { return }
            var worst = trigger
            worst.time = first.time
            phase = .triggered(mode, worst)
        }
    }
}

extension Panel {
    /// Puts the trigger into its new place; armed again where it is gone.
    mutating func move(_ map: (Trigger) -> Trigger?) {
        switch phase {
        case .disarmed, .leaving, .armed: break
        case .entering(let mode, let trigger, let until):
            phase = map(trigger).map { .entering(mode, $0, until: until) } ?? .armed(mode)
        case .triggered(let mode, let trigger):
            phase = map(trigger).map { .triggered(mode, $0) } ?? .armed(mode)
        }
    }
}
