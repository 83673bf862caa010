/// A unit in which values are kept. Everything else is converted once, where it comes in.
package enum Unit: String, CaseIterable, Codable, Sendable {
    case volt = "V"
    case hertz = "Hz"
    case percent = "%"
    case boolean = "bool"
    case lux = "lx"
    case metrePerSecondSquared = "m/s2"
    case millimetrePerSecond = "mm/s"
    /// Of a vibration dose; no reading has it.
    case vibrationDose = "m/s^1.75"
    case ppm
    case milligramPerCubicMetre = "mg/m3"
    case percentLEL = "%LEL"
    case celsius = "°C"
    case microgramPerCubicMetre = "µg/m3"
    case gramPerCubicMetre = "g/m3"
    case becquerelPerCubicMetre = "Bq/m3"
    /// A count whose meaning only the device knows; shown, never judged.
    case raw

    /// An event value holds until the next one; a sampled value ages.
    package var isEvent: Bool { self == .boolean }
}

/// A unit as somebody wrote it: which kept unit it is, and how to get there (`value × factor + offset`).
package struct WrittenUnit: Hashable, Sendable {
    package let unit: Unit
    package let factor: Double
    package let offset: Double

    private init(_ unit: Unit, _ factor: Double = 1, _ offset: Double = 0) {
        (self.unit, self.factor, self.offset) = (unit, factor, offset)
    }

    /// Case, blanks and the two signs for "micro" make no difference; nil for a unit we do not know.
    package init?(_ text: String) {
        guard let known = Self.table[Self.folded(text)] else { return nil }
        self = known
    }

    package func convert(_ value: Double) -> Double {
        // Scaling by a power of ten divides where it can: 207000 mV is exactly 207 V.
        let scaled = factor < 1 && (1 / factor).rounded() == 1 / factor ? value / (1 / factor) : value * factor
        return scaled + offset
    }

    private static func folded(_ text: String) -> String {
        text.lowercased().filter { !$0.isWhitespace }
            .replacing("\u{3bc}", with: "µ").replacing("²", with: "2").replacing("³", with: "3").replacing(
                "^", with: "")
    }

    private static let table: [String: WrittenUnit] = {
        var table: [String: WrittenUnit] = [:]
        func add(_ names: [String], _ unit: WrittenUnit) {
            for name in names { table[folded(name)] = unit }
        }
        add(["V", "volt", "volts", "Vac", "Vdc"], .init(.volt))
        add(["mV", "millivolt", "millivolts"], .init(.volt, 0.001))
        add(["kV"], .init(.volt, 1000))
        add(["Hz", "hertz"], .init(.hertz))
        add(["%", "%RH", "RH%", "%, RH", "percent", "pct", "%r.h.", "%EL"], .init(.percent))
        add(["bool", "boolean"], .init(.boolean))
        add(["lx", "lux"], .init(.lux))
        add(["klx", "klux"], .init(.lux, 1000))
        add(["fc"], .init(.lux, 10.764))
        add(["m/s2", "m/s/s"], .init(.metrePerSecondSquared))
        add(["g", "gn"], .init(.metrePerSecondSquared, 9.80665))
        add(["mg"], .init(.metrePerSecondSquared, 0.00980665))
        add(["gal", "cm/s2"], .init(.metrePerSecondSquared, 0.01))
        add(["mm/s"], .init(.millimetrePerSecond))
        add(["in/s", "ips"], .init(.millimetrePerSecond, 25.4))
        add(["m/s"], .init(.millimetrePerSecond, 1000))
        add(["cm/s"], .init(.millimetrePerSecond, 10))
        add(["ppm"], .init(.ppm))
        add(["ppb"], .init(.ppm, 0.001))
        add(["%vol", "vol%", "vol.%"], .init(.ppm, 10_000))
        add(["mg/m3"], .init(.milligramPerCubicMetre))
        add(["%LEL", "LEL", "%UEG", "%НКПР"], .init(.percentLEL))
        add(["°C", "C", "degC", "Cel", "celsius", "℃", "deg C"], .init(.celsius))
        add(["°F", "F", "degF", "fahrenheit", "℉"], .init(.celsius, 5.0 / 9.0, -160.0 / 9.0))
        add(["K", "kelvin"], .init(.celsius, 1, -273.15))
        add(["µg/m3", "ug/m3"], .init(.microgramPerCubicMetre))
        add(["g/m3"], .init(.gramPerCubicMetre))
        add(["m/s^1.75"], .init(.vibrationDose))
        add(["Bq/m3"], .init(.becquerelPerCubicMetre))
        add(["pCi/L"], .init(.becquerelPerCubicMetre, 37))
        add(["raw", "adc", "counts"], .init(.raw))
        return table
    }()
}
