/// A value with its series and the device's own time. Always finite and in a unit that the indicator accepts.
package struct Reading: Hashable, Sendable {
    package let series: Series
    package let value: Double
    /// When the device says that it measured; nil when it says nothing, or nothing that can be.
    package let deviceTime: Timestamp?
    /// Delivered from the broker's store: the last known value, never a sign of life.
    package let isRetained: Bool

    package init?(_ series: Series, _ value: Double, deviceTime: Timestamp? = nil, isRetained: Bool = false) {
        guard value.isFinite, series.indicator.accepts(series.unit) else { return nil }
        self.series = series
        self.value = value == 0 ? 0 : value  // −0 becomes 0
        (self.deviceTime, self.isRetained) = (deviceTime, isRetained)
    }
}

/// What is known about a stored value beyond its number. The raw value is the column `quality`.
package struct Quality: OptionSet, Hashable, Codable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The device gave no time of its own; the sample time is the arrival.
    package static let arrivalTime = Self(rawValue: 1)
    /// Not what such a sensor can measure; kept for proof, never judged.
    package static let implausible = Self(rawValue: 2)
    /// The device's clock is wrong; the sample time is the arrival, its own claim is kept beside it.
    package static let wrongClock = Self(rawValue: 4)
    /// Came from the broker's store with a time of its own.
    package static let retained = Self(rawValue: 8)
    /// Queued while we were away, without device time: good for instant limits, not for windows and durations.
    package static let uncertainTime = Self(rawValue: 16)
    /// Older than what was already known of its series: in its place in the history, no part of the present.
    package static let late = Self(rawValue: 32)

    package var words: [String] {
        let names: [(Quality, String)] = [
            (.arrivalTime, "arrival-time"), (.implausible, "implausible"), (.wrongClock, "wrong-clock"),
            (.retained, "retained"), (.uncertainTime, "uncertain-time"), (.late, "late"),
        ]
        return names.compactMap { contains($0.0) ? $0.1 : nil }
    }
}
