import Support
import Testing

@testable import Core

@Suite("Norms compared with one another")
struct NormComparisonTests {
    private func library(_ changes: [(String, JSONValue)] = []) throws -> NormLibrary {
        var document = try JSONValue(parsing: NormFixtures.text("band.json"))
        for (path, value) in changes { document = DocumentPath(path).set(value, in: document) }
        return NormLibrary([try ActDocument(parsing: document.text, file: "band.json")])
    }

    @Test("Every change of a norm is told with what it was and what it is; no change, no word")
    func changes() throws {
        let old = try library()
        #expect(NormDifference.all(from: old, to: try library()).isEmpty)
        let new = try library([
            ("act.edition", "9999"), ("norms[0].severity", "emergency"), ("norms[0].clause", "another"),
        ])
        let differences = NormDifference.all(from: old, to: new)
        #expect(differences.map(\.kind) == [.changed, .changed])
        #expect(differences[0].changes.map(\.what) == ["edition"])
        #expect(differences[1].changes.contains { $0.what == "severity" && $0.after == "emergency" })
        #expect(differences[1].changes.contains { $0.what == "clause" && $0.after == "another" })
    }

    @Test("Norms that come and go are named")
    func addedAndRemoved() throws {
        let (old, new) = (try library(), try library([("norms[0].id", "renamed")]))
        let key = old.norms[0].act.id + "/"
        #expect(
            NormDifference.all(from: old, to: new).map { $0.kind.rawValue + " " + $0.key }
                == ["removed \(old.norms[0].key)", "added \(key)renamed"])
        #expect(NormDifference.all(from: .empty, to: old).map(\.kind) == [.added])
        #expect(NormDifference.all(from: old, to: .empty).map(\.kind) == [.removed])
    }

    // MARK: What if

    private static let start = Story.start

    private func transition(
        _ event: Transition.Kind, _ minute: Int, alarm: String, severity: Severity = .warning, flat: String = "1"
    ) -> Transition {
        Transition(
            time: Self.start + .minutes(minute), event: event, alarm: alarm, alarmClass: .alarm, hazard: .poisoning,
            severity: severity, place: Place(building: "b", flat: flat), text: "")
    }

    @Test("More, fewer, earlier, later, another severity, the same")
    func whatIf() {
        let before = [
            transition(.raised, 0, alarm: "a"), transition(.ended, 5, alarm: "a"),
            transition(.raised, 100, alarm: "b"), transition(.ended, 130, alarm: "b"),
            transition(.raised, 200, alarm: "c"), transition(.ended, 210, alarm: "c"),
            transition(.raised, 300, alarm: "d"), transition(.ended, 400, alarm: "d"),
            transition(.raised, 500, alarm: "e"), transition(.ended, 510, alarm: "e"),
        ]
        let after = [
            transition(.raised, 95, alarm: "x"), transition(.ended, 130, alarm: "x"),
            transition(.raised, 200, alarm: "y"), transition(.severity, 201, alarm: "y", severity: .danger),
            transition(.severity, 203, alarm: "y", severity: .notice), transition(.ended, 210, alarm: "y"),
            transition(.raised, 350, alarm: "z"), transition(.ended, 400, alarm: "z"),
            transition(.raised, 500, alarm: "e"), transition(.ended, 510, alarm: "e"),
            // The same minute in another flat is another alarm.
            transition(.raised, 0, alarm: "w", flat: "2"),
        ]
        let answer = WhatIf(before: before, after: after)
        #expect(answer.more.map(\.place.flat) == ["2"])
        #expect(answer.fewer.map(\.raised) == [Self.start])
        #expect(answer.earlier.map(\.by) == [.minutes(-5)])
        #expect(answer.later.map(\.by) == [.minutes(50)])
        #expect(answer.other.map(\.after.worst) == [.danger])
        #expect(answer.same == 1)
    }
}
