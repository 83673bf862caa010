import Core

/// The statements of the one writer, prepared once.
final class WriteStatements {
    static let rejectedKept = 200

    let findInHistory: Statement
    private let series, reading, event, journal, notice, delivered, waiting, dead, notified: Statement
    private let device, lastKnown, metadata, document, normVersion, rejected, rejectedCount, rejectedTrim: Statement
    private let packets, packetTrim, meta, checkpoint, eventTrim: Statement
    private let alarmRaised, alarmSeverity, alarmAcknowledged, alarmEnded, alarmCleared: Statement

    init(_ database: Database) throws(SQLiteError) {
        findInHistory = try database.prepare("SELECT 1 FROM history WHERE series = ? AND time = ? AND value = ?")
        series = try database.prepare(
            "INSERT INTO series (id, device, indicator, species, channel, unit) VALUES (?, ?, ?, ?, ?, ?)")
        reading = try database.prepare(
            "INSERT INTO readings (sequence, series, time, arrival, value, quality, claimed) VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        event = try database.prepare("INSERT INTO events (sequence, arrival, body) VALUES (?, ?, ?)")
        journal = try database.prepare(
            "INSERT INTO journal (sequence, time, recorded, event, alarm, class, body) VALUES (?, ?, ?, ?, ?, ?, ?)")
        // A message that was handed out from memory while the disk failed has the same id.
        notice = try database.prepare(
            "INSERT OR IGNORE INTO outbox (id, position, state, attempts, due, expires, body) VALUES (?, ?, 'waiting', 0, ?, ?, ?)"
        )
        delivered = try database.prepare(
            "UPDATE outbox SET state = 'delivered', attempts = ?, delivered = ?, error = NULL WHERE id = ?")
        waiting = try database.prepare(
            "UPDATE outbox SET attempts = ?, due = ?, error = ? WHERE id = ? AND state = 'waiting'")
        dead = try database.prepare(
            "UPDATE outbox SET state = 'dead', attempts = ?, error = ? WHERE id = ? AND state = 'waiting'")
        notified = try database.prepare("UPDATE alarms SET notified = ? WHERE id = ? AND notified IS NULL")
        device = try database.prepare(
            "INSERT INTO devices (id, first_seen, note) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET note = excluded.note"
        )
        lastKnown = try database.prepare("INSERT OR REPLACE INTO last_known (series, value, received) VALUES (?, ?, ?)")
        metadata = try database.prepare("INSERT OR REPLACE INTO metadata (topic, payload) VALUES (?, ?)")
        document = try database.prepare("INSERT OR IGNORE INTO documents (hash, kind, since, body) VALUES (?, ?, ?, ?)")
        normVersion = try database.prepare(
            "INSERT OR REPLACE INTO norm_versions (number, since, hash, author, reason) VALUES (?, ?, ?, ?, ?)")
        rejected = try database.prepare("INSERT INTO rejected (arrival, topic, payload, reason) VALUES (?, ?, ?, ?)")
        rejectedCount = try database.prepare(
            "INSERT INTO rejected_counts (reason, count) VALUES (?, ?) ON CONFLICT (reason) DO UPDATE SET count = count + excluded.count"
        )
        rejectedTrim = try database.prepare(
            "DELETE FROM rejected WHERE id <= (SELECT max(id) FROM rejected) - \(Self.rejectedKept)")
        packets = try database.prepare("INSERT INTO deliveries (position, count, packets) VALUES (?, ?, ?)")
        packetTrim = try database.prepare("DELETE FROM deliveries WHERE position <= ?")
        meta = try database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)")
        checkpoint = try database.prepare(
            "INSERT OR REPLACE INTO checkpoint (id, sequence, site, norms, body) VALUES (1, ?, ?, ?, ?)")
        eventTrim = try database.prepare("DELETE FROM events WHERE sequence <= ?")
        alarmRaised = try database.prepare(
            """
            INSERT OR REPLACE INTO alarms (id, class, hazard, kind, severity, building, flat, room, since, raised, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        alarmSeverity = try database.prepare("UPDATE alarms SET severity = ?, body = ? WHERE id = ?")
        alarmAcknowledged = try database.prepare("UPDATE alarms SET acknowledged = ?, acknowledged_by = ? WHERE id = ?")
        alarmEnded = try database.prepare("UPDATE alarms SET ended = ? WHERE id = ?")
        alarmCleared = try database.prepare("UPDATE alarms SET cleared = ? WHERE id = ?")
    }

    func insert(_ new: Series, id: Int64) throws(SQLiteError) {
        series.bind(id, at: 1)
        series.bind(new.device, at: 2)
        series.bind(new.indicator.rawValue, at: 3)
        series.bind(new.species, at: 4)
        series.bind(new.channel, at: 5)
        series.bind(new.unit.rawValue, at: 6)
        try series.run()
    }

    func insert(_ row: Batch.Reading) throws(SQLiteError) {
        reading.bind(row.sequence, at: 1)
        reading.bind(row.series, at: 2)
        reading.bind(row.time, at: 3)
        reading.bind(row.arrival, at: 4)
        reading.bind(row.value, at: 5)
        reading.bind(row.quality, at: 6)
        reading.bind(row.claimed, at: 7)
        try reading.run()
    }

    func insert(_ row: Batch.Event) throws(SQLiteError) {
        event.bind(row.sequence, at: 1)
        event.bind(row.arrival, at: 2)
        event.bind(row.body, at: 3)
        try event.run()
    }

    // MARK: Alarms

    func insert(_ transition: Transition, recorded: Timestamp, sequence: Int64) throws(SQLiteError) {
        let body = transition.json.text
        journal.bind(sequence, at: 1)
        journal.bind(transition.time.microseconds, at: 2)
        journal.bind(recorded.microseconds, at: 3)
        journal.bind(transition.event.rawValue, at: 4)
        journal.bind(transition.alarm, at: 5)
        journal.bind(transition.alarmClass?.rawValue, at: 6)
        journal.bind(body, at: 7)
        try journal.run()
        guard let alarm = transition.alarm else { return }
        switch transition.event {
        case .raised: try raise(transition, alarm, body)
        case .severity, .normChanged:
            alarmSeverity.bind(transition.severity?.rawValue, at: 1)
            alarmSeverity.bind(body, at: 2)
            alarmSeverity.bind(alarm, at: 3)
            try alarmSeverity.run()
        case .acknowledged:
            alarmAcknowledged.bind(transition.time.microseconds, at: 1)
            alarmAcknowledged.bind(transition.by, at: 2)
            alarmAcknowledged.bind(alarm, at: 3)
            try alarmAcknowledged.run()
        case .ended:
            alarmEnded.bind(transition.time.microseconds, at: 1)
            alarmEnded.bind(alarm, at: 2)
            try alarmEnded.run()
        case .cleared:
            alarmCleared.bind(transition.time.microseconds, at: 1)
            alarmCleared.bind(alarm, at: 2)
            try alarmCleared.run()
        case .suppressed, .unsuppressed, .comment, .armed, .disarmed: break
        }
    }

    private func raise(_ transition: Transition, _ alarm: String, _ body: String) throws(SQLiteError) {
        alarmRaised.bind(alarm, at: 1)
        alarmRaised.bind(transition.alarmClass?.rawValue, at: 2)
        alarmRaised.bind(transition.hazard?.rawValue, at: 3)
        alarmRaised.bind(transition.fault?.rawValue, at: 4)
        alarmRaised.bind(transition.severity?.rawValue, at: 5)
        alarmRaised.bind(transition.place.building, at: 6)
        alarmRaised.bind(transition.place.flat, at: 7)
        alarmRaised.bind(transition.place.room, at: 8)
        alarmRaised.bind((transition.since ?? transition.time).microseconds, at: 9)
        alarmRaised.bind(transition.time.microseconds, at: 10)
        alarmRaised.bind(body, at: 11)
        try alarmRaised.run()
    }

    // MARK: Messages to people

    func insert(_ new: Notice, position: Int64, expires: Timestamp) throws(SQLiteError) {
        notice.bind(new.id, at: 1)
        notice.bind(position, at: 2)
        notice.bind(new.created.microseconds, at: 3)
        notice.bind(expires.microseconds, at: 4)
        notice.bind(new.encoded, at: 5)
        try notice.run()
    }

    func record(_ result: OutboxResult) throws(SQLiteError) {
        switch result.outcome {
        case .delivered:
            delivered.bind(result.attempts, at: 1)
            delivered.bind(result.at.microseconds, at: 2)
            delivered.bind(result.notice, at: 3)
            try delivered.run()
            notified.bind(result.at.microseconds, at: 1)
            notified.bind(result.alarm, at: 2)
            try notified.run()
        case .waiting(let due, let error):
            waiting.bind(result.attempts, at: 1)
            waiting.bind(due.microseconds, at: 2)
            waiting.bind(error, at: 3)
            waiting.bind(result.notice, at: 4)
            try waiting.run()
        case .dead(let error):
            dead.bind(result.attempts, at: 1)
            dead.bind(error, at: 2)
            dead.bind(result.notice, at: 3)
            try dead.run()
        }
    }

    // MARK: Devices and messages from them

    func insert(_ note: DeviceNote, at now: Timestamp) throws(SQLiteError) {
        device.bind(note.device, at: 1)
        device.bind(now.microseconds, at: 2)
        device.bind(note.encoded, at: 3)
        try device.run()
    }

    func insert(_ value: Batch.LastKnown) throws(SQLiteError) {
        lastKnown.bind(value.series, at: 1)
        lastKnown.bind(value.value, at: 2)
        lastKnown.bind(value.received, at: 3)
        try lastKnown.run()
    }

    /// An empty payload is a device that is gone: nothing to remember.
    func insert(metadata topic: String, _ payload: [UInt8]) throws(SQLiteError) {
        metadata.bind(topic, at: 1)
        metadata.bind(payload, at: 2)
        try metadata.run()
    }

    func insert(_ new: StoredDocument) throws(SQLiteError) {
        document.bind(new.hash, at: 1)
        document.bind(new.kind.rawValue, at: 2)
        document.bind(new.since.microseconds, at: 3)
        document.bind(new.body, at: 4)
        try document.run()
    }

    func insert(_ new: StoredNormVersion) throws(SQLiteError) {
        normVersion.bind(new.version.number, at: 1)
        normVersion.bind(new.since.microseconds, at: 2)
        normVersion.bind(new.hash, at: 3)
        normVersion.bind(new.version.author, at: 4)
        normVersion.bind(new.version.reason, at: 5)
        try normVersion.run()
    }

    func insert(_ message: RejectedMessage) throws(SQLiteError) {
        rejected.bind(message.arrival.microseconds, at: 1)
        rejected.bind(message.topic, at: 2)
        rejected.bind(message.payload, at: 3)
        rejected.bind(message.reason, at: 4)
        try rejected.run()
    }

    func count(_ reason: String, _ number: Int) throws(SQLiteError) {
        rejectedCount.bind(reason, at: 1)
        rejectedCount.bind(number, at: 2)
        try rejectedCount.run()
    }

    func trimRejected() throws(SQLiteError) { try rejectedTrim.run() }

    // MARK: Bookkeeping

    func insert(packets bytes: [UInt8], count: Int, position: Int64) throws(SQLiteError) {
        packets.bind(position, at: 1)
        packets.bind(count, at: 2)
        packets.bind(bytes, at: 3)
        try packets.run()
    }

    func trimPackets(through position: Int64) throws(SQLiteError) {
        packetTrim.bind(position, at: 1)
        try packetTrim.run()
    }

    func setMeta(_ key: String, _ value: Int64) throws(SQLiteError) {
        meta.bind(key, at: 1)
        meta.bind(value, at: 2)
        try meta.run()
    }

    func setMeta(_ key: String, _ text: String) throws(SQLiteError) {
        meta.bind(key, at: 1)
        meta.bind(text, at: 2)
        try meta.run()
    }

    /// The events before a checkpoint are in it.
    func replace(_ new: StoredCheckpoint) throws(SQLiteError) {
        checkpoint.bind(new.sequence, at: 1)
        checkpoint.bind(new.site, at: 2)
        checkpoint.bind(new.norms, at: 3)
        checkpoint.bind(new.body, at: 4)
        try checkpoint.run()
        eventTrim.bind(new.sequence, at: 1)
        try eventTrim.run()
    }
}
