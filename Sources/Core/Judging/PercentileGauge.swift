/// Judges the share of block means that lie within the limits over a window of the local calendar.
///
/// Decided when the window is over, or as soon as it cannot be met any more. An excess ends only with a window that is filled
/// and good; a half-empty one leaves it standing.
package struct PercentileGauge: Hashable, Codable, Sendable {
    private var tally = BlockTally()
    private var finding = Finding.unknown(.insufficientData)
    /// The newest window that is over, and what it was by itself.
    package private(set) var verdict: PeriodVerdict?

    package init() {}

    /// - Parameter judged: is told of every block that was measured.
    package mutating func take(
        _ sample: Sample, _ limit: Percentile, severity: Severity, zone: Zone, judged: (JudgedWindow) -> Void = { _ in }
    ) -> Finding {
        guard !sample.isUncertain && !sample.isRepeat else { return finding }
        for count in tally.take(sample, limit.plan, zone: zone, judged) { judge(count, limit, severity) }
        return finding
    }

    /// What is over at `time`, for verdicts about a time of which no later reading is known.
    package mutating func advance(to time: Timestamp, _ limit: Percentile, severity: Severity, zone: Zone) -> Finding {
        for count in tally.advance(to: time, limit.plan, zone: zone) { judge(count, limit, severity) }
        return finding
    }

    private mutating func judge(_ count: BlockCount, _ limit: Percentile, _ severity: Severity) {
        func isOver(_ blocks: Int) -> Bool {
            Comparison.isAbove(Double(count.broken), (1 - limit.share) * Double(blocks), reaches: false)
        }
        if isOver(count.possible) || count.isOver && count.isFilled(limit.completeness) && isOver(count.measured) {
            finding = .exceeded(count.excess(severity, after: finding.excess))
            note(count, .exceeded(count.excess(severity, after: nil)))
        } else if count.isOver {
            let isFilled = count.isFilled(limit.completeness)
            note(count, isFilled ? .within : .unknown(.insufficientData))
            if isFilled || finding.excess == nil { finding = isFilled ? .within : .unknown(.insufficientData) }
        }
    }

    private mutating func note(_ count: BlockCount, _ finding: Finding) {
        if count.isOver { verdict = PeriodVerdict(count: count, finding: finding) }
    }
}

/// What a norm says about one window or period that is over.
package struct PeriodVerdict: Hashable, Codable, Sendable {
    package let count: BlockCount
    package let finding: Finding
}

extension Percentile {
    fileprivate var plan: BlockTally.Plan {
        BlockTally.Plan(block: block, window: window, completeness: completeness, broken: broken)
    }
}
