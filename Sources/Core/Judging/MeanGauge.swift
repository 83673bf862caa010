/// Judges time-weighted means over windows.
///
/// A value holds until the next one, for one usual interval where the next comes late by more than three of them: a gap
/// stays a gap. How much of a window is covered is counted in usual intervals, so every missing reading shows.
package struct MeanGauge: Hashable, Codable, Sendable {
    private struct Window: Hashable, Codable, Sendable {
        var start = Timestamp.distantPast
        var end = Timestamp.distantPast
        /// The first reading inside; a window reaches back before it while it fills.
        var first: Timestamp?
        var sum = 0.0
        var held = Span.zero
        var covered = Span.zero
        var sliding = SlidingWindow()
        var finding = Finding.unknown(.insufficientData)
    }

    private struct Point: Hashable, Codable, Sendable {
        var time: Timestamp
        var value: Double
    }

    /// Holds until the next sample says how long.
    private var previous: Point?
    private var windows: [Window]

    package init(windows: Int) { self.windows = Array(repeating: Window(), count: windows) }

    /// - Parameter judged: is told of every window that was judged, and of those that could not be for want of readings.
    package mutating func take(
        _ sample: Sample, _ limit: Mean, severity: Severity, zone: Zone, judged: (JudgedWindow) -> Void = { _ in }
    ) -> Finding {
        guard !sample.isUncertain && !sample.isRepeat else { return worst }
        if let previous, sample.time > previous.time {
            let stretch = Stretch(
                previous.value, from: previous.time, until: sample.time,
                usual: sample.interval ?? sample.time - previous.time)
            for index in windows.indices {
                switch limit.windows[index].kind {
                case .block: add(stretch, toBlock: index, limit, severity, zone, judged)
                case .sliding: add(stretch, toSliding: index, limit, severity, now: sample.time, judged)
                }
            }
        }
        for index in windows.indices where limit.windows[index].kind == .block {
            closeBlocks(index, until: sample.time, limit, severity, zone, judged)
        }
        previous = Point(time: sample.time, value: sample.value)
        return worst
    }

    /// Goes on by changed limits. Windows of the same kind and length keep what they hold; a mean that was over the old limit is compared
    /// with the new one.
    mutating func adapt(from old: Mean, to new: Mean, severity: Severity) -> Finding {
        let before = zip(old.windows, windows)
        windows = new.windows.map { plan in
            guard var kept = before.first(where: { $0.0.length == plan.length && $0.0.kind == plan.kind })?.1 else {
                return Window()
            }
            switch kept.finding {
            case .unknown: break
            case .within: kept.finding = .unknown(.insufficientData)
            case .exceeded(var excess):
                let broken = plan.brokenLimit(excess.value, reaches: new.reaches)
                (excess.limit, excess.severity) = (broken ?? excess.limit, plan.severity ?? severity)
                kept.finding = broken == nil ? .within : .exceeded(excess)
            }
            return kept
        }
        return worst
    }

    private var worst: Finding {
        var worst: Excess?
        for index in windows.indices {
            if case .exceeded(let excess) = windows[index].finding, worst.map({ $0.severity < excess.severity }) ?? true
            {
                worst = excess
            }
        }
        if let worst { return .exceeded(worst) }
        return windows.contains { $0.finding == .within } ? .within : .unknown(.insufficientData)
    }

    // MARK: Blocks

    private mutating func add(
        _ stretch: Stretch, toBlock index: Int, _ limit: Mean, _ severity: Severity, _ zone: Zone,
        _ judged: (JudgedWindow) -> Void
    ) {
        var from = stretch.from
        let end = stretch.from + stretch.held
        let coverage = Double(stretch.covered.microseconds) / Double(max(1, stretch.held.microseconds))
        while from < end {
            closeBlocks(index, until: from, limit, severity, zone, judged)
            let part = min(end, windows[index].end) - from
            windows[index].first = windows[index].first ?? from
            windows[index].sum += stretch.value * part.seconds
            windows[index].held += part
            windows[index].covered += Span(microseconds: Int64(Double(part.microseconds) * coverage))
            from += part
        }
    }

    /// Makes the block that holds `time` the open one, and judges the one that was open before.
    private mutating func closeBlocks(
        _ index: Int, until time: Timestamp, _ limit: Mean, _ severity: Severity, _ zone: Zone,
        _ judged: (JudgedWindow) -> Void
    ) {
        guard time >= windows[index].end else { return }
        if windows[index].end > .distantPast { judge(index, limit.windows[index], limit.reaches, severity, judged) }
        let block = zone.block(containing: time, length: limit.windows[index].length)
        (windows[index].start, windows[index].end, windows[index].first) = (block.start, block.end, nil)
        (windows[index].sum, windows[index].held, windows[index].covered) = (0, .zero, .zero)
    }

    // MARK: Sliding windows

    private mutating func add(
        _ stretch: Stretch, toSliding index: Int, _ limit: Mean, _ severity: Severity, now: Timestamp,
        _ judged: (JudgedWindow) -> Void
    ) {
        let length = limit.windows[index].length
        windows[index].sliding.add(stretch, now: now, length: length)
        let content = windows[index].sliding.content(from: now - length)
        (windows[index].start, windows[index].end, windows[index].first) = (now - length, now, content.first)
        (windows[index].sum, windows[index].held, windows[index].covered) = (content.sum, content.held, content.covered)
        judge(index, limit.windows[index], limit.reaches, severity, judged)
    }

    // MARK: Verdict

    /// An excess ends only with a window that is filled and good; a half-empty one leaves it standing.
    private mutating func judge(
        _ index: Int, _ limit: Mean.Window, _ reaches: Bool, _ severity: Severity, _ judged: (JudgedWindow) -> Void
    ) {
        let length = (windows[index].end - windows[index].start).seconds
        let (held, covered) = (windows[index].held, windows[index].covered)
        guard held > .zero, covered.seconds >= limit.completeness * length * (1 - 1e-9) else {
            if windows[index].finding.excess == nil { windows[index].finding = .unknown(.insufficientData) }
            judged(JudgedWindow(index: index, start: windows[index].start, end: windows[index].end, result: nil))
            return
        }
        let mean = windows[index].sum / held.seconds
        let broken = limit.brokenLimit(mean, reaches: reaches)
        judged(
            JudgedWindow(
                index: index, start: windows[index].start, end: windows[index].end,
                result: .init(value: mean, isOutside: broken != nil)))
        guard let broken else {
            windows[index].finding = .within
            return
        }
        var excess = Excess(
            severity: limit.severity ?? severity, since: windows[index].first ?? windows[index].start, value: mean,
            limit: broken)
        if let old = windows[index].finding.excess {
            excess.since = old.since
            if abs(old.value - old.limit) > abs(mean - broken) { (excess.value, excess.limit) = (old.value, old.limit) }
        }
        windows[index].finding = .exceeded(excess)
    }
}

extension Mean.Window {
    /// The limit that a mean breaks.
    fileprivate func brokenLimit(_ mean: Double, reaches: Bool) -> Double? {
        if let upper, Comparison.isAbove(mean, upper, reaches: reaches) { return upper }
        if let lower, Comparison.isBelow(mean, lower, reaches: reaches) { return lower }
        return nil
    }
}
