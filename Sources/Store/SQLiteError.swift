internal import CSQLite

/// What SQLite says. Bound values stay out: they may be personal.
package struct SQLiteError: Error, CustomStringConvertible {
    /// The extended result code.
    package let code: Int32
    package let message: String
    package let sql: String

    init(_ code: Int32, on database: OpaquePointer?, sql: String) {
        self.code = database.map { sqlite3_extended_errcode($0) } ?? code
        message = database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        self.sql = sql
    }

    private var primary: Int32 { code & 0xff }

    /// Somebody else holds the lock; it will pass.
    package var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(primary) }
    package var isFull: Bool { primary == SQLITE_FULL }
    /// The file is no database, or not any more.
    package var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(primary) }

    package var description: String { "SQLite \(code): \(message), while running: \(sql)" }
}
