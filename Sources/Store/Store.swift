package import Core
internal import Foundation

/// The one writer of the database.
///
/// What is to be written is gathered in a batch, and `commit` writes the batch in one transaction or not at all. Used by the pipeline's
/// thread alone.
package final class Store: SavedState {
    let database: Database
    private let statements: WriteStatements
    private var batch = Batch()
    private var seriesIDs: [Series: Int64] = [:]
    private var nextSeries: Int64 = 1
    private var duplicates = Duplicates()
    /// Number of the last reading or event that entered.
    package private(set) var sequence: Int64 = 0
    /// Number of the last reading or event that is on disk.
    package private(set) var storedSequence: Int64 = 0
    /// Rows of packet ids: their positions and how many each holds, oldest first.
    private var deliveries: [(position: Int64, count: Int)] = []
    private var outboxPosition: Int64 = 0
    /// Number of the last transition in the journal, the ones waiting included.
    package private(set) var journalSequence: Int64 = 0
    /// Through here a checkpoint makes readings free to move.
    var checkpointed: Int64 = 0
    /// The first reading that has not moved to the history.
    var firstRecent: Int64 = 1

    /// At least so many messages are remembered for recognising redelivery; the broker never has more of ours in flight.
    package static let window = 20_000

    package var saved: SavedRows { SavedRows(database: database) }

    /// - Throws: `SQLiteError`, or `DocumentProblem` for a file of a newer version or of another program.
    package init(path: String) throws {
        database = try Database(path: path, mode: .readWrite)
        database.waitForLocks(milliseconds: 2000)
        let tables = try database.number("SELECT count(*) FROM sqlite_schema") ?? 0
        if tables == 0 { try database.execute("PRAGMA auto_vacuum = INCREMENTAL") }
        if tables > 0 { try Schema.refuseForeign(database, path: path) }
        try database.execute(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 16000; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY"
        )
        try Schema.migrate(database)
        statements = try WriteStatements(database)
        try load()
        // From here on the loop decides what to do while somebody else holds the lock.
        database.waitForLocks(milliseconds: 0)
    }

    private func load() throws {
        let series = try database.prepare("SELECT id, device, indicator, species, channel, unit FROM series")
        while try series.step() {
            nextSeries = max(nextSeries, series.int64(0) + 1)
            guard let known = Series(row: series, from: 1) else { continue }
            seriesIDs[known] = series.int64(0)
        }
        let recent = try database.prepare(
            "SELECT sequence, series, time, value, quality, claimed FROM readings ORDER BY sequence")
        while try recent.step() {
            let quality = Quality(rawValue: recent.int(4))
            guard !quality.contains(.arrivalTime) else { continue }
            let time = recent.optionalInt64(5) ?? recent.int64(2)
            duplicates.remember(
                .init(series: recent.int64(1), time: time, value: recent.double(3)), sequence: recent.int64(0))
        }
        sequence = max(
            try database.number("SELECT max(sequence) FROM readings") ?? 0,
            try database.number("SELECT max(sequence) FROM events") ?? 0,
            try database.number("SELECT value FROM meta WHERE key = 'sequence'") ?? 0)
        storedSequence = sequence
        firstRecent = try database.number("SELECT min(sequence) FROM readings") ?? sequence + 1
        let packets = try database.prepare("SELECT position, count FROM deliveries ORDER BY position")
        while try packets.step() { deliveries.append((packets.int64(0), packets.int(1))) }
        outboxPosition = try database.number("SELECT max(position) FROM outbox") ?? 0
        journalSequence = try database.number("SELECT max(sequence) FROM journal") ?? 0
        checkpointed = try database.number("SELECT sequence FROM checkpoint") ?? 0
    }

    func forgetDuplicates(through sequence: Int64) { duplicates.forget(through: sequence) }

    // MARK: Gathering

    private func identify(_ series: Series) -> Int64 {
        if let known = seriesIDs[series] { return known }
        let id = nextSeries
        nextSeries += 1
        seriesIDs[series] = id
        batch.newSeries.append((id, series))
        return id
    }

    /// Whether this very reading is stored, or waits to be.
    package func isKnown(_ reading: Reading) throws -> Bool {
        guard let time = reading.deviceTime, let series = seriesIDs[reading.series] else { return false }
        switch duplicates.look(.init(series: series, time: time.microseconds, value: reading.value)) {
        case .new: return false
        case .known: return true
        case .askHistory: return try isInHistory(series, time.microseconds, reading.value)
        }
    }

    private func isInHistory(_ series: Int64, _ time: Int64, _ value: Double) throws -> Bool {
        statements.findInHistory.bind(series, at: 1)
        statements.findInHistory.bind(time, at: 2)
        statements.findInHistory.bind(value, at: 3)
        let isThere = try statements.findInHistory.step()
        statements.findInHistory.reset()
        return isThere
    }

    package func add(_ reading: StoredReading) {
        sequence += 1
        let series = identify(reading.series)
        batch.readings.append(
            .init(
                sequence: sequence, series: series, time: reading.time.microseconds,
                arrival: reading.arrival.microseconds, value: reading.value,
                quality: reading.quality.rawValue, claimed: reading.claimed?.microseconds))
        batch.bytes += 64
        guard !reading.quality.contains(.arrivalTime) else { return }
        let time = (reading.claimed ?? reading.time).microseconds
        duplicates.remember(.init(series: series, time: time, value: reading.value), sequence: sequence)
    }

    /// Something else that entered the engine, in a form that `EngineLog` reads again.
    package func add(event body: String, at arrival: Timestamp) {
        sequence += 1
        batch.events.append(.init(sequence: sequence, arrival: arrival.microseconds, body: body))
        batch.bytes += body.utf8.count + 32
    }

    package func add(_ transition: Transition, recorded: Timestamp) {
        journalSequence += 1
        batch.transitions.append((transition, recorded))
        batch.bytes += 600
    }

    package func add(_ entry: Notice) {
        batch.notices.append(entry)
        batch.bytes += 1000
    }
    package func add(_ result: OutboxResult) { batch.results.append(result) }
    package func add(_ note: DeviceNote) { batch.devices.append(note) }
    package func add(_ document: StoredDocument) { batch.documents.append(document) }
    package func add(_ version: StoredNormVersion) { batch.normVersions.append(version) }
    package func add(lastKnown reading: Reading, at arrival: Timestamp) {
        batch.lastKnown.append(
            .init(series: identify(reading.series), value: reading.value, received: arrival.microseconds))
    }
    package func add(metadata message: Message) {
        batch.metadata.append((message.topic, message.payload))
        batch.bytes += message.payload.count
    }
    package func add(_ rejected: RejectedMessage) {
        batch.rejected.append(rejected)
        batch.rejectedCounts[rejected.reason, default: 0] += 1
        batch.bytes += rejected.payload.count + rejected.topic.utf8.count
    }
    /// Packet id and hash of a message that will be acknowledged after this batch.
    package func add(packet id: UInt16, hash: UInt64) {
        withUnsafeBytes(of: id.littleEndian) { batch.packets.append(contentsOf: $0) }
        withUnsafeBytes(of: hash.littleEndian) { batch.packets.append(contentsOf: $0) }
        batch.packetCount += 1
    }
    /// Transitions through here have gone out on the broker.
    package func setPublished(_ sequence: Int64) { batch.published = sequence }
    /// A text to be found again under `key` after a restart.
    package func remember(_ text: String, as key: String) { batch.memory[key] = text }
    package func add(_ checkpoint: StoredCheckpoint) { batch.checkpoint = checkpoint }

    package var hasPending: Bool { !batch.isEmpty }
    package var pendingBytes: Int { batch.bytes }
    package var pendingReadings: Int { batch.readings.count }
    package var pendingNotices: [Notice] { batch.notices }
    package var hasPendingTransitions: Bool { !batch.transitions.isEmpty || !batch.notices.isEmpty }

    // MARK: Writing

    /// Writes all that was gathered. `now` is how far the engine's time has come with it.
    /// - Throws: `SQLiteError`; the batch stays and can be written later.
    package func commit(now: Timestamp, expiry: (Notice) -> Timestamp) throws {
        try database.transaction { try write(now: now, expiry: expiry) }
        if !batch.packets.isEmpty {
            deliveries.removeFirst(droppable)
            deliveries.append(((deliveries.last?.position ?? 0) + 1, batch.packetCount))
        }
        outboxPosition += Int64(batch.notices.count)
        storedSequence = sequence
        if let checkpoint = batch.checkpoint { checkpointed = checkpoint.sequence }
        batch = Batch()
    }

    /// How many of the oldest rows of packet ids are not needed any more.
    private var droppable: Int {
        var total = deliveries.reduce(0) { $0 + $1.count }
        return deliveries.prefix { row in
            total -= row.count
            return total >= Self.window
        }.count
    }

    private func write(now: Timestamp, expiry: (Notice) -> Timestamp) throws {
        for new in batch.newSeries { try statements.insert(new.series, id: new.id) }
        for reading in batch.readings { try statements.insert(reading) }
        for event in batch.events { try statements.insert(event) }
        let first = journalSequence - Int64(batch.transitions.count) + 1
        for (offset, entry) in batch.transitions.enumerated() {
            try statements.insert(entry.transition, recorded: entry.recorded, sequence: first + Int64(offset))
        }
        for (offset, notice) in batch.notices.enumerated() {
            try statements.insert(notice, position: outboxPosition + Int64(offset) + 1, expires: expiry(notice))
        }
        for result in batch.results { try statements.record(result) }
        for note in batch.devices { try statements.insert(note, at: now) }
        for value in batch.lastKnown { try statements.insert(value) }
        for message in batch.metadata { try statements.insert(metadata: message.topic, message.payload) }
        for document in batch.documents { try statements.insert(document) }
        for version in batch.normVersions { try statements.insert(version) }
        for rejected in batch.rejected.suffix(WriteStatements.rejectedKept) { try statements.insert(rejected) }
        for (reason, count) in batch.rejectedCounts { try statements.count(reason, count) }
        if !batch.rejected.isEmpty { try statements.trimRejected() }
        if !batch.packets.isEmpty {
            try statements.insert(
                packets: batch.packets, count: batch.packetCount, position: (deliveries.last?.position ?? 0) + 1)
            if droppable > 0 { try statements.trimPackets(through: deliveries[droppable - 1].position) }
        }
        if let published = batch.published { try statements.setMeta("published", published) }
        for (key, text) in batch.memory { try statements.setMeta(key, text) }
        if let checkpoint = batch.checkpoint { try statements.replace(checkpoint) }
        try statements.setMeta("now", now.microseconds)
        try statements.setMeta("sequence", sequence)
    }
}

extension Series {
    /// From the columns device, indicator, species, channel, unit.
    convenience init?(row: borrowing Statement, from column: Int32) {
        guard let device = row.text(column), let indicator = row.text(column + 1).flatMap({ Indicator(rawValue: $0) }),
            let unit = row.text(column + 4).flatMap({ Unit(rawValue: $0) })
        else { return nil }
        self.init(
            device: device, indicator: indicator, species: row.text(column + 2), channel: row.text(column + 3),
            unit: unit)
    }
}
