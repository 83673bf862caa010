import Core

/// What outlives a message besides the families' own metadata. Every part is bounded and may be forgotten at any time.
struct Memory: Sendable {
    var glossary = Glossary()
    private var powerOn = PowerOnGuard()
    private var units: [Series: Unit] = [:]
    private var announced: Set<String> = []
    private static let most = 100_000

    /// Whether nothing was told of this device yet; from now on it was.
    mutating func isNews(_ device: String) -> Bool {
        guard !announced.contains(device) else { return false }
        if announced.count >= Self.most { announced.removeAll(keepingCapacity: true) }
        announced.insert(device)
        return true
    }

    mutating func isPowerOnMarker(_ value: Double, of series: Series) -> Bool {
        powerOn.isMarker(value, of: series)
    }

    /// Gas, smoke and vibration come in several units, and a `nan` does not say which.
    mutating func noteUnit(_ series: Series) {
        guard Self.hasSeveralUnits(series.indicator) else { return }
        let key = Self.key(series)
        guard units[key] != series.unit else { return }
        if units.count >= Self.most { units.removeAll(keepingCapacity: true) }
        units[key] = series.unit
    }

    /// The unit in which the series last had a value; nil where it never had one, or where it has only one unit.
    func lastUnit(_ series: Series) -> Unit? {
        Self.hasSeveralUnits(series.indicator) ? units[Self.key(series)] : nil
    }

    private static func hasSeveralUnits(_ indicator: Indicator) -> Bool {
        switch indicator {
        case .gas, .vibration, .smoke: true
        default: false
        }
    }

    private static func key(_ series: Series) -> Series {
        Series(
            device: series.device, indicator: series.indicator, species: series.species, channel: series.channel,
            unit: .raw)
    }
}
