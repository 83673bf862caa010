import Core

/// All devices of a scenario in their surroundings, and what the households do by themselves.
struct World {
    private(set) var devices: [SimulatedDevice] = []
    private(set) var householdActions: [PersonAction] = []

    init(_ scenario: Scenario, seed: UInt64) {
        let day = Span.days(1).microseconds
        let midnight = -Double(((scenario.start.microseconds % day) + day) % day) / 1e6
        let counters = scenario.flats.reduce(0) { $0 + $1.rooms.reduce(0) { $0 + $1.counters } }
        var counter = 0
        for flat in scenario.flats {
            let household = Household(
                flat.household, arms: flat.arms, midnight: midnight, length: scenario.duration + 86_400,
                random: SplitMix64(seed: seed, part: [flat.building, flat.id, "household"]))
            householdActions += household.arming.map { moment in
                PersonAction(
                    at: moment.at, what: .arm(building: flat.building, flat: flat.id, mode: moment.mode),
                    by: "resident-\(flat.id)")
            }
            var supply = SplitMix64(seed: seed, part: [flat.building, "supply"])
            let phases = (0..<3).map { _ in supply.uniform(0..<(2 * .pi)) }
            for room in flat.rooms {
                for spec in room.devices {
                    let surroundings = Surroundings(
                        path: [flat.building, flat.id, room.id, spec.id], roomKind: room.kind,
                        nominalVoltage: flat.nominalVoltage, household: household, midnight: midnight,
                        happenings: scenario.happenings, supplyPhases: phases)
                    var numbering: SimulatedDevice.Numbering?
                    if spec.countsNumbers, let numbers = scenario.numbers {
                        numbering = .init(rate: numbers.rate, count: numbers.count, step: counters, next: counter)
                        counter += 1
                    }
                    devices.append(
                        SimulatedDevice(
                            spec, id: spec.serviceID(building: flat.building, flat: flat.id, room: room.id),
                            surroundings: surroundings, faults: scenario.faults, seed: seed, numbering: numbering))
                }
            }
        }
    }
}

extension DeviceSpec {
    var countsNumbers: Bool { measures.contains { $0.quantity == .number } }
}

extension SimulatedRoom {
    fileprivate var counters: Int { devices.reduce(0) { $0 + ($1.countsNumbers ? 1 : 0) } }
}
