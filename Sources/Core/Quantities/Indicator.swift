/// What a sensor tells about. The raw value is the word used in JSON, SQL, topics and CSV.
package enum Indicator: String, CaseIterable, Codable, Sendable {
    case voltage, frequency, humidity, light, lamp, door, motion, vibration, gas, smoke, temperature, co2, particles,
        radon
    case waterLeak = "water_leak"
    /// Of the air: worked out from temperature and humidity.
    case dewPoint = "dew_point"
    case absoluteHumidity = "absolute_humidity"
    case battery
    case batteryVoltage = "battery_voltage"

    /// The unit in which readings of this indicator are kept where it has only one.
    package var canonicalUnit: Unit? {
        switch self {
        case .voltage, .batteryVoltage: .volt
        case .frequency: .hertz
        case .humidity, .battery: .percent
        case .light: .lux
        case .lamp, .door, .motion, .smoke, .waterLeak: .boolean
        case .temperature, .dewPoint: .celsius
        case .absoluteHumidity: .gramPerCubicMetre
        case .co2: .ppm
        case .particles: .microgramPerCubicMetre
        case .radon: .becquerelPerCubicMetre
        case .gas, .vibration: nil
        }
    }

    /// The units that a reading of this indicator may have.
    package func accepts(_ unit: Unit) -> Bool {
        switch self {
        case .gas: [.ppm, .milligramPerCubicMetre, .percentLEL, .boolean, .raw].contains(unit)
        case .vibration: [.metrePerSecondSquared, .millimetrePerSecond, .boolean, .raw].contains(unit)
        case .smoke: [.boolean, .raw].contains(unit)
        default: unit == canonicalUnit
        }
    }
}
