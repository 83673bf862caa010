import Core

/// How large numbers of a scenario may be: beyond it is a slip of the pen, and nothing that a sensor would tell.
enum Bounds {
    /// Whatever a sensor may say.
    static let value = -1e9...1e9
    static let percent = 0.0...100
    static let volts = 1.0...1000
    static let flats = 1.0...100_000
    static let messages = 1.0...10_000_000
    static let rate = 0.001...1_000_000
    /// A day's worth of seconds for a year.
    static let seconds = 0.0...(366 * 86_400)
    static let start = Timestamp("2000-01-01T00:00:00Z")!...Timestamp("2100-01-01T00:00:00Z")!
}

extension DocumentReader {
    /// A number within bounds; nil where there is none.
    mutating func number(_ key: String, within bounds: ClosedRange<Double>) -> Double? {
        number(key).map { limited($0, to: bounds, at: key) }
    }

    /// The number itself, or the nearest that is possible, and a word on it.
    func limited(_ number: Double, to bounds: ClosedRange<Double>, at key: String) -> Double {
        guard !bounds.contains(number) else { return number }
        let (least, most) = (bounds.lowerBound.shown, bounds.upperBound.shown)
        problem(key, "\(number.shown) is beyond what is possible", remedy: "write a number from \(least) to \(most)")
        return min(max(number, bounds.lowerBound), bounds.upperBound)
    }
}

extension Double {
    /// Without “.0” behind whole numbers.
    var shown: String { Int64(exactly: self).map(String.init) ?? String(self) }
}
