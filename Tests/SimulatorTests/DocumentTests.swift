import Core
import Support
import Testing

@testable import Simulator

@Suite("Scenario documents")
struct DocumentTests {
    private static func problems(_ text: String, _ settings: [String: Double] = [:]) -> [DocumentProblem] {
        do {
            _ = try Scenario(parsing: text, name: "sample", settings: settings)
            return []
        } catch {
            return error.problems
        }
    }

    @Test("The sample has no mistakes, so that each change below is the one mistake")
    func sample() { #expect(Self.problems(Sample.leak).isEmpty) }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let path: String
        let message: String
        var testDescription: String { "\(new) at \(path)" }

        init(_ old: String, _ new: String, _ path: String, _ message: String) {
            (self.old, self.new, self.path, self.message) = (old, new, path, message)
        }
    }

    private static let device = "templates.home.rooms[0].devices[0]"

    @Test(
        "A mistake is told with its place and what would be right",
        arguments: [
            // Words
            Mistake(#""title": "Gas", "#, "", "title", "is missing"),
            Mistake("gas-leak", "gas-leek", "happenings[0].what", "not known here"),
            Mistake("methane", "methan", device + ".measures[0]", "nothing that can be measured"),
            Mistake(#"["methane"]"#, "[]", device + ".measures", "is empty"),
            Mistake(#""rise": "1 min""#, #""rize": "1 min""#, "happenings[0].rize", "not a known key"),
            Mistake(#""rise": "1 min""#, #""rise": "1 minute""#, "happenings[0].rise", "no duration"),
            Mistake(#""every": "5 s""#, #""every": "5 sec""#, device + ".every", "no duration"),
            Mistake(#""every": "5 s""#, #""every": 5"#, device + ".every", "must be a text"),
            Mistake(#", "every": "5 s"}"#, "}", device + ".every", "is missing"),
            Mistake(
                #"{"id": "gas", "measures""#, #"{"id": "gas", "speaks": "zigbee2mqtt", "measures""#, device + ".speaks",
                "no Zigbee device"),
            Mistake("2026-11-30T18:00:00Z", "30.11.2026", "start", "no time"),
            Mistake("2026-11-30T18:00:00Z", "0026-11-30T18:00:00Z", "start", "too far away"),
            Mistake(#""duration": "6 min""#, #""duration": "6 m""#, "duration", "no duration"),
            Mistake(#""duration": "6 min""#, #""duration": "0 s""#, "duration", "is missing"),
            Mistake(#""duration": "6 min""#, #""duration": "900000 d""#, "duration", "too long"),
            // Places
            Mistake(#""where": "b1/f1/kitchen""#, #""where": "b1/f9/kitchen""#, "happenings[0].where", "nowhere"),
            Mistake(#""device": "b1/f2/kitchen/gas""#, #""device": "b1/f2""#, "faults[0].device", "number of levels"),
            Mistake(#""id": "kitchen""#, #""id": "kit/chen""#, "templates.home.rooms[0].id", "stand in a topic"),
            Mistake(#""id": "kitchen""#, #""id": "k1""#, "templates.home.rooms[0].kind", "no kind of room"),
            Mistake(#""id": "f{n}""#, #""id": "f"# + "\"", "buildings[0].flats[0].id", "cannot all be"),
            Mistake(#""id": "f{n}""#, #""id": "f_{n}""#, "buildings[0].flats[0].id", "stand in a topic"),
            Mistake(#""id": "b1", "n"#, #""id": "b#1", "n"#, "buildings[0].id", "stand in a topic"),
            Mistake(#""template": "home""#, #""template": "house""#, "buildings[0].flats[0].template", "no template"),
            // There twice
            Mistake(
                #""flats": [{"id""#, #""flats": [{"id": "f2", "template": "home"}, {"id""#, "buildings[0].flats[1].id",
                "there twice"),
            Mistake(
                #""buildings": [{"#, #""buildings": [{"id": "b1", "flats": [{"id": "f8", "template": "home"}]}, {"#,
                "buildings[1].id", "there twice"),
            Mistake(#""id": "leak""#, #""id": "gas""#, "templates.home.rooms[0].devices", "there twice"),
            Mistake(
                #""until": "4 min""#, #""until": "4 min", "until": "5 min""#, "happenings[0].until", "stands twice"),
            // Numbers
            Mistake(#""rise": "1 min""#, #""peak": 1e30"#, "happenings[0].peak", "beyond"),
            Mistake(#""rise": "1 min""#, #""peak": "35 %LEL""#, "happenings[0].peak", "must be a number"),
            Mistake(#""nominalVoltage": 230"#, #""nominalVoltage": 1e300"#, "buildings[0].nominalVoltage", "beyond"),
            Mistake(#""count": "flats""#, #""count": 1e30"#, "buildings[0].flats[0].count", "number of flats"),
            Mistake(#""count": "flats""#, #""count": 1.5"#, "buildings[0].flats[0].count", "number of flats"),
            Mistake(#""count": "flats""#, #""count": -1"#, "buildings[0].flats[0].count", "number of flats"),
            Mistake(#""count": "flats""#, #""count": "homes""#, "buildings[0].flats[0].count", "neither a number"),
            Mistake(#""flats": 2}"#, #""flats": -2}"#, "parameters.flats", "not possible"),
            Mistake(#""flats": 2}"#, #""flats": 1e30}"#, "parameters.flats", "not possible"),
            Mistake(#""flats": 2}"#, #""flats": "two"}"#, "parameters.flats", "must be"),
            Mistake(#""flats": 2}"#, #""flat": 2}"#, "parameters.flat", "not a known key"),
            Mistake(
                #""what": "duplicates""#, #""what": "spikes", "values": [1e30]"#, "faults[0].values[0]", "beyond"),
            Mistake(
                #""what": "duplicates""#, #""what": "spikes", "values": ["high"]"#, "faults[0].values[0]",
                "must be a number"),
            Mistake(#""what": "duplicates""#, #""what": "spikes""#, "faults[0].values", "is missing"),
            Mistake(
                #""what": "duplicates""#, #""what": "spikes", "values": [1], "percent": 500"#, "faults[0].percent",
                "beyond"),
            Mistake(
                #""what": "duplicates""#, #""what": "wrong-clock", "offset": "3""#, "faults[0].offset", "no duration"),
            Mistake(#""what": "duplicates""#, #""what": "replay", "every": "0 s""#, "faults[0].every", "too short"),
            // Times
            Mistake(#""at": "1 min""#, #""at": "7 min""#, "happenings[0].at", "after the scenario's end"),
            Mistake(#""at": "3 min""#, #""at": "30 min""#, "people[0].at", "after the scenario's end"),
            Mistake(#""until": "4 min""#, #""until": "1 min""#, "happenings[0].until", "not after"),
            Mistake(#"["1 min", "2 min"]"#, #"["2 min", "1 min"]"#, "expect.alarms[0].between", "no stretch of time"),
            Mistake(
                #"["1 min", "2 min"]"#, #"["1 min", "2 h"]"#, "expect.alarms[0].between", "beyond the scenario's end"),
            // Expectations
            Mistake(#""then": ["acknowledged"]"#, #""then": ["acked"]"#, "expect.alarms[0].then", "no event"),
            Mistake(
                #""severity": "emergency""#, #""severity": "critical""#, "expect.alarms[0].severity", "not known here"),
            Mistake(#""faults": []}}"#, #""allowFaults": ["bored"]}}"#, "expect.allowFaults[0]", "no fault"),
            Mistake(#""parameters""#, #""site": {"buildings": []}, "parameters""#, "site.buildings", "own buildings"),
            Mistake(#""parameters""#, #""site": {"timezone": "UTC"}, "parameters""#, "site", "timezone"),
        ])
    func mistake(_ mistake: Mistake) {
        let text = Sample.leak.replacing(mistake.old, with: mistake.new)
        #expect(text != Sample.leak, "the sample has no \(mistake.old)")
        let problems = Self.problems(text)
        #expect(
            problems.contains { $0.path == mistake.path && $0.message.contains(mistake.message) && !$0.remedy.isEmpty },
            "\(problems.map(\.description))")
    }

    @Test("All mistakes are told at once")
    func all() {
        let text = Sample.leak.replacing("gas-leak", with: "leak").replacing("methane", with: "metane")
            .replacing(#""where": "b1/f1","#, with: #""where": "b7","#)
        let paths = Set(Self.problems(text).map(\.path))
        #expect(
            paths.isSuperset(of: [
                "happenings[0].what", Self.device + ".measures[0]", "people[0].where", "expect.alarms[0].where",
            ]), "\(paths)")
    }

    @Test(
        "What is no JSON is one problem", arguments: ["", "{", "[1]", "NaN", #"{"title": NaN}"#, #"{"title": 1e999}"#])
    func noJSON(_ text: String) { #expect(!Self.problems(text).isEmpty) }

    @Test("A parameter that the scenario does not have, or that is too small, is refused")
    func parameters() {
        #expect(Self.problems(Sample.leak, ["flats": 3]).isEmpty)
        #expect(Self.problems(Sample.leak, ["rate": 3]).map(\.path) == ["parameters"])
        #expect(Self.problems(Sample.leak, ["flats": 2.5]).map(\.path) == ["parameters.flats"])
        #expect(Self.problems(Sample.leak, ["flats": 1]).map(\.path).contains("faults[0].device"))
    }
}
