/// Judges the supply against a share of its nominal voltage.
package struct InterruptionGauge: Hashable, Codable, Sendable {
    private var hold = Hold()
    private var lowest = 0.0

    package init() {}

    package mutating func take(_ sample: Sample, _ limit: Interruption, nominal: Double, severity: Severity) -> Finding
    {
        if sample.isUncertain && limit.longerThan > .zero {
            return finding(limit, nominal, severity) ?? .unknown(.uncertainTime)
        }
        let isDown = sample.value < nominal * limit.belowShare
        if sample.isRepeat && !isDown { return finding(limit, nominal, severity) ?? .within }
        if isDown { lowest = hold.phase == .idle ? sample.value : min(lowest, sample.value) }
        hold.take(isDown ? .bad : .good, at: sample.time, onDelay: limit.longerThan, offDelay: .zero)
        return finding(limit, nominal, severity) ?? .within
    }

    /// The meter is silent since `since`, and something else proves at `time` that this is the supply and not the radio.
    package mutating func inferOutage(
        since: Timestamp, at time: Timestamp, _ limit: Interruption, nominal: Double, severity: Severity
    ) -> Finding {
        if hold.phase == .idle { lowest = 0 }
        hold.take(.bad, at: since, onDelay: limit.longerThan, offDelay: .zero)
        hold.take(.bad, at: time, onDelay: limit.longerThan, offDelay: .zero)
        return finding(limit, nominal, severity) ?? .within
    }

    private func finding(_ limit: Interruption, _ nominal: Double, _ severity: Severity) -> Finding? {
        hold.activeSince.map {
            .exceeded(Excess(severity: severity, since: $0, value: lowest, limit: nominal * limit.belowShare))
        }
    }
}
