import Core
import Testing

/// One worked example of one document.
struct ProductExample: CustomTestStringConvertible, Sendable {
    let norm: CitedNorm
    let example: WorkedExample
    var testDescription: String { "\(norm.key): \(example.name)" }

    static let all: [ProductExample] = LibraryCheck(NormFixtures.library).documents.flatMap { document in
        document.act.norms.flatMap { norm in
            norm.examples.map { ProductExample(norm: CitedNorm(act: document.act.act, norm: norm), example: $0) }
        }
    }
}

@Suite("Worked examples run through the engine")
struct NormExampleTests {
    @Test("A document's example comes out", arguments: ProductExample.all)
    func comesOut(product: ProductExample) {
        let run = ExampleRun(product.example, of: product.norm)
        #expect(run.isAsExpected, "\(run.differences); came: \(run.came)")
    }

    @Test("An example that does not come out says what came")
    func differs() throws {
        let norm = try NormFixtures.norm("band.json")
        let early = try example([["at": "20 s", "event": "raised", "within": "5 s"]])
        #expect(
            ExampleRun(early, of: norm).differences == ["expected raised at 20 s (± 5 s), came raised warning at 1 min"]
        )
        let other = try example([["at": "1 min", "event": "raised", "severity": "danger"]])
        #expect(!ExampleRun(other, of: norm).isAsExpected)
        let more = try example([["at": "1 min", "event": "raised"], ["at": "4 min", "event": "ended"]])
        #expect(ExampleRun(more, of: norm).differences == ["expected ended at 4 min, nothing came"])
        #expect(ExampleRun(try example([]), of: norm).differences == ["not expected: raised warning at 1 min"])
    }

    @Test("Norms in reports, unsure ones and acts out of force show what they do as well")
    func unused() throws {
        var document = try JSONValue(parsing: try NormFixtures.text("band.json"))
        for (path, value) in [
            ("act.inForce.until", "2021-01-01"), ("norms[0].track", "compliance"), ("norms[0].confidence", "unsure"),
        ] as [(String, JSONValue)] {
            document = DocumentPath(path).set(value, in: document)
        }
        let read = try ActDocument(parsing: document.text, file: "")
        #expect(ExampleRun(read.norms[0].examples[0], of: CitedNorm(act: read.act, norm: read.norms[0])).isAsExpected)
    }

    @Test("Where two stretches meet, the later one has the moment")
    func meeting() throws {
        let readings: JSONValue = [
            ["from": "0 s", "to": "1 min", "every": "30 s", "value": 31],
            ["from": "1 min", "to": "3 min", "every": "30 s", "value": 20],
        ]
        #expect(ExampleRun(try example([], readings), of: try NormFixtures.norm("band.json")).isAsExpected)
    }

    private func example(_ expect: JSONValue, _ readings: JSONValue? = nil) throws -> WorkedExample {
        var document = try JSONValue(parsing: try NormFixtures.text("band.json"))
        document = DocumentPath("norms[0].examples[0].expect").set(expect, in: document)
        if let readings { document = DocumentPath("norms[0].examples[0].readings").set(readings, in: document) }
        return try ActDocument(parsing: document.text, file: "").norms[0].examples[0]
    }
}
