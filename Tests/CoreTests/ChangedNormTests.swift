import Core
import Support
import Testing

@Suite("A norm that is changed while it judges")
struct ChangedNormTests {
    /// `G50` with another limit, between others that stay as they are.
    private func gas(_ limit: String, severity: String = "danger", why: String = "because") throws -> NormLibrary {
        let norm = Fixture.norm(
            "G50", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co", severity: severity, limit: limit)
        return try library(Fixture.act("g50", norm.replacing("because", with: why)), Fixture.door)
    }

    private func band(_ upper: Int) -> String {
        #"{"shape": "band", "upper": \#(upper), "deadband": 5, "onDelay": "30 s", "offDelay": "60 s"}"#
    }

    private func timer(_ levels: (Int, String)...) -> String {
        let written = levels.map { #"{"atLeast": \#($0.0), "by": "\#($0.1)", "severity": "danger"}"# }
        return #"{"shape": "time-at-level", "levels": [\#(written.joined(separator: ", "))]}"#
    }

    private func library(_ documents: String...) throws -> NormLibrary {
        NormLibrary(try documents.map { try ActDocument(parsing: $0, file: "fixture") })
    }

    private func house(_ norms: NormLibrary) throws -> Virtual {
        var house = try Virtual(site: House.site(gasInterval: nil), documents: [])
        house.event(.norms(norms, NormVersion(number: 1, author: "start")), at: .seconds(-1))
        return house
    }

    private func second(_ norms: NormLibrary, number: Int = 2) -> Event {
        .norms(norms, NormVersion(number: number, author: "anna", reason: "works until Friday"))
    }

    @Test("The same episode goes on under the new limit, and ends by it in so many words")
    func band() throws {
        var house = try house(try gas(band(50)))
        for minute in 0...1 { try house.value(120, of: House.gas(), at: .minutes(minute)) }
        house.event(second(try gas(band(60))), at: .seconds(70))
        try house.value(120, of: House.gas(), at: .seconds(120))
        #expect(house.alarms == ["1:00 raised danger poisoning", "1:10 norm-changed poisoning"])
        #expect(Set(house.journal.compactMap(\.alarm)).count == 1)
        house.event(second(try gas(band(150)), number: 3), at: .seconds(130))
        #expect(house.alarms.last == "2:10 ended poisoning")
        #expect(house.journal.map(\.normVersion) == [1, 2, 3])
        #expect(house.journal[1].by == "anna")
        #expect(house.journal[1].text.hasSuffix("judged by the changed norm. (version 2, anna: “works until Friday”)"))
        #expect(house.journal[2].text.hasSuffix("closed, the norm changed. (version 3, anna: “works until Friday”)"))
    }

    @Test("A value that waits for its time has not to wait anew")
    func pending() throws {
        var house = try house(try gas(band(50)))
        try house.value(120, of: House.gas(), at: .zero)
        house.event(second(try gas(band(60))), at: .seconds(10))
        try house.value(120, of: House.gas(), at: .seconds(30))
        #expect(house.alarms == ["0:30 raised danger poisoning"])
    }

    @Test("Other words about the same limit change nothing, and no timer")
    func words() throws {
        var house = try house(try gas(timer((50, "10 min"))))
        for minute in 0..<9 { try house.value(60, of: House.gas(), at: .minutes(minute)) }
        house.event(second(try gas(timer((50, "10 min")), why: "for good reasons")), at: .seconds(500))
        for minute in 9...10 { try house.value(60, of: House.gas(), at: .minutes(minute)) }
        house.event(second(try gas(timer((50, "10 min")), why: "as before")), at: .minutes(11))
        #expect(house.alarms == ["10:00 raised danger poisoning"])
    }

    @Test("The timers of other norms and of other places run on")
    func others() throws {
        var house = try house(try gas(band(50)))
        try house.value(1, of: House.door(), at: .zero)
        house.event(second(try gas(band(60))), at: .minutes(4))
        house.advance(to: .minutes(6))
        #expect(house.alarms == ["5:00 raised notice door-left-open"])
    }

    @Test(
        "Levels with a time: an excess goes on at the nearest level, a waiting one keeps its minutes",
        arguments: [
            // The level and its time after 20 of 60 minutes at 120 ppm, and when that raises.
            (50, "60 min", "60:00"), (60, "60 min", "60:00"), (40, "60 min", "60:00"), (50, "30 min", "30:00"),
            (50, "10 min", "21:00"), (130, "10 min", nil),
        ])
    func levels(atLeast: Int, by: String, raised: String?) throws {
        var house = try house(try gas(timer((50, "60 min"))))
        for minute in 0...20 { try house.value(120, of: House.gas(), at: .minutes(minute)) }
        house.event(second(try gas(timer((atLeast, by)))), at: .minutes(20) + .seconds(30))
        for minute in 21...90 { try house.value(120, of: House.gas(), at: .minutes(minute)) }
        #expect(house.alarms == (raised.map { ["\($0) raised danger poisoning"] } ?? []))
    }

    @Test(
        "An alarm of a level with a time stays where the new level is broken too",
        arguments: [(60, "30 min", "norm-changed"), (40, "30 min", "norm-changed"), (130, "30 min", "ended")])
    func activeLevels(atLeast: Int, by: String, event: String) throws {
        var house = try house(try gas(timer((50, "20 min"))))
        for minute in 0...40 { try house.value(120, of: House.gas(), at: .minutes(minute)) }
        house.event(second(try gas(timer((atLeast, by)))), at: .minutes(40) + .seconds(30))
        for minute in 41...60 { try house.value(120, of: House.gas(), at: .minutes(minute)) }
        #expect(house.alarms == ["20:00 raised danger poisoning", "40:30 \(event) poisoning"])
    }

    @Test("A mean over the old limit is compared with the new one", arguments: [(55, true), (70, false)])
    func mean(upper: Int, isStill: Bool) throws {
        func limit(_ upper: Int) -> String {
            #"{"shape": "mean", "windows": [{"length": "10 min", "kind": "block", "upper": \#(upper), "completeness": 0.7}]}"#
        }
        var house = try house(try gas(limit(50)))
        for minute in 0...12 { try house.value(60, of: House.gas(), at: .minutes(minute)) }
        house.event(second(try gas(limit(upper))), at: .minutes(12) + .seconds(30))
        for minute in 13...30 { try house.value(60, of: House.gas(), at: .minutes(minute)) }
        let alarms = ["10:00 raised danger poisoning", "12:30 \(isStill ? "norm-changed" : "ended") poisoning"]
        #expect(house.alarms == alarms)
    }

    @Test(
        "A door that stands open is judged by the new delay in the same episode, and by new conditions where they hold",
        arguments: [
            (
                #"{"shape": "state", "all": [{"indicator": "door", "is": true, "opening": "entrance"}], "onDelay": "9 min"}"#,
                "norm-changed"
            ),
            (#"{"shape": "state", "all": [{"indicator": "door", "is": true}], "onDelay": "5 min"}"#, "norm-changed"),
            (
                #"{"shape": "state", "all": [{"indicator": "door", "is": true}, {"indicator": "lamp", "is": true}], "onDelay": "5 min"}"#,
                "ended"
            ),
        ])
    func state(limit: String, event: String) throws {
        let act = Fixture.act(
            "doors",
            Fixture.norm(
                "open", hazard: "door-left-open", indicator: "door", unit: "bool", severity: "notice", limit: limit))
        var house = try house(try gas(band(50)))
        try house.value(0, of: House.lamp(), at: .zero)
        try house.value(1, of: House.door(), at: .zero)
        house.advance(to: .minutes(6))
        house.event(second(try library(act)), at: .minutes(7))
        house.advance(to: .minutes(30))
        #expect(house.alarms.prefix(2) == ["5:00 raised notice door-left-open", "7:00 \(event) door-left-open"])
        #expect(house.alarms.count == (event == "ended" ? 3 : 2))
        try house.value(0, of: House.door(), at: .minutes(31))
        #expect(house.alarms.last == "\(event == "ended" ? "7:00" : "31:00") cleared door-left-open")
    }

    @Test("A norm of another shape begins with the newest value", arguments: [(100, "norm-changed"), (200, "ended")])
    func shape(upper: Int, event: String) throws {
        var house = try house(try gas(timer((50, "20 min"))))
        for minute in 0...30 { try house.value(120, of: House.gas(), at: .minutes(minute)) }
        house.event(second(try gas(#"{"shape": "band", "upper": \#(upper)}"#)), at: .minutes(31))
        #expect(house.alarms.dropFirst().first == "31:00 \(event) poisoning")
    }

    @Test("A norm that is taken away ends its alarm because it was changed, not because all is well")
    func removed() throws {
        var house = try house(try gas(band(50)))
        for minute in 0...1 { try house.value(120, of: House.gas(), at: .minutes(minute)) }
        house.event(second(try library(Fixture.door)), at: .minutes(2))
        #expect(house.alarms == ["1:00 raised danger poisoning", "2:00 ended poisoning"])
        #expect(house.journal.last?.text.contains("the norm changed") == true)
    }

    @Test("Another severity steps within the episode")
    func severity() throws {
        var house = try house(try gas(band(50), severity: "warning"))
        for minute in 0...1 { try house.value(120, of: House.gas(), at: .minutes(minute)) }
        house.event(second(try gas(band(50), severity: "emergency")), at: .minutes(2))
        #expect(
            house.alarms == [
                "1:00 raised warning poisoning", "2:00 norm-changed poisoning", "2:00 severity emergency poisoning",
            ])
    }

    @Test("Changed, saved and read again is changed: the version and what it judges outlive a restart")
    func restart() throws {
        var house = try house(try gas(timer((50, "60 min"))))
        for minute in 0...20 { try house.value(120, of: House.gas(), at: .minutes(minute)) }
        house.event(second(try gas(timer((60, "30 min")))), at: .minutes(21))
        try house.restart(at: .minutes(21) + .seconds(10))
        for minute in 22...40 { try house.value(120, of: House.gas(), at: .minutes(minute)) }
        #expect(house.alarms == ["30:00 raised danger poisoning"])
        #expect(house.journal.first?.normVersion == 2)
    }

    // MARK: Acts that end

    @Test(
        "Ninety days before an act in use ends its operator is told; with its end its alarms end and nothing is judged by it"
    )
    func ending() throws {
        let gas = Fixture.norm(
            "limit", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co", severity: "danger",
            limit: #"{"shape": "band", "upper": 50}"#)
        let until = Virtual.start + .days(91) - .hours(8)
        let act = Fixture.act("passing", until: "\"\(until.day)\"", gas)
        let foreign = Fixture.act("elsewhere", until: "\"\(until.day)\"", jurisdiction: "JP", gas)
        var house = try Virtual(site: House.site(gasInterval: nil), documents: [act, foreign])
        house.advance(to: .hours(15))
        #expect(house.faults == [])
        house.advance(to: .hours(17))
        #expect(house.faults == ["960:00 raised norms-ending"])
        #expect(house.journal.last?.text.contains("passing: \(until.day)") == true)
        #expect(house.journal.last?.text.contains("elsewhere") == false)
        try house.value(120, of: House.gas(), at: .days(90))
        #expect(house.alarms.count == 1)
        house.advance(to: .days(91))
        #expect(house.alarms.last?.hasSuffix("ended poisoning") == true)
        #expect(house.faults.contains { $0.hasSuffix("ended norms-ending") })
        try house.value(130, of: House.gas(), at: .days(92))
        #expect(house.alarms.count == 2)
    }

    @Test("An act with a successor in the library ends without a warning")
    func successor() throws {
        func edition(_ name: String, from: String, until: String) -> String {
            let norm = Fixture.norm(
                "limit", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co", severity: "danger",
                limit: #"{"shape": "band", "upper": 50}"#)
            return Fixture.act("passing", from: from, until: until, norm)
                .replacing(#""edition": "1""#, with: #""edition": "\#(name)""#)
        }
        var house = try Virtual(
            site: House.site(gasInterval: nil),
            documents: [
                edition("1", from: "2000-01-01", until: "\"2026-04-01\""),
                edition("2", from: "2026-04-01", until: "null"),
            ])
        try house.value(120, of: House.gas(), at: .days(1))
        house.advance(to: .days(60))
        #expect(house.faults == [])
        #expect(house.alarms.prefix(1) == ["1440:00 raised danger poisoning"])
    }
}
