import Core
import Foundation

/// A small generator with a state that can be copied; the same seed gives the same numbers everywhere.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    init(state: UInt64) { self.state = state }

    /// The generator of one part of a simulation. Parts do not share numbers: a draw added in one leaves the others as they were.
    init(seed: UInt64, part: [String]) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ Identity.fnv(part)
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let a = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let b = (a ^ (a >> 27)) &* 0x94D0_49BB_1331_11EB
        return b ^ (b >> 31)
    }

    /// At least `range.lowerBound`, below `range.upperBound`. Own arithmetic: the library's may change with its version.
    mutating func uniform(_ range: Range<Double> = 0..<1) -> Double {
        range.lowerBound + Double(next() >> 11) * 0x1p-53 * (range.upperBound - range.lowerBound)
    }

    mutating func chance(_ share: Double) -> Bool { uniform() < share }

    /// Normally distributed around 0.
    mutating func normal(_ deviation: Double) -> Double {
        let radius = (-2 * log(1 - uniform())).squareRoot()
        return deviation * radius * cos(2 * .pi * uniform())
    }
}

/// A value that wanders around 0 and forgets where it was within `memory` seconds.
struct Drift: Sendable {
    private let deviation: Double
    private let memory: Double
    private var value = 0.0
    private var time: Double?
    private var random: SplitMix64

    init(deviation: Double, memory: Double, random: SplitMix64) {
        (self.deviation, self.memory, self.random) = (deviation, memory, random)
    }

    mutating func value(at now: Double) -> Double {
        let kept = time.map { exp(-max(0, now - $0) / memory) } ?? 0
        value = value * kept + random.normal(deviation * (1 - kept * kept).squareRoot())
        time = now
        return value
    }
}
