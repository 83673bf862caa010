import Core
import Support
import Testing

@Suite("One alarm per place and hazard, raised and ended at the right moment")
struct AlarmTests {
    private func gas(_ limit: String, severity: String = "danger") -> String {
        Fixture.act(
            "g",
            Fixture.norm(
                "g", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co", severity: severity, limit: limit
            ))
    }

    @Test("Warned at once, danger after a minute, stepped down and closed after their own delays, in one episode")
    func levels() throws {
        let norms = Fixture.act(
            "levels",
            Fixture.norm(
                "warn", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co", severity: "warning",
                limit: #"{"shape": "band", "upper": 50, "offDelay": "5 min"}"#),
            Fixture.norm(
                "danger", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co", severity: "danger",
                limit: #"{"shape": "band", "upper": 50, "onDelay": "1 min", "offDelay": "2 min"}"#))
        var house = try Virtual(site: House.site(gasInterval: nil), norms: norms)
        for half in 0..<20 { try house.value(half < 6 ? 120 : 5, of: House.gas(), at: .seconds(half * 30)) }
        #expect(
            house.alarms == [
                "0:00 raised warning poisoning", "1:00 severity danger poisoning", "5:00 severity warning poisoning",
                "8:00 ended poisoning",
            ])
        #expect(Set(house.journal.compactMap(\.alarm)).count == 1)
    }

    @Test("Gas stays listed after its end until somebody has acknowledged it; a new excess is a new alarm")
    func latched() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: gas(#"{"shape": "band", "upper": 50}"#))
        for (minute, value) in [120.0, 5, 120].enumerated() {
            try house.value(value, of: House.gas(), at: .minutes(minute))
        }
        let first = try #require(house.journal.first?.alarm)
        #expect(
            house.alarms == ["0:00 raised danger poisoning", "1:00 ended poisoning", "2:00 raised danger poisoning"])
        #expect(Set(house.journal.compactMap(\.alarm)).count == 2)
        house.command(.acknowledge(alarm: first, by: "anna"), at: .minutes(3))
        #expect(house.alarms.suffix(2) == ["3:00 acknowledged poisoning", "3:00 cleared poisoning"])
        #expect(house.engine.openAlarms.map(\.event) == [.raised])
    }

    @Test("Acknowledging what is not there is refused in plain words")
    func unknownAlarm() throws {
        var house = try Virtual(site: House.site(), norms: Fixture.leak)
        house.command(.acknowledge(alarm: "nonsense", by: "anna"), at: .zero)
        #expect(house.replies == [.refused("there is no such alarm: nonsense")])
    }

    @Test("An alarm of fifteen minutes lasted fifteen minutes")
    func duration() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: gas(#"{"shape": "band", "upper": 50}"#))
        for minute in 0...16 {
            try house.value((1..<16).contains(minute) ? 60 : 5, of: House.gas(), at: .minutes(minute))
        }
        let raised = try #require(house.journal.first { $0.event == .raised })
        let ended = try #require(house.journal.first { $0.event == .ended })
        #expect(ended.time - (raised.since ?? raised.time) == .minutes(15))
    }

    @Test("The alarm shows the worst value, its limit and the act that it breaks")
    func citation() throws {
        var house = try Virtual(
            site: House.site(gasInterval: nil), norms: gas(#"{"shape": "band", "upper": 50, "onDelay": "1 min"}"#))
        for (minute, value) in [60.0, 90, 70].enumerated() {
            try house.value(value, of: House.gas(), at: .minutes(minute))
        }
        let raised = try #require(house.journal.first)
        #expect(raised.value == 90 && raised.limit == 50 && raised.unit == .ppm)
        #expect(raised.norm?.act == "g" && raised.norm?.clause == "clause of g" && raised.norm?.kind == "standard")
        #expect(raised.text.contains("90 ppm, limit 50 ppm (standard: Fixture g, clause of g)"))
    }

    // MARK: Lamp

    @Test(
        "A lamp that is on while its room stays dark has burnt out; the darkness before it was switched on does not count"
    )
    func lamp() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: Fixture.lamp)
        for minute in 0..<10 { try house.value(3, of: House.light(), at: .minutes(minute)) }
        try house.value(1, of: House.lamp(), at: .seconds(570))
        house.advance(to: .seconds(640))
        #expect(house.alarms == [], "nothing was measured since the switch")
        try house.value(4, of: House.light(), at: .seconds(650))
        #expect(house.alarms == ["10:50 raised notice lamp-burnout"])
        #expect(house.journal.last?.since == Virtual.start + .seconds(570))
        try house.value(0, of: House.lamp(), at: .seconds(700))
        #expect(house.alarms.dropFirst() == ["11:40 ended lamp-burnout", "11:40 cleared lamp-burnout"])
    }

    @Test("A lamp that lights the room is fine")
    func goodLamp() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: Fixture.lamp)
        try house.value(3, of: House.light(), at: .zero)
        try house.value(1, of: House.lamp(), at: .seconds(10))
        for minute in 1..<10 { try house.value(200, of: House.light(), at: .minutes(minute)) }
        try house.value(0, of: House.lamp(), at: .minutes(10))
        for minute in 11..<30 { try house.value(3, of: House.light(), at: .minutes(minute)) }
        #expect(house.alarms == [])
    }

    // MARK: Intrusion

    private func armed(_ mode: ArmMode = .away) throws -> Virtual {
        var house = try Virtual(
            site: House.site(gasInterval: nil), norms: Fixture.door, at: Virtual.start - .minutes(2))
        house.command(.arm(building: "b1", flat: "f1", mode: mode, by: "anna"), at: .seconds(-60))
        house.advance(to: .seconds(-1))
        return house
    }

    @Test("The entry delay runs from the first opening, whatever opens later")
    func entryDelay() throws {
        var house = try armed()
        for second in [0, 20, 40] {
            try house.value(1, of: House.door(), at: .seconds(second))
            try house.value(0, of: House.door(), at: .seconds(second + 3))
        }
        house.advance(to: .seconds(44))
        #expect(house.alarms == [])
        house.advance(to: .seconds(46))
        #expect(house.alarms == ["0:45 raised danger intrusion"])
    }

    @Test("On the way to the keypad motion is quiet; without a door before it it is not")
    func follower() throws {
        var house = try armed()
        try house.value(1, of: House.door(), at: .zero)
        try house.value(1, of: House.motion(), at: .seconds(10))
        house.command(.arm(building: "b1", flat: "f1", mode: .off, by: "anna"), at: .seconds(30))
        house.advance(to: .minutes(4))
        #expect(house.alarms == [])
        var other = try armed()
        try other.value(1, of: House.motion(), at: .zero)
        #expect(other.alarms == ["0:00 raised danger intrusion"])
    }

    @Test("At home nobody is an intruder for moving, but a door is watched")
    func home() throws {
        var house = try armed(.home)
        try house.value(1, of: House.motion(), at: .zero)
        #expect(house.alarms == [])
        try house.value(1, of: House.door(), at: .seconds(10))
        house.advance(to: .minutes(2))
        #expect(house.alarms == ["0:55 raised danger intrusion"])
    }

    @Test("Whoever leaves has time to leave")
    func exitDelay() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: Fixture.door)
        house.command(.arm(building: "b1", flat: "f1", mode: .away, by: "anna"), at: .zero)
        try house.value(1, of: House.door(), at: .seconds(20))
        try house.value(0, of: House.door(), at: .seconds(25))
        house.advance(to: .minutes(3))
        #expect(house.alarms == [])
    }

    @Test("A door sensor that is away for two seconds sets nothing off; one that stays away is a fault")
    func sensorAway() throws {
        var house = try armed()
        try house.value(0, of: House.door(), at: .seconds(-1))
        for (second, isOnline) in [(10, false), (12, true)] {
            house.event(.availability(Availability(subject: "door1", isOnline: isOnline)), at: .seconds(second))
        }
        try house.value(0, of: House.door(), at: .seconds(12))
        house.advance(to: .minutes(5))
        #expect(house.all.filter { !$0.contains("armed") } == [])
        house.event(.availability(Availability(subject: "door1", isOnline: false)), at: .minutes(6))
        try house.value(1, of: House.door(), at: .minutes(6) + .seconds(2))
        house.advance(to: .minutes(7))
        #expect(house.alarms == ["6:47 raised danger intrusion"])
        house.event(.availability(Availability(subject: "motion1", isOnline: false)), at: .minutes(10))
        house.advance(to: .minutes(15))
        #expect(house.faults == ["11:00 raised silent"])
    }

    @Test("Disarming ends it; arming lists what stands open")
    func disarm() throws {
        var house = try armed()
        try house.value(1, of: House.motion(), at: .zero)
        house.command(.arm(building: "b1", flat: "f1", mode: .off, by: "anna"), at: .seconds(30))
        #expect(house.alarms == ["0:00 raised danger intrusion", "0:30 ended intrusion"])
        try house.value(1, of: House.door(), at: .seconds(40))
        house.command(.arm(building: "b1", flat: "f1", mode: .away, by: "anna"), at: .seconds(50))
        #expect(house.replies.last == .done("armed, nobody home (anna); still open: door1"))
    }

    // MARK: Common cause

    @Test("Many flats without power are one outage of the building; the flats are held back and told about at its end")
    func outage() throws {
        let person = Person(id: "janitor", role: .staff, channels: [.init(kind: .terminal)])
        var house = try Virtual(site: House.site(flats: 6, gasInterval: nil, people: [person]), norms: Fixture.outage)
        for flat in 1...6 { try house.value(230, of: House.meter(flat), at: .zero) }
        for second in [60, 72] {
            for flat in 1...4 { try house.value(0, of: House.meter(flat), at: .seconds(second)) }
        }
        house.advance(to: .minutes(2))
        let building = house.journal.filter { $0.place.flat == nil }
        #expect(building.map(Virtual.short) == ["1:12 raised warning power-outage"])
        #expect(building[0].since == Virtual.start + .seconds(60))
        #expect(house.journal.filter { $0.event == .suppressed }.count == 4)
        #expect(house.notices.map(\.subject) == ["Warning: power outage, b1"])
        for flat in 1...3 { try house.value(230, of: House.meter(flat), at: .minutes(3)) }
        house.advance(to: .minutes(5))
        #expect(house.journal.contains { $0.event == .ended && $0.place.flat == nil })
        #expect(house.journal.filter { $0.event == .unsuppressed }.map(\.place.flat) == ["f3", "f4"])
        #expect(
            Set(house.notices.map(\.subject)) == [
                "Warning: power outage, b1", "Over: power outage, b1", "Warning: power outage, b1, flat f4, hall",
            ])
    }

    @Test("A silent meter is an outage when something with a battery goes on speaking, else nobody can tell")
    func outageBySilence() throws {
        func house(isBattery: Bool) throws -> Virtual {
            var house = try Virtual(site: House.site(gasInterval: nil), norms: Fixture.outage)
            house.event(
                .device(DeviceNote(device: "light1", family: "native", isBatteryPowered: isBattery)), at: .seconds(-1))
            for minute in 0..<10 {
                try house.value(230, of: House.meter(), at: .minutes(minute))
                try house.value(300 + Double(minute), of: House.light(), at: .minutes(minute))
            }
            for minute in 10..<20 { try house.value(300 + Double(minute), of: House.light(), at: .minutes(minute)) }
            return house
        }
        let battery = try house(isBattery: true)
        #expect(battery.faults == [], "its silence is explained")
        #expect(battery.alarms == ["12:03 raised warning power-outage"])
        #expect(battery.journal.last?.since == Virtual.start + .minutes(9))
        let mains = try house(isBattery: false)
        #expect(mains.alarms == [])
        #expect(mains.faults == ["12:03 raised silent"])
        #expect(mains.journal.last?.text.contains("outage or gateway, cannot tell") == true)
    }

    private func shake(_ house: inout Virtual, flats: ClosedRange<Int>, at second: Int, _ strength: Double) throws {
        for flat in flats {
            try house.value(
                9.81 + strength, of: House.shake(flat), at: .seconds(second) + .seconds(Double(flat) * 0.01))
        }
    }

    @Test("One node that shakes warns its flat; three within seconds are an earthquake of the building")
    func earthquake() throws {
        var house = try Virtual(site: House.site(flats: 4, gasInterval: nil), norms: Fixture.shaking)
        for second in 0..<30 { try shake(&house, flats: 1...4, at: second, second % 2 == 0 ? 0.001 : -0.001) }
        for second in 30..<34 { try shake(&house, flats: 1...1, at: second, 0.4) }
        #expect(house.alarms == ["0:30 raised warning earthquake"])
        #expect(house.journal[0].place.flat == "f1")
        for second in 34..<37 { try shake(&house, flats: 2...4, at: second, 1.2) }
        let building = house.journal.filter { $0.place.flat == nil && $0.hazard == .earthquake }
        #expect(building.map(\.event) == [.raised])
        #expect(building[0].severity == .danger)
        for second in 37..<120 { try shake(&house, flats: 1...4, at: second, 0) }
        #expect(house.journal.filter { $0.event == .ended }.count == 5)
    }

    @Test("Gravity is no earthquake, nor is a node that reports too seldom")
    func gravity() throws {
        var house = try Virtual(site: House.site(flats: 1, gasInterval: nil), norms: Fixture.shaking)
        for second in 0..<600 { try house.value(9.81, of: House.shake(), at: .seconds(second)) }
        #expect(house.alarms == [])
        var slow = try Virtual(site: House.site(flats: 1, gasInterval: nil), norms: Fixture.shaking)
        for minute in 0..<60 { try slow.value(minute % 2 == 0 ? 0 : 3, of: House.shake(), at: .minutes(minute)) }
        #expect(slow.alarms == [])
    }
}
