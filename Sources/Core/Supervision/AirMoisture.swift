internal import Glibc

/// What temperature and relative humidity say together (Magnus formula with the coefficients of WMO-No. 8, over water, -45 to 60 °C).
package enum AirMoisture {
    /// °C; nil for air without any water.
    package static func dewPoint(celsius: Double, humidity: Double) -> Double? {
        guard humidity > 0 else { return nil }
        let gamma = log(humidity / 100) + 17.62 * celsius / (243.12 + celsius)
        return 243.12 * gamma / (17.62 - gamma)
    }

    /// Grams of water in a cubic metre.
    package static func absoluteHumidity(celsius: Double, humidity: Double) -> Double {
        216.7 * humidity / 100 * 6.112 * exp(17.62 * celsius / (243.12 + celsius)) / (273.15 + celsius)
    }
}

/// Temperature and humidity of one device, paired as they come.
///
/// Both of one moment belong together, whichever is first. One that stays alone is paired with the newest of the other when the next
/// reading shows that nothing follows: many devices report each only when it changes.
struct AirPairs: Hashable, Codable, Sendable {
    /// Older than this the other says nothing about now.
    static let longest = Span.hours(1)

    struct Pair: Hashable {
        let time: Timestamp
        let celsius: Double
        let humidity: Double
    }

    private struct Point: Hashable, Codable, Sendable {
        var time: Timestamp
        var value: Double
    }

    /// Endpoint of the device that both belong to.
    let channel: String?
    private var temperature: Point?
    private var humidity: Point?
    /// The newest of the two has not been paired.
    private var isWaiting = false

    init(channel: String?) { self.channel = channel }

    /// - Returns: what can be paired now, oldest first.
    mutating func take(_ value: Double, of indicator: Indicator, at time: Timestamp, interval: Span?) -> [Pair] {
        let isHumidity = indicator == .humidity
        let other = isHumidity ? temperature : humidity
        let isTogether = other.map { FrequencyCurveGauge.isTogether($0.time, time, interval: interval) } ?? false
        var pairs: [Pair] = []
        if isWaiting && !isTogether { pairs += pair }
        if isHumidity {
            humidity = Point(time: time, value: value)
        } else {
            temperature = Point(time: time, value: value)
        }
        if isTogether { pairs += pair }
        isWaiting = !isTogether
        return pairs
    }

    private var pair: [Pair] {
        guard let temperature, let humidity, (temperature.time - humidity.time).magnitude <= Self.longest else {
            return []
        }
        return [Pair(time: max(temperature.time, humidity.time), celsius: temperature.value, humidity: humidity.value)]
    }
}
