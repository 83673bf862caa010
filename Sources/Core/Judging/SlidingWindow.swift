/// What a value stood for: from when, for how long, and how much of that was really covered by readings.
struct Stretch: Hashable, Codable, Sendable {
    var from: Timestamp
    var held: Span
    var covered: Span
    var value: Double

    var end: Timestamp { from + held }
}

extension Stretch {
    /// A value holds until the next one, for one usual interval where that comes late by more than three of them: a gap stays a gap.
    init(_ value: Double, from: Timestamp, until next: Timestamp, usual: Span) {
        let length = next - from
        self.init(
            from: from, held: length > usual * 3 ? usual : length, covered: min(length, usual), value: value)
    }
}

/// The last stretch of time of a fixed length, with its sums kept as it moves: one reading costs the same however long it is.
struct SlidingWindow: Hashable, Codable, Sendable {
    /// Oldest first; those before `first` have left the window.
    private var stretches: [Stretch] = []
    private var first = 0
    /// Over everything that has not left, the part of the oldest that lies before the window included.
    private var sum = 0.0
    private var held = Span.zero
    private var covered = Span.zero

    init() {}

    /// Takes a stretch in and moves the window's end to `now`.
    mutating func add(_ stretch: Stretch, now: Timestamp, length: Span) {
        append(stretch, resolution: Span(microseconds: length.microseconds / 1000))
        let start = now - length
        while first < stretches.count, stretches[first].end <= start {
            let gone = stretches[first]
            sum -= gone.value * gone.held.seconds
            held = held - gone.held
            covered = covered - gone.covered
            first += 1
        }
        // Sums are made anew now and then, so that rounding does not pile up over months.
        if first > 64 && first * 2 > stretches.count { tidy() }
    }

    /// Joins stretches shorter than a thousandth of the window, so that a fast sensor costs no more memory than a slow one.
    private mutating func append(_ stretch: Stretch, resolution: Span) {
        sum += stretch.value * stretch.held.seconds
        held += stretch.held
        covered += stretch.covered
        if first < stretches.count, let last = stretches.last, last.held + stretch.held <= resolution,
            last.end == stretch.from
        {
            let together = last.held + stretch.held
            let mean = (last.value * last.held.seconds + stretch.value * stretch.held.seconds) / together.seconds
            stretches[stretches.count - 1] = Stretch(
                from: last.from, held: together, covered: last.covered + stretch.covered, value: mean)
        } else {
            stretches.append(stretch)
        }
    }

    private mutating func tidy() {
        stretches.removeFirst(first)
        first = 0
        sum = stretches.reduce(0) { $0 + $1.value * $1.held.seconds }
        held = stretches.reduce(.zero) { $0 + $1.held }
        covered = stretches.reduce(.zero) { $0 + $1.covered }
    }

    /// Sums over what lies after `start`.
    func content(from start: Timestamp) -> (sum: Double, held: Span, covered: Span, first: Timestamp?) {
        guard first < stretches.count else { return (0, .zero, .zero, nil) }
        let oldest = stretches[first]
        let before = max(start - oldest.from, .zero)
        guard before > .zero else { return (sum, held, covered, oldest.from) }
        let share = Double(before.microseconds) / Double(max(1, oldest.held.microseconds))
        let uncovered = Span(microseconds: Int64(Double(oldest.covered.microseconds) * share))
        return (sum - oldest.value * before.seconds, held - before, covered - uncovered, start)
    }
}
