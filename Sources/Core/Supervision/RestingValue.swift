/// The running median of a channel: what a node at rest reports, gravity included.
package struct RestingValue: Hashable, Codable, Sendable {
    private static let memory = 61

    /// By age, the oldest overwritten first.
    private var recent: [Double] = []
    private var position = 0
    private var sorted: [Double] = []

    package init() {}

    /// How far `value` is from rest, then remembers it.
    package mutating func deviation(of value: Double) -> Double {
        let rest = sorted.isEmpty ? value : sorted[sorted.count / 2]
        remember(value)
        return abs(value - rest)
    }

    private mutating func remember(_ value: Double) {
        if recent.count < Self.memory {
            recent.append(value)
        } else {
            sorted.remove(at: index(of: recent[position]))
            recent[position] = value
            position = (position + 1) % Self.memory
        }
        sorted.insert(value, at: index(of: value))
    }

    /// The first place at which `value` may stand.
    private func index(of value: Double) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
