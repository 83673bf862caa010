import Core
import Foundation
import Pipeline
import Store

let journalCommand = CommandSpec(
    "journal", "Prints the transitions of all alarms as they are stored, oldest first.",
    options: [
        dataOption,
        .init("since", "TIME", "from then on: 2026-11-30, 2026-11-30T08:00:00Z, or how long ago: 90min"),
        .init("follow", nil, "goes on with what comes, until Ctrl-C"),
        .init("json", nil, "the JSON lines as stored"),
    ],
    example: "normwatch journal --since 24h --follow --json"
) { arguments in
    var printer = JournalPrinter(
        since: try arguments.moment("since", now: .systemNow), isJSON: arguments.has("json"))
    guard arguments.has("follow") else {
        try printer.printNew(from: try arguments.existingReader())
        return .fine
    }
    var follower = JournalFollower(arguments.dataFolder)
    while true {
        follower.look(&printer)
        printer.pause()
    }
}

/// Prints each transition once.
private struct JournalPrinter {
    private var since: Timestamp?
    private let isJSON: Bool
    private var last: Int64 = 0
    private var output = LineOutput()

    init(since: Timestamp?, isJSON: Bool) { (self.since, self.isJSON) = (since, isJSON) }

    mutating func printNew(from reader: Reader) throws {
        while true {
            let rows = try reader.journalRows(after: last)
            for row in rows where since.map({ row.time >= $0 }) ?? true {
                if isJSON { output.write(row.body) } else { output.tell(try Self.line(row)) }
            }
            last = rows.last?.sequence ?? last
            if rows.isEmpty { break }
        }
        output.flush()
    }

    /// Whatever is written from now on is news, also where it tells of an earlier time.
    mutating func isUpToDate() { since = nil }
    mutating func beginAnew() { last = 0 }
    func pause() { output.pause(seconds: 0.25) }

    private static func line(_ row: Reader.JournalRow) throws -> String {
        let body = try JSONValue(parsing: row.body)
        func text(_ key: String) -> String { if case .string(let text)? = body[key] { text } else { "" } }
        let parts = [row.time.description, Shown.padded(text("event"), 12), text("alarm"), text("text")]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}

/// Keeps to the database of a data folder, also when it comes later, or is put aside and begun anew.
private struct JournalFollower {
    private let folder: DataFolder
    private var reader: Reader?
    /// The file that was read last.
    private var file: FileIdentity?
    private var complaint = ""

    init(_ folder: DataFolder) { self.folder = folder }

    private struct FileIdentity: Equatable {
        let device: UInt64
        let number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    /// Prints what is new, where anything can be read. Trouble is told once and waited out.
    mutating func look(_ printer: inout JournalPrinter) {
        do {
            guard let now = FileIdentity(folder.database) else {
                reader = nil
                return complain("there is no database in \(folder.path) yet; waiting for it")
            }
            if reader == nil || file != now { reader = try Reader(folder) }
            if let file, file != now { printer.beginAnew() }
            file = now
            guard let reader else { return }
            try printer.printNew(from: reader)
            printer.isUpToDate()
            complaint = ""
        } catch {
            reader = nil
            complain("\(error); waiting")
        }
    }

    private mutating func complain(_ text: String) {
        if text != complaint { Main.complain(text) }
        complaint = text
    }
}
