package import Core

/// A database that an engine can be restored from: the writer's, or a reader's beside it.
package protocol SavedState {
    var saved: SavedRows { get }
}

/// Where the rows are; keeps the connection inside this module.
package struct SavedRows {
    let database: Database
}

/// What entered the engine, as it is stored.
package enum LogEntry {
    case reading(StoredReading)
    case event(String)
}

/// What a start needs from the database.
extension SavedState {
    private var database: Database { saved.database }

    package func checkpoint() throws -> StoredCheckpoint? {
        let statement = try database.prepare("SELECT sequence, site, norms, body FROM checkpoint")
        guard try statement.step() else { return nil }
        let saved = StoredCheckpoint(
            sequence: statement.int64(0), site: statement.text(1), norms: statement.text(2), body: statement.blob(3))
        statement.reset()
        return saved
    }

    /// The engine's time at the last commit.
    package func lastNow() throws -> Timestamp? {
        try database.number("SELECT value FROM meta WHERE key = 'now'").map { Timestamp(microseconds: $0) }
    }

    package func lastPublished() throws -> Int64 {
        try database.number("SELECT value FROM meta WHERE key = 'published'") ?? 0
    }

    package func recall(_ key: String) throws -> String? {
        let statement = try database.prepare("SELECT value FROM meta WHERE key = ?")
        statement.bind(key, at: 1)
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return statement.text(0)
    }

    /// Everything that entered the engine after `sequence`, in order, with its arrival.
    package func log(after sequence: Int64, _ body: (LogEntry, Timestamp) throws -> Void) throws {
        let events = try database.prepare(
            "SELECT sequence, arrival, body FROM events WHERE sequence > ? ORDER BY sequence")
        events.bind(sequence, at: 1)
        let readings = try database.prepare(
            """
            SELECT r.sequence, r.time, r.arrival, r.value, r.quality, r.claimed, s.device, s.indicator, s.species, s.channel, s.unit
            FROM readings r JOIN series s ON s.id = r.series WHERE r.sequence > ? ORDER BY r.sequence
            """)
        readings.bind(sequence, at: 1)
        var (hasEvent, hasReading) = (try events.step(), try readings.step())
        while hasEvent || hasReading {
            if hasReading && (!hasEvent || readings.int64(0) < events.int64(0)) {
                let arrival = Timestamp(microseconds: readings.int64(2))
                if let series = Series(row: readings, from: 6) {
                    let stored = StoredReading(
                        series: series, time: Timestamp(microseconds: readings.int64(1)), arrival: arrival,
                        value: readings.double(3),
                        quality: Quality(rawValue: readings.int(4)),
                        claimed: readings.optionalInt64(5).map { Timestamp(microseconds: $0) })
                    try body(.reading(stored), arrival)
                }
                hasReading = try readings.step()
            } else {
                try body(.event(events.text(2) ?? ""), Timestamp(microseconds: events.int64(1)))
                hasEvent = try events.step()
            }
        }
    }

    package func document(_ hash: String) throws -> String? {
        let statement = try database.prepare("SELECT body FROM documents WHERE hash = ?")
        statement.bind(hash, at: 1)
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return statement.text(0)
    }

    /// Messages that tell what devices are.
    package func metadata() throws -> [(topic: String, payload: [UInt8])] {
        let statement = try database.prepare("SELECT topic, payload FROM metadata ORDER BY topic")
        var messages: [(String, [UInt8])] = []
        while try statement.step() { messages.append((statement.text(0) ?? "", statement.blob(1))) }
        return messages
    }

    /// Packet ids and hashes of the last messages that were stored, oldest first.
    package func packets() throws -> [(id: UInt16, hash: UInt64)] {
        let statement = try database.prepare("SELECT packets FROM deliveries ORDER BY position")
        var packets: [(UInt16, UInt64)] = []
        while try statement.step() {
            let bytes = statement.blob(0)
            bytes.withUnsafeBytes { raw in
                for offset in stride(from: 0, to: raw.count - 9, by: 10) {
                    packets.append(
                        (
                            UInt16(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt16.self)),
                            UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset + 2, as: UInt64.self))
                        ))
                }
            }
        }
        return packets
    }

    /// Messages still to be delivered, in the order in which they were written.
    package func waitingNotices() throws -> [OutboxEntry] {
        let statement = try database.prepare(
            "SELECT body, attempts, due, expires FROM outbox WHERE state = 'waiting' ORDER BY position")
        var entries: [OutboxEntry] = []
        while try statement.step() {
            entries.append(
                OutboxEntry(
                    notice: try Notice(encoded: statement.text(0) ?? ""), attempts: statement.int(1),
                    due: Timestamp(microseconds: statement.int64(2)),
                    expires: Timestamp(microseconds: statement.int64(3))))
        }
        return entries
    }

    /// Transitions after `sequence` with their numbers, at most `limit`.
    package func journal(after sequence: Int64, limit: Int) throws -> [(sequence: Int64, body: String)] {
        let statement = try database.prepare(
            "SELECT sequence, body FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?")
        statement.bind(sequence, at: 1)
        statement.bind(limit, at: 2)
        var rows: [(Int64, String)] = []
        while try statement.step() { rows.append((statement.int64(0), statement.text(1) ?? "")) }
        return rows
    }
}
