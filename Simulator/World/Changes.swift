/// The states of an event quantity over a whole scenario: known from the start, told as they come.
struct Changes: Sendable {
    /// When it is on.
    private let on: [Interval]
    private var edges: [Double]
    private var position = 0

    init(on: [Interval]) {
        self.on = on.merged
        edges = self.on.flatMap { [$0.from, $0.to] }.filter { $0 > 0 && $0.isFinite }
    }

    func isOn(at time: Double) -> Bool { on.contains(time) }

    /// The next change that has not been told.
    var next: Double? { position < edges.count ? edges[position] : nil }

    mutating func pass(_ time: Double) {
        while position < edges.count, edges[position] <= time { position += 1 }
    }

    static func of(_ quantity: Quantity, _ surroundings: Surroundings, isEntrance: Bool) -> Changes {
        func times(_ what: Happening.What) -> [Interval] { surroundings.happenings(what).map(\.time) }
        func above(_ level: Double, _ what: Happening.What) -> [Interval] {
            surroundings.happenings(what).compactMap { happening in
                guard happening.peak > level else { return nil }
                let delay = happening.rise * level / happening.peak
                let end = happening.time.to + happening.rise * (1 - level / happening.peak)
                return Interval(from: happening.time.from + delay, to: end)
            }
        }
        let household = surroundings.household
        switch quantity {
        case .lamp: return Changes(on: surroundings.lampTimes)
        case .door: return Changes(on: times(.doorOpen) + times(.breakIn) + (isEntrance ? household.doors : []))
        case .motion:
            // A burglar moves about for a while after the door.
            let burglars = times(.breakIn).map { Interval(from: $0.from + 6, to: $0.to + 90) }
            return Changes(on: household.motion + burglars)
        case .smoke:
            return Changes(on: times(.fire).map { Interval(from: $0.from + 20, to: $0.to + 120) })
        case .waterLeak: return Changes(on: times(.water).map { Interval(from: $0.from + 5, to: $0.to) })
        case .gasAlarm: return Changes(on: above(10, .gasLeak))
        case .coAlarm: return Changes(on: above(100, .carbonMonoxide))
        default: return Changes(on: [])
        }
    }
}
