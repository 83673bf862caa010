/// Turns a limit given in one unit into the unit that a series is kept in, where the substance makes that possible.
package enum Conversion {
    /// Temperature at which an act states a mass concentration. EU law reports at 20 °C, US EPA at 25 °C.
    package enum Base: Int, Codable, Sendable {
        case at20 = 20
        case at25 = 25

        /// Litres per mole at 101.3 kPa.
        var molarVolume: Double {
            switch self {
            case .at20: 24.06
            case .at25: 24.47
            }
        }
    }

    /// What a value in `from` is multiplied by to be in `to`; nil where the two cannot be compared.
    package static func factor(from: Unit, to: Unit, species: String?, base: Base) -> Double? {
        if from == to { return 1 }
        switch (from, to) {
        case (.milligramPerCubicMetre, .ppm):
            return species.flatMap { molarMass[$0] }.map { base.molarVolume / $0 }
        case (.ppm, .milligramPerCubicMetre):
            return species.flatMap { molarMass[$0] }.map { $0 / base.molarVolume }
        case (.microgramPerCubicMetre, .ppm):
            return factor(from: .milligramPerCubicMetre, to: .ppm, species: species, base: base).map { $0 / 1000 }
        // Its limit is of what adds up, its readings are accelerations.
        case (.metrePerSecondSquared, .vibrationDose):
            return 1
        case (.percentLEL, .ppm):
            return species.flatMap { lowerExplosiveLimit[$0] }.map { $0 / 100 }
        case (.ppm, .percentLEL):
            return species.flatMap { lowerExplosiveLimit[$0] }.map { 100 / $0 }
        default:
            return nil
        }
    }

    /// Grams per mole.
    private static let molarMass: [String: Double] = [
        "co": 28.01, "no2": 46.01, "no": 30.01, "hcho": 30.03, "nh3": 17.03, "h2s": 34.08, "o3": 48.0, "so2": 64.07,
        "co2": 44.01, "ch4": 16.04,
    ]

    /// Lower explosive limit in air, ppm (IEC 60079-20-1: methane 4.4 % vol, propane 1.7, butane 1.4, hydrogen 4.0). LPG is taken as
    /// propane and butane mixed, at the lower of the two.
    package static let lowerExplosiveLimit: [String: Double] = [
        "ch4": 44_000, "natural-gas": 44_000, "propane": 17_000, "butane": 14_000, "lpg": 14_000, "h2": 40_000,
    ]

    package static func isCombustible(_ species: String?) -> Bool {
        species.map { lowerExplosiveLimit[$0] != nil } ?? false
    }
}
