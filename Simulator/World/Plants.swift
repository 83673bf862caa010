import Foundation

/// A quantity of the simulated world, at one sensor. Asked at rising times.
protocol Plant: Sendable {
    mutating func value(at time: Double) -> Double
}

/// Volts of the supply, with the noise of the meter and the loads of the flat.
struct MainsPlant: Plant {
    let surroundings: Surroundings
    private var noise: Drift
    private var load: Drift

    init(_ surroundings: Surroundings, _ random: SplitMix64) {
        self.surroundings = surroundings
        noise = Drift(deviation: 0.3, memory: 5, random: random)
        load = Drift(deviation: 1.2, memory: 240, random: SplitMix64(seed: random.state, part: ["load"]))
    }

    mutating func value(at time: Double) -> Double {
        let supply = surroundings.voltage(time)
        let (noise, load) = (noise.value(at: time), load.value(at: time))
        return supply == 0 ? 0 : supply + noise + load
    }
}

struct FrequencyPlant: Plant {
    private var noise: Drift
    init(_ random: SplitMix64) { noise = Drift(deviation: 0.02, memory: 60, random: random) }
    mutating func value(at time: Double) -> Double { 50 + noise.value(at: time) }
}

struct TemperaturePlant: Plant {
    let surroundings: Surroundings
    private let base: Double
    private var noise: Drift

    private static let usual: [String: Double] = [
        "living": 21.2, "bedroom": 18.8, "children": 20.5, "kitchen": 20.8, "bathroom": 22.4, "hall": 19.4,
        "corridor": 18, "stairwell": 15, "cellar": 12, "technical": 17, "attic": 13, "outdoor": 6,
    ]

    init(_ surroundings: Surroundings, _ random: SplitMix64) {
        var random = random
        self.surroundings = surroundings
        base = (Self.usual[surroundings.roomKind] ?? 19) + random.uniform(-0.6..<0.6)
        noise = Drift(deviation: 0.15, memory: 900, random: random)
    }

    mutating func value(at time: Double) -> Double {
        var celsius = base + 0.7 * sin((surroundings.hour(time) - 9.5) / 24 * 2 * .pi) + noise.value(at: time)
        if surroundings.roomKind == "kitchen" {
            celsius += 3 * surroundings.household.cooking.inertia(at: time, memory: 1200, exp: exp)
        }
        if surroundings.roomKind == "bathroom" {
            celsius += 2.5 * surroundings.household.showers.inertia(at: time, memory: 900, exp: exp)
        }
        for failure in surroundings.happenings(.heatingFailure) {
            celsius -= max(0, celsius - failure.peak) * failure.strength(at: time)
        }
        for fire in surroundings.happenings(.fire) { celsius += (fire.peak - celsius) * fire.strength(at: time) }
        return celsius
    }
}

struct HumidityPlant: Plant {
    let surroundings: Surroundings
    private let base: Double
    private var noise: Drift

    init(_ surroundings: Surroundings, _ random: SplitMix64) {
        var random = random
        self.surroundings = surroundings
        base = random.uniform(42..<52)
        noise = Drift(deviation: 1.2, memory: 1800, random: random)
    }

    mutating func value(at time: Double) -> Double {
        var percent = base + 3 * sin((surroundings.hour(time) - 3) / 24 * 2 * .pi) + noise.value(at: time)
        if surroundings.roomKind == "bathroom" {
            percent += 40 * surroundings.household.showers.inertia(at: time, memory: 600, exp: exp)
        }
        if surroundings.roomKind == "kitchen" {
            percent += 16 * surroundings.household.cooking.inertia(at: time, memory: 1200, exp: exp)
        }
        let wet = surroundings.happenings(.water).map(\.time)
        percent += 30 * wet.inertia(at: time, memory: 1500, exp: exp)
        return min(99.9, max(5, percent))
    }
}

/// CO2 of the people in a room, as the air exchanges it.
struct CarbonDioxidePlant: Plant {
    let surroundings: Surroundings
    private var ppm: Double
    private var last: Double?
    private var noise: Drift

    init(_ surroundings: Surroundings, _ random: SplitMix64) {
        var random = random
        self.surroundings = surroundings
        ppm = random.uniform(480..<650)
        noise = Drift(deviation: 12, memory: 120, random: random)
    }

    mutating func value(at time: Double) -> Double {
        let people = Double(surroundings.household.occupants(of: surroundings.roomKind, at: time))
        let target = 430 + people * (surroundings.roomKind == "bedroom" ? 480 : 260)
        ppm += (target - ppm) * (1 - exp(-(time - (last ?? time)) / 4500))
        last = time
        return max(400, ppm + noise.value(at: time))
    }
}
