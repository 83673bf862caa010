import Core

/// The tables, as steps from an empty file to the present form. A step is never changed once it was released.
enum Schema {
    static var version: Int { migrations.count }

    /// Marks the file as ours: "NrmW".
    static let applicationID: Int64 = 0x4e72_6d57

    /// The fields of a series together, absent ones as empty texts.
    private static let first = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

        CREATE TABLE series (
            id INTEGER PRIMARY KEY, device TEXT NOT NULL, indicator TEXT NOT NULL, species TEXT, channel TEXT, unit TEXT NOT NULL);
        CREATE UNIQUE INDEX series_key ON series (device, indicator, ifnull(species, ''), ifnull(channel, ''), unit);

        -- What entered the engine, in one order: readings here, everything else in events. Times in microseconds since 1970.
        CREATE TABLE readings (
            sequence INTEGER PRIMARY KEY, series INTEGER NOT NULL, time INTEGER NOT NULL, arrival INTEGER NOT NULL, value REAL NOT NULL,
            quality INTEGER NOT NULL, claimed INTEGER);
        CREATE TABLE events (sequence INTEGER PRIMARY KEY, arrival INTEGER NOT NULL, body TEXT NOT NULL);

        -- Older readings, by series and time.
        CREATE TABLE history (
            series INTEGER NOT NULL, time INTEGER NOT NULL, value REAL NOT NULL, arrival INTEGER NOT NULL, quality INTEGER NOT NULL,
            claimed INTEGER, PRIMARY KEY (series, time, value)) WITHOUT ROWID;

        CREATE TABLE journal (
            sequence INTEGER PRIMARY KEY, time INTEGER NOT NULL, recorded INTEGER NOT NULL, event TEXT NOT NULL, alarm TEXT, class TEXT,
            body TEXT NOT NULL);
        CREATE INDEX journal_alarm ON journal (alarm);

        CREATE TABLE alarms (
            id TEXT PRIMARY KEY, class TEXT NOT NULL, hazard TEXT, kind TEXT, severity TEXT NOT NULL, building TEXT, flat TEXT, room TEXT,
            since INTEGER NOT NULL, raised INTEGER NOT NULL, notified INTEGER, acknowledged INTEGER, acknowledged_by TEXT, ended INTEGER,
            cleared INTEGER, body TEXT NOT NULL) WITHOUT ROWID;
        CREATE INDEX alarms_open ON alarms (cleared) WHERE cleared IS NULL;

        CREATE TABLE outbox (
            id TEXT PRIMARY KEY, position INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, due INTEGER NOT NULL,
            expires INTEGER NOT NULL, delivered INTEGER, error TEXT, body TEXT NOT NULL) WITHOUT ROWID;
        CREATE INDEX outbox_waiting ON outbox (position) WHERE state = 'waiting';

        CREATE TABLE documents (hash TEXT PRIMARY KEY, kind TEXT NOT NULL, since INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE checkpoint (id INTEGER PRIMARY KEY CHECK (id = 1), sequence INTEGER NOT NULL, site TEXT, norms TEXT, body BLOB NOT NULL);

        -- Packet ids and hashes of messages whose acknowledgement may not have arrived.
        CREATE TABLE deliveries (position INTEGER PRIMARY KEY, count INTEGER NOT NULL, packets BLOB NOT NULL);
        -- Messages that tell what devices are; the decoder starts with them.
        CREATE TABLE metadata (topic TEXT PRIMARY KEY, payload BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE devices (id TEXT PRIMARY KEY, first_seen INTEGER NOT NULL, note TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE last_known (series INTEGER PRIMARY KEY, value REAL NOT NULL, received INTEGER NOT NULL);

        CREATE TABLE rejected (id INTEGER PRIMARY KEY, arrival INTEGER NOT NULL, topic TEXT NOT NULL, payload BLOB NOT NULL, reason TEXT NOT NULL);
        CREATE TABLE rejected_counts (reason TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// Who put which norms in force, when and why; the documents are in `documents`.
    private static let second = """
        CREATE TABLE norm_versions (
            number INTEGER PRIMARY KEY, since INTEGER NOT NULL, hash TEXT NOT NULL, author TEXT NOT NULL, reason TEXT);
        """

    static let migrations = [first, second]

    /// - Throws: `DocumentProblem` for a file of another program or of a newer version.
    static func refuseForeign(_ database: Database, path: String) throws {
        let application = try database.number("PRAGMA application_id") ?? 0
        guard application == applicationID else {
            throw DocumentProblem(
                file: path, path: "", message: "is a database of another program",
                remedy: "name another data folder with --data")
        }
        let found = Int(try database.number("PRAGMA user_version") ?? 0)
        guard found <= version else {
            throw DocumentProblem(
                file: path, path: "",
                message: "was written by a newer version (form \(found), this program knows up to \(version))",
                remedy: "start the newer version of Normwatch, or name another data folder with --data")
        }
    }

    /// - Throws: `DocumentProblem` also for a file of an older version: only the writer may change it.
    static func refuseUnreadable(_ database: Database, path: String) throws {
        guard try database.number("SELECT count(*) FROM sqlite_schema") != 0 else {
            throw DocumentProblem(
                file: path, path: "", message: "holds nothing yet", remedy: "start the service on it first")
        }
        try refuseForeign(database, path: path)
        let found = Int(try database.number("PRAGMA user_version") ?? 0)
        guard found == version else {
            throw DocumentProblem(
                file: path, path: "", message: "was written by an older version",
                remedy: "start the service on it, which brings it to the present form")
        }
    }

    /// Brings an older file to the present form, each step in a transaction of its own.
    static func migrate(_ database: Database) throws {
        let found = Int(try database.number("PRAGMA user_version") ?? 0)
        for (index, step) in migrations.enumerated().dropFirst(found) {
            try database.transaction {
                try database.execute(step)
                try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(index + 1)")
            }
        }
    }
}
