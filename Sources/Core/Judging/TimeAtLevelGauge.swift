/// A timer per level, as alarm standards for gas write them.
///
/// A timer runs while the value stays at its level, from sample to sample. It waits while the value is below the level and
/// starts anew when the value falls below `resetBelow` (below the level itself where no such value is given). A silence
/// between two samples at the level counts; one sample below the reset ends it.
package struct TimeAtLevelGauge: Hashable, Codable, Sendable {
    private struct Timer: Hashable, Codable, Sendable {
        var started: Timestamp?
        /// The newest sample at the level; nil while the timer waits.
        var running: Timestamp?
        var held = Span.zero
        var isFired = false
    }

    private var timers: [Timer]
    private var worst = 0.0

    package init(levels: Int) { timers = Array(repeating: Timer(), count: levels) }

    package mutating func take(_ sample: Sample, _ limit: TimeAtLevel, severity: Severity) -> Finding {
        if sample.isUncertain { return finding(limit, severity) ?? .unknown(.uncertainTime) }
        for (index, level) in limit.levels.enumerated() {
            if Comparison.isAbove(sample.value, level.atLeast, reaches: limit.reaches) {
                run(index, level, sample.time)
            } else if sample.isRepeat {
                continue
            } else if let reset = limit.resetBelow, sample.value >= reset {
                timers[index].running = nil
            } else {
                timers[index] = Timer()
            }
        }
        if timers.allSatisfy({ $0.started == nil }) { worst = 0 } else { worst = max(worst, sample.value) }
        return finding(limit, severity) ?? .within
    }

    /// Goes on by changed levels, from the newest value. A level that the value is at takes over the time of the nearest old level
    /// under it (of the lowest, where there is none): people are not made to wait a second time.
    mutating func adapt(from old: TimeAtLevel, to new: TimeAtLevel, newest: Sample, severity: Severity) -> Finding {
        let before = zip(old.levels, timers).sorted { $0.0.atLeast < $1.0.atLeast }
        timers = new.levels.map { level in
            let isAt = Comparison.isAbove(newest.value, level.atLeast, reaches: new.reaches)
            guard isAt || new.resetBelow.map({ newest.value >= $0 }) ?? false,
                var timer = (before.last { $0.0.atLeast <= level.atLeast } ?? before.first)?.1
            else { return Timer() }
            if !isAt { timer.running = nil }
            timer.isFired = timer.started != nil && timer.held >= level.delay
            return timer
        }
        return take(newest, new, severity: severity)
    }

    private mutating func run(_ index: Int, _ level: TimeAtLevel.Level, _ time: Timestamp) {
        if let running = timers[index].running { timers[index].held += time - running }
        timers[index].running = time
        timers[index].started = timers[index].started ?? time
        if timers[index].held >= level.delay { timers[index].isFired = true }
    }

    private func finding(_ limit: TimeAtLevel, _ severity: Severity) -> Finding? {
        var worstExcess: Excess?
        for (timer, level) in zip(timers, limit.levels) where timer.isFired {
            guard let started = timer.started else { continue }
            let excess = Excess(
                severity: level.severity ?? severity, since: started, value: worst, limit: level.atLeast)
            if worstExcess.map({ $0.severity <= excess.severity }) ?? true { worstExcess = excess }
        }
        // The episode began with the first of its samples, whichever level raised it.
        let first = zip(timers, limit.levels).compactMap { $0.0.isFired ? $0.0.started : nil }.min()
        if let first { worstExcess?.since = first }
        return worstExcess.map { .exceeded($0) }
    }
}
