import Core
import Support
import Testing

@Suite("A restart loses nothing and repeats nothing")
struct RestartTests {
    @Test("Bad before the start and bad after it: one alarm, dated to the first bad sample")
    func badAtStart() throws {
        var house = try Virtual(site: House.site(), norms: Fixture.g50)
        try house.value(120, of: House.gas(), at: .zero)
        try house.restart(at: .seconds(10))
        try house.value(121, of: House.gas(), at: .seconds(60))
        #expect(house.alarms == ["1:00 raised danger poisoning"])
        #expect(house.journal.first?.since == Virtual.start)
    }

    @Test("An acknowledgement outlives restart, reload of the norms and a short absence of the device")
    func acknowledged() throws {
        var house = try Virtual(site: House.site(), norms: Fixture.vib)
        try house.value(1, of: House.vib(), at: .zero)
        let alarm = try #require(house.journal.first?.alarm)
        house.command(.acknowledge(alarm: alarm, by: "anna"), at: .seconds(5))
        try house.restart(at: .seconds(10))
        house.event(.norms(house.engine.norms), at: .seconds(12))
        house.event(.availability(Availability(subject: "vib1", isOnline: false)), at: .seconds(14))
        house.event(.availability(Availability(subject: "vib1", isOnline: true)), at: .seconds(16))
        try house.value(1, of: House.vib(), at: .seconds(20))
        #expect(house.all == ["0:00 raised danger earthquake", "0:05 acknowledged earthquake"])
    }

    @Test("A timer that ran out while we were down fires at the start, dated to the opening")
    func timerOverDownTime() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: Fixture.door)
        try house.value(1, of: House.door(), at: .zero)
        house.event(.norms(house.engine.norms), at: .minutes(2))
        house.advance(to: .minutes(4))
        try house.restart(at: .minutes(6))
        #expect(house.alarms == ["5:00 raised notice door-left-open"])
        #expect(house.journal.first?.since == Virtual.start)
    }

    @Test("A door that was closed while we were down raises nothing")
    func closedWhileDown() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: Fixture.door)
        try house.value(1, of: House.door(), at: .zero)
        house.advance(to: .minutes(4))
        try house.restart(at: .minutes(6)) { house in
            try house.value(0, of: House.door(), at: .minutes(6), stamp: Virtual.start + .seconds(4 * 60 + 30))
        }
        house.advance(to: .minutes(20))
        #expect(house.alarms == [])
    }

    @Test(
        "A door that stayed open too long while we were down, and was closed then, is raised and ended as it happened")
    func openAndClosedWhileDown() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: Fixture.door)
        try house.value(1, of: House.door(), at: .zero)
        house.advance(to: .minutes(4))
        try house.restart(at: .minutes(7)) { house in
            try house.value(0, of: House.door(), at: .minutes(7), stamp: Virtual.start + .minutes(6))
        }
        #expect(
            house.alarms == [
                "5:00 raised notice door-left-open", "6:00 ended door-left-open", "6:00 cleared door-left-open",
            ])
    }

    @Test("Active stays active: no second raise, no recovery")
    func activeStays() throws {
        var house = try Virtual(site: House.site(), norms: Fixture.g50)
        try house.value(120, of: House.gas(), at: .zero)
        try house.value(120, of: House.gas(), at: .seconds(60))
        try house.restart(at: .seconds(90))
        try house.value(120, of: House.gas(), at: .seconds(120))
        #expect(house.alarms == ["1:00 raised danger poisoning"])
    }

    @Test("A long timer goes on over a short down time when the next bad sample proves it")
    func longTimer() throws {
        let slow = Fixture.act(
            "slow",
            Fixture.norm(
                "slow", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co",
                limit: #"{"shape": "time-at-level", "reaches": true, "levels": [{"atLeast": 50, "by": "60 min"}]}"#))
        var house = try Virtual(site: House.site(), norms: slow)
        for minute in 0...55 { try house.value(60, of: House.gas(), at: .minutes(minute)) }
        try house.restart(at: .minutes(58))
        for minute in 58...59 { try house.value(60, of: House.gas(), at: .minutes(minute)) }
        #expect(house.alarms == [])
        try house.value(60, of: House.gas(), at: .minutes(60))
        #expect(house.alarms == ["60:00 raised warning poisoning"])
    }

    @Test("Three restarts with fifty active alarms say nothing to anybody")
    func silentRestart() throws {
        let person = Person(id: "janitor", role: .staff, channels: [.init(kind: .terminal, address: "")], buildings: [])
        var house = try Virtual(site: House.site(flats: 50, gasInterval: nil, people: [person]), norms: Fixture.leak)
        house.advance(to: .seconds(30))
        for flat in 1...50 { try house.value(1, of: House.leak(flat), at: .minutes(1)) }
        #expect(house.notices.count == 50)
        let before = house.all.count
        for round in 1...3 { try house.restart(at: .minutes(1 + round)) }
        house.advance(to: .minutes(10))
        #expect(house.notices.count == 50)
        #expect(house.all.count == before)
    }

    @Test("A device of the inventory that never speaks is missed 180 s after the start")
    func neverHeard() throws {
        var house = try Virtual(site: House.site(), norms: Fixture.leak)
        house.advance(to: .seconds(178))
        #expect(house.faults == [])
        house.advance(to: .seconds(180))
        #expect(house.faults == ["2:59 raised silent"])
    }

    @Test("Silence counts over restarts, by our clock")
    func silenceOverRestarts() throws {
        var house = try Virtual(site: House.site(), norms: Fixture.g50)
        try house.value(5, of: House.gas(), at: .zero)
        house.advance(to: .seconds(119))
        try house.restart(at: .minutes(2))
        house.advance(to: .seconds(182))
        try house.restart(at: .minutes(4))
        house.advance(to: .minutes(5))
        #expect(house.faults == ["3:01 raised silent"])  // one second of down time does not count as silence
    }

    @Test("Two hundred devices with stored values: restored values raise nothing")
    func restoredValues() throws {
        var house = try Virtual(site: House.site(flats: 200, gasInterval: nil), norms: Fixture.leak, Fixture.g50)
        for flat in 1...200 { try house.value(7, of: House.gas(flat), at: .seconds(1)) }
        try house.restart(at: .seconds(10))
        for flat in 1...200 { try house.value(7.5, of: House.gas(flat), at: .seconds(10)) }
        #expect(house.all == [])
    }

    @Test("Armed stays armed through kills")
    func armedStays() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: Fixture.door)
        house.command(.arm(building: "b1", flat: "f1", mode: .away, by: "anna"), at: .zero)
        for second in [10, 30, 44, 46, 90] { try house.restart(at: .seconds(second)) }
        try house.value(1, of: House.door(), at: .minutes(2))
        house.advance(to: .minutes(3))
        #expect(house.alarms == ["2:45 raised danger intrusion"])
    }

    @Test("Flats that lose power before their building is known to be dark do not speak, also after a restart")
    func suppressionOverRestart() throws {
        let person = Person(id: "janitor", role: .staff, channels: [.init(kind: .terminal, address: "")], buildings: [])
        var house = try Virtual(site: House.site(flats: 40, gasInterval: nil, people: [person]), norms: Fixture.outage)
        for flat in 1...40 { try house.value(230, of: House.meter(flat), at: .seconds(30)) }
        for second in [60, 70] {
            for flat in 1...40 { try house.value(0, of: House.meter(flat), at: .seconds(second)) }
        }
        try house.restart(at: .seconds(75))
        house.advance(to: .minutes(3))
        let told = house.notices.map { $0.subject }
        #expect(told == ["Warning: power outage, b1"])
    }

    @Test("A mean over restarts is the mean without them: the usual interval is learned by the device's own time")
    func meanOverRestarts() throws {
        let blocks = Fixture.act(
            "blocks",
            Fixture.norm(
                "blocks", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co",
                limit: """
                    {"shape": "mean",
                     "windows": [{"length": "10 s", "kind": "block", "upper": 50, "completeness": 0.5}]}
                    """))
        let site = House.site(gasInterval: nil)
        var (killed, spared) = (try Virtual(site: site, norms: blocks), try Virtual(site: site, norms: blocks))
        var time = Span.zero
        for number in 0..<300 {
            let (stamp, value) = (Virtual.start + time, number / 20 % 2 == 0 ? 20 : 80 + Double(number * 7 % 31))
            try spared.value(value, of: House.gas(), at: time, stamp: stamp)
            if number % 5 == 1 {
                // It was sent while we were away, and waited for us.
                try killed.restart(at: time + .seconds(0.2)) { house in
                    try house.value(value, of: House.gas(), at: time + .seconds(0.3), stamp: stamp)
                }
            } else {
                try killed.value(value, of: House.gas(), at: time, stamp: stamp)
            }
            // Now and then it misses a few: then a value holds for one usual interval.
            time += number % 20 == 3 ? .seconds(5) : .seconds(0.97 + Double(number * number * 31 % 61) / 1000)
        }
        #expect(spared.alarms.count > 0)
        #expect(killed.journal == spared.journal)
    }

    @Test("A gap in which something was lost is not taken for a usual one")
    func lossWhileDown() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: Fixture.g50)
        for second in 0...20 { try house.value(5, of: House.gas(), at: .seconds(second)) }
        for round in 1...5 {
            // Whatever it said in this minute never came to us.
            try house.restart(at: .minutes(round))
            for second in 0...2 { try house.value(5, of: House.gas(), at: .minutes(round) + .seconds(second + 1)) }
        }
        house.advance(to: .minutes(5) + .seconds(102))
        #expect(house.faults == [])
        house.advance(to: .minutes(5) + .seconds(104))
        #expect(house.faults == ["6:43 raised silent"])
    }
}
