package import Core

/// Reads what is stored, beside the service that writes it. One connection, used by one thread, never a transaction left open.
package final class Reader {
    private let database: Database

    /// - Throws: `SQLiteError` for a file that is not there or no database.
    package init(_ folder: DataFolder) throws {
        database = try Database(path: folder.database, mode: .readOnly)
        _ = try database.number("SELECT count(*) FROM meta")
    }

    // MARK: Readings

    package struct Filter: Sendable {
        package var device: String?
        package var indicator: Indicator?
        package var from: Timestamp?
        /// Exclusive.
        package var to: Timestamp?
        package init(device: String? = nil, indicator: Indicator? = nil, from: Timestamp? = nil, to: Timestamp? = nil) {
            (self.device, self.indicator, self.from, self.to) = (device, indicator, from, to)
        }
    }

    package struct Row: Sendable {
        package let series: Series
        package let time: Timestamp
        package let value: Double
        package let quality: Quality
    }

    /// Stored readings in the order of their sample times, series by series.
    package func readings(_ filter: Filter, _ body: (Row) throws -> Void) throws {
        for (id, series) in try series() where fits(series, filter) {
            let statement = try database.prepare(
                """
                SELECT time, value, quality, 0 AS part, 0 AS sequence FROM history WHERE series = ?1 AND time >= ?2 AND time < ?3
                UNION ALL
                SELECT time, value, quality, 1, sequence FROM readings WHERE series = ?1 AND time >= ?2 AND time < ?3
                ORDER BY time, part, sequence
                """)
            statement.bind(id, at: 1)
            statement.bind((filter.from ?? .distantPast).microseconds, at: 2)
            statement.bind((filter.to ?? .distantFuture).microseconds, at: 3)
            while try statement.step() {
                try body(
                    Row(
                        series: series, time: Timestamp(microseconds: statement.int64(0)), value: statement.double(1),
                        quality: Quality(rawValue: statement.int(2))))
            }
        }
    }

    private func fits(_ series: Series, _ filter: Filter) -> Bool {
        (filter.device.map { $0 == series.device } ?? true) && (filter.indicator.map { $0 == series.indicator } ?? true)
    }

    /// All series with their numbers, by device and indicator.
    package func series() throws -> [(id: Int64, series: Series)] {
        let statement = try database.prepare(
            "SELECT id, device, indicator, species, channel, unit FROM series ORDER BY device, indicator, species, channel"
        )
        var all: [(Int64, Series)] = []
        while try statement.step() {
            if let series = Series(row: statement, from: 1) { all.append((statement.int64(0), series)) }
        }
        return all
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

    package struct Latest: Sendable {
        package let series: Series
        package let time: Timestamp?
        package let value: Double
        /// From a stored message without a time: age unknown.
        package let isLastKnown: Bool
    }

    /// The newest value of each series.
    package func latest() throws -> [Latest] {
        let history = try database.prepare(
            "SELECT time, value FROM history WHERE series = ? ORDER BY time DESC LIMIT 1")
        var newest: [Int64: (time: Int64, value: Double)] = [:]
        let recent = try database.prepare("SELECT series, max(time), value FROM readings GROUP BY series")
        while try recent.step() { newest[recent.int64(0)] = (recent.int64(1), recent.double(2)) }
        let known = try database.prepare("SELECT series, value FROM last_known")
        var lastKnown: [Int64: Double] = [:]
        while try known.step() { lastKnown[known.int64(0)] = known.double(1) }
        return try series().compactMap { id, series in
            if newest[id] == nil {
                history.bind(id, at: 1)
                if try history.step() { newest[id] = (history.int64(0), history.double(1)) }
                history.reset()
            }
            if let value = newest[id] {
                return Latest(
                    series: series, time: Timestamp(microseconds: value.time), value: value.value, isLastKnown: false)
            }
            return lastKnown[id].map { Latest(series: series, time: nil, value: $0, isLastKnown: true) }
        }
    }

    // MARK: Alarms

    package struct AlarmRow: Sendable {
        package let id: String
        /// The transition that shows it best, as JSON.
        package let body: String
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
            SELECT id, body, severity, since, raised, notified, acknowledged, acknowledged_by, ended, cleared FROM alarms
            \(all ? "" : "WHERE cleared IS NULL") ORDER BY raised, id
            """)
        var rows: [AlarmRow] = []
        func time(_ column: Int32) -> Timestamp? { statement.optionalInt64(column).map { Timestamp(microseconds: $0) } }
        while try statement.step() {
            rows.append(
                AlarmRow(
                    id: statement.text(0) ?? "", body: statement.text(1) ?? "", severity: statement.text(2) ?? "",
                    since: time(3) ?? .distantPast, raised: time(4) ?? .distantPast, notified: time(5),
                    acknowledged: time(6),
                    acknowledgedBy: statement.text(7), ended: time(8), cleared: time(9)))
        }
        return rows
    }

    /// Transitions in the order in which they were recorded, as JSON, with their numbers.
    package func journal(after sequence: Int64 = 0, since: Timestamp? = nil, _ body: (Int64, String) throws -> Void)
        throws
    {
        let statement = try database.prepare(
            "SELECT sequence, body FROM journal WHERE sequence > ? AND time >= ? ORDER BY sequence")
        statement.bind(sequence, at: 1)
        statement.bind((since ?? .distantPast).microseconds, at: 2)
        while try statement.step() { try body(statement.int64(0), statement.text(1) ?? "") }
    }

    // MARK: Devices and messages

    package func notes() throws -> [DeviceNote] {
        let statement = try database.prepare("SELECT note FROM devices ORDER BY id")
        var notes: [DeviceNote] = []
        while try statement.step() { notes.append(try DeviceNote(encoded: statement.text(0) ?? "")) }
        return notes
    }

    /// Messages that gave nothing: how many by reason, and the last ones.
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

    package func document(ofCheckpoint kind: StoredDocument.Kind) throws -> String? {
        let column = kind == .site ? "site" : "norms"
        let statement = try database.prepare("SELECT d.body FROM checkpoint c JOIN documents d ON d.hash = c.\(column)")
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return statement.text(0)
    }

    package func checkpoint() throws -> [UInt8]? {
        let statement = try database.prepare("SELECT body FROM checkpoint")
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return statement.blob(0)
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
