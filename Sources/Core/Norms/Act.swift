/// A legal act, standard, guideline or house rule: the frame in which its norms are cited.
package struct Act: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case law, regulation, directive, standard, guideline, rule
        case house
    }

    /// Where the numbers were seen.
    package struct Source: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Codable, Sendable {
            /// The act's own text or a direct copy of it.
            case primary
            case extract, secondary
            /// Nothing could be cited; the number is widely quoted.
            case none
            /// Our own choice, with its reason in `why`.
            case house
        }
        package let title: String
        package let url: String?
        package let kind: Kind
    }

    package let id: String
    package let kind: Kind
    /// ISO 3166 codes, `EU`, `INT`, `house`, or one's own in capitals.
    package let jurisdictions: [String]
    package let issuer: String
    package let edition: String
    package let title: LocalText
    package let inForceFrom: Timestamp?
    /// Exclusive.
    package let inForceUntil: Timestamp?
    package let source: Source

    package func isInForce(at instant: Timestamp) -> Bool {
        (inForceFrom.map { $0 <= instant } ?? true) && (inForceUntil.map { instant < $0 } ?? true)
    }
}

/// One limit of one act.
package struct Norm: Hashable, Sendable {
    /// `safety` wakes people at once; `compliance` gives a verdict per period, in reports.
    package enum Track: String, CaseIterable, Codable, Sendable {
        case safety, compliance
    }

    /// How sure we are that the number is the act's.
    package enum Confidence: String, CaseIterable, Codable, Sendable {
        case read, known, choice, unsure
    }

    package let id: String
    package let clause: String
    package let hazard: Hazard
    package let track: Track
    package let indicator: Indicator
    package let species: [String]
    package let unit: Unit
    package let base: Conversion.Base
    package let appliesTo: Application
    package let limit: Limit
    /// Where the levels of the limit do not say their own.
    package let severity: Severity
    package let confidence: Confidence
    package let why: LocalText
    package let whatToDo: LocalText
    package let respondWithin: Span?
    package let references: [String]
    package let examples: [WorkedExample]

    /// `unsure` is off until somebody has checked it.
    package var isOn: Bool { confidence != .unsure }
}

extension Norm {
    /// Whether a value is the same number for both.
    func measuresLike(_ other: Norm) -> Bool {
        indicator == other.indicator && species == other.species && unit == other.unit && base == other.base
    }
}

/// To which places and devices a norm applies.
package struct Application: Hashable, Sendable {
    package enum Season: String, CaseIterable, Codable, Sendable {
        case any, cold, warm
    }

    /// Room kinds, or `*` for all.
    package let rooms: [String]
    package let season: Season
    /// Local time of day, from (inclusive) and to (exclusive), in minutes; may run over midnight.
    package let hours: ClosedMinutes?
    /// Independent supplies of the building.
    package let feeds: Int?
    package let nominalVoltage: Double?
    /// `entrance` only, for doors.
    package let opening: String?
    package let floor: Floors?
    /// Whether the flat burns gas, oil or wood.
    package let burner: Bool?

    package struct Floors: Hashable, Sendable {
        package let atLeast: Double?
        package let atMost: Double?
        package init(atLeast: Double?, atMost: Double?) { (self.atLeast, self.atMost) = (atLeast, atMost) }
        package func contains(_ floor: Double) -> Bool {
            (atLeast.map { floor >= $0 } ?? true) && (atMost.map { floor <= $0 } ?? true)
        }
    }

    package struct ClosedMinutes: Hashable, Sendable {
        package let from: Int
        package let to: Int
        package func contains(_ minute: Int) -> Bool {
            from <= to ? (from..<to).contains(minute) : minute >= from || minute < to
        }
    }

    package static let everywhere = Application(
        rooms: ["*"], season: .any, hours: nil, feeds: nil, nominalVoltage: nil, opening: nil, floor: nil, burner: nil)
}

/// Readings in, timeline out: shows a reader what a norm does, and proves that the program does it.
package struct WorkedExample: Hashable, Sendable {
    /// A value repeated over a span, relative to the example's start.
    package struct Stretch: Hashable, Sendable {
        package let from: Span
        package let to: Span
        package let every: Span
        package let value: Double
        /// Of the norm's indicator where not said.
        package let indicator: Indicator?
        package let device: String?
    }
    package struct Expectation: Hashable, Sendable {
        package let at: Span
        package let event: String
        package let severity: Severity?
        /// How far from `at` it may be; the widest spacing of the example's readings where not said.
        package let within: Span?
    }
    package let name: String
    package let readings: [Stretch]
    /// In order, and nothing else of this norm's hazard; empty means that nothing is raised. Ends are compared where one is named.
    package let expect: [Expectation]
    package let isArmed: Bool
    /// For a duty to have a device: what stands where, in the place of readings, and in how many places it is missing.
    package let inventory: Inventory?
    package let missing: Int
    /// When it begins; where not said, a Monday of the norm's season at the beginning of its hours.
    package let start: Timestamp?
    package let place: ExamplePlace

    package struct ExamplePlace: Hashable, Sendable {
        package let room: String?
        package let opening: DevicePlan.Opening?
        package let zone: DevicePlan.Zone?
    }
}

/// A norm with the act that it is cited by; what the engine judges by.
///
/// A class because it is looked at with every reading and never changes: handing it on copies one reference.
package final class CitedNorm: Hashable, Sendable {
    package let act: Act
    package let norm: Norm
    package init(act: Act, norm: Norm) { (self.act, self.norm) = (act, norm) }

    package static func == (a: CitedNorm, b: CitedNorm) -> Bool { a === b || a.act == b.act && a.norm == b.norm }
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// Whether both judge alike; whatever else is said of them are words.
    func judgesLike(_ other: CitedNorm) -> Bool {
        if self === other { return true }
        let (a, b) = (norm, other.norm)
        return a.limit == b.limit && a.severity == b.severity && a.appliesTo == b.appliesTo && a.hazard == b.hazard
            && a.measuresLike(b)
    }

    /// Unique over the library: `en-50291-1/co-alarm`.
    package var key: String { act.id + "/" + norm.id }
    /// Not read from a primary source: shown with a mark, alarms all the same. A rule of our own has no other text than this.
    package var isProvisional: Bool {
        act.source.kind != .house && (norm.confidence != .read || act.source.kind != .primary)
    }
}
