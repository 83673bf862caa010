internal import CSQLite

/// A prepared statement. Parameters are bound by position from 1, columns read by position from 0.
struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    private let sql: String

    init(_ sql: String, on database: OpaquePointer) throws(SQLiteError) {
        var raw: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &raw, nil)
        guard code == SQLITE_OK, let raw else { throw SQLiteError(code, on: database, sql: sql) }
        (handle, self.database, self.sql) = (raw, database, sql)
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Binding. A wrong position is our bug, memory exhaustion ends the program anyway.

    func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }
    func bind(_ value: Int, at index: Int32) { sqlite3_bind_int64(handle, index, Int64(value)) }
    func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(handle, index, value) }
    func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

    func bind(_ value: Int64?, at index: Int32) {
        if let value { bind(value, at: index) } else { bindNull(at: index) }
    }

    func bind(_ value: String?, at index: Int32) {
        guard let value else { return bindNull(at: index) }
        _ = sqlite3_bind_text_copy(handle, index, value, Int32(value.utf8.count))
    }

    func bind(_ bytes: [UInt8], at index: Int32) {
        bytes.withUnsafeBytes { raw in
            if raw.isEmpty {
                sqlite3_bind_zeroblob(handle, index, 0)
            } else {
                _ = sqlite3_bind_blob_copy(handle, index, raw.baseAddress, Int32(raw.count))
            }
        }
    }

    // MARK: Running

    /// Runs a statement that gives no rows, and makes it ready for the next values.
    func run() throws(SQLiteError) {
        let code = sqlite3_step(handle)
        defer { sqlite3_reset(handle) }
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw SQLiteError(code, on: database, sql: sql) }
    }

    /// Moves to the next row; false after the last one, and the statement is ready for the next values.
    func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        defer { sqlite3_reset(handle) }
        guard code == SQLITE_DONE else { throw SQLiteError(code, on: database, sql: sql) }
        return false
    }

    func reset() { sqlite3_reset(handle) }

    // MARK: Columns

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }

    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func blob(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
