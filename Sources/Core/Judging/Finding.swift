/// What a norm says now. "No excess" and "no news" are different answers.
package enum Finding: Hashable, Codable, Sendable {
    case within
    case exceeded(Excess)
    case unknown(Unknown)

    package var excess: Excess? {
        if case .exceeded(let excess) = self { excess } else { nil }
    }
}

/// A broken limit.
package struct Excess: Hashable, Codable, Sendable {
    package var severity: Severity
    /// The first bad sample.
    package var since: Timestamp
    /// The worst value so far, in the norm's unit.
    package var value: Double
    /// The limit that it broke, in the norm's unit.
    package var limit: Double
}

/// Why nothing can be said.
package enum Unknown: String, Hashable, Codable, Sendable {
    case neverSeen = "never seen"
    case insufficientData = "insufficient data"
    case silent
    case unreadable = "no usable value"
    case uncertainTime = "time uncertain"
    case noNominal = "nominal voltage unknown"
    case tooSlow = "reports too seldom"
    case noFrequency = "frequency unknown"
}

/// What a gauge says of one of its windows; reports count them.
package struct JudgedWindow: Hashable, Sendable {
    package struct Result: Hashable, Sendable {
        /// The mean, in the norm's unit.
        package let value: Double
        package let isOutside: Bool
        package init(value: Double, isOutside: Bool) { (self.value, self.isOutside) = (value, isOutside) }
    }
    /// Which of the limit's windows.
    package let index: Int
    package let start: Timestamp
    /// Exclusive.
    package let end: Timestamp
    /// Nil where too little of it is covered by readings.
    package let result: Result?

    package init(index: Int, start: Timestamp, end: Timestamp, result: Result?) {
        (self.index, self.start, self.end, self.result) = (index, start, end, result)
    }
}

/// One value of a series as the gauges see it.
package struct Sample: Hashable, Sendable {
    package let time: Timestamp
    /// In the norm's unit.
    package let value: Double
    /// The series' usual interval, where it is known.
    package let interval: Span?
    /// A second value at the same time: only a worse one counts.
    package let isRepeat: Bool
    /// Its time is not known well enough for windows and durations.
    package let isUncertain: Bool

    package init(
        time: Timestamp, value: Double, interval: Span? = nil, isRepeat: Bool = false, isUncertain: Bool = false
    ) {
        (self.time, self.value, self.interval) = (time, value, interval)
        (self.isRepeat, self.isUncertain) = (isRepeat, isUncertain)
    }
}

/// Comparison of a value with a limit of an act.
package enum Comparison {
    /// Conversions leave the last bits of a number to chance: 207 000 mV must not be under 207 V.
    private static func slack(_ limit: Double) -> Double { abs(limit) * 1e-9 }

    /// Over the limit, or on it where reaching it breaks it.
    package static func isAbove(_ value: Double, _ limit: Double, reaches: Bool) -> Bool {
        reaches ? value >= limit - slack(limit) : value > limit + slack(limit)
    }

    package static func isBelow(_ value: Double, _ limit: Double, reaches: Bool) -> Bool {
        reaches ? value <= limit + slack(limit) : value < limit - slack(limit)
    }
}
