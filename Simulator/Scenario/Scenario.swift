import Core

/// What happens, to whom, and what must follow: a document with its templates written out and its parameters filled in.
struct Scenario: Sendable {
    var name: String
    var title: String
    /// Of a run in virtual time. Whatever the service's clock says, the simulated day goes by this one.
    var start: Timestamp
    var duration: Double
    var flats: [SimulatedFlat]
    var happenings: [Happening]
    var faults: [Fault]
    var actions: [PersonAction]
    var expectations: [Expectation]
    /// Faults that may come or not.
    var allowedFaults: Set<FaultKind>
    /// How many readings a second all `number` devices give together, and how many in all.
    var numbers: Numbers?
    /// The site document that places the devices.
    var siteDocument: String

    struct Numbers: Hashable, Sendable {
        let rate: Double
        let count: Int
    }
}

/// A flat with all that stands in it.
struct SimulatedFlat: Hashable, Sendable {
    var building: String
    var id: String
    var nominalVoltage: Double
    var household: HouseholdKind
    /// Whoever leaves last arms it.
    var arms: Bool
    var rooms: [SimulatedRoom]
}

struct SimulatedRoom: Hashable, Sendable {
    var id: String
    var kind: String
    var devices: [DeviceSpec]
}

enum HouseholdKind: String, CaseIterable, Sendable { case none, family, retired }

/// A device as the scenario describes it.
struct DeviceSpec: Hashable, Sendable {
    enum Speech: String, CaseIterable, Sendable {
        case native
        case zigbee = "zigbee2mqtt"
    }
    enum Power: String, CaseIterable, Sendable { case mains, battery }

    var id: String
    var speech: Speech
    var power: Power
    var measures: [Measure]
    /// How often it reports, in seconds; nil: only on change.
    var every: Double?
    var opening: String?
    var zone: String?
    var interval: String?
    /// Whether it says when it measured; simple devices do not.
    var hasClock = true

    /// Its id for the service.
    func serviceID(building: String, flat: String, room: String) -> String {
        switch speech {
        case .native: "sensors/\(building)/\(flat)/\(room)/\(id)"
        case .zigbee: "\(Self.zigbeeBase(building))/\(flat)_\(room)_\(id)"
        }
    }

    /// Each building has a gateway of its own.
    static func zigbeeBase(_ building: String) -> String { "zigbee2mqtt-\(building)" }
}
