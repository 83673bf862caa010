/// Counts the block means beyond a limit over a period of the local calendar; more than are allowed is an excess.
///
/// The count begins anew with each period. An excess ends with the first measured block of the next one.
package struct ExceedancesGauge: Hashable, Codable, Sendable {
    private var tally = BlockTally()
    private var finding = Finding.unknown(.insufficientData)
    /// The newest period that is over, and what it was by itself.
    package private(set) var verdict: PeriodVerdict?

    package init() {}

    /// - Parameter judged: is told of every block that was measured.
    package mutating func take(
        _ sample: Sample, _ limit: Exceedances, severity: Severity, zone: Zone,
        judged: (JudgedWindow) -> Void = { _ in }
    ) -> Finding {
        guard !sample.isUncertain && !sample.isRepeat else { return finding }
        for count in tally.take(sample, limit.plan, zone: zone, judged) { judge(count, limit, severity) }
        return finding
    }

    /// What is over at `time`, for verdicts about a time of which no later reading is known.
    package mutating func advance(to time: Timestamp, _ limit: Exceedances, severity: Severity, zone: Zone) -> Finding {
        for count in tally.advance(to: time, limit.plan, zone: zone) { judge(count, limit, severity) }
        return finding
    }

    private mutating func judge(_ count: BlockCount, _ limit: Exceedances, _ severity: Severity) {
        if count.broken > limit.allowed {
            finding = .exceeded(count.excess(severity, after: finding.excess))
            note(count, .exceeded(count.excess(severity, after: nil)))
        } else if !count.isOver {
            finding = .within
        } else {
            let isFilled = count.isFilled(limit.completeness)
            note(count, isFilled ? .within : .unknown(.insufficientData))
            if finding.excess == nil { finding = isFilled ? .within : .unknown(.insufficientData) }
        }
    }

    private mutating func note(_ count: BlockCount, _ finding: Finding) {
        if count.isOver { verdict = PeriodVerdict(count: count, finding: finding) }
    }
}

extension Exceedances {
    fileprivate var plan: BlockTally.Plan {
        BlockTally.Plan(block: block, window: per, completeness: completeness, broken: broken)
    }
}
