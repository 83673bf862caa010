import Core
import Testing

/// A document that is right but for one thing.
struct BrokenDocument: CustomTestStringConvertible, Sendable {
    let base: String
    let change: String
    let value: JSONValue?
    let problem: String

    init?(_ json: JSONValue) {
        guard case .string(let base)? = json["base"], case .string(let change)? = json["change"],
            case .string(let problem)? = json["problem"]
        else { return nil }
        (self.base, self.change, self.problem) = (base, change, problem)
        value = json["remove"] == .bool(true) ? nil : json["to"] ?? .null
    }

    var testDescription: String { "\(base): \(change) = \(value?.text ?? "nothing")" }

    static let all: [BrokenDocument] = {
        guard let text = try? NormFixtures.text("broken.json"), case .array(let cases)? = try? JSONValue(parsing: text)
        else { return [] }
        return cases.compactMap { BrokenDocument($0) }
    }()
}

@Suite("Norm documents are read strictly")
struct NormReaderTests {
    @Test("There are many ways to break a document")
    func cases() { #expect(BrokenDocument.all.count >= 60) }

    @Test("A broken document is refused, with path and remedy", arguments: BrokenDocument.all)
    func refused(broken: BrokenDocument) throws {
        let whole = try JSONValue(parsing: try NormFixtures.text(broken.base + ".json"))
        let text = DocumentPath(broken.change).set(broken.value, in: whole).text
        let problems = try #require(problemsFound(in: text), "was accepted")
        for problem in problems {
            #expect(problem.file == "act.json" && !problem.message.isEmpty && !problem.remedy.isEmpty)
        }
        #expect(problems.contains { $0.path == broken.problem }, "\(problems.map(\.description))")
    }

    @Test(
        "A right document is accepted",
        arguments: [
            "band", "mean", "time-at-level", "interruption", "state", "armed", "mains", "peak", "design",
            "percentile", "exceedances", "frequency-curve", "rate", "presence", "budget", "dose",
        ])
    func accepted(name: String) throws {
        #expect(problemsFound(in: try NormFixtures.text(name + ".json")) == nil)
    }

    @Test("The example of the design means what it says")
    func design() throws {
        let document = try NormFixtures.act("design.json")
        let norm = try #require(document.norms.first)
        #expect(document.act.jurisdictions == ["EU", "DE", "GB"] && document.act.inForceUntil == nil)
        #expect(norm.species == ["co"] && norm.unit == .ppm && norm.respondWithin == .minutes(5))
        guard case .timeAtLevel(let limit) = norm.limit else {
            Issue.record("another shape")
            return
        }
        #expect(limit.reaches && limit.resetBelow == 27 && limit.levels.map(\.atLeast) == [30, 50, 100, 300])
        #expect(limit.levels.map(\.delay) == [.minutes(120), .minutes(60), .minutes(10), .minutes(3)])
        let run = ExampleRun(norm.examples[0], of: CitedNorm(act: document.act, norm: norm))
        #expect(run.isAsExpected, "\(run.differences)")
    }

    @Test("All problems come at once")
    func together() throws {
        var document = try JSONValue(parsing: try NormFixtures.text("band.json"))
        for (path, value) in [("act.issuer", nil), ("norms[0].unit", "V"), ("norms[0].limit.uper", 3)]
            as [(String, JSONValue?)]
        {
            document = DocumentPath(path).set(value, in: document)
        }
        let paths = Set((problemsFound(in: document.text) ?? []).map(\.path))
        #expect(paths.isSuperset(of: ["act.issuer", "norms[0].unit", "norms[0].limit.uper"]))
    }

    @Test("A misspelt key is told with the right one")
    func nearest() throws {
        let document = DocumentPath("norms[0].limit.uper").set(
            3, in: try JSONValue(parsing: NormFixtures.text("band.json")))
        #expect(problemsFound(in: document.text)?.first?.remedy == "did you mean “upper”?")
    }

    @Test("A key that stands twice is refused where it stands")
    func twice() throws {
        let text = try NormFixtures.text("band.json").replacing("\"upper\": 30", with: "\"upper\": 30, \"upper\": 300")
        #expect(problemsFound(in: text)?.map(\.path) == ["norms[0].limit.upper"])
    }

    @Test(
        "What is no JSON is told with its file",
        arguments: ["", "{", "[1, 2", "{\"act\": }", "{\"a\": \"\\u12\"}", "\"", "{\"a\"", "[[[["])
    func noJSON(text: String) {
        #expect(problemsFound(in: text)?.first?.file == "act.json")
    }

    @Test("A member that is null is one that is absent")
    func null() throws {
        var document = try JSONValue(parsing: try NormFixtures.text("band.json"))
        for path in [
            "norms[0].track", "norms[0].severity", "norms[0].limit.lower", "norms[0].appliesTo", "act.source.url",
        ] {
            document = DocumentPath(path).set(.null, in: document)
        }
        #expect(problemsFound(in: document.text) == nil)
    }

    @Test(
        "Words that people use for the same thing are understood",
        arguments: [
            ("act.kind", "legal act"), ("act.kind", "house rule"), ("act.source.kind", "extract of the act"),
            ("norms[0].appliesTo.season", "heating season"), ("norms[0].appliesTo.season", "summer"),
            ("norms[0].appliesTo.rooms", "living"), ("norms[0].unit", "degC"), ("norms[0].limit.onDelay", "1.5min"),
            ("act.jurisdictions", "US-CARE"),
        ] as [(String, JSONValue)])
    func words(path: String, value: JSONValue) throws {
        let document = DocumentPath(path).set(value, in: try JSONValue(parsing: try NormFixtures.text("band.json")))
        #expect(problemsFound(in: document.text) == nil)
    }

    @Test("What is yes or no needs no unit, and a condition takes the substance of its norm")
    func inherited() throws {
        var document = try JSONValue(parsing: try NormFixtures.text("armed.json"))
        document = DocumentPath("norms[0].indicator").set("gas", in: document)
        document = DocumentPath("norms[0].hazard").set("poisoning", in: document)
        document = DocumentPath("norms[0].species").set("co", in: document)
        document = DocumentPath("norms[0].unit").set("bool", in: document)
        document = DocumentPath("norms[0].limit.all").set([["indicator": "gas", "is": true]], in: document)
        let norm = try ActDocument(parsing: document.text, file: "").norms[0]
        guard case .state(let state) = norm.limit else {
            Issue.record("another shape")
            return
        }
        #expect(state.all[0].species == ["co"] && state.all[0].unit == .boolean)
    }

    @Test(
        "A duration that does not fit into time is none",
        arguments: ["1e9 d", "1e300 h", "99999999999999 d", "-1 s", "nan s"])
    func durations(text: String) { #expect(Span(text) == nil) }

    private func problemsFound(in text: String) -> [DocumentProblem]? {
        do {
            _ = try ActDocument(parsing: text, file: "act.json")
            return nil
        } catch {
            return error.problems
        }
    }
}
