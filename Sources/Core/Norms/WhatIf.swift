/// What other norms would have made of the same readings: the alarms that would have been raised besides, not at all, earlier or later.
package struct WhatIf: Sendable {
    /// One `raised` and what it became.
    package struct Alarm: Hashable, Sendable {
        package let place: Place
        package let hazard: Hazard
        package let raised: Timestamp
        package internal(set) var ended: Timestamp?
        package internal(set) var worst: Severity?
        package let norm: String?
        fileprivate let id: String?
    }
    package struct Moved: Hashable, Sendable {
        package let before: Alarm
        package let after: Alarm
        /// Negative: earlier.
        package var by: Span { after.raised - before.raised }
    }
    package private(set) var more: [Alarm] = []
    package private(set) var fewer: [Alarm] = []
    package private(set) var earlier: [Moved] = []
    package private(set) var later: [Moved] = []
    /// Raised at the same time, and as bad.
    package private(set) var same = 0
    /// Raised at the same time, with another worst severity.
    package private(set) var other: [Moved] = []

    /// Two alarms of one place and hazard are the same when one was raised while the other stood, or within `near` of it.
    package init(before: [Transition], after: [Transition], near: Span = .minutes(10)) {
        let old = Self.alarms(before)
        var rest = Self.alarms(after)
        for alarm in old {
            let fitting = rest.indices.filter { rest[$0].meets(alarm, near) }
            guard let match = fitting.min(by: { alarm.distance(rest[$0]) < alarm.distance(rest[$1]) }) else {
                fewer.append(alarm)
                continue
            }
            let pair = Moved(before: alarm, after: rest.remove(at: match))
            if pair.by < .zero {
                earlier.append(pair)
            } else if pair.by > .zero {
                later.append(pair)
            } else if pair.before.worst != pair.after.worst {
                other.append(pair)
            } else {
                same += 1
            }
        }
        more = rest
    }

    private static func alarms(_ transitions: [Transition]) -> [Alarm] {
        var alarms: [Alarm] = []
        for transition in transitions where transition.hazard != nil {
            let index = alarms.lastIndex { $0.id == transition.alarm }
            switch transition.event {
            case .raised:
                guard let hazard = transition.hazard else { continue }
                alarms.append(
                    Alarm(
                        place: transition.place, hazard: hazard, raised: transition.time, ended: nil,
                        worst: transition.severity, norm: transition.norm.map { $0.act + "/" + $0.id },
                        id: transition.alarm))
            case .severity:
                guard let index, let severity = transition.severity else { continue }
                alarms[index].worst = max(alarms[index].worst ?? severity, severity)
            case .ended:
                if let index { alarms[index].ended = transition.time }
            default: continue
            }
        }
        return alarms
    }
}

extension WhatIf.Alarm {
    fileprivate func meets(_ other: WhatIf.Alarm, _ near: Span) -> Bool {
        guard place.building == other.place.building, place.flat == other.place.flat, hazard == other.hazard else {
            return false
        }
        return raised <= (other.ended ?? .distantFuture - near) + near
            && other.raised <= (ended ?? .distantFuture - near) + near
    }

    fileprivate func distance(_ other: WhatIf.Alarm) -> Span { (raised - other.raised).magnitude }
}
