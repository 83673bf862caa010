/// Learns how often a sampled series reports.
///
/// Many devices report on change, so one number is not enough: `typical` is the middle of the last gaps, `largestUsual` the
/// second largest of them, which one lost message does not move.
package struct Cadence: Hashable, Codable, Sendable {
    private static let memory = 16
    private static let enough = 5

    /// Milliseconds, the oldest overwritten first.
    private var gaps: [Int32] = []
    private var position = 0
    package private(set) var typical: Span?
    package private(set) var largestUsual: Span?

    package init() {}

    package mutating func note(gap: Span) {
        guard gap > .zero else { return }
        let milliseconds = Int32(clamping: (gap.microseconds + 500) / 1000)
        if gaps.count < Self.memory { gaps.append(milliseconds) } else { gaps[position] = milliseconds }
        position = (position + 1) % Self.memory
        // Sorting at every reading would cost more than judging it.
        if gaps.count < Self.memory || position % 4 == 0 { learn() }
    }

    /// Whether a gap in which something may have been lost looks as if nothing was. The first of all is taken on trust: what
    /// follows outvotes it.
    package func isUsual(_ gap: Span) -> Bool {
        let known = gaps.max().map { Span(microseconds: Int64($0) * 1000) }
        guard let largest = largestUsual ?? known else { return true }
        return gap * 2 <= largest * 3
    }

    private mutating func learn() {
        guard gaps.count >= 3 else { return }
        let sorted = gaps.sorted()
        let middle = Span(microseconds: Int64(sorted[(sorted.count - 1) / 2]) * 1000)
        let large = Span(microseconds: Int64(sorted[sorted.count - 2]) * 1000)
        typical = middle
        if gaps.count >= Self.enough { largestUsual = max(large, .seconds(0.001)) }
    }

    /// What one reading stands for: the typical interval of a device that keeps time, the largest usual one of a device
    /// that reports on change.
    package var expected: Span? {
        guard let typical else { return nil }
        guard let largestUsual, largestUsual > typical * 4 else { return typical }
        return largestUsual
    }
}
