/// The sums of one window of a norm, or of its values, over a period.
struct Tally: Hashable, Sendable {
    /// What is true since the newest reading.
    enum Standing: Hashable, Sendable {
        case unknown, within, outside
        /// The norm says nothing now.
        case moot
    }

    var standing = Standing.unknown
    private(set) var covered = Span.zero
    private(set) var exceeded = Span.zero
    private(set) var excesses = 0
    private(set) var blocks = 0
    private(set) var blocksOutside = 0
    private(set) var worst: Compliance.Worst?
    private(set) var episodes: [Compliance.Episode] = []
    /// The excess that stands is in the sums.
    private var isCounted = false
    /// Up to where time outside is in the sums.
    private(set) var exceededUntil = Timestamp.distantPast

    /// Takes in time for which the standing was true.
    mutating func add(_ length: Span, until end: Timestamp) {
        switch standing {
        case .unknown, .moot: return
        case .within: covered += length
        case .outside:
            covered += length
            addExceeded(length, until: end)
        }
    }

    private mutating func addExceeded(_ length: Span, until end: Timestamp) {
        exceeded += length
        exceededUntil = max(exceededUntil, end)
        if length > .zero { countExcess() }
        if let last = episodes.indices.last, excesses <= Compliance.listed { episodes[last].end = end }
    }

    private mutating func countExcess() {
        if !isCounted { excesses += 1 }
        isCounted = true
    }

    /// - Parameters:
    ///   - before: time of the excess that was not known to be one, as the norm's delay had not passed.
    ///   - isInPeriod: whether the reading that tells of it is.
    ///   - since: where it began.
    mutating func beginExcess(since: Timestamp, before: Span, at time: Timestamp, isInPeriod: Bool) {
        isCounted = false
        standing = .outside
        list(from: since, to: time)
        addExceeded(before, until: time)
        if isInPeriod { countExcess() }
    }

    mutating func note(_ value: Double, at time: Timestamp, _ bounds: Compliance.Bounds) {
        let excess = bounds.excess(of: value)
        guard excess > -.infinity, worst.map({ excess > bounds.excess(of: $0.value) }) ?? true else { return }
        worst = .init(value: value, time: time)
    }

    /// Where values by themselves are neither good nor bad, as with a limit on how fast they change.
    mutating func note(_ excess: Excess, at time: Timestamp) {
        func distance(_ value: Double) -> Double { abs(value - excess.limit) }
        if worst.map({ distance(excess.value) > distance($0.value) }) ?? true {
            worst = .init(value: excess.value, time: time)
        }
    }

    private mutating func list(from start: Timestamp, to end: Timestamp) {
        guard episodes.count < Compliance.listed else { return }
        episodes.append(.init(start: start, end: end))
    }

    /// The worst value of the episode that stands.
    mutating func noteOutside(_ value: Double, _ bounds: Compliance.Bounds) {
        if standing == .outside { noteWorst(value, bounds) }
    }

    private mutating func noteWorst(_ value: Double, _ bounds: Compliance.Bounds) {
        guard excesses <= Compliance.listed, let last = episodes.indices.last,
            bounds.excess(of: value) > episodes[last].worst.map({ bounds.excess(of: $0) }) ?? -.infinity
        else { return }
        episodes[last].worst = value
    }

    mutating func addBlock(
        _ block: Range<Timestamp>, _ value: Double, isOutside: Bool, length: Span, _ bounds: Compliance.Bounds
    ) {
        blocks += 1
        covered += length
        if isOutside {
            blocksOutside += 1
            exceeded += length
            if !isCounted { list(from: block.lowerBound, to: block.upperBound) }
            countExcess()
            if let last = episodes.indices.last, excesses <= Compliance.listed { episodes[last].end = block.upperBound }
            noteWorst(value, bounds)
        } else {
            isCounted = false
        }
    }
}
