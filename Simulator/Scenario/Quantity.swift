import Core

/// What a simulated device can measure; the raw value is the word in a scenario.
enum Quantity: String, CaseIterable, Sendable {
    case voltage, frequency, temperature, humidity, co2, light, vibration, co, methane, battery
    /// Counts up by one with every message of the whole scenario; nothing judges it.
    case number
    case lamp, door, motion, smoke
    case waterLeak = "water_leak"
    case gasAlarm = "gas_alarm"
    case coAlarm = "co_alarm"

    /// Told when it changes, rather than every so often.
    var isEvent: Bool {
        switch self {
        case .lamp, .door, .motion, .smoke, .waterLeak, .gasAlarm, .coAlarm: true
        case .voltage, .frequency, .temperature, .humidity, .co2, .light, .vibration, .co, .methane, .battery, .number:
            false
        }
    }

    /// The last level of a native topic.
    var indicator: Indicator {
        switch self {
        case .voltage: .voltage
        case .frequency: .frequency
        case .temperature: .temperature
        case .humidity: .humidity
        case .co2: .co2
        case .light: .light
        case .vibration: .vibration
        case .co, .methane, .gasAlarm, .coAlarm: .gas
        case .battery: .battery
        // The one indicator with room for ten million and no limit that a short run could break.
        case .number: .radon
        case .lamp: .lamp
        case .door: .door
        case .motion: .motion
        case .smoke: .smoke
        case .waterLeak: .waterLeak
        }
    }

    var species: String? {
        switch self {
        case .co, .coAlarm: "co"
        case .methane, .gasAlarm: "ch4"
        default: nil
        }
    }

    /// As it stands beside the value.
    var unit: Unit? {
        switch self {
        case .co: .ppm
        case .methane: .percentLEL
        case .vibration: .metrePerSecondSquared
        default: isEvent ? nil : indicator.canonicalUnit
        }
    }

    /// Digits behind the point that such a device gives.
    var decimals: Int {
        switch self {
        case .voltage, .temperature, .humidity, .co, .methane, .light: 1
        case .frequency: 2
        case .vibration: 3
        case .co2, .battery, .number: 0
        default: 0
        }
    }
}

/// One thing that a device measures: `temperature`, or `vibration:x` for one axis.
struct Measure: Hashable, Sendable {
    let quantity: Quantity
    let channel: String?

    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard let first = parts.first, let quantity = Quantity(rawValue: first) else { return nil }
        self.quantity = quantity
        channel = parts.count > 1 ? parts[1] : nil
    }

    var text: String { quantity.rawValue + (channel.map { ":" + $0 } ?? "") }
}
