import Foundation

/// Lux in a room: the day outside, and the lamp where one burns.
struct LightPlant: Plant {
    let surroundings: Surroundings
    private let lampTimes: [Interval]
    private let failures: [Interval]
    private let window: Double
    private let lamp: Double
    private var random: SplitMix64

    init(_ surroundings: Surroundings, _ random: SplitMix64) {
        var random = random
        self.surroundings = surroundings
        (lampTimes, failures) = (surroundings.lampTimes, surroundings.happenings(.lampFailure).map(\.time))
        let inner = ["hall", "corridor", "stairwell", "bathroom", "cellar"].contains(surroundings.roomKind)
        window = inner ? random.uniform(2..<8) : random.uniform(180..<320)
        lamp = random.uniform(140..<260)
        self.random = random
    }

    mutating func value(at time: Double) -> Double {
        let burns = lampTimes.contains(time) && !failures.contains(time) && surroundings.outage(time) == nil
        let lux = surroundings.daylight(time) * window + (burns ? lamp : 0)
        return max(0, lux * (1 + random.normal(0.02)) + random.uniform(0..<0.4))
    }
}

/// Acceleration of one axis at a wall: gravity, noise, steps, and now and then an earthquake.
struct VibrationPlant: Plant {
    let surroundings: Surroundings
    private let gravity: Double
    private let quakes: [Wave]
    private let knocks: [Interval]
    private let knock: Double
    private var random: SplitMix64

    /// One earthquake as it reaches one place: a little later and a little weaker from device to device.
    struct Wave: Sendable {
        let time: Interval
        let peak: Double
        let phases: [Double]

        init(_ happening: Happening, _ random: inout SplitMix64) {
            let delay = random.uniform(0.1..<2.5)
            time = Interval(from: happening.time.from + delay, to: happening.time.to + delay)
            peak = happening.peak * random.uniform(0.9..<1.05)
            phases = (0..<3).map { _ in random.uniform(0..<(2 * .pi)) }
        }

        /// Grows for a fifth of its time, stays, and dies away.
        func value(at now: Double) -> Double {
            guard time.contains(now) else { return 0 }
            let share = (now - time.from) / (time.to - time.from)
            let envelope = share < 0.2 ? share / 0.2 : share < 0.55 ? 1 : exp(-(share - 0.55) * 7)
            let angle = 2 * Double.pi * (now - time.from)
            let wave = 0.55 * sin(1.3 * angle + phases[0]) + 0.4 * sin(2.7 * angle + phases[1])
            return peak * envelope * (wave + 0.25 * sin(4.9 * angle + phases[2]))
        }
    }

    init(_ surroundings: Surroundings, axis: String?, _ random: SplitMix64) {
        var random = random
        self.surroundings = surroundings
        gravity = axis == "x" || axis == "y" ? random.uniform(-0.05..<0.05) : 9.80665 + random.uniform(-0.02..<0.02)
        quakes = surroundings.happenings(.earthquake).map { Wave($0, &random) }
        knocks = surroundings.happenings(.knock).map(\.time)
        knock = surroundings.happenings(.knock).map(\.peak).max() ?? 0
        self.random = random
    }

    mutating func value(at time: Double) -> Double {
        let steps = surroundings.household.motion.contains(time) ? 0.02 : 0.004
        let shaking = quakes.reduce(0) { $0 + $1.value(at: time) }
        return gravity + random.normal(steps) + shaking + (knocks.contains(time) ? knock : 0)
    }

    /// When the node reports faster because it moves.
    var isMoving: [Interval] { quakes.map { Interval(from: $0.time.from - 1, to: $0.time.to + 5) } }
}

/// A gas: clean air with a little noise, and what leaks or builds up.
struct GasPlant: Plant {
    let surroundings: Surroundings
    let source: Happening.What
    private var clean: Drift
    private let usual: Double

    init(_ surroundings: Surroundings, source: Happening.What, usual: Double, _ random: SplitMix64) {
        (self.surroundings, self.source, self.usual) = (surroundings, source, usual)
        clean = Drift(deviation: usual * 0.4, memory: 300, random: random)
    }

    mutating func value(at time: Double) -> Double {
        var clean = usual + clean.value(at: time)
        if surroundings.roomKind == "kitchen" && surroundings.household.cooking.contains(time) { clean *= 2 }
        // Up to 2 % of the level, so that a plateau is no straight line.
        let level = surroundings.strongest(source, at: time)
        return max(0, clean * (1 + level * 0.02) + level)
    }
}

struct BatteryPlant: Plant {
    let surroundings: Surroundings
    private let full: Double

    init(_ surroundings: Surroundings, _ random: SplitMix64) {
        var random = random
        self.surroundings = surroundings
        full = random.uniform(55..<100)
    }

    mutating func value(at time: Double) -> Double {
        var percent = full - time / 86_400 * 0.2
        for failing in surroundings.happenings(.batteryFailing) {
            percent -= max(0, percent - failing.peak) * failing.strength(at: time)
        }
        return max(0, percent)
    }
}

/// Stands for a quantity whose values are given by the device itself.
struct NoPlant: Plant {
    mutating func value(at time: Double) -> Double { 0 }
}
