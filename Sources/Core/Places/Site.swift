/// The places of one installation, who lives and works there, and who is told what.
package struct Site: Hashable, Sendable {
    package var id: String
    package var timeZone: String
    package var language: Language
    /// In order: all listed apply, the order picks the first citation. `house` always applies, last where it is not listed.
    package var jurisdictions: [String]
    /// A native topic may place its device by itself.
    package var selfPlacement: Bool
    package var buildings: [BuildingPlan]
    package var people: [Person]
    package var routes: [Route]

    /// Without a document: whatever places itself is taken in.
    package static let none = Site(
        id: "", timeZone: "UTC", language: .en, jurisdictions: ["EU"], selfPlacement: true, buildings: [], people: [],
        routes: [])

    package func building(_ id: String) -> BuildingPlan? { buildings.first { $0.id == id } }

    package var allJurisdictions: [String] {
        jurisdictions.contains("house") ? jurisdictions : jurisdictions + ["house"]
    }
}

package struct BuildingPlan: Hashable, Sendable {
    package var id: String
    package var name: String?
    /// Independent supplies; decides which outage a law allows.
    package var feeds: Int?
    package var nominalVoltage: Double?
    /// Country, address, position, organisations and whatever else is kept for people to read.
    package var particulars: [String: JSONValue] = [:]
    package var flats: [FlatPlan] = []

    package init(id: String, nominalVoltage: Double? = nil, flats: [FlatPlan] = []) {
        (self.id, self.nominalVoltage, self.flats) = (id, nominalVoltage, flats)
    }
}

package struct FlatPlan: Hashable, Sendable {
    package var id: String
    package var floor: Double?
    package var nominalVoltage: Double?
    package var hasBurner: Bool?
    package var exitDelay: Span?
    package var rooms: [RoomPlan] = []
    package var tenancies: [Tenancy] = []

    package init(id: String, rooms: [RoomPlan] = [], tenancies: [Tenancy] = []) {
        (self.id, self.rooms, self.tenancies) = (id, rooms, tenancies)
    }
}

package struct RoomPlan: Hashable, Sendable {
    package var id: String
    package var kind: String
    package var name: String?
    package var devices: [DevicePlan] = []

    package init(id: String, kind: String, devices: [DevicePlan] = []) {
        (self.id, self.kind, self.devices) = (id, kind, devices)
    }
}

package struct DevicePlan: Hashable, Sendable {
    /// What a door device does in the alarm system.
    package enum Zone: String, CaseIterable, Codable, Sendable {
        /// Starts the entry delay.
        case entry
        /// Quiet while the entry delay runs, at once otherwise: motion on the way to the keypad.
        case follower
        /// At once.
        case instant
    }
    package enum Opening: String, CaseIterable, Codable, Sendable { case entrance, window, inner }

    package var id: String
    package var name: String?
    package var opening: Opening?
    package var zone: Zone?
    /// How often it reports by itself.
    package var interval: Span?
    /// Acceleration values are peaks over the interval, not single samples.
    package var reportsPeaks: Bool?
    package var nominalVoltage: Double?
    /// A switch or relay that feeds a lamp.
    package var isLamp: Bool?

    package init(id: String) { self.id = id }
}

package struct Tenancy: Hashable, Sendable {
    package var person: String
    package var from: Timestamp?
    /// Exclusive.
    package var until: Timestamp?

    package init(person: String, from: Timestamp? = nil, until: Timestamp? = nil) {
        (self.person, self.from, self.until) = (person, from, until)
    }

    package func covers(_ instant: Timestamp) -> Bool {
        (from.map { $0 <= instant } ?? true) && (until.map { instant < $0 } ?? true)
    }
}

package struct Person: Hashable, Sendable {
    package enum Role: String, CaseIterable, Codable, Sendable {
        case resident, staff, administrator
        case readOnly = "read-only"
    }
    package var id: String
    package var role: Role
    package var name: String?
    package var language: Language?
    package var timeZone: String?
    package var quietHours: Application.ClosedMinutes?
    package var channels: [Channel]
    /// Staff: the buildings that are theirs; empty means all.
    package var buildings: [String]

    package init(id: String, role: Role, language: Language? = nil, channels: [Channel] = [], buildings: [String] = [])
    {
        (self.id, self.role, self.language, self.channels, self.buildings) = (id, role, language, channels, buildings)
    }

    /// One way to reach a person.
    package struct Channel: Hashable, Codable, Sendable {
        package enum Kind: String, CaseIterable, Codable, Sendable {
            case terminal, webhook, email, mqtt
            case ntfy, gotify, telegram, command

            /// Whether this version can send there; the others are kept in the document and named when it is applied.
            package var canSend: Bool {
                switch self {
                case .terminal, .webhook, .email, .mqtt: true
                case .ntfy, .gotify, .telegram, .command: false
                }
            }
        }
        package var kind: Kind
        /// Mail address, URL or topic; empty for the terminal.
        package var address: String
        /// Names a file or variable with the signing secret of a webhook; never the secret itself.
        package var secret: String?

        package init(kind: Kind, address: String = "", secret: String? = nil) {
            (self.kind, self.address, self.secret) = (kind, address, secret)
        }
    }
}

/// Who is told of what, and after how long without an acknowledgement.
package struct Route: Hashable, Sendable {
    package struct Match: Hashable, Sendable {
        /// At least so bad.
        package var severity: Severity?
        package var alarmClass: AlarmClass?
        package var hazards: [Hazard]
        package var building: String?
        package var flat: String?

        package init(
            severity: Severity? = nil, alarmClass: AlarmClass? = nil, hazards: [Hazard] = [], building: String? = nil,
            flat: String? = nil
        ) {
            (self.severity, self.alarmClass, self.hazards, self.building, self.flat) = (
                severity, alarmClass, hazards, building, flat
            )
        }
    }
    package struct Step: Hashable, Sendable {
        /// Ids of people, or roles: `resident` means those of the flat, `staff` those of the building.
        package var to: [String]
        package var after: Span

        package init(to: [String], after: Span = .zero) { (self.to, self.after) = (to, after) }
    }
    package var match: Match
    package var steps: [Step]

    package init(match: Match, steps: [Step]) { (self.match, self.steps) = (match, steps) }
}
