/// One line of measurement: what of which device. Two readings of the same series can be compared; others cannot.
///
/// A class with its hash worked out beforehand: a series goes along with every reading and is looked up several times on the way, and one
/// object of it serves all of them.
package final class Series: Hashable, Codable, Sendable {
    package let device: String
    package let indicator: Indicator
    /// The substance, for `gas` and `particles`: `co`, `ch4`, `lpg`, `no2`, `pm2.5`.
    package let species: String?
    /// Endpoint, phase or axis, where a device has several of one indicator.
    package let channel: String?
    package let unit: Unit
    private let code: UInt64

    package init(device: String, indicator: Indicator, species: String? = nil, channel: String? = nil, unit: Unit) {
        (self.device, self.indicator, self.species, self.channel) = (device, indicator, species, channel)
        self.unit = unit
        code = Identity.fnv([device, indicator.rawValue, species ?? "", channel ?? "", unit.rawValue])
    }

    /// Has a value at any time; an event tells of a change.
    var isSampled: Bool { !unit.isEvent }

    /// Watches over something of which people can die.
    var isSafety: Bool {
        switch indicator {
        case .gas, .smoke, .waterLeak: true
        default: false
        }
    }

    /// The dominant frequency of the shaking that the same device reports, not of the mains: a frequency of the channel `vibration`.
    var isShakingFrequency: Bool { indicator == .frequency && channel == Indicator.vibration.rawValue }

    var isAboutBattery: Bool { indicator == .battery || indicator == .batteryVoltage }

    package static func == (a: Series, b: Series) -> Bool {
        if a === b { return true }
        return a.code == b.code && a.device == b.device && a.indicator == b.indicator && a.species == b.species
            && a.channel == b.channel && a.unit == b.unit
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    private enum CodingKeys: CodingKey { case device, indicator, species, channel, unit }

    package convenience init(from decoder: any Decoder) throws {
        let saved = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            device: try saved.decode(String.self, forKey: .device),
            indicator: try saved.decode(Indicator.self, forKey: .indicator),
            species: try saved.decodeIfPresent(String.self, forKey: .species),
            channel: try saved.decodeIfPresent(String.self, forKey: .channel),
            unit: try saved.decode(Unit.self, forKey: .unit))
    }

    package func encode(to encoder: any Encoder) throws {
        var saved = encoder.container(keyedBy: CodingKeys.self)
        try saved.encode(device, forKey: .device)
        try saved.encode(indicator, forKey: .indicator)
        try saved.encodeIfPresent(species, forKey: .species)
        try saved.encodeIfPresent(channel, forKey: .channel)
        try saved.encode(unit, forKey: .unit)
    }
}
