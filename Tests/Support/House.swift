package import Core

/// One building with flats, each with the devices of the field reports.
package enum House {
    package static func site(
        flats: Int = 1, gasInterval: Span? = .seconds(60), people: [Person] = [], routes: [Route] = []
    )
        -> Site
    {
        var building = BuildingPlan(id: "b1", nominalVoltage: 230)
        for number in 1...flats {
            var flat = FlatPlan(id: "f\(number)")
            var gas = DevicePlan(id: "gas\(number)")
            gas.interval = gasInterval
            var door = DevicePlan(id: "door\(number)")
            door.opening = .entrance
            let rest = ["motion", "vib", "leak", "lamp", "light", "meter"].map { DevicePlan(id: "\($0)\(number)") }
            flat.rooms = [RoomPlan(id: "hall", kind: "hall", devices: [gas, door] + rest)]
            flat.tenancies = [Tenancy(person: "resident\(number)")]
            building.flats.append(flat)
        }
        var site = Site.none
        site.id = "house"
        site.selfPlacement = false
        site.buildings = [building]
        site.people = people
        site.routes = routes
        return site
    }

    package static func gas(_ flat: Int = 1) -> Series {
        Series(device: "gas\(flat)", indicator: .gas, species: "co", unit: .ppm)
    }
    package static func door(_ flat: Int = 1) -> Series {
        Series(device: "door\(flat)", indicator: .door, unit: .boolean)
    }
    package static func motion(_ flat: Int = 1) -> Series {
        Series(device: "motion\(flat)", indicator: .motion, unit: .boolean)
    }
    package static func vib(_ flat: Int = 1) -> Series {
        Series(device: "vib\(flat)", indicator: .vibration, unit: .boolean)
    }
    package static func shake(_ flat: Int = 1) -> Series {
        Series(device: "vib\(flat)", indicator: .vibration, unit: .metrePerSecondSquared)
    }
    package static func leak(_ flat: Int = 1) -> Series {
        Series(device: "leak\(flat)", indicator: .waterLeak, unit: .boolean)
    }
    package static func lamp(_ flat: Int = 1) -> Series {
        Series(device: "lamp\(flat)", indicator: .lamp, unit: .boolean)
    }
    package static func light(_ flat: Int = 1) -> Series {
        Series(device: "light\(flat)", indicator: .light, unit: .lux)
    }
    package static func meter(_ flat: Int = 1) -> Series {
        Series(device: "meter\(flat)", indicator: .voltage, unit: .volt)
    }
}
