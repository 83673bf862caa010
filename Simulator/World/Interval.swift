/// A stretch of a scenario, in seconds since its start; the end is not part of it.
struct Interval: Hashable, Sendable {
    var from: Double
    var to: Double

    func contains(_ time: Double) -> Bool { from <= time && time < to }
}

extension [Interval] {
    func contains(_ time: Double) -> Bool { contains { $0.contains(time) } }

    /// The same time as few stretches in order; what touches is joined.
    var merged: [Interval] {
        var merged: [Interval] = []
        for interval in sorted(by: { $0.from < $1.from }) where interval.to > interval.from {
            if let last = merged.last, interval.from <= last.to {
                merged[merged.count - 1].to = Swift.max(last.to, interval.to)
            } else {
                merged.append(interval)
            }
        }
        return merged
    }

    /// A level that follows the stretches with inertia: it climbs to 1 and falls back to 0 with `memory` seconds.
    func inertia(at time: Double, memory: Double, exp: (Double) -> Double) -> Double {
        var level = 0.0
        for interval in self where interval.from <= time {
            let inside = Swift.min(time, interval.to) - interval.from
            let since = time - Swift.min(time, interval.to)
            level = Swift.max(level, (1 - exp(-inside / memory)) * exp(-since / memory))
        }
        return level
    }
}
