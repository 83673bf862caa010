import Core
import Foundation
import Pipeline

let normsDiffCommand = CommandSpec(
    "norms diff",
    "Shows what differs between two norm documents, folders or versions.",
    operands: "OLD NEW", count: 2...2,
    options: [
        .init("data", "DIR", "OLD and NEW are numbers of versions in this data folder, see norms versions"),
        .init("json", nil, "one JSON document"),
    ],
    example: "normwatch norms diff Thresholds/eu/en-50160.json en-50160-draft.json"
) { arguments in
    let reader = try arguments.value("data").map { _ in try arguments.existingReader() }
    func library(_ name: String) throws -> NormLibrary {
        try NormLibrary(reading: try reader.map { try StoredNorms.files(name, $0) } ?? Norms.files(at: name))
    }
    let (old, new) = (try library(arguments.operands[0]), try library(arguments.operands[1]))
    let differences = NormDifference.all(from: old, to: new)
    var output = LineOutput()
    if arguments.has("json") {
        output.write(JSONValue.array(differences.map(\.json)).prettyText)
    } else {
        for difference in differences { for line in difference.lines { output.write(line) } }
        output.write(differences.isEmpty ? "no difference" : summary(differences))
    }
    output.flush()
    return differences.isEmpty ? .fine : .finding
}

private func summary(_ differences: [NormDifference]) -> String {
    let kinds: [NormDifference.Kind] = [.added, .removed, .changed]
    return kinds.map { kind in "\(differences.count { $0.kind == kind }) \(kind.rawValue)" }.joined(separator: ", ")
}

extension NormDifference {
    fileprivate var lines: [String] {
        let sign =
            switch kind {
            case .added: "+"
            case .removed: "-"
            case .changed: "~"
            }
        // The words of a limit say it better than its details, which are for what the words leave out.
        let hasWords = changes.contains { $0.what == "limit" }
        let shown = changes.filter { !hasWords || $0.what != "limit's details" }
        return ["\(sign) \(key) (edition \(edition)) \(kind.rawValue)"]
            + shown.flatMap { ["    \($0.what)", "      before  \($0.before)", "      now     \($0.after)"] }
    }

    fileprivate var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "norm": .string(key), "edition": .string(edition),
            "changes": .array(
                changes.map {
                    ["what": .string($0.what), "before": .string($0.before), "now": .string($0.after)]
                }),
        ]
    }
}
