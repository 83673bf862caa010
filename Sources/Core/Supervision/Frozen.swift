/// Notices a value that has stopped moving although such a channel usually moves.
package struct Frozen: Hashable, Codable, Sendable {
    private static let learned = 30
    private static let repeats = 60
    private static let duration = Span.hours(1)

    private var changes = 0
    private var repetitions = 0
    private var value = 0.0
    private var since: Timestamp?
    private var run = 0

    package init() {}

    /// The newest value was the same as the one before.
    package var isRepeating: Bool { run > 1 }

    /// True once the value has been bit-identical for so long that the sensor cannot be measuring.
    package mutating func take(_ new: Double, at time: Timestamp) -> Bool {
        guard new == value, let since else {
            if since != nil { changes = min(changes + 1, 10_000) }
            (value, self.since, run) = (new, time, 1)
            return false
        }
        run += 1
        // Rest values are no sign of trouble: darkness, clean air, no supply.
        guard value != 0 && value != 100 else { return false }
        let usuallyMoves = changes >= Self.learned && changes > repetitions * 2
        let isFrozen = usuallyMoves && run >= Self.repeats && time - since >= Self.duration
        // A repetition inside a freeze must not teach that repetition is usual.
        if run < Self.repeats / 4 { repetitions = min(repetitions + 1, 10_000) }
        return isFrozen
    }
}
