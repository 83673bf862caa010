import Core
import Foundation
import Pipeline

let normsShowCommand = CommandSpec(
    "norms show", "Prints an act with its norms, or one of them.",
    operands: "ACT[/NORM]", count: 1...1,
    options: [
        .init("language", "CODE", "of the words: en, de or ru (default: en)"),
        .init("norms", "DIR", "the folder of norm documents"),
        .init("json", nil, "the document as JSON"),
    ],
    example: "normwatch norms show en-50291-1/co-alarm"
) { arguments in
    let wanted = arguments.operands[0].split(separator: "/", maxSplits: 1).map(String.init)
    guard let language = Language(rawValue: arguments.value("language") ?? "en") else {
        throw UsageError("--language knows en, de and ru")
    }
    let shown = try Norms.texts(arguments).compactMap { file -> (NormFile, ActDocument)? in
        let document = try ActDocument(parsing: file.text, file: file.name)
        guard document.act.id == wanted.first else { return nil }
        return wanted.count == 1 || document.norms.contains { $0.id == wanted[1] } ? (file, document) : nil
    }
    guard !shown.isEmpty else {
        throw UsageError("there is no “\(arguments.operands[0])”; normwatch norms list shows what there is")
    }
    var output = LineOutput()
    for (file, document) in shown {
        let norms = document.norms.filter { wanted.count == 1 || $0.id == wanted[1] }
        if arguments.has("json") {
            output.write(try written(file, norms.map(\.id)).prettyText)
        } else {
            for line in NormPage(document.act, norms, file.name, language).lines { output.write(line) }
        }
    }
    output.flush()
    return .fine
}

/// The act and the wanted norms, word for word.
private func written(_ file: NormFile, _ ids: [String]) throws -> JSONValue {
    let document = try JSONValue(parsing: file.text)
    guard case .array(let norms)? = document["norms"] else { return document }
    let kept = norms.filter { norm in ids.contains { norm["id"] == .string($0) } }
    return ["file": .string(file.name), "act": document["act"] ?? .null, "norms": .array(kept)]
}

/// A person's view of an act.
private struct NormPage {
    private(set) var lines: [String] = []

    init(_ act: Act, _ norms: [Norm], _ file: String, _ language: Language) {
        lines.append("\(act.title[language])")
        add("act", "\(act.id), \(act.kind.rawValue), edition \(act.edition), \(act.issuer)")
        add("applies in", act.jurisdictions.joined(separator: ", "))
        let until = act.inForceUntil.map { "until the day before \($0.day)" } ?? "with no end known"
        let state = act.isInForce(at: .systemNow) ? "" : " (not in force today)"
        add("in force", "from \(act.inForceFrom?.day ?? "an unknown day") \(until)\(state)")
        let link = act.source.url.map { ", \($0)" } ?? ""
        add("source", "\(act.source.kind.rawValue): \(act.source.title)\(link)")
        add("file", file)
        for norm in norms { show(CitedNorm(act: act, norm: norm), language) }
    }

    private mutating func show(_ cited: CitedNorm, _ language: Language) {
        let norm = cited.norm
        lines += ["", "\(cited.key)"]
        add("against", norm.hazard.rawValue)
        add("looks at", ([norm.indicator.rawValue.replacing("_", with: " ")] + norm.species).joined(separator: ", "))
        for (index, line) in norm.limitInWords.enumerated() { add(index == 0 ? "limit" : "", line) }
        if !norm.appliesTo.inWords.isEmpty { add("where", norm.appliesTo.inWords) }
        add("clause", norm.clause)
        add("confidence", confidence(cited))
        add(
            "used",
            norm.isOn
                ? (norm.track == .safety ? "alarms at once" : "in reports only") : "no, until somebody has checked it")
        add("why", norm.why[language])
        add("what to do", norm.whatToDo[language])
        if let within = norm.respondWithin { add("respond", "within \(within)") }
        if !norm.references.isEmpty { add("see also", norm.references.joined(separator: "; ")) }
        for (index, example) in norm.examples.enumerated() {
            let expected = example.expect.map { line in
                [line.event, line.severity?.rawValue, "at \(line.at)"].compactMap { $0 }.joined(separator: " ")
            }
            let outcome = expected.isEmpty ? "nothing" : expected.joined(separator: ", ")
            add(index == 0 ? "examples" : "", "\(example.name): \(outcome)")
        }
    }

    private func confidence(_ cited: CitedNorm) -> String {
        let words =
            switch cited.norm.confidence {
            case .read: "the number was read in the source"
            case .known: "widely quoted, not read in a source"
            case .choice: "our own choice, see why"
            case .unsure: "unsure"
            }
        return cited.isProvisional ? "\(words) (? provisional: not read from the act itself)" : words
    }

    private mutating func add(_ key: String, _ text: String) {
        lines.append("  " + key + String(repeating: " ", count: max(1, 13 - key.count)) + text)
    }
}
