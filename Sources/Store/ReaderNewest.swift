package import Core

/// The newest readings.
extension Reader {
    /// The last readings before the filter's end, by time; of all chosen series together `count`.
    package func newest(_ count: Int, _ filter: Filter) throws -> [Row] {
        let chosen = try series().filter { filter.fits($0.series) }
        let names = Dictionary(uniqueKeysWithValues: chosen.map { ($0.id, $0.series) })
        return try snapshot {
            var rows: [Row] = []
            let recent = try database.prepare(
                """
                SELECT series, time, value, quality FROM readings
                WHERE time >= ?1 AND time < ?2 AND series IN (SELECT value FROM json_each(?3)) ORDER BY time DESC, sequence DESC LIMIT ?4
                """)
            bind(filter, count, to: recent)
            recent.bind("[\(chosen.map { String($0.id) }.joined(separator: ","))]", at: 3)
            while try recent.step() {
                if let series = names[recent.int64(0)] { rows.append(Row(recent, series)) }
            }
            let history = try database.prepare(
                """
                SELECT series, time, value, quality FROM history WHERE series = ?3 AND time >= ?1 AND time < ?2
                ORDER BY time DESC LIMIT ?4
                """)
            bind(filter, count, to: history)
            for (id, series) in chosen {
                history.bind(id, at: 3)
                while try history.step() { rows.append(Row(history, series)) }
                if rows.count > 4 * count { rows = Self.last(count, of: rows) }
            }
            return Self.last(count, of: rows)
        }
    }

    private func bind(_ filter: Filter, _ count: Int, to statement: borrowing Statement) {
        statement.bind((filter.from ?? .distantPast).microseconds, at: 1)
        statement.bind((filter.to ?? .distantFuture).microseconds, at: 2)
        statement.bind(count, at: 4)
    }

    private static func last(_ count: Int, of rows: [Row]) -> [Row] {
        rows.enumerated().sorted { ($1.element.time, $0.offset) < ($0.element.time, $1.offset) }.prefix(count)
            .map(\.element).reversed()
    }

    package struct Latest: Sendable {
        package let series: Series
        /// Nil for a stored message without a time: age unknown.
        package let time: Timestamp?
        package let value: Double
    }

    /// The newest value of each series, implausible ones left out.
    package func latest() throws -> [Latest] {
        try snapshot {
            let plausible = "quality & \(Quality.implausible.rawValue) = 0"
            var newest: [Int64: (time: Int64, value: Double)] = [:]
            let recent = try database.prepare(
                "SELECT series, max(time), value FROM readings WHERE \(plausible) GROUP BY series")
            while try recent.step() { newest[recent.int64(0)] = (recent.int64(1), recent.double(2)) }
            let known = try database.prepare("SELECT series, value FROM last_known")
            var lastKnown: [Int64: Double] = [:]
            while try known.step() { lastKnown[known.int64(0)] = known.double(1) }
            let history = try database.prepare(
                "SELECT time, value FROM history WHERE series = ? AND \(plausible) ORDER BY time DESC LIMIT 1")
            return try series().compactMap { id, series in
                history.bind(id, at: 1)
                if try history.step(), newest[id].map({ $0.time < history.int64(0) }) ?? true {
                    newest[id] = (history.int64(0), history.double(1))
                }
                history.reset()
                if let value = newest[id] {
                    return Latest(series: series, time: Timestamp(microseconds: value.time), value: value.value)
                }
                return lastKnown[id].map { Latest(series: series, time: nil, value: $0) }
            }
        }
    }
}

extension Reader.Row {
    /// From the columns series, time, value, quality.
    fileprivate init(_ statement: borrowing Statement, _ series: Series) {
        self.init(
            series: series, time: Timestamp(microseconds: statement.int64(1)), value: statement.double(2),
            quality: Quality(rawValue: statement.int(3)))
    }
}
