internal import CSQLite

/// One connection to the database file; used by one thread.
final class Database {
    private let handle: OpaquePointer

    enum Mode {
        case readWrite
        case readOnly
    }

    init(path: String, mode: Mode) throws(SQLiteError) {
        var raw: OpaquePointer?
        let flags =
            switch mode {
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            case .readOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
            }
        let code = sqlite3_open_v2(path, &raw, flags | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let raw else {
            let error = SQLiteError(code, on: raw, sql: "open \(path)")
            sqlite3_close_v2(raw)
            throw error
        }
        handle = raw
        // A reader may wait a moment for a checkpoint; the writer decides itself what to do while it waits.
        sqlite3_busy_timeout(handle, mode == .readOnly ? 2000 : 0)
    }

    deinit { sqlite3_close_v2(handle) }

    func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: handle) }

    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, on: handle, sql: sql) }
    }

    /// The first column of the first row, for statements that give one number.
    func number(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        guard try statement.step() else { return nil }
        let value = statement.optionalInt64(0)
        statement.reset()
        return value
    }

    /// Runs `body` in one transaction; nothing of it stays when it throws.
    func transaction(_ body: () throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        do {
            try body()
            try execute("COMMIT")
        } catch {
            // A full disk may have rolled back already; then there is nothing to do and nothing to say.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    func waitForLocks(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Copies the log into the file as far as no reader stands in the way; returns the pages left in it.
    func checkpointLog() -> Int {
        var (log, done): (Int32, Int32) = (0, 0)
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &log, &done)
        return Int(max(0, log - done))
    }
}
