/// SplitMix64: the same seed gives the same story.
package struct SplitMix64: RandomNumberGenerator {
    package var state: UInt64

    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let a = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let b = (a ^ (a >> 27)) &* 0x94D0_49BB_1331_11EB
        return b ^ (b >> 31)
    }
}
