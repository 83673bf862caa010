/// Tells what a sensor of this kind cannot measure, without eating a real rise.
package enum Plausibility {
    /// Values outside are rail values and roll-overs, not measurements.
    package static func range(_ indicator: Indicator, _ unit: Unit) -> ClosedRange<Double> {
        switch (indicator, unit) {
        case (_, .boolean): 0...1
        case (.temperature, _): -60...1200  // probes near a flame are real
        case (.humidity, _): 0...105
        case (.dewPoint, _): -100...100
        case (.absoluteHumidity, _): 0...600
        case (.light, _): 0...250_000
        case (.voltage, _): 0...1000
        case (.batteryVoltage, _): 0...100
        case (.battery, _): 0...100
        case (.frequency, _): 0...500
        case (.co2, _): 1...100_000
        case (.gas, .percentLEL): 0...150
        case (.gas, .ppm): 0...1_000_000
        case (.gas, .milligramPerCubicMetre): 0...1_000_000
        case (.particles, _): 0...100_000
        case (.radon, _): 0...10_000_000
        case (.vibration, .metrePerSecondSquared): -200...200
        case (.vibration, .millimetrePerSecond): -10_000...10_000
        default: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        }
    }

    /// A jump so large that one value is no proof: it is judged when the next one confirms it.
    package static func needsConfirmation(_ indicator: Indicator, _ unit: Unit, from old: Double, to new: Double)
        -> Bool
    {
        switch (indicator, unit) {
        case (.gas, .ppm): new > 10_000 && new > old * 10
        case (.temperature, _): abs(new - old) > 60
        case (.humidity, _): abs(new - old) > 70
        case (.co2, _): new > 20_000 && new > old * 10
        default: false
        }
    }

    /// The value after a jump speaks for the jump rather than for what was before.
    package static func confirms(_ value: Double, jump: Double, before: Double) -> Bool {
        abs(value - jump) <= abs(value - before)
    }
}
