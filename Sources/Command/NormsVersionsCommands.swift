import Core
import Foundation
import Pipeline
import Store

let normsReloadCommand = CommandSpec(
    "norms reload", "Lets the service read its norm documents again, as a new version.",
    options: [dataOption, byOption, .init("reason", "TEXT", "why they were changed; kept with the version")],
    example: "normwatch norms reload --reason works --by anna"
) { arguments in
    let reason = (arguments.value("reason") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    guard !reason.isEmpty else { throw UsageError("say why the norms were changed: --reason TEXT") }
    return tell(
        try Door.ask(try arguments.existingData(), .reloadNorms(by: try arguments.person(), reason: reason)))
}

let normsVersionsCommand = CommandSpec(
    "norms versions", "Lists which norms were in force since when, who put them there and why.",
    options: [dataOption, .init("json", nil, "JSON lines")],
    example: "normwatch norms versions"
) { arguments in
    let reader = try arguments.existingReader()
    let versions = try reader.snapshot { try reader.normVersions() }
    var output = LineOutput()
    var before = NormLibrary.empty
    for version in versions {
        let library = try NormLibrary(reading: try NormFolder.stored(version.hash, reader))
        let differences = NormDifference.all(from: before, to: library)
        before = library
        output.write(
            arguments.has("json") ? version.json(library, differences).text : version.line(library, differences))
    }
    if versions.isEmpty && !arguments.has("json") { output.tell("no norms were put in force yet") }
    output.flush()
    return .fine
}

let normsExportCommand = CommandSpec(
    "norms export", "Writes the documents of a version into a folder, to go back to them.",
    operands: "VERSION DIR", count: 2...2, options: [dataOption],
    example: "normwatch norms export 3 /tmp/norms-3"
) { arguments in
    let reader = try arguments.existingReader()
    let files = try StoredNorms.files(arguments.operands[0], reader)
    let folder = arguments.operands[1]
    let there = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard there.isEmpty else { throw UsageError("\(folder) is not empty; name a new folder") }
    do {
        for file in files {
            let url = URL(fileURLWithPath: folder).appending(path: file.name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.text.utf8).write(to: url)
        }
    } catch {
        throw EnvironmentError("\(folder) cannot be written to; name a folder of your own")
    }
    var output = LineOutput()
    output.tell("\(Shown.count(files.count, "document")) in \(folder)")
    output.flush()
    return .fine
}

/// Norms of the store, by the number of their version.
enum StoredNorms {
    static func files(_ number: String, _ reader: Reader) throws -> [NormFile] {
        let versions = try reader.snapshot { try reader.normVersions() }
        guard let version = versions.first(where: { String($0.version.number) == number }) else {
            let known =
                versions.isEmpty
                ? "there are none" : "there are \(versions.map { "\($0.version.number)" }.joined(separator: ", "))"
            throw UsageError("there is no version “\(number)” of the norms; \(known)")
        }
        return try NormFolder.stored(version.hash, reader)
    }
}

extension StoredNormVersion {
    fileprivate func line(_ library: NormLibrary, _ differences: [NormDifference]) -> String {
        let reason = version.reason.map { "  “\($0)”" } ?? ""
        let head = "\(version.number)  \(since)  \(version.author)\(reason)"
        let kinds: [NormDifference.Kind] = [.added, .removed, .changed]
        let changes = kinds.compactMap { kind -> String? in
            let keys = differences.filter { $0.kind == kind }.map(\.key)
            if keys.isEmpty { return nil }
            return "\n     \(keys.count) \(kind.rawValue)" + (keys.count > 6 ? "" : ": " + keys.joined(separator: ", "))
        }
        return "\(head)  (\(Shown.count(library.norms.count, "norm")))" + changes.joined()
    }

    fileprivate func json(_ library: NormLibrary, _ differences: [NormDifference]) -> JSONValue {
        [
            "version": JSONValue(version.number), "since": .string(since.description), "by": .string(version.author),
            "reason": JSONValue(version.reason), "norms": JSONValue(library.norms.count),
            "changes": .array(
                differences.map { ["kind": .string($0.kind.rawValue), "norm": .string($0.key)] }),
        ]
    }
}
