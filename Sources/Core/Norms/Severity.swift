/// How bad for people; as CAP's Minor, Moderate, Severe, Extreme.
package enum Severity: String, CaseIterable, Codable, Comparable, Sendable {
    case notice, warning, danger, emergency

    private var rank: Int {
        switch self {
        case .notice: 0
        case .warning: 1
        case .danger: 2
        case .emergency: 3
        }
    }
    package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
}

/// What a broken norm means for people.
package enum Hazard: String, CaseIterable, Codable, Sendable {
    case powerOutage = "power-outage"
    case powerQuality = "power-quality"
    case flooding, damp
    case lampBurnout = "lamp-burnout"
    case darkEscapeRoute = "dark-escape-route"
    case intrusion
    case doorLeftOpen = "door-left-open"
    case earthquake
    case buildingVibration = "building-vibration"
    case explosion, poisoning, fire, cold, heat
    case stuffyAir = "stuffy-air"
    case pollution

    /// Stays listed after its end until somebody has acknowledged it: what happened cannot be undone by a good value.
    package var isLatched: Bool {
        switch self {
        case .intrusion, .fire, .explosion, .poisoning, .earthquake: true
        default: false
        }
    }

    /// Judged even for a device that nobody has placed yet.
    package var isJudgedUnplaced: Bool {
        switch self {
        case .explosion, .poisoning, .flooding: true
        default: false
        }
    }

    /// Several flats with this at once are one trouble of the building.
    package var hasCommonCause: Bool { self == .powerOutage || self == .earthquake }
}
