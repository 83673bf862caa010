import Core
import Foundation
import Pipeline

private let folderOption = CommandSpec.Option("norms", "DIR", "the folder of norm documents")

let normsCheckCommand = CommandSpec(
    "norms check", "Looks for errors in norm documents and runs their worked examples.",
    operands: "[DIR]", count: 0...1,
    options: [folderOption, .init("json", nil, "one JSON document")],
    example: "normwatch norms check Thresholds"
) { arguments in
    let check = try Norms.check(arguments)
    var output = LineOutput()
    if arguments.has("json") {
        output.write(check.json.prettyText)
    } else {
        for problem in check.problems { output.write(problem.description) }
        for remark in check.remarks { output.write("remark: \(remark)") }
        output.write(
            "\(count(check.documents.count, "document")), \(count(check.norms.count, "norm")), "
                + "\(count(check.exampleCount, "example")): "
                + "\(count(check.problems.count, "problem")), \(count(check.remarks.count, "remark"))")
    }
    output.flush()
    return check.problems.isEmpty ? .fine : .finding
}

let normsTestCommand = CommandSpec(
    "norms test", "Runs the worked examples of the norm documents through the engine.",
    operands: "[DIR]", count: 0...1,
    options: [folderOption, .init("json", nil, "one JSON document")],
    example: "normwatch norms test Thresholds"
) { arguments in
    let library = try Norms.library(arguments)
    let runs = library.norms.flatMap { norm in norm.norm.examples.map { ExampleRun($0, of: norm) } }
    let failed = runs.filter { !$0.isAsExpected }
    var output = LineOutput()
    if arguments.has("json") {
        let result: JSONValue = [
            "examples": JSONValue(runs.count), "failed": .array(failed.map(\.json)),
        ]
        output.write(result.prettyText)
    } else {
        for run in failed {
            output.write("\(run.norm.key), “\(run.example.name)”: \(run.differences.joined(separator: "; "))")
        }
        output.write("\(count(runs.count, "example")), \(failed.count) failed")
    }
    output.flush()
    return failed.isEmpty ? .fine : .finding
}

private func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }

/// What the commands about norms share.
enum Norms {
    private static func files(_ arguments: Arguments) throws -> [NormFile] {
        let folder = arguments.operands.first ?? arguments.value("norms")
        return try NormFolder.documents(in: try Documents.normFolder(folder))
    }

    /// One document, or all of a folder.
    static func files(at path: String) throws -> [NormFile] {
        guard path.hasSuffix(".json") else { return try NormFolder.documents(in: path) }
        return [NormFile(name: path, text: try Documents.text(at: path))]
    }

    static func check(_ arguments: Arguments) throws -> LibraryCheck {
        LibraryCheck(try files(arguments).map { ($0.name, $0.text) })
    }

    static func library(_ arguments: Arguments) throws -> NormLibrary {
        try NormLibrary(reading: try files(arguments))
    }

    /// Documents as they are written, by act: for those who want every word.
    static func texts(_ arguments: Arguments) throws -> [NormFile] {
        try NormFolder.documents(in: try Documents.normFolder(arguments.value("norms")))
    }
}

extension LibraryCheck {
    fileprivate var norms: [Norm] { documents.flatMap(\.act.norms) }

    fileprivate var json: JSONValue {
        [
            "documents": JSONValue(documents.count), "norms": JSONValue(norms.count),
            "examples": JSONValue(exampleCount), "problems": .array(problems.map(\.json)),
            "remarks": .array(remarks.map(\.json)),
        ]
    }
}

extension DocumentProblem {
    fileprivate var json: JSONValue {
        ["file": .string(file), "path": .string(path), "message": .string(message), "remedy": .string(remedy)]
    }
}

extension ExampleRun {
    fileprivate var json: JSONValue {
        [
            "norm": .string(norm.key), "example": .string(example.name),
            "differences": .array(differences.map { .string($0) }),
            "came": .array(
                came.map { line in
                    [
                        "at": .string(line.at.description), "event": .string(line.event),
                        "severity": JSONValue(line.severity?.rawValue),
                    ]
                }),
        ]
    }
}
