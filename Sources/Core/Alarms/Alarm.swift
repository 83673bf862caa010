package enum AlarmClass: String, CaseIterable, Codable, Sendable {
    /// About people.
    case alarm
    /// A sensor, or we ourselves, cannot judge.
    case fault
    /// Battery, tamper.
    case supervisory
    case test
}

/// What is wrong with a device or with us; one alarm per device and kind.
package enum FaultKind: String, CaseIterable, Codable, Sendable {
    case silent
    case unreadable
    case frozen
    case wrongClock = "wrong-clock"
    case batteryLow = "battery-low"
    // Ours:
    case brokerAway = "broker-away"
    case brokerDropping = "broker-dropping"
    case subscriptionRefused = "subscription-refused"
    case storageBlocked = "storage-blocked"
    case storageDamaged = "storage-damaged"
    case storageLost = "storage-lost"
    case noticesFailing = "notices-failing"
    case normsRejected = "norms-rejected"
    case noReadings = "no-readings"
    case commandRefused = "command-refused"
    case normsEnding = "norms-ending"

    package var alarmClass: AlarmClass { self == .batteryLow ? .supervisory : .fault }
}

/// Several kinds of fault, in a form that is always written alike.
struct FaultSet: Hashable, Codable, Sendable {
    private var bits: UInt32 = 0

    private static func bit(_ kind: FaultKind) -> UInt32 {
        1 << UInt32(FaultKind.allCases.firstIndex(of: kind) ?? 0)
    }

    var isEmpty: Bool { bits == 0 }
    func contains(_ kind: FaultKind) -> Bool { bits != 0 && bits & Self.bit(kind) != 0 }

    /// Returns whether it was not there before.
    mutating func insert(_ kind: FaultKind) -> Bool {
        let before = bits
        bits |= Self.bit(kind)
        return bits != before
    }

    mutating func remove(_ kind: FaultKind) { bits &= ~Self.bit(kind) }

    /// Keeps those that `isKept` wants.
    mutating func filter(_ isKept: (FaultKind) -> Bool) {
        for kind in FaultKind.allCases where contains(kind) && !isKept(kind) { remove(kind) }
    }

    mutating func formIntersection(_ other: FaultSet) { bits &= other.bits }
}

/// One episode of one hazard in one flat or building, or one fault of one device.
package struct Alarm: Hashable, Codable, Sendable {
    package enum Subject: Hashable, Codable, Sendable {
        case hazard(Hazard)
        case fault(FaultKind, device: String)
    }
    package struct Acknowledgement: Hashable, Codable, Sendable {
        package let by: String
        package let at: Timestamp
    }

    /// Unique in its building, in the order of raising.
    package let number: Int
    package let id: String
    package let subject: Subject
    /// The flat in the building's own list; for an unplaced device the device stands for it.
    let flatKey: String?
    /// Flat or building; a fault's place is the device's.
    package let place: Place
    package var severity: Severity
    /// The first bad sample.
    package let since: Timestamp
    package let raised: Timestamp
    package var ended: Timestamp?
    package var acknowledgement: Acknowledgement?
    /// What holds it up now; empty once it has ended.
    package var evidence: [Evidence]
    /// What it is shown with: the worst evidence, kept after the end.
    package var lead: Evidence
    /// The bigger alarm that holds it back from people.
    package var suppressedBy: String?
    package var telling = Telling()
    /// How often its severity has changed, and how often it was released from behind a bigger alarm; part of the message ids.
    package var severityChanges = 0
    package var releases = 0

    package var hazard: Hazard? {
        if case .hazard(let hazard) = subject { hazard } else { nil }
    }
    package var fault: FaultKind? {
        if case .fault(let kind, _) = subject { kind } else { nil }
    }
    package var alarmClass: AlarmClass { fault?.alarmClass ?? .alarm }
    package var isActive: Bool { ended == nil }
    package var isLatched: Bool { hazard?.isLatched ?? false }
}

/// One thing that speaks for an alarm.
package struct Evidence: Hashable, Codable, Sendable {
    /// What it comes from; a later finding of the same source replaces it.
    package enum Source: Hashable, Codable, Sendable {
        case track(device: Int, channel: Int, norm: Int)
        case join(flat: Int, join: Int)
        case panel(flat: Int)
        case flat(Int)
        case fault(channel: Int)
    }
    package var source: Source
    package var device: String?
    package var room: String?
    package var indicator: Indicator?
    package var species: String?
    /// The norm's number in the library; nil for faults, and once the norm is gone.
    package var norm: Int?
    /// The norm as it was when it judged.
    package var citation: Transition.Citation?
    package var excess: Excess
    package var unit: Unit?
    /// Words for faults, from outside: an error text, a path.
    package var detail: String?
}

/// Who has been told and who is still to be told.
package struct Telling: Hashable, Codable, Sendable {
    package struct Step: Hashable, Codable, Sendable {
        var due: Timestamp
        var route: Int
        var step: Int
    }
    /// Nothing is said before: a bigger alarm may come.
    package var notBefore: Timestamp?
    package var pending: [Step] = []
    /// Ids of the people who know of it.
    package var told: [String] = []
    package init() {}
}
