import Core
import Foundation
import Pipeline
import Store

let checkCommand = CommandSpec(
    "check", "Looks at the database: is it whole, what is in it, how long is its log.",
    options: [
        dataOption,
        .init("deep", nil, "reads every page, compares every index and restores the state; takes a while"),
        .init("json", nil, "one JSON document"),
    ],
    example: "normwatch check --deep"
) { arguments in
    let check = try DatabaseCheck(arguments.dataFolder, isDeep: arguments.has("deep"))
    var output = LineOutput()
    if arguments.has("json") {
        output.write(check.json.prettyText)
    } else {
        for line in check.lines { output.tell(line) }
    }
    output.flush()
    return check.findings.isEmpty ? .fine : .finding
}

/// What is known about a database file, and what is wrong with it.
struct DatabaseCheck {
    /// A log of this length is not written back: somebody keeps a read open.
    private static let longLog: Int64 = 512 << 20

    let path: String
    private(set) var findings: [String] = []
    private(set) var counts: [(name: String, count: Int64)] = []
    let fileBytes: Int64
    let logBytes: Int64
    /// Files that were put aside as damaged.
    let putAside: [String]

    /// - Throws: `EnvironmentError` where there is nothing to look at.
    init(_ folder: DataFolder, isDeep: Bool) throws {
        path = folder.database
        (fileBytes, logBytes) = (Self.size(path) ?? 0, Self.size(path + "-wal") ?? 0)
        putAside = folder.damagedFiles
        do {
            try look(try Reader(existing: folder, isChecked: true), isDeep: isDeep)
        } catch let error as SQLiteError where error.isDamage {
            findings.append(
                "the file is damaged: \(error.message); start the service: it puts the file aside, keeps it, and begins a new one"
            )
        } catch let problem as DocumentProblem {
            findings.append(problem.description)
        }
        if logBytes > Self.longLog {
            findings.append(
                "the log is \(Shown.bytes(logBytes)) long: a program keeps a read open; end it (fuser \(path) shows which)"
            )
        }
    }

    private mutating func look(_ reader: Reader, isDeep: Bool) throws {
        findings += try reader.problems(deep: isDeep).map { "the file is damaged: \($0)" }
        guard findings.isEmpty else { return }
        counts = try reader.counts()
        guard isDeep else { return }
        do {
            _ = try reader.snapshot { try RestoredEngine(reader) }
        } catch let error as SQLiteError {
            throw error
        } catch {
            findings.append("the state cannot be restored: \(error)")
        }
    }

    private static func size(_ path: String) -> Int64? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int64
    }

    var lines: [String] {
        ["database  \(path)", "size      \(Shown.bytes(fileBytes)), log \(Shown.bytes(logBytes))"]
            + counts.map { "\(Shown.padded($0.name, 8))  \($0.count)" } + putAside.map { "put aside \($0)" }
            + (findings.isEmpty ? ["nothing is wrong"] : findings.map { "FINDING   \($0)" })
    }

    var json: JSONValue {
        [
            "database": .string(path), "bytes": .number(Double(fileBytes)), "logBytes": .number(Double(logBytes)),
            "counts": .object(Dictionary(uniqueKeysWithValues: counts.map { ($0.name, .number(Double($0.count))) })),
            "putAside": .array(putAside.map { .string($0) }), "findings": .array(findings.map { .string($0) }),
        ]
    }
}
