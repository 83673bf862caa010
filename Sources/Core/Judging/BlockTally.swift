/// Time-weighted means of the blocks of the local calendar, one after the other. Only the open block is kept.
struct BlockMeans: Hashable, Codable, Sendable {
    struct Block: Hashable, Codable, Sendable {
        let start: Timestamp
        let end: Timestamp
        fileprivate(set) var sum = 0.0
        fileprivate(set) var held = Span.zero
        fileprivate(set) var covered = Span.zero

        /// Nil where too little of the block was covered by readings: it was not measured, and is neither good nor bad.
        func mean(completeness: Double) -> Double? {
            let needed = completeness * (end - start).seconds * (1 - 1e-9)
            return held > .zero && covered.seconds >= needed ? sum / held.seconds : nil
        }
    }

    private struct Point: Hashable, Codable, Sendable {
        var time: Timestamp
        var value: Double
    }

    /// Holds until the next sample says how long.
    private var previous: Point?
    private(set) var open: Block?

    /// Returns the blocks that are over now, oldest first; those without any reading are left out.
    mutating func take(_ sample: Sample, length: Span, zone: Zone) -> [Block] {
        var closed: [Block] = []
        if let previous {
            guard sample.time > previous.time else { return [] }
            // Before a usual interval is known a value is not taken to have held for longer than a block.
            let stretch = Stretch(
                previous.value, from: previous.time, until: sample.time,
                usual: sample.interval ?? min(sample.time - previous.time, length))
            add(stretch, length, zone, &closed)
        }
        advance(to: sample.time, length, zone, &closed)
        previous = Point(time: sample.time, value: sample.value)
        return closed
    }

    private mutating func add(_ stretch: Stretch, _ length: Span, _ zone: Zone, _ closed: inout [Block]) {
        var from = stretch.from
        let coverage = Double(stretch.covered.microseconds) / Double(max(1, stretch.held.microseconds))
        while from < stretch.end {
            advance(to: from, length, zone, &closed)
            guard var block = open, block.end > from else { return }
            let part = min(stretch.end, block.end) - from
            block.sum += stretch.value * part.seconds
            block.held += part
            block.covered += Span(microseconds: Int64((Double(part.microseconds) * coverage).rounded()))
            open = block
            from += part
        }
    }

    /// Makes the block that holds `time` the open one.
    mutating func advance(to time: Timestamp, _ length: Span, _ zone: Zone, _ closed: inout [Block]) {
        if let open {
            guard time >= open.end else { return }
            if open.held > .zero { closed.append(open) }
        }
        let block = zone.block(containing: time, length: length)
        open = Block(start: block.start, end: block.end)
    }
}

/// What the blocks of one window or period came to.
package struct BlockCount: Hashable, Codable, Sendable {
    package let start: Timestamp
    package let end: Timestamp
    /// Blocks that the window has.
    package let possible: Int
    /// Those of which enough was covered by readings.
    package fileprivate(set) var measured = 0
    /// Those of them whose mean broke the limit.
    package fileprivate(set) var broken = 0
    /// Beginning of the first such block.
    package fileprivate(set) var since: Timestamp?
    /// The worst mean, and the limit that it broke.
    package fileprivate(set) var worst = 0.0
    package fileprivate(set) var limit = 0.0
    /// Nothing more is added to it.
    package fileprivate(set) var isOver = false

    /// Whether enough blocks were measured to say that all is well.
    package func isFilled(_ completeness: Double) -> Bool {
        Comparison.isAbove(Double(measured), completeness * Double(possible), reaches: true)
    }

    /// The excess that stands after this count; an older one goes on.
    func excess(_ severity: Severity, after old: Excess?) -> Excess {
        Excess(severity: severity, since: old?.since ?? since ?? start, value: worst, limit: limit)
    }
}

/// Counts block means over a window of the local calendar. A block belongs to the window in which it begins.
struct BlockTally: Hashable, Codable, Sendable {
    struct Plan {
        let block: Span
        let window: CalendarPeriod
        let completeness: Double
        /// The limit that a mean breaks.
        let broken: (Double) -> Double?
    }

    private var means = BlockMeans()
    private var window: BlockCount?

    /// Returns the counts that are worth a judgement: after each measured block, and when a window is over.
    /// `judged` is told of every measured block.
    mutating func take(_ sample: Sample, _ plan: Plan, zone: Zone, _ judged: (JudgedWindow) -> Void = { _ in })
        -> [BlockCount]
    {
        let closed = means.take(sample, length: plan.block, zone: zone)
        guard !closed.isEmpty || window == nil || sample.time >= window?.end ?? .distantPast else { return [] }
        return count(closed, plan, zone, judged)
    }

    /// Closes what is over at `time` without waiting for a reading.
    mutating func advance(to time: Timestamp, _ plan: Plan, zone: Zone) -> [BlockCount] {
        guard window != nil else { return [] }
        var closed: [BlockMeans.Block] = []
        means.advance(to: time, plan.block, zone, &closed)
        return count(closed, plan, zone)
    }

    private mutating func count(
        _ closed: [BlockMeans.Block], _ plan: Plan, _ zone: Zone, _ judged: (JudgedWindow) -> Void = { _ in }
    ) -> [BlockCount] {
        var counts: [BlockCount] = []
        for block in closed {
            open(block.start, plan, zone, &counts)
            guard let mean = block.mean(completeness: plan.completeness) else { continue }
            let broken = plan.broken(mean)
            window?.add(mean, of: block, broken: broken)
            judged(
                JudgedWindow(
                    index: 0, start: block.start, end: block.end, result: .init(value: mean, isOutside: broken != nil)))
            if let window { counts.append(window) }
        }
        if let block = means.open { open(block.start, plan, zone, &counts) }
        return counts
    }

    /// Makes the window in which a block begins the open one.
    private mutating func open(_ start: Timestamp, _ plan: Plan, _ zone: Zone, _ counts: inout [BlockCount]) {
        if var old = window {
            guard start >= old.end else { return }
            old.isOver = true
            counts.append(old)
        }
        let next = zone.period(containing: start, plan.window)
        let possible = zone.blockCount(from: next.start, to: next.end, length: plan.block)
        window = BlockCount(start: next.start, end: next.end, possible: possible)
    }
}

extension BlockCount {
    fileprivate mutating func add(_ mean: Double, of block: BlockMeans.Block, broken limit: Double?) {
        measured += 1
        guard let limit else { return }
        broken += 1
        since = since ?? block.start
        if broken == 1 || abs(mean - limit) > abs(worst - self.limit) { (worst, self.limit) = (mean, limit) }
    }
}
