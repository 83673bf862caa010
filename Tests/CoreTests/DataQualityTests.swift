import Core
import Support
import Testing

@Suite("Old, repeated, impossible and missing data never pass for good news")
struct DataQualityTests {
    private func house(_ norms: String..., gasInterval: Span? = nil) throws -> Virtual {
        var documents = norms
        if documents.isEmpty { documents = [Fixture.g50] }
        return try Virtual(site: House.site(gasInterval: gasInterval), documents: documents)
    }

    @Test("A stored message with its own time is that old, and no sign of life")
    func retainedWithTime() throws {
        var house = try house(gasInterval: .seconds(60))
        try house.value(7, of: House.gas(), at: .seconds(1), stamp: Virtual.start - .hours(2), isRetained: true)
        #expect(house.stored.map(\.time) == [Virtual.start - .hours(2)])
        house.advance(to: .minutes(4))
        #expect(house.faults == ["2:59 raised silent"])
    }

    @Test("A stored message without a time is no point in the history")
    func retainedWithoutTime() throws {
        var house = try house()
        try house.value(15.8, of: House.gas(), at: .seconds(1), isRetained: true)
        for round in 1...3 {
            try house.restart(at: .minutes(round))
            try house.value(15.8, of: House.gas(), at: .minutes(round), isRetained: true)
        }
        #expect(house.stored.isEmpty && house.all.isEmpty)
    }

    @Test("A stored message may raise an alarm, and never ends one")
    func retainedRaises() throws {
        var house = try house(Fixture.leak)
        try house.value(1, of: House.leak(), at: .seconds(1), isRetained: true)
        #expect(house.alarms == ["0:01 raised danger flooding"])
        try house.value(0, of: House.leak(), at: .seconds(2), isRetained: true)
        #expect(house.alarms.count == 1)
        try house.value(0, of: House.leak(), at: .seconds(3))
        #expect(house.alarms.dropFirst() == ["0:03 ended flooding", "0:03 cleared flooding"])
    }

    @Test("Three hours of the same value to the last bit are a frozen sensor, not an alarm")
    func frozen() throws {
        var house = try house()
        for minute in 0..<60 { try house.value(7.31 + Double(minute % 5) * 0.1, of: House.gas(), at: .minutes(minute)) }
        for minute in 60..<240 { try house.value(7.31, of: House.gas(), at: .minutes(minute)) }
        #expect(house.all == ["120:00 raised frozen"])
        try house.value(7.4, of: House.gas(), at: .minutes(240))
        #expect(house.faults.suffix(2) == ["240:00 ended frozen", "240:00 cleared frozen"])
    }

    @Test("Darkness, silence of gas and a steady room are not frozen", arguments: [0.0, 21.5])
    func notFrozen(value: Double) throws {
        var house = try house()
        for minute in 0..<240 { try house.value(value, of: House.light(), at: .minutes(minute)) }
        #expect(house.all == [])
    }

    @Test("Text that is no number is a fault of the sensor after three in a row, and a number ends it")
    func unreadable() throws {
        var house = try house()
        for second in 0..<2 { house.event(.unreadable(House.gas()), at: .seconds(second)) }
        #expect(house.all == [])
        for second in 2..<7 { house.event(.unreadable(House.gas()), at: .seconds(second)) }
        #expect(house.all == ["0:02 raised unreadable"])
        try house.value(7, of: House.gas(), at: .seconds(10))
        #expect(house.all.dropFirst() == ["0:10 ended unreadable", "0:10 cleared unreadable"])
        #expect(house.stored.map(\.value) == [7])
    }

    @Test("Impossible values are kept with a mark and judged by nobody")
    func impossible() throws {
        let humidity = Series(device: "light1", indicator: .humidity, unit: .percent)
        let damp = Fixture.act(
            "damp",
            Fixture.norm(
                "damp", hazard: "damp", indicator: "humidity", unit: "%", limit: #"{"shape": "band", "upper": 60}"#))
        var house = try house(damp)
        for (second, value) in [(0, 45.0), (1, 45), (2, 140), (3, 45)] {
            try house.value(value, of: humidity, at: .seconds(second))
        }
        #expect(house.all == [])
        #expect(house.stored.map { $0.quality.contains(.implausible) } == [false, false, true, false])
    }

    @Test("A jump that nothing confirms is no gas alarm; a real rise is")
    func jump() throws {
        let instant = Fixture.act(
            "instant",
            Fixture.norm(
                "g", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co", severity: "danger",
                limit: #"{"shape": "band", "upper": 50, "deadband": 5}"#))
        var house = try house(instant)
        for (minute, value) in [6.0, 43_521, 6, 6].enumerated() {
            try house.value(value, of: House.gas(), at: .minutes(minute))
        }
        #expect(house.all == [])
        #expect(house.stored[1].quality.contains(.implausible))
        for (minute, value) in [900.0, 950, 980].enumerated() {
            try house.value(value, of: House.gas(), at: .minutes(10 + minute))
        }
        #expect(house.alarms == ["10:00 raised danger poisoning"])
        var other = try self.house(instant)
        for (minute, value) in [6.0, 20_000, 21_000].enumerated() {
            try other.value(value, of: House.gas(), at: .minutes(minute))
        }
        #expect(other.alarms == ["1:00 raised danger poisoning"], "a confirmed jump is judged from its first sample")
    }

    @Test("Order of arrival does not matter to the history, and an old value never undoes a new one")
    func late() throws {
        var house = try house()
        for seconds in [10, 70] { try house.value(120, of: House.gas(), at: .seconds(seconds)) }
        #expect(house.alarms == ["1:10 raised danger poisoning"])
        try house.value(5, of: House.gas(), at: .seconds(75), stamp: Virtual.start + .seconds(40))
        #expect(house.alarms.count == 1)
        #expect(house.stored.last?.time == Virtual.start + .seconds(40))
        #expect(house.stored.last?.quality.contains(.late) == true)
    }

    @Test("Two values at one time are both kept and the worse one is judged", arguments: [[40.0, 60], [60, 40]])
    func sameTime(values: [Double]) throws {
        let instant = Fixture.act(
            "instant",
            Fixture.norm(
                "g", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co",
                limit: #"{"shape": "band", "upper": 50}"#))
        var house = try house(instant)
        for value in values { try house.value(value, of: House.gas(), at: .seconds(1), stamp: Virtual.start) }
        #expect(house.stored.count == 2)
        #expect(house.alarms == ["0:00 raised warning poisoning"])
    }

    @Test("A clock that runs ahead is a fault; its readings stand at their arrival and shadow nothing")
    func clockAhead() throws {
        var house = try house()
        try house.value(5, of: House.gas(), at: .seconds(0), stamp: Virtual.start + .days(40))
        #expect(house.all == ["0:00 raised wrong-clock"])
        #expect(house.stored[0].time == Virtual.start && house.stored[0].claimed == Virtual.start + .days(40))
        try house.value(6, of: House.gas(), at: .seconds(60))
        #expect(house.stored[1].time == Virtual.start + .seconds(60) && house.stored[1].quality == [])
        #expect(house.faults.dropFirst() == ["1:00 ended wrong-clock", "1:00 cleared wrong-clock"])
    }

    @Test(
        "A constant lag is a wrong clock, and the device is judged by arrival; a shrinking lag is a buffer being emptied"
    )
    func clockBehind() throws {
        var house = try house()
        for minute in 0..<10 {
            try house.value(
                120, of: House.gas(), at: .minutes(minute), stamp: Virtual.start + .minutes(minute) - .seconds(3258))
        }
        #expect(house.faults.first == "3:00 raised wrong-clock")
        #expect(house.alarms.contains { $0.contains("raised danger poisoning") })
        var other = try self.house()
        for step in 0..<60 {
            try other.value(5, of: House.gas(), at: .seconds(step), stamp: Virtual.start - .hours(1) + .minutes(step))
        }
        #expect(other.faults == [])
        #expect(other.stored.allSatisfy { $0.quality == [] })
    }

    @Test("A silence inside a timer that ends with a good value raises nothing; the silence itself does")
    func silenceInTimer() throws {
        let slow = Fixture.act(
            "slow",
            Fixture.norm(
                "slow", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co",
                limit: #"{"shape": "time-at-level", "reaches": true, "levels": [{"atLeast": 50, "by": "10 min"}]}"#))
        var house = try house(slow, gasInterval: .seconds(60))
        try house.value(60, of: House.gas(), at: .zero)
        house.advance(to: .minutes(19))
        #expect(house.faults == ["3:00 raised silent"])
        try house.value(5, of: House.gas(), at: .minutes(20))
        #expect(house.alarms == [])
    }

    @Test("Silence never ends an alarm")
    func silenceKeeps() throws {
        var house = try house(gasInterval: .seconds(60))
        for second in [0, 60] { try house.value(120, of: House.gas(), at: .seconds(second)) }
        house.advance(to: .hours(1))
        #expect(house.alarms == ["1:00 raised danger poisoning"])
        #expect(house.faults == ["4:00 raised silent"])
    }

    @Test("One missing report is no fault")
    func oneMissing() throws {
        var house = try house(gasInterval: .seconds(60))
        for minute in [0, 2, 4, 6] { try house.value(5, of: House.gas(), at: .minutes(minute)) }
        #expect(house.faults == [])
    }

    @Test("What is learned of a device's interval makes its silence known, and event sensors are never missed for it")
    func learned() throws {
        var house = try house()
        for minute in 0..<20 { try house.value(300 + Double(minute % 3), of: House.light(), at: .minutes(minute)) }
        try house.value(1, of: House.leak(), at: .minutes(1))
        house.advance(to: .hours(30))
        #expect(house.faults == ["22:03 raised silent"])
        #expect(house.journal.first { $0.alarmClass == .fault }?.device == "light1")
    }

    @Test("While we do not hear the broker nobody is silent")
    func deaf() throws {
        var house = try house(gasInterval: .seconds(60))
        try house.value(5, of: House.gas(), at: .zero)
        house.event(.listening(false), at: .seconds(60))
        house.advance(to: .minutes(50))
        house.event(.listening(true), at: .minutes(60))
        house.advance(to: .minutes(61))
        #expect(house.faults == [])
        house.advance(to: .minutes(63))
        #expect(house.faults == ["62:00 raised silent"])
    }

    @Test("A mean over a window with too few readings says nothing")
    func incomplete() throws {
        var house = try house(Fixture.v230)
        // A second apart, every third missing: two thirds of what is expected.
        for second in 0..<1800 where second < 600 || second % 3 != 2 {
            try house.value(second < 600 ? 230 : 200, of: House.meter(), at: .seconds(second))
        }
        try house.value(230, of: House.meter(), at: .seconds(1800))
        #expect(house.alarms == [])
        var complete = try self.house(Fixture.v230)
        for second in 0...1800 { try complete.value(second < 600 ? 230 : 200, of: House.meter(), at: .seconds(second)) }
        #expect(complete.alarms == ["20:00 raised warning power-quality"])
    }

    @Test("Queued while we were away without a time: good for instant limits, not for durations")
    func uncertainTime() throws {
        let both = Fixture.act(
            "both",
            Fixture.norm(
                "slow", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co",
                limit: #"{"shape": "band", "upper": 50, "onDelay": "30 s"}"#),
            Fixture.norm(
                "now", hazard: "pollution", indicator: "gas", unit: "ppm", species: "co",
                limit: #"{"shape": "band", "upper": 50}"#))
        var house = try house(both)
        try house.restart(at: .minutes(5)) { house in
            for second in 0..<90 {
                house.event(.reading(try #require(Reading(House.gas(), 120))), at: .minutes(5) + .seconds(second))
            }
        }
        #expect(house.alarms == ["5:00 raised warning pollution"])
        #expect(house.stored.allSatisfy { $0.quality == [.arrivalTime, .uncertainTime] })
    }
}
