package import Core

/// What keeps the files small and quick, done in slices between batches.
extension Store {
    /// Readings stay in the append-only table at least this long: recent ones are read together.
    private static let recentKept: Int64 = 50_000
    private static let slice: Int64 = 10_000
    private static let crowd: Int64 = 200_000

    /// More waits to be moved than should.
    package var isCrowded: Bool { min(checkpointed, sequence) - firstRecent > Self.crowd }

    /// Moves a slice of older readings to the history, ordered by series so that few pages are touched. Nothing newer than the checkpoint
    /// moves: a restart reads that again.
    /// - Returns: whether there was something to move.
    package func moveToHistory() throws -> Bool {
        guard !hasPending else { return false }
        let free = min(checkpointed, sequence - Self.recentKept)
        guard free - firstRecent >= Self.slice else { return false }
        let last = firstRecent + Self.slice - 1
        try database.transaction {
            try database.execute(
                """
                INSERT OR IGNORE INTO history (series, time, value, arrival, quality, claimed)
                    SELECT series, time, value, arrival, quality, claimed FROM readings WHERE sequence <= \(last) ORDER BY series, time, value;
                DELETE FROM readings WHERE sequence <= \(last)
                """)
        }
        firstRecent = last + 1
        forgetDuplicates(through: last)
        return true
    }

    /// Removes history older than `cutoff`, one series at a time.
    package func dropHistory(before cutoff: Timestamp) throws {
        let list = try database.prepare("SELECT id FROM series")
        var series: [Int64] = []
        while try list.step() { series.append(list.int64(0)) }
        for id in series {
            try database.execute("DELETE FROM history WHERE series = \(id) AND time < \(cutoff.microseconds)")
        }
        try database.execute("PRAGMA incremental_vacuum(200)")
    }

    /// Copies the log into the file; returns the pages that a reader keeps in it.
    package func checkpointLog() -> Int { database.checkpointLog() }

    /// Finished messages older than `cutoff` are of no use to anybody.
    package func dropDelivered(before cutoff: Timestamp) throws {
        try database.execute("DELETE FROM outbox WHERE state = 'delivered' AND delivered < \(cutoff.microseconds)")
    }
}
