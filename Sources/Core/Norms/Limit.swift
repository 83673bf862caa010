/// The shape of a limit with its numbers, in the norm's unit.
package enum Limit: Hashable, Sendable {
    case band(Band)
    case mean(Mean)
    case timeAtLevel(TimeAtLevel)
    case interruption(Interruption)
    case state(StateLimit)
    case peak(Peak)
    case percentile(Percentile)
    case exceedances(Exceedances)
    case frequencyCurve(FrequencyCurve)
    case rate(Rate)
    case presence(Presence)
    case dose(Dose)
}

/// The value itself.
package struct Band: Hashable, Sendable {
    package var lower: Double?
    package var upper: Double?
    /// The limit itself breaks the norm (≥ and ≤).
    package var reaches: Bool
    /// How far back inside the band a value must come to count as good again.
    package var deadband: Double
    package var onDelay: Span
    package var offDelay: Span
}

/// Time-weighted means.
package struct Mean: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Codable, Sendable { case sliding, block }
    package struct Window: Hashable, Sendable {
        package var length: Span
        package var kind: Kind
        package var lower: Double?
        package var upper: Double?
        /// Share of the window that must be covered by readings.
        package var completeness: Double
        package var severity: Severity?
    }
    package var windows: [Window]
    package var reaches: Bool
}

/// A timer per level.
package struct TimeAtLevel: Hashable, Sendable {
    package struct Level: Hashable, Sendable {
        package var atLeast: Double
        package var notBefore: Span?
        package var by: Span?
        package var severity: Severity?
        /// When it raises: as early as the act allows.
        package var delay: Span { notBefore ?? by ?? .zero }
    }
    package var levels: [Level]
    package var reaches: Bool
    /// Under this every timer starts anew. Between this and a level its timer waits.
    package var resetBelow: Double?
}

/// Supply under a share of the nominal voltage for longer than allowed.
package struct Interruption: Hashable, Sendable {
    /// Under this share of the nominal voltage standards speak of an interruption (EN 50160, GOST 32144).
    package static let usualShare = 0.05

    package var belowShare: Double
    /// Nil where only the budget is judged.
    package var longerThan: Span?
    package var budget: OutageBudget?
}

/// Conditions joined in one place.
package struct StateLimit: Hashable, Sendable {
    package enum Scope: String, CaseIterable, Codable, Sendable { case device, room, flat }
    package enum Subject: Hashable, Sendable {
        case indicator(Indicator)
        /// The flat's arm state: with it the other conditions are triggers, and the delay runs from the first one.
        case armed
        /// Mains supply of the flat, as a share of nominal.
        case mains
    }
    package enum Test: Hashable, Sendable {
        case equals(Double)
        case below(Double)
        case above(Double)
    }
    package struct Condition: Hashable, Sendable {
        package var subject: Subject
        package var test: Test
        /// Substances; any that the hazard is about where empty.
        package var species: [String]
        package var unit: Unit?
        /// `entrance` for doors that lead out of the flat.
        package var opening: String?
        /// `entry`, `follower` or `instant`.
        package var zone: String?
    }
    package var all: [Condition]
    package var onDelay: Span
    package var offDelay: Span
    package var scope: Scope

    package var isArmed: Bool { all.contains { $0.subject == .armed } }
}

/// A level of shaking held for a total time.
package struct Peak: Hashable, Sendable {
    package struct Level: Hashable, Sendable {
        package var atLeast: Double
        package var total: Span
        package var severity: Severity?
    }
    package struct Corroboration: Hashable, Sendable {
        package var devices: Int
        package var within: Span
    }
    package var levels: [Level]
    package var corroborate: Corroboration?
    package var reaches: Bool
}

/// A limit that depends on the dominant frequency of the shaking.
package struct FrequencyCurve: Hashable, Sendable {
    package struct Point: Hashable, Codable, Sendable {
        package var hertz: Double
        package var value: Double
    }
    /// By rising frequency.
    package var points: [Point]
    package var severity: Severity?
    package var reaches: Bool

    /// Straight lines between the points; outside of them the nearest point's value.
    package func limit(at hertz: Double) -> Double {
        guard let next = points.firstIndex(where: { $0.hertz >= hertz }) else { return points[points.count - 1].value }
        guard next > 0 else { return points[0].value }
        let (low, high) = (points[next - 1], points[next])
        return low.value + (high.value - low.value) * (hertz - low.hertz) / (high.hertz - low.hertz)
    }
}

/// Change per time.
package struct Rate: Hashable, Sendable {
    /// A rise by more than this in `per`.
    package var upper: Double?
    /// A fall by more than this, which is negative.
    package var lower: Double?
    package var per: Span
    /// The time over which the change is looked at; `per` where not said.
    package var over: Span
    package var reaches: Bool

    /// What the change within `over` is in `per`.
    var scale: Double { per.seconds / over.seconds }
}

/// A device of this kind must be there. Judged from what stands where, not from readings.
package struct Presence: Hashable, Sendable {
    package enum Scope: String, CaseIterable, Codable, Sendable { case room, flat, storey, building }
    package var indicator: Indicator
    package var per: Scope
    /// Only what has a room of these kinds needs one; empty for any.
    package var rooms: [String]
}

/// What adds up over a stretch of the calendar: the root of the time integral of a power of the value (ISO 2631-1, BS 6472-1: the
/// fourth power of acceleration gives the vibration dose value, VDV, in m/s^1.75).
package struct Dose: Hashable, Sendable {
    package var power: Double
    package var upper: Double
    /// Over what it adds up; nil: over the hours in which the norm applies, without a break.
    package var per: CalendarPeriod?
    package var reaches: Bool
}

extension Limit {
    package var shape: String {
        switch self {
        case .band: "band"
        case .mean: "mean"
        case .timeAtLevel: "time-at-level"
        case .interruption: "interruption"
        case .state: "state"
        case .peak: "peak"
        case .percentile: "percentile"
        case .exceedances: "exceedances"
        case .frequencyCurve: "frequency-curve"
        case .rate: "rate"
        case .presence: "presence"
        case .dose: "dose"
        }
    }
}
