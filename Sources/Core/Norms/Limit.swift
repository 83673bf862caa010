/// The shape of a limit with its numbers, in the norm's unit.
package enum Limit: Hashable, Sendable {
    case band(Band)
    case mean(Mean)
    case timeAtLevel(TimeAtLevel)
    case interruption(Interruption)
    case state(StateLimit)
    case peak(Peak)
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
    package var longerThan: Span
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

extension Limit {
    package var shape: String {
        switch self {
        case .band: "band"
        case .mean: "mean"
        case .timeAtLevel: "time-at-level"
        case .interruption: "interruption"
        case .state: "state"
        case .peak: "peak"
        }
    }
}
