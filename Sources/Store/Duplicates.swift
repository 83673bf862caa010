import Core

/// Recognises a reading that is stored already: same series, same time of the device, same value.
///
/// Newer than everything of its series is new. What is not yet in the history by key is remembered here; the rest is looked up there.
struct Duplicates {
    struct Key {
        /// The number of a series; they are given in turn.
        let series: Int64
        let time: Int64
        let value: Double
    }

    private struct Entry {
        let time: Int64
        let value: Double
        let sequence: Int64
    }

    /// What is remembered of one series, by time. Entries before `first` are forgotten.
    private struct Line {
        var entries: [Entry] = []
        var first = 0
        var newest = Int64.min

        /// Where the first entry of this time or a later one is.
        private func place(of time: Int64) -> Int {
            var (low, high) = (first, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].time < time { low = middle + 1 } else { high = middle }
            }
            return low
        }

        func contains(_ time: Int64, _ value: Double) -> Bool {
            entries[place(of: time)...].lazy.prefix { $0.time == time }.contains { $0.value == value }
        }

        mutating func insert(_ entry: Entry) {
            if entry.time >= newest {
                newest = entry.time
                entries.append(entry)
            } else {
                entries.insert(entry, at: place(of: entry.time))
            }
        }

        mutating func forget(through sequence: Int64) {
            while first < entries.count, entries[first].sequence <= sequence { first += 1 }
            guard first * 2 >= entries.count else { return }
            entries.removeFirst(first)
            first = 0
        }
    }

    private var lines: [Line] = []

    enum Answer {
        case new
        case known
        /// Only the history can tell.
        case askHistory
    }

    func look(_ key: Key) -> Answer {
        guard key.series < lines.count, lines[Int(key.series)].newest > .min else { return .askHistory }
        if key.time > lines[Int(key.series)].newest { return .new }
        return lines[Int(key.series)].contains(key.time, key.value) ? .known : .askHistory
    }

    mutating func remember(_ key: Key, sequence: Int64) {
        while lines.count <= key.series { lines.append(Line()) }
        lines[Int(key.series)].insert(Entry(time: key.time, value: key.value, sequence: sequence))
    }

    /// Forgets what has moved to the history.
    mutating func forget(through sequence: Int64) {
        for series in lines.indices { lines[series].forget(through: sequence) }
    }
}
