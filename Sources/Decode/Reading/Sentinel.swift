import Core

/// Codes for “no value”, and values that no such sensor can measure.
///
/// Only what cannot be a measurement is dropped here. What is merely unlikely goes on, and Core keeps it out of judgement.
enum Sentinel {
    /// Expects a value in a unit that the indicator accepts.
    static func check(_ value: Double, _ unit: Unit, _ measurand: Measurand) -> Outcome {
        guard value.isFinite else { return .unreadable(.notFinite) }
        let indicator = measurand.indicator
        var value = value
        switch indicator {
        case .temperature:
            if codes.contains(value) || noTemperature.contains(value) { return .unreadable(.sentinel) }
            guard value >= -60, value <= (measurand.isHot ? 1300 : 150) else { return .unreadable(.outOfRange) }
        case .humidity:
            if codes.contains(value) { return .unreadable(.sentinel) }
            guard (0...105).contains(value) else { return .unreadable(.outOfRange) }
            value = min(value, 100)
        case .battery:
            if value == 255 { return .unreadable(.sentinel) }
            guard (0...100).contains(value) else { return .unreadable(.outOfRange) }
        case .dewPoint:
            if codes.contains(value) { return .unreadable(.sentinel) }
            guard (-100...100).contains(value) else { return .unreadable(.outOfRange) }
        case .light, .particles, .radon, .frequency, .absoluteHumidity:
            if value == -1 || value == 65_535 { return .unreadable(.sentinel) }
            guard value >= 0 else { return .unreadable(.outOfRange) }
        case .voltage, .batteryVoltage:
            if value == -1 || codes.contains(value) { return .unreadable(.sentinel) }
            guard value >= 0 else { return .unreadable(.outOfRange) }
        case .co2:
            // Outdoor air has 400 ppm: zero is a sensor that has not begun.
            if value == 65_535 || value == 0 { return .unreadable(.sentinel) }
            guard value > 0, value <= 100_000 else { return .unreadable(.outOfRange) }
        case .gas:
            if value == -1 || value == 65_535 { return .unreadable(.sentinel) }
            guard value >= 0 else { return .unreadable(.outOfRange) }
        case .smoke:
            guard value >= 0 else { return .unreadable(.outOfRange) }
        case .vibration, .door, .motion, .lamp, .waterLeak: break
        }
        return .value(value, unit, indicator)
    }

    /// 0xFFFF and 0x7FFF in the usual scalings.
    private static let codes: Set<Double> = [
        65_535, 6553.5, 6553.4, 655.35, 655.34, 65.535, 32_767, 3276.7, 327.67, -32_768, -3276.8, -327.68,
    ]
    private static let noTemperature: Set<Double> = [-127, -100, 850, 999]
}

/// DS18x20 sensors report 85 °C when they were just powered on; in a steady series it is a real value.
struct PowerOnGuard: Sendable {
    private var last: [Series: Double] = [:]
    private static let most = 10_000

    static func concerns(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("ds18") || name.hasPrefix("dallas")
    }

    static func concerns(_ topic: Topic) -> Bool { topic.levels.contains { concerns($0) } }

    /// Whether the value is that marker: the first of its series, or more than 20 °C away from the one before.
    mutating func isMarker(_ value: Double, of series: Series) -> Bool {
        guard value == 85 else {
            if last.count >= Self.most { last.removeAll(keepingCapacity: true) }
            last[series] = value
            return false
        }
        guard let before = last[series] else { return true }
        return abs(value - before) > 20
    }
}
