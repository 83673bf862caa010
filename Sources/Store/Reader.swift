package import Core

/// Reads what is stored, beside the service that writes it. One connection, used by one thread; a read never lasts longer than it takes
/// to fetch a page, so that whoever reads slowly does not keep the log from being written back.
package final class Reader: SavedState {
    let database: Database

    package var saved: SavedRows { SavedRows(database: database) }

    /// - Throws: `SQLiteError` for a file that is not there or no database, `DocumentProblem` for one of another program or version.
    package convenience init(_ folder: DataFolder) throws { try self.init(path: folder.database) }

    package init(path: String) throws {
        database = try Database(path: path, mode: .readOnly)
        try Schema.refuseUnreadable(database, path: path)
    }

    /// Runs `body` on one state of the database, whatever is written meanwhile. To be brief.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try database.execute("BEGIN")
        defer { try? database.execute("COMMIT") }
        return try body()
    }

    // MARK: Alarms

    package struct AlarmRow: Sendable {
        package let id: String
        /// The last transition, as JSON.
        package let last: String
        package let severity: String
        package let since: Timestamp
        package let raised: Timestamp
        package let notified: Timestamp?
        package let acknowledged: Timestamp?
        package let acknowledgedBy: String?
        package let ended: Timestamp?
        package let cleared: Timestamp?
    }

    /// Alarms that are not cleared, or all; oldest first.
    package func alarms(all: Bool) throws -> [AlarmRow] {
        let statement = try database.prepare(
            """
            SELECT id, severity, since, raised, notified, acknowledged, acknowledged_by, ended, cleared,
                ifnull((SELECT j.body FROM journal j WHERE j.alarm = a.id ORDER BY j.sequence DESC LIMIT 1), a.body)
            FROM alarms a \(all ? "" : "WHERE cleared IS NULL") ORDER BY raised, id
            """)
        var rows: [AlarmRow] = []
        func time(_ column: Int32) -> Timestamp? { statement.optionalInt64(column).map { Timestamp(microseconds: $0) } }
        while try statement.step() {
            rows.append(
                AlarmRow(
                    id: statement.text(0) ?? "", last: statement.text(9) ?? "", severity: statement.text(1) ?? "",
                    since: time(2) ?? .distantPast, raised: time(3) ?? .distantPast, notified: time(4),
                    acknowledged: time(5), acknowledgedBy: statement.text(6), ended: time(7), cleared: time(8)))
        }
        return rows
    }

    package struct JournalRow: Sendable {
        package let sequence: Int64
        package let time: Timestamp
        /// The transition as JSON.
        package let body: String
    }

    /// Transitions in the order in which they were recorded, after the one with this number, at most `limit`.
    package func journalRows(after sequence: Int64, limit: Int = 1000) throws -> [JournalRow] {
        let statement = try database.prepare(
            "SELECT sequence, time, body FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?")
        statement.bind(sequence, at: 1)
        statement.bind(limit, at: 2)
        var rows: [JournalRow] = []
        while try statement.step() {
            rows.append(
                JournalRow(
                    sequence: statement.int64(0), time: Timestamp(microseconds: statement.int64(1)),
                    body: statement.text(2) ?? ""))
        }
        return rows
    }

    // MARK: Messages

    /// Messages that gave nothing: how many by reason, and the last ones, oldest first.
    package func rejected() throws -> (counts: [String: Int], last: [RejectedMessage]) {
        let counts = try database.prepare("SELECT reason, count FROM rejected_counts")
        var byReason: [String: Int] = [:]
        while try counts.step() { byReason[counts.text(0) ?? ""] = counts.int(1) }
        let list = try database.prepare("SELECT arrival, topic, payload, reason FROM rejected ORDER BY id")
        var last: [RejectedMessage] = []
        while try list.step() {
            last.append(
                RejectedMessage(
                    arrival: Timestamp(microseconds: list.int64(0)), topic: list.text(1) ?? "", payload: list.blob(2),
                    reason: list.text(3) ?? ""))
        }
        return (byReason, last)
    }

    /// How many messages to people are in which state.
    package func outbox() throws -> [String: Int] {
        let statement = try database.prepare("SELECT state, count(*) FROM outbox GROUP BY state")
        var states: [String: Int] = [:]
        while try statement.step() { states[statement.text(0) ?? ""] = statement.int(1) }
        return states
    }

    /// Messages to people that were given up, with the last reason, newest first.
    package func undeliverable(limit: Int) throws -> [(notice: Notice, error: String)] {
        let statement = try database.prepare(
            "SELECT body, error FROM outbox WHERE state = 'dead' ORDER BY position DESC LIMIT ?")
        statement.bind(limit, at: 1)
        var rows: [(Notice, String)] = []
        while try statement.step() {
            rows.append((try Notice(encoded: statement.text(0) ?? ""), statement.text(1) ?? ""))
        }
        return rows
    }

    /// How many readings are stored.
    package func readingCount() throws -> Int {
        let recent = try database.number("SELECT count(*) FROM readings") ?? 0
        return Int(recent + (try database.number("SELECT count(*) FROM history") ?? 0))
    }

    /// Number of the last thing that entered the engine.
    package func newestSequence() throws -> Int {
        Int(try database.number("SELECT value FROM meta WHERE key = 'sequence'") ?? 0)
    }

    // MARK: Health of the file

    /// What SQLite finds wrong; empty is good. `deep` reads every page and compares every index.
    package func problems(deep: Bool) throws -> [String] {
        let statement = try database.prepare(deep ? "PRAGMA integrity_check" : "PRAGMA quick_check(20)")
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(0) ?? "") }
        return lines == ["ok"] ? [] : lines
    }

    package func counts() throws -> [(name: String, count: Int64)] {
        try ["series", "readings", "history", "journal", "alarms", "outbox", "events"].map {
            ($0, try database.number("SELECT count(*) FROM \($0)") ?? 0)
        }
    }
}
