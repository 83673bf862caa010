import Core
import Testing

@testable import Simulator

@Suite("A check finds what is not as stated")
struct CheckTests {
    private static func outcomes(_ scenario: Scenario) throws -> [Check.Outcome] {
        try Sample.run(scenario).check.lines.map(\.outcome)
    }

    @Test("As stated: passed")
    func passed() throws {
        let report = Sample.report(try Sample.run(try Sample.leak("", "")))
        #expect(report.passed, "\(report.lines)")
        #expect(report.lines.count == 2 && report.lines.last?.hasSuffix("1 as stated: passed") == true)
    }

    @Test("An alarm that does not come is missing")
    func missing() throws {
        let scenario = try Sample.leak(#""rise": "1 min""#, #""peak": 2"#)
        #expect(try Self.outcomes(scenario) == [.missing])
        #expect(Sample.report(try Sample.run(scenario)).lines.last?.hasSuffix("FAILED") == true)
    }

    @Test("An alarm that is not stated is unexpected")
    func unexpected() throws {
        let scenario = try Sample.leak(
            #""happenings": ["#, #""happenings": [{"at": "2 min", "what": "water", "where": "b1/f2/kitchen"}, "#)
        let check = try Sample.run(scenario).check
        #expect(check.lines.map(\.outcome) == [.ok, .unexpected] && !check.passed)
        #expect(check.lines.last?.subject == .hazard(.flooding) && check.lines.last?.place == ["b1", "f2"])
    }

    @Test("A fault that is not stated is unexpected, unless it is allowed")
    func unexpectedFault() throws {
        let old = #""what": "duplicates", "device": "b1/f2/kitchen/gas"}"#
        let new = #""what": "dropout", "device": "b1/f2/kitchen/gas"}"#
        let scenario = try Sample.leak(old, new.replacing("dropout", with: "nan"))
        let check = try Sample.run(scenario).check
        #expect(check.lines.map(\.outcome) == [.ok, .unexpected], "\(check.lines)")
        var allowed = scenario
        allowed.allowedFaults = [.unreadable, .silent]
        #expect(try Sample.run(allowed).check.passed)
    }

    @Test(
        "An alarm that is not as stated is wrong",
        arguments: [
            (#"["1 min", "2 min"]"#, #"["3 min", "4 min"]"#, "expected between 0:03:00 and 0:04:00"),
            ("en-50194-1", "en-50291-1", "cites en-50194-1, not en-50291-1"),
            (#""severity": "emergency""#, #""severity": "notice""#, "emergency, not notice"),
            (#""severity": "emergency""#, #""reaches": "warning""#, "never became warning"),
            (#""then": ["acknowledged"]"#, #""then": ["comment"]"#, "no “comment” followed"),
        ])
    func wrong(_ old: String, _ new: String, _ remark: String) throws {
        let check = try Sample.run(try Sample.leak(old, new)).check
        #expect(check.lines.map(\.outcome) == [.wrong] && check.lines[0].remark == remark, "\(check.lines)")
    }

    @Test("The same alarm in another flat is missing here and unexpected there")
    func elsewhere() throws {
        let scenario = try Sample.leak(
            #""hazard": "explosion", "where": "b1/f1", "act""#, #""hazard": "explosion", "where": "b1/f2", "act""#)
        #expect(try Self.outcomes(scenario) == [.missing, .unexpected])
    }

    @Test("What may come need not come, but is not allowed at another time")
    func optional() throws {
        let optional = (#""then": ["acknowledged"]"#, #""optional": true"#)
        let calm = try Scenario(
            parsing: Sample.leak.replacing(optional.0, with: optional.1).replacing(
                #""rise": "1 min""#, with: #""peak": 2"#),
            name: "calm")
        #expect(try Sample.run(calm).check.passed)
        let late = try Scenario(
            parsing: Sample.leak.replacing(optional.0, with: optional.1)
                .replacing(#"["1 min", "2 min"]"#, with: #"["3 min", "4 min"]"#), name: "late")
        #expect(try Self.outcomes(late) == [.wrong])
    }

    @Test("Each alarm is counted once: two of one kind need two expectations")
    func twice() throws {
        let scenario = try Sample.leak(
            #""expect": {"alarms": ["#,
            #""expect": {"alarms": [{"hazard": "explosion", "where": "b1/f1"}, "#)
        #expect(try Self.outcomes(scenario).sorted { $0.rawValue < $1.rawValue } == [.missing, .ok])
    }

    // MARK: Runs that end early, or without people

    private static func check(reached: Double, hasData: Bool = true) throws -> Check {
        let scenario = try Sample.leak("", "")
        return Check(scenario, [], start: scenario.start, reached: reached, hasData: hasData)
    }

    @Test("A run that ends before an alarm is due does not miss it")
    func early() throws {
        #expect(try Self.check(reached: 100).lines.map(\.outcome) == [.notReached])
        #expect(try Self.check(reached: 120).lines.map(\.outcome) == [.missing])
        let report = Report(scenario: "leak", seed: 1, messages: 9, check: try Self.check(reached: 100))
        #expect(report.lines.last?.contains("ended at 0:01:40 of 0:06:00") == true, "\(report.lines)")
    }

    @Test("What is raised after a run has ended early is nothing of it")
    func afterwards() throws {
        let scenario = try Sample.leak("", "")
        let seen = try Sample.run(try Sample.leak("en-50194-1", "en-50291-1")).observations
        let check = Check(scenario, seen, start: scenario.start, reached: 60, hasData: true)
        #expect(check.lines.map(\.outcome) == [.notReached] && check.passed)
    }

    @Test("What depends on people is not checked without them")
    func withoutData() throws {
        var scenario = try Sample.leak("", "")
        scenario.expectations[0].needsData = true
        let check = Check(scenario, [], start: scenario.start, reached: .infinity, hasData: false)
        #expect(check.lines.map(\.outcome) == [.notChecked] && check.passed)
    }

    @Test("JSON: a line for each result, and the total")
    func json() throws {
        let report = Sample.report(try Sample.run(try Sample.leak("", "")))
        let lines = try report.json.map { try JSONValue(parsing: $0) }
        #expect(lines.first?["hazard"] == "explosion" && lines.first?["result"] == "ok")
        #expect(lines.last?["passed"] == true && lines.last?["ok"] == 1 && lines.last?["missing"] == 0)
    }
}
