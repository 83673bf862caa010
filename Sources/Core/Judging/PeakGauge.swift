/// Judges shaking: how long in total a level was held within one event.
///
/// The total runs over an event, which is over after 30 s without a sample at the lowest level. A sample stands for the
/// time since the one before it, at most for 1.5 s.
package struct PeakGauge: Hashable, Codable, Sendable {
    package static let quiet = Span.seconds(30)
    private static let longestStep = Span.seconds(1.5)

    private var previous: Timestamp?
    private var began: Timestamp?
    private var newestAtLevel: Timestamp?
    private var totals: [Span]
    private var strongest = 0.0

    package init(levels: Int) { totals = Array(repeating: .zero, count: levels) }

    /// `sample.value` is the deviation from rest, never negative.
    package mutating func take(_ sample: Sample, _ limit: Peak, severity: Severity) -> Finding {
        let step =
            previous.map { min(max(sample.time - $0, .zero), Self.longestStep) }
            ?? min(sample.interval ?? .zero, Self.longestStep)
        previous = sample.time
        if let newest = newestAtLevel, sample.time - newest > Self.quiet { reset() }
        for (index, level) in limit.levels.enumerated()
        where Comparison.isAbove(sample.value, level.atLeast, reaches: limit.reaches) {
            began = began ?? sample.time
            newestAtLevel = sample.time
            totals[index] += step
        }
        if began != nil { strongest = max(strongest, sample.value) }
        return finding(limit, severity)
    }

    /// Goes on by changed levels: one that the shaking has reached takes over the time of the nearest old level under it.
    mutating func adapt(from old: Peak, to new: Peak, severity: Severity) -> Finding {
        let before = zip(old.levels, totals).sorted { $0.0.atLeast < $1.0.atLeast }
        totals = new.levels.map { level in
            guard Comparison.isAbove(strongest, level.atLeast, reaches: new.reaches) else { return .zero }
            return (before.last { $0.0.atLeast <= level.atLeast } ?? before.first)?.1 ?? .zero
        }
        return finding(new, severity)
    }

    private mutating func reset() {
        (began, newestAtLevel, strongest) = (nil, nil, 0)
        totals = totals.map { _ in .zero }
    }

    private func finding(_ limit: Peak, _ severity: Severity) -> Finding {
        guard let began else { return .within }
        for (index, level) in limit.levels.enumerated().reversed()
        where totals[index] > .zero && totals[index] >= level.total
            || level.total <= .zero && Comparison.isAbove(strongest, level.atLeast, reaches: limit.reaches)
        {
            return .exceeded(
                Excess(severity: level.severity ?? severity, since: began, value: strongest, limit: level.atLeast))
        }
        return .within
    }
}
