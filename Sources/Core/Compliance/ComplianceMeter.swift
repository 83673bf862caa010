/// Folds the readings of one channel, in the order of their times, into the verdict of one norm over a period.
///
/// Judges by the gauge that judges live. A value stands until the next reading, at most for three usual intervals; what lies beyond is
/// silence, which covers nothing and excuses nothing. Readings from before the period fill windows and delays, and are not counted.
package struct ComplianceMeter: Sendable {
    /// A norm that asks for no share itself wants this much of the period covered.
    package static let usualCompleteness = 0.75

    let cited: CitedNorm
    private let nominal: Double?
    private let zone: Zone
    private let period: Period
    private let shape: ComplianceShape
    private let applicable: ApplicableTime
    /// The stretch of applicable time that is open, or comes next.
    private var stretch = 0
    private var gauge: Gauge
    private var newest: (time: Timestamp, interval: Span?)?
    private var tallies: [Tally]
    private var hasTooMany = false
    private var moot = Span.zero
    private var silences = Silences()
    /// The last stretches of time that are in no sum, the newest last. Only those within one delay of a norm matter.
    private var uncounted: [Range<Timestamp>] = []

    private static let uncountedMemory = 64

    /// Nil where the norm is no matter of one channel, does not apply within the period, or counts over more of the calendar.
    /// - Parameters:
    ///   - start: of the first reading that may come, before the period.
    ///   - datesCount: whether an act outside its dates judges nothing.
    package init?(
        _ cited: CitedNorm, nominal: Double?, period: Period, from start: Timestamp, zone: Zone, datesCount: Bool = true
    ) {
        guard let shape = ComplianceShape(cited.norm.limit, nominal: nominal) else { return nil }
        let whole = cited.norm.limit.wholePeriod
        if let whole, !period.holds(whole, zone: zone) { return nil }
        (self.cited, self.nominal, self.period, self.zone, self.shape) = (cited, nominal, period, zone, shape)
        // A week that was bad stands until one is good: what counts over the calendar must not see the one before.
        let first = whole == nil ? start : period.start
        applicable = ApplicableTime(of: cited, from: first, to: period.end, zone: zone, datesCount: datesCount)
        guard applicable.length(in: period) > .zero else { return nil }
        gauge = Gauge(cited.norm.limit)
        tallies = Array(repeating: Tally(), count: max(1, shape.windows.count))
    }

    /// How far before a period readings matter to a norm.
    static func reach(of norm: Norm) -> Span { ComplianceShape(norm.limit, nominal: nil)?.reach ?? .zero }

    // MARK: Readings

    /// Takes the next sample, its value in the norm's unit.
    package mutating func take(_ sample: Sample) {
        leave(before: sample.time)
        guard stretch < applicable.stretches.count, applicable.stretches[stretch].contains(sample.time) else { return }
        if sample.isUncertain, !shape.windows.isEmpty { return }
        settle(until: sample.time, interval: sample.interval)
        newest = (sample.time, sample.interval)
        if cited.norm.isMoot(at: sample.value, nominal: nominal) {
            for index in tallies.indices { tallies[index].standing = .moot }
            return
        }
        for index in tallies.indices where tallies[index].standing == .moot { tallies[index].standing = .unknown }
        let finding = judge(sample)
        switch shape {
        case .values(let bounds, _): note(finding, sample, bounds)
        case .windows: break
        case .blocks: note(overall: finding, at: sample.time)
        }
    }

    /// Ends the period, or where it is not over yet what can be known of it.
    package mutating func finish(at end: Timestamp) {
        leave(before: min(end, period.end))
        if stretch < applicable.stretches.count, applicable.stretches[stretch].lowerBound < end { close(at: end) }
    }

    private mutating func judge(_ sample: Sample) -> Finding {
        var judged: [JudgedWindow] = []
        let finding = gauge.take(sample, cited, nominal: nominal, frequency: nil, zone: zone) { judged.append($0) }
        for window in judged { note(window) }
        return finding
    }

    /// Closes the stretches of applicable time that are over.
    private mutating func leave(before time: Timestamp) {
        while stretch < applicable.stretches.count, applicable.stretches[stretch].upperBound <= time {
            close(at: applicable.stretches[stretch].upperBound)
            stretch += 1
        }
    }

    /// The next stretch begins anew, as the live judging does.
    private mutating func close(at end: Timestamp) {
        guard let last = newest else { return }
        settle(until: end, interval: last.interval)
        if !shape.windows.isEmpty {
            // Its value never counts: it only ends the last one, and with it the windows that are over.
            let finding = judge(Sample(time: end, value: 0, interval: last.interval ?? Span(microseconds: 1)))
            if case .blocks = shape { note(overall: finding, at: end) }
        }
        newest = nil
        gauge = Gauge(cited.norm.limit)
        for index in tallies.indices { tallies[index].standing = .unknown }
    }

    // MARK: Sums

    /// Counts the time since the newest reading.
    private mutating func settle(until time: Timestamp, interval: Span?) {
        guard let newest, time > newest.time else { return }
        let end = min(time, newest.time + (interval ?? .zero) * 3)
        if end < time {
            uncounted.append(end..<time)
            if uncounted.count > Self.uncountedMemory { uncounted.removeFirst() }
            if interval != nil, period.overlap(newest.time, time) > .zero { silences.note(from: newest.time, to: time) }
        }
        let length = period.overlap(newest.time, end)
        if tallies[0].standing == .moot { moot += length }
        let windows = shape.windows
        for index in tallies.indices where windows.isEmpty || !windows[index].isBlock {
            tallies[index].add(length, until: end)
        }
    }

    private mutating func note(_ finding: Finding, _ sample: Sample, _ bounds: Compliance.Bounds) {
        let isInPeriod = period.contains(sample.time)
        if isInPeriod { tallies[0].note(sample.value, at: sample.time, bounds) }
        defer { if isInPeriod { tallies[0].noteOutside(sample.value, bounds) } }
        switch finding {
        case .within: tallies[0].standing = .within
        case .unknown: tallies[0].standing = .unknown
        case .exceeded(let excess):
            if bounds.isEmpty, period.contains(sample.time) { tallies[0].note(excess, at: sample.time) }
            guard tallies[0].standing != .outside else { return }
            let since = max(excess.since, tallies[0].exceededUntil)
            tallies[0].beginExcess(
                since: excess.since, before: counted(from: since, to: sample.time), at: sample.time,
                isInPeriod: isInPeriod)
        }
    }

    /// How much of the time between two readings of the period is in its sums.
    private func counted(from start: Timestamp, to end: Timestamp) -> Span {
        uncounted.reduce(period.overlap(start, end)) { rest, gap in
            rest - period.overlap(max(gap.lowerBound, start), min(gap.upperBound, end))
        }
    }

    private mutating func note(_ judged: JudgedWindow) {
        let (index, window) = (judged.index, shape.windows[judged.index])
        guard window.isBlock else { return note(sliding: judged, window.bounds) }
        guard let result = judged.result, judged.end > period.start, judged.end <= period.end else { return }
        tallies[index].note(result.value, at: judged.start, window.bounds)
        let applies = applicable.stretches[stretch]
        let length = period.overlap(
            max(judged.start, applies.lowerBound), min(judged.end, applies.upperBound))
        tallies[index].addBlock(
            judged.start..<judged.end, result.value, isOutside: result.isOutside, length: length, window.bounds)
    }

    /// Of blocks of which some may be outside: whether they are too many.
    private mutating func note(overall finding: Finding, at time: Timestamp) {
        if finding.excess != nil, period.start < time, time <= period.end { hasTooMany = true }
    }

    private mutating func note(sliding judged: JudgedWindow, _ bounds: Compliance.Bounds) {
        let (index, isInPeriod) = (judged.index, period.contains(judged.end))
        guard let result = judged.result else {
            tallies[index].standing = .unknown
            return
        }
        if isInPeriod { tallies[index].note(result.value, at: judged.end, bounds) }
        if !result.isOutside {
            tallies[index].standing = .within
        } else if tallies[index].standing != .outside {
            tallies[index].beginExcess(since: judged.end, before: .zero, at: judged.end, isInPeriod: isInPeriod)
        }
        if isInPeriod { tallies[index].noteOutside(result.value, bounds) }
    }

    // MARK: Verdict

    /// To be asked for after `finish`.
    package var compliance: Compliance {
        let windows = tallies.indices.map { compliance($0) }
        guard let decisive = Compliance.decisive(windows) else { preconditionFailure("a limit has a window") }
        return decisive
    }

    private func compliance(_ index: Int) -> Compliance {
        let tally = tallies[index]
        let needed = applicable.length(in: period) - moot
        let completeness = needed > .zero ? min(1, tally.covered.seconds / needed.seconds) : 0
        var (window, delay) = (nil as ComplianceShape.Window?, Span.zero)
        let bounds: Compliance.Bounds
        switch shape {
        case .values(let limits, let allowed): (bounds, delay) = (limits, allowed)
        case .windows(let all): (bounds, window) = (all[index].bounds, all[index])
        case .blocks(let block, _): (bounds, window) = (block.bounds, block)
        }
        let isBroken = if case .blocks = shape { hasTooMany } else { tally.excesses > 0 }
        let isBlock = window?.isBlock ?? false
        let share: Double? =
            if isBlock {
                tally.blocks > 0 ? 1 - Double(tally.blocksOutside) / Double(tally.blocks) : nil
            } else {
                tally.covered > .zero ? max(0, 1 - tally.exceeded.seconds / tally.covered.seconds) : nil
            }
        let least = (window?.completeness ?? Self.usualCompleteness) * (1 - 1e-9)
        let isKnown = share != nil && completeness >= least && !hidesOutage
        return Compliance(
            verdict: isBroken ? .fail : isKnown ? .pass : .insufficientData, window: index, share: share,
            completeness: completeness, covered: tally.covered, exceeded: tally.exceeded, excesses: tally.excesses,
            episodes: tally.episodes.filter { $0.start < period.end && $0.end > period.start },
            blocks: isBlock ? .init(judged: tally.blocks, outside: tally.blocksOutside) : nil, worst: tally.worst,
            silences: silences, bounds: bounds, meanOver: window?.length, delay: delay)
    }

    /// A meter that was silent for longer than the supply may be away may have been without it.
    private var hidesOutage: Bool {
        guard case .interruption(let limit) = cited.norm.limit else { return false }
        return silences.longestLength > limit.longerThan ?? .zero
    }
}
