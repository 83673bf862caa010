import Core

/// Recognises a reading that is stored already: same series, same time of the device, same value.
///
/// Newer than everything of its series is new. What is not yet in the history by key is remembered here; the rest is looked up there.
struct Duplicates {
    struct Key: Hashable {
        let series: Int64
        let time: Int64
        let value: Double

        /// The time alone tells nearly all apart.
        func hash(into hasher: inout Hasher) { hasher.combine(time &+ series) }
    }

    private var recent: Set<Key> = []
    /// The same keys by sequence number, so that they can leave with their rows.
    private var order: [(sequence: Int64, key: Key)] = []
    private var first = 0
    private var newest: [Int64: Int64] = [:]

    enum Answer {
        case new
        case known
        /// Only the history can tell.
        case askHistory
    }

    func look(_ key: Key) -> Answer {
        guard let newest = newest[key.series] else { return recent.contains(key) ? .known : .askHistory }
        if key.time > newest { return .new }
        return recent.contains(key) ? .known : .askHistory
    }

    mutating func remember(_ key: Key, sequence: Int64) {
        recent.insert(key)
        order.append((sequence, key))
        newest[key.series] = max(newest[key.series] ?? .min, key.time)
    }

    /// Forgets what has moved to the history.
    mutating func forget(through sequence: Int64) {
        while first < order.count, order[first].sequence <= sequence {
            recent.remove(order[first].key)
            first += 1
        }
        if first > 65_536 || first == order.count {
            order.removeFirst(first)
            first = 0
        }
    }
}
