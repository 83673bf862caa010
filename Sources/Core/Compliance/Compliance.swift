/// What a report says of a norm.
package enum Verdict: String, CaseIterable, Sendable {
    case pass, fail
    /// Too little is known of the period, and what is known breaks nothing.
    case insufficientData = "insufficient-data"

    /// The worst first.
    fileprivate var rank: Int {
        switch self {
        case .fail: 0
        case .insufficientData: 1
        case .pass: 2
        }
    }
}

/// One norm on one channel over a period.
package struct Compliance: Hashable, Sendable {
    package struct Worst: Hashable, Sendable {
        /// In the norm's unit.
        package let value: Double
        /// Of a block its beginning.
        package let time: Timestamp

        package init(value: Double, time: Timestamp) { (self.value, self.time) = (value, time) }
    }
    package struct Blocks: Hashable, Sendable {
        package let judged: Int
        package let outside: Int

        package init(judged: Int, outside: Int) { (self.judged, self.outside) = (judged, outside) }
    }

    /// Time without a break in which the limit was broken.
    package struct Episode: Hashable, Sendable {
        package let start: Timestamp
        package internal(set) var end: Timestamp
        /// In the norm's unit; nil where values by themselves are neither good nor bad.
        package internal(set) var worst: Double?

        init(start: Timestamp, end: Timestamp) { (self.start, self.end) = (start, end) }
    }

    /// So many episodes and silences are listed one by one; all are counted.
    static let listed = 100

    /// In the norm's unit.
    package struct Bounds: Hashable, Sendable {
        package var lower: Double?
        package var upper: Double?

        var isEmpty: Bool { lower == nil && upper == nil }

        /// How far outside; negative inside. The worst value of a period has the largest.
        func excess(of value: Double) -> Double {
            max(upper.map { value - $0 } ?? -.infinity, lower.map { $0 - value } ?? -.infinity)
        }
    }

    package let verdict: Verdict
    /// Of a norm with several windows the one that decides.
    package let window: Int
    /// Share of the covered time, or of the judged blocks, within the limit; nil where nothing is covered.
    package let share: Double?
    /// Share of the time for which the norm applies that is covered.
    package let completeness: Double
    package let covered: Span
    package let exceeded: Span
    /// Episodes; blocks outside that follow one another are one.
    package let excesses: Int
    /// The first of them, one by one.
    package let episodes: [Episode]
    /// Nil where time is counted.
    package let blocks: Blocks?
    package let worst: Worst?
    package let silences: Silences
    package let bounds: Bounds
    /// Length of the window whose means are judged; nil where the values are.
    package let meanOver: Span?
    /// How long the norm bears a broken limit.
    package let delay: Span

    /// The one of a norm's windows that decides: the worst verdict, then the smallest share.
    static func decisive(_ windows: [Compliance]) -> Compliance? {
        windows.min { ($0.verdict.rank, $0.share ?? 2, $0.window) < ($1.verdict.rank, $1.share ?? 2, $1.window) }
    }
}

/// The silences within a period: longer than three usual intervals, from the last reading to the next.
package struct Silences: Hashable, Sendable {
    package private(set) var count = 0
    package private(set) var total = Span.zero
    package private(set) var longest: Range<Timestamp>?
    /// The first of them, one by one.
    package private(set) var listed: [Range<Timestamp>] = []

    package var longestLength: Span { longest.map { $0.upperBound - $0.lowerBound } ?? .zero }

    mutating func note(from start: Timestamp, to end: Timestamp) {
        count += 1
        total += end - start
        if listed.count < Compliance.listed { listed.append(start..<end) }
        if end - start > longestLength { longest = start..<end }
    }
}
