package import Core

/// Readings out: those in the history and those that have not moved there yet, as one.
extension Reader {
    package struct Filter: Hashable, Sendable {
        package var device: String?
        package var indicator: Indicator?
        package var from: Timestamp?
        /// Exclusive.
        package var to: Timestamp?
        /// Only these; all where nil.
        package var series: Set<Series>?
        package init(
            device: String? = nil, indicator: Indicator? = nil, from: Timestamp? = nil, to: Timestamp? = nil,
            series: Set<Series>? = nil
        ) {
            (self.device, self.indicator, self.from, self.to) = (device, indicator, from, to)
            self.series = series
        }

        func fits(_ series: Series) -> Bool {
            (device.map { $0 == series.device } ?? true) && (indicator.map { $0 == series.indicator } ?? true)
                && (self.series.map { $0.contains(series) } ?? true)
        }
    }

    package struct Row: Sendable {
        package let series: Series
        package let time: Timestamp
        package let value: Double
        package let quality: Quality
    }

    private struct Sample {
        let time: Int64
        let value: Double
        let quality: Int

        var key: (Int64, Double) { (time, value) }
    }

    private static let page = 10_000

    /// All series with their numbers, by device and indicator.
    package func series() throws -> [(id: Int64, series: Series)] {
        let statement = try database.prepare(
            "SELECT id, device, indicator, species, channel, unit FROM series ORDER BY device, indicator, species, channel, unit"
        )
        var all: [(Int64, Series)] = []
        while try statement.step() {
            if let series = Series(row: statement, from: 1) { all.append((statement.int64(0), series)) }
        }
        return all
    }

    // MARK: All

    /// Stored readings, series by series, each in the order of its sample times. As many are in memory as a page holds.
    ///
    /// Readings move to the history while this goes on. What has not moved at the beginning is put aside in a table of our own; the history is
    /// read page by page; and what is met in both has the same time and value and is handed over once.
    package func readings(_ filter: Filter, _ body: (Row) throws -> Void) throws {
        let chosen = try series().filter { filter.fits($0.series) }
        try putAsideRecent(chosen.map(\.id), filter)
        defer { try? database.execute("DROP TABLE temp.recent") }
        let recent = try database.prepare(Self.samples("temp.recent"))
        let history = try database.prepare(Self.samples("main.history"))
        for (id, series) in chosen {
            var (a, b) = (Pages(id, filter), Pages(id, filter))
            while true {
                try Self.fill(&a, from: history)
                try Self.fill(&b, from: recent)
                guard let next = Self.takeFirst(&a, &b) else { break }
                try body(
                    Row(
                        series: series, time: Timestamp(microseconds: next.time), value: next.value,
                        quality: Quality(rawValue: next.quality)))
            }
        }
    }

    private func putAsideRecent(_ ids: [Int64], _ filter: Filter) throws {
        try database.execute(
            """
            CREATE TEMP TABLE recent (series INTEGER, time INTEGER, value REAL, quality INTEGER, PRIMARY KEY (series, time, value))
                WITHOUT ROWID
            """)
        let statement = try database.prepare(
            """
            INSERT OR IGNORE INTO temp.recent SELECT series, time, value, quality FROM main.readings
            WHERE time >= ?1 AND time < ?2 AND series IN (SELECT value FROM json_each(?3))
            """)
        statement.bind((filter.from ?? .distantPast).microseconds, at: 1)
        statement.bind((filter.to ?? .distantFuture).microseconds, at: 2)
        statement.bind("[\(ids.map(String.init).joined(separator: ","))]", at: 3)
        try statement.run()
    }

    private static func samples(_ table: String) -> String {
        """
        SELECT time, value, quality FROM \(table) WHERE series = ?1 AND (time, value) > (?2, ?3) AND time < ?4
        ORDER BY time, value LIMIT \(page)
        """
    }

    /// One series of one table, a page at a time.
    private struct Pages {
        let series: Int64
        let end: Int64
        var samples: [Sample] = []
        var next = 0
        var last: (time: Int64, value: Double)
        var isAtEnd = false

        init(_ series: Int64, _ filter: Filter) {
            self.series = series
            last = ((filter.from ?? .distantPast).microseconds, -.infinity)
            end = (filter.to ?? .distantFuture).microseconds
        }

        var first: Sample? { next < samples.count ? samples[next] : nil }
    }

    private static func fill(_ pages: inout Pages, from statement: borrowing Statement) throws {
        guard pages.first == nil, !pages.isAtEnd else { return }
        statement.bind(pages.series, at: 1)
        statement.bind(pages.last.time, at: 2)
        statement.bind(pages.last.value, at: 3)
        statement.bind(pages.end, at: 4)
        pages.samples.removeAll(keepingCapacity: true)
        pages.next = 0
        while try statement.step() {
            pages.samples.append(
                Sample(time: statement.int64(0), value: statement.double(1), quality: statement.int(2)))
        }
        if let last = pages.samples.last { pages.last = last.key }
        pages.isAtEnd = pages.samples.count < page
    }

    private static func takeFirst(_ a: inout Pages, _ b: inout Pages) -> Sample? {
        switch (a.first, b.first) {
        case (nil, nil): return nil
        case (let first?, nil):
            a.next += 1
            return first
        case (nil, let first?):
            b.next += 1
            return first
        case (let left?, let right?):
            if left.key <= right.key { a.next += 1 }
            if right.key <= left.key { b.next += 1 }
            return left.key <= right.key ? left : right
        }
    }
}
