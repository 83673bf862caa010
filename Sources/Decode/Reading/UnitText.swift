import Core

/// Units as text. The usual spellings are looked up as they are; Core's folding of case, blanks and signs costs microseconds.
enum UnitText {
    private static let usual: [String: WrittenUnit] = {
        let texts = [
            "V", "mV", "kV", "Hz", "%", "% RH", "%RH", "lx", "lux", "ppm", "ppb", "°C", "C", "degC", "°F", "F", "K",
            "g",
            "mg", "m/s2", "m/s²", "mm/s", "mg/m3", "mg/m³", "µg/m3", "µg/m³", "ug/m3", "%LEL", "LEL", "%vol", "bool",
            "Bq/m3", "Bq/m³", "raw",
        ]
        return Dictionary(uniqueKeysWithValues: texts.compactMap { text in WrittenUnit(text).map { (text, $0) } })
    }()

    /// Nil for a unit that is not known; texts longer than any unit are not even looked at.
    static func read(_ text: String) -> WrittenUnit? {
        if let unit = usual[text] { return unit }
        guard text.utf8.count <= 24, let first = text.utf8.first else { return nil }
        return first == UInt8(ascii: "%") || first >= UInt8(ascii: "A") ? WrittenUnit(text) : nil
    }
}
