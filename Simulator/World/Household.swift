import Core

/// The ordinary life of a flat, worked out for the whole scenario: who is at home, sleeps, cooks, showers, opens the door.
struct Household: Sendable {
    private(set) var home: [Interval] = []
    private(set) var asleep: [Interval] = []
    private(set) var cooking: [Interval] = []
    private(set) var showers: [Interval] = []
    /// The entrance stands open.
    private(set) var doors: [Interval] = []
    /// Somebody walks about.
    private(set) var motion: [Interval] = []
    private(set) var arming: [(at: Double, mode: ArmMode)] = []
    let people: Int
    private let arms: Bool
    private var random: SplitMix64

    /// - Parameters:
    ///   - midnight: of the first day, in seconds since the scenario's start; not after it.
    ///   - length: of the scenario.
    init(_ kind: HouseholdKind, arms: Bool, midnight: Double, length: Double, random: SplitMix64) {
        (self.arms, self.random) = (arms, random)
        people = kind == .none ? 0 : kind == .family ? 4 : 2
        guard kind != .none else { return }
        var day = midnight - 86_400
        while day < length {
            switch kind {
            case .none: break
            case .family: liveAsFamily(day)
            case .retired: liveRetired(day)
            }
            day += 86_400
        }
        finish()
    }

    private mutating func clock(_ day: Double, _ hour: Double, give minutes: Double) -> Double {
        day + hour * 3600 + random.uniform(-minutes..<minutes) * 60
    }

    private mutating func span(_ from: Double, minutes: Range<Double>) -> Interval {
        Interval(from: from, to: from + random.uniform(minutes) * 60)
    }

    private mutating func liveAsFamily(_ day: Double) {
        let wake = clock(day, 6.6, give: 20)
        let leave = clock(day, 8.0, give: 15)
        let back = clock(day, 16.8, give: 45)
        let bed = clock(day, 22.7, give: 25)
        asleep.append(Interval(from: bed, to: day + 86_400 + 6.4 * 3600))
        home.append(Interval(from: back, to: day + 86_400 + 6.3 * 3600))  // until the next day's waking
        home.append(Interval(from: wake, to: leave))
        showers.append(span(wake + 300, minutes: 6..<14))
        showers.append(span(clock(day, 21.2, give: 30), minutes: 8..<16))
        cooking.append(span(wake + 900, minutes: 10..<18))
        cooking.append(span(clock(day, 18.4, give: 20), minutes: 30..<55))
        pass(leave)
        if random.chance(0.4) { pass(leave + random.uniform(3..<15)) }  // the keys
        pass(back)
        pass(clock(day, 19.6, give: 20))
        if arms {
            arming.append((leave - 25, .away))
            arming.append((back + random.uniform(8..<30), .off))
        }
    }

    private mutating func liveRetired(_ day: Double) {
        let bed = clock(day, 22.0, give: 30)
        let shop = clock(day, 10.2, give: 30)
        let back = shop + random.uniform(40..<90) * 60
        asleep.append(Interval(from: bed, to: day + 86_400 + 7.2 * 3600))
        home.append(Interval(from: day, to: shop))
        home.append(Interval(from: back, to: day + 86_400))
        showers.append(span(clock(day, 7.8, give: 20), minutes: 8..<15))
        for hour in [8.3, 12.2, 18.2] { cooking.append(span(clock(day, hour, give: 15), minutes: 20..<45)) }
        for moment in [shop, back, clock(day, 14, give: 60), clock(day, 17, give: 30)] { pass(moment) }
    }

    /// Somebody goes through the entrance.
    private mutating func pass(_ time: Double) {
        doors.append(Interval(from: time, to: time + random.uniform(5..<25)))
    }

    private mutating func finish() {
        (home, asleep, cooking, showers) = (home.merged, asleep.merged, cooking.merged, showers.merged)
        doors = doors.merged
        arming.sort { $0.at < $1.at }
        for interval in home {
            var time = interval.from + random.uniform(4..<20)  // after the door
            while time < interval.to {
                let stretch = span(time, minutes: 0.5..<2)
                if !asleep.contains(time) { motion.append(stretch) }
                time = stretch.to + random.uniform(3..<20) * 60
            }
        }
        motion = motion.merged
    }

    // MARK: What the rooms notice

    func isAwake(_ time: Double) -> Bool { home.contains(time) && !asleep.contains(time) }

    /// How many people are in a room of this kind.
    func occupants(of kind: String, at time: Double) -> Int {
        guard people > 0, home.contains(time) else { return 0 }
        if asleep.contains(time) { return ["bedroom", "children"].contains(kind) ? min(2, people) : 0 }
        if cooking.contains(time) { return kind == "kitchen" ? 2 : kind == "living" ? max(0, people - 2) : 0 }
        return kind == "living" ? min(3, people) : 0
    }

    /// When the lamp of a room of this kind burns; only while it is dark outside.
    func lamps(in kind: String, isDark: (Double) -> Bool) -> [Interval] {
        var lit: [Interval]
        switch kind {
        case "kitchen": lit = cooking
        case "bathroom": lit = showers
        case "hall", "corridor", "stairwell": lit = doors.map { Interval(from: $0.from, to: $0.to + 150) }
        case "living": lit = awake.flatMap { split($0, at: isDark) }
        case "bedroom": lit = asleep.map { Interval(from: $0.from - 1500, to: $0.from) }
        default: lit = []
        }
        lit = lit.filter { isDark($0.from) }
        return lit.merged
    }

    private var awake: [Interval] {
        home.flatMap { home -> [Interval] in
            var rest = [home]
            for sleep in asleep {
                rest = rest.flatMap { part in
                    [
                        Interval(from: part.from, to: min(part.to, sleep.from)),
                        Interval(from: max(part.from, sleep.to), to: part.to),
                    ].filter { $0.to > $0.from }
                }
            }
            return rest
        }
    }

    /// The dark parts, to the quarter of an hour.
    private func split(_ interval: Interval, at isDark: (Double) -> Bool) -> [Interval] {
        stride(from: interval.from, to: interval.to, by: 900).compactMap {
            isDark($0) ? Interval(from: $0, to: min($0 + 900, interval.to)) : nil
        }
    }
}
