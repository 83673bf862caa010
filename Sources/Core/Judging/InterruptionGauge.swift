/// Judges the supply against a share of its nominal voltage: one outage by its length, and the outages of a period together.
package struct InterruptionGauge: Hashable, Codable, Sendable {
    private var hold = Hold()
    private var lowest = 0.0
    /// Only where the limit has a budget.
    private var tally: OutageTally?

    package init() {}

    package mutating func take(
        _ sample: Sample, _ limit: Interruption, nominal: Double, severity: Severity, zone: Zone
    ) -> Finding {
        if sample.isUncertain && (limit.longerThan != .zero || limit.budget != nil) {
            return finding(limit, nominal, severity) ?? .unknown(.uncertainTime)
        }
        let isDown = sample.value < nominal * limit.belowShare
        if sample.isRepeat && !isDown { return finding(limit, nominal, severity) ?? .within }
        if isDown {
            takeDown(sample.value, at: [sample.time], limit, zone)
        } else {
            if let longerThan = limit.longerThan {
                hold.take(.good, at: sample.time, onDelay: longerThan, offDelay: .zero)
            }
            if let budget = limit.budget {
                tally = tally ?? OutageTally()
                tally?.takeUp(at: sample.time, usual: sample.interval, budget.per, zone)
            }
        }
        return finding(limit, nominal, severity) ?? .within
    }

    /// The meter is silent since `since`, and something else proves at `time` that this is the supply and not the radio.
    package mutating func inferOutage(
        since: Timestamp, at time: Timestamp, _ limit: Interruption, nominal: Double, severity: Severity, zone: Zone
    ) -> Finding {
        takeDown(hold.phase == .idle ? 0 : lowest, at: [since, time], limit, zone)
        return finding(limit, nominal, severity) ?? .within
    }

    /// Goes on by a changed limit, from the newest value: an outage that is one by the new limit too keeps its beginning, and a count
    /// over the same period what it has counted.
    mutating func adapt(
        from old: Interruption, to new: Interruption, newest: Sample, nominal: Double, severity: Severity
    ) -> Finding {
        if old.budget?.per != new.budget?.per { tally = nil }
        if newest.value < nominal * new.belowShare, let longerThan = new.longerThan, hold.phase != .idle {
            hold.take(.bad, at: newest.time, onDelay: longerThan, offDelay: .zero)
        } else {
            hold = Hold()
        }
        return finding(new, nominal, severity) ?? .within
    }

    private mutating func takeDown(_ value: Double, at times: [Timestamp], _ limit: Interruption, _ zone: Zone) {
        if let longerThan = limit.longerThan {
            lowest = hold.phase == .idle ? value : min(lowest, value)
            for time in times { hold.take(.bad, at: time, onDelay: longerThan, offDelay: .zero) }
        }
        if let budget = limit.budget {
            tally = tally ?? OutageTally()
            for time in times { tally?.takeDown(value, at: time, budget.per, zone) }
        }
    }

    private func finding(_ limit: Interruption, _ nominal: Double, _ severity: Severity) -> Finding? {
        let broken = nominal * limit.belowShare
        let lasting = hold.activeSince.map {
            Excess(severity: severity, since: $0, value: lowest, limit: broken)
        }
        guard let budget = limit.budget, let tally, tally.isOver(budget), let since = tally.since else {
            return lasting.map { .exceeded($0) }
        }
        let spent = Excess(severity: budget.severity ?? severity, since: since, value: tally.lowest, limit: broken)
        guard let lasting else { return .exceeded(spent) }
        return .exceeded(lasting.severity >= spent.severity ? lasting : spent)
    }
}
