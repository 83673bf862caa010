import Core

/// Something that happens to a place: what the sensors there are to notice.
struct Happening: Hashable, Sendable {
    enum What: String, CaseIterable, Sendable {
        case powerOutage = "power-outage"
        case voltage
        case water
        case lampOn = "lamp-on"
        case lampFailure = "lamp-failure"
        case doorOpen = "door-open"
        case breakIn = "break-in"
        case earthquake
        case knock
        case gasLeak = "gas-leak"
        case carbonMonoxide = "carbon-monoxide"
        case fire
        case heatingFailure = "heating-failure"
        case batteryFailing = "battery-failing"

        /// The highest (or lowest) value that it brings, where the document gives none; nil: it has none.
        var usualPeak: Double? {
            switch self {
            case .voltage: 265
            case .earthquake: 1.2
            case .knock: 0.1
            case .gasLeak: 35
            case .carbonMonoxide: 180
            case .fire: 90
            case .heatingFailure: 12
            case .batteryFailing: 5
            case .powerOutage, .water, .lampOn, .lampFailure, .doorOpen, .breakIn: nil
            }
        }

        /// How long it takes to get there; nil: at once.
        var usualRise: Double? {
            switch self {
            case .gasLeak, .carbonMonoxide: 60
            case .fire: 180
            case .heatingFailure, .batteryFailing: 7200
            default: nil
            }
        }

        /// How long it lasts where the document gives no end; nil: until the scenario's end.
        var usualLength: Double? {
            switch self {
            case .earthquake: 25
            case .knock: 0.3
            case .doorOpen, .breakIn: 20
            default: nil
            }
        }
    }

    /// What mains meters do in an outage: they have a battery and report 0 V, or they fall silent like everything else.
    enum Meters: String, CaseIterable, Sendable { case zero, silent }

    let what: What
    let place: PlacePattern
    let time: Interval
    let peak: Double
    let rise: Double
    let meters: Meters

    /// 0 before, climbing evenly to 1, and after the end falling back as fast as it came.
    func strength(at now: Double) -> Double {
        guard now >= time.from else { return 0 }
        func climbed(_ moment: Double) -> Double { rise > 0 ? min(1, (moment - time.from) / rise) : 1 }
        if now < time.to { return climbed(now) }
        return rise > 0 ? max(0, climbed(time.to) - (now - time.to) / rise) : 0
    }
}

/// Something that goes wrong with a device.
struct Fault: Hashable, Sendable {
    enum What: String, CaseIterable, Sendable {
        /// Says nothing.
        case dropout
        /// Says the same again and again.
        case frozen
        /// Says `nan`.
        case nan
        /// Now and then a value that is none: an overflow, a code for “no sensor”.
        case spikes
        /// An old message comes again, as a broker or a gateway keeps it.
        case replay
        /// Says everything twice.
        case duplicates
        /// Stamps are off by `offset`.
        case wrongClock = "wrong-clock"
        /// Stamps are those of a clock that was never set: 1970.
        case unsetClock = "unset-clock"
        /// Every second message comes after the one that follows it.
        case reordering
        case decimalComma = "decimal-comma"
    }

    let what: What
    let device: PlacePattern
    /// Nil: all that the device measures.
    let measure: Quantity?
    let time: Interval
    let offset: Double
    let values: [Double]
    /// How many of a hundred readings are spikes; how far apart replays are, in seconds.
    let share: Double
    let every: Double
}

/// What a person does in a scenario.
struct PersonAction: Hashable, Sendable {
    enum What: Hashable, Sendable {
        case arm(building: String, flat: String, mode: ArmMode)
        /// The alarm of this hazard there, whichever id it has.
        case acknowledge(Hazard, place: [String])
    }

    let at: Double
    let what: What
    let by: String
}
