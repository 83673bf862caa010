/// One series of a device: its newest value, what was learned about it, and the norms that judge it.
struct Channel: Hashable, Codable, Sendable {
    let series: Series
    var tracks: [Track] = []
    /// Joins of the flat that look at this channel.
    var joins: [Int] = []

    /// Sample time and value of the newest judged sample.
    var newest: Timestamp?
    /// Sample time of the one before it.
    var previousTime: Timestamp?
    var value = 0.0
    /// The newest value was 1; tells an opening from a door that is still open.
    var wasOn = false
    /// Arrival of the newest live reading, and how deaf we had been until then.
    var heard: Timestamp?
    var deafWhenHeard = Span.zero

    var cadence = Cadence()
    var frozen = Frozen()
    var resting: RestingValue?
    /// A jump that the next value has to confirm.
    var jump: HeldJump?
    var supply: NominalVoltage?
    /// Values in a row that were none, and when the last of them came: it speaks, so it is not silent.
    var unreadable = 0
    var unreadableAt: Timestamp?
    var faults = FaultSet()
    /// The deadline for its silence that is in the agenda.
    var watchedUntil: Timestamp?

    struct HeldJump: Hashable, Codable, Sendable {
        let time: Timestamp
        let value: Double
    }

    init(series: Series) {
        self.series = series
        if series.indicator == .vibration && !series.unit.isEvent { resting = RestingValue() }
        if series.indicator == .voltage { supply = NominalVoltage() }
    }

    /// What is to be done with a value, before any norm sees it.
    enum Admission {
        /// Older than what is known: history only.
        case late
        /// Not what such a sensor can measure.
        case implausible
        /// To be judged, oldest first. The first may have been held back before.
        case judge(HeldJump?, isRepeat: Bool)
    }

    mutating func admit(_ value: Double, at time: Timestamp) -> Admission {
        guard Plausibility.range(series.indicator, series.unit).contains(value) else { return .implausible }
        if let newest, time < newest { return .late }
        let isRepeat = newest == time
        if let held = jump {
            jump = nil
            if Plausibility.confirms(value, jump: held.value, before: self.value) {
                remember(value, time)
                return .judge(held, isRepeat: isRepeat)
            }
        }
        if newest != nil, Plausibility.needsConfirmation(series.indicator, series.unit, from: self.value, to: value) {
            jump = HeldJump(time: time, value: value)
            return .implausible
        }
        remember(value, time)
        return .judge(nil, isRepeat: isRepeat)
    }

    /// What the norms see of a value: of shaking the deviation from rest, or nil while the channel is too slow to be judged for it.
    mutating func judged(_ value: Double, _ interval: Span?, reportsPeaks: Bool) -> Double? {
        guard series.indicator == .vibration && !series.unit.isEvent else { return value }
        let deviation = resting?.deviation(of: value)
        if reportsPeaks || series.channel == "peak" { return abs(value) }
        guard let deviation, let interval, interval <= .seconds(1.1) else { return nil }
        return deviation
    }

    private mutating func remember(_ value: Double, _ time: Timestamp) {
        if newest != time { previousTime = newest }
        (self.value, newest) = (value, time)
    }
}

/// The supply voltage that a meter is for: declared, or learned from ten minutes near one of the usual ones.
struct NominalVoltage: Hashable, Codable, Sendable {
    private static let usual = [100.0, 120, 230, 400]
    private static let proof = Span.minutes(10)

    private(set) var learned: Double?
    private var candidate: Double?
    private var since: Timestamp?

    /// Returns whether the nominal voltage has just become known.
    mutating func take(_ volts: Double, at time: Timestamp) -> Bool {
        guard learned == nil else { return false }
        let near = Self.usual.filter { abs(volts - $0) <= 0.2 * $0 }.min { abs(volts - $0) < abs(volts - $1) }
        guard let near else {
            (candidate, since) = (nil, nil)
            return false
        }
        // 100 and 120 V overlap: a value near both keeps what it was taken for.
        if let candidate, abs(volts - candidate) <= 0.2 * candidate, let since {
            guard time - since >= Self.proof else { return false }
            learned = candidate
            return true
        }
        (candidate, since) = (near, time)
        return false
    }
}
