import Core
import Support
import Testing

@Suite("When the supply is gone")
struct BlackoutTests {
    private static let longOutage = Fixture.act(
        "long-outage",
        Fixture.norm(
            "long", hazard: "power-outage", indicator: "voltage", unit: "V", severity: "danger",
            limit: #"{"shape": "interruption", "belowShare": 0.05, "longerThan": "3 min"}"#))

    /// So many flats whose meters report every 10 s, 230 V until the second `dark` and 0 V until the second `bright`.
    private func blackout(flats: Int, dark: Int, bright: Int, until end: Int, _ house: inout Virtual) throws {
        for second in stride(from: 0, through: end, by: 10) {
            for flat in 1...flats {
                let isDark = (dark..<bright).contains(second)
                try house.value(isDark ? 0 : 230, of: House.meter(flat), at: .seconds(second + flat))
            }
        }
    }

    @Test("A lamp that goes out with the supply is not burnt out")
    func lampInOutage() throws {
        var house = try Virtual(site: House.site(), norms: Fixture.outage, Fixture.lamp)
        try house.value(1, of: House.lamp(), at: .zero)
        for second in stride(from: 5, through: 400, by: 5) {
            let isDark = (100..<300).contains(second)
            try house.value(isDark ? 0 : 230, of: House.meter(), at: .seconds(second))
            try house.value(isDark ? 0.2 : 200, of: House.light(), at: .seconds(second) + .seconds(0.5))
        }
        #expect(
            house.alarms == [
                "1:50 raised warning power-outage", "5:00 ended power-outage", "5:00 cleared power-outage",
            ])
    }

    @Test("A lamp that stays dark when the supply is back is burnt out from then on")
    func lampAfterOutage() throws {
        var house = try Virtual(site: House.site(), norms: Fixture.outage, Fixture.lamp)
        try house.value(1, of: House.lamp(), at: .zero)
        for second in stride(from: 5, through: 400, by: 5) {
            try house.value((100..<300).contains(second) ? 0 : 230, of: House.meter(), at: .seconds(second))
            try house.value(second < 100 ? 200 : 0.2, of: House.light(), at: .seconds(second) + .seconds(0.5))
        }
        #expect(house.alarms.contains("6:00 raised notice lamp-burnout"))
    }

    @Test("In a flat without a meter the outage of the building explains the dark lamp")
    func lampInDarkBuilding() throws {
        var site = House.site(flats: 5)
        site.buildings[0].flats[4].rooms[0].devices.removeAll { $0.id == "meter5" }
        var house = try Virtual(site: site, norms: Fixture.outage, Fixture.lamp)
        try house.value(1, of: House.lamp(5), at: .zero)
        for second in stride(from: 10, through: 400, by: 10) {
            let isDark = second >= 100
            for flat in 1...4 { try house.value(isDark ? 0 : 230, of: House.meter(flat), at: .seconds(second)) }
            try house.value(isDark ? 0.2 : 200, of: House.light(5), at: .seconds(second) + .seconds(1))
        }
        #expect(!house.alarms.contains { $0.hasSuffix("lamp-burnout") })
    }

    @Test("The outage of a building is as bad as that of its flats")
    func severityOfBuilding() throws {
        var house = try Virtual(site: House.site(flats: 4), norms: Fixture.outage, Self.longOutage)
        try blackout(flats: 4, dark: 60, bright: 600, until: 500, &house)
        let building = house.journal.filter { $0.place.flat == nil && $0.alarmClass == .alarm }.map(Virtual.short)
        #expect(building == ["1:13 raised warning power-outage", "4:01 severity danger power-outage"])
    }

    @Test("A meter whose silence is known to be an outage is no broken sensor as well")
    func meterInOutage() throws {
        var site = House.site()
        site.buildings[0].flats[0].rooms[0].devices.append(DevicePlan(id: "battery1"))
        var house = try Virtual(site: site, norms: Fixture.outage)
        let battery = Series(device: "battery1", indicator: .battery, unit: .percent)
        for second in stride(from: 0, through: 400, by: 10) {
            if second < 100 || second >= 300 { try house.value(230, of: House.meter(), at: .seconds(second)) }
            if second % 20 == 0 { try house.value(80, of: battery, at: .seconds(second) + .seconds(1)) }
        }
        #expect(
            house.alarms.map { $0.drop { $0 != " " } } == [
                " raised warning power-outage", " ended power-outage", " cleared power-outage",
            ])
        #expect(faults(of: "meter1", in: house) == [])
    }

    private func faults(of device: String, in house: Virtual) -> [String] {
        house.journal.filter { $0.alarmClass == .fault && $0.device == device }.map(Virtual.short)
    }

    @Test("The fault of a meter gives way once somebody proves that it is an outage")
    func lateProof() throws {
        var site = House.site()
        site.buildings[0].flats[0].rooms[0].devices.append(DevicePlan(id: "battery1"))
        var house = try Virtual(site: site, norms: Fixture.outage)
        let battery = Series(device: "battery1", indicator: .battery, unit: .percent)
        try house.value(81, of: battery, at: .seconds(5))
        for second in stride(from: 10, through: 90, by: 10) {
            try house.value(230, of: House.meter(), at: .seconds(second))
        }
        try house.value(80, of: battery, at: .seconds(200))
        try house.value(230, of: House.meter(), at: .seconds(300))
        #expect(faults(of: "meter1", in: house) == ["2:00 raised silent", "3:20 ended silent", "3:20 cleared silent"])
        #expect(
            house.alarms == [
                "3:20 raised warning power-outage", "5:00 ended power-outage", "5:00 cleared power-outage",
            ])
    }

    @Test("When the supply comes back, nobody is told of the flats whose meters need some seconds more")
    func returning() throws {
        var people: [Person] = []
        for flat in 1...4 {
            people.append(
                Person(id: "resident\(flat)", role: .resident, channels: [.init(kind: .webhook, address: "https://x")]))
        }
        var house = try Virtual(site: House.site(flats: 4, people: people), norms: Fixture.outage)
        try blackout(flats: 4, dark: 60, bright: 200, until: 400, &house)
        let told = house.notices.filter { $0.event != .ended }.map { "\($0.event.rawValue) \($0.recipient)" }
        // Each is told once, of the building.
        #expect(told.sorted() == (1...4).map { "raised resident\($0)" })
    }
}
