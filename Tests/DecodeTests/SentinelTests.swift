import Core
import Testing

@testable import Decode

@Suite("Sentinels and ranges")
struct SentinelTests {
    @Test(
        "The last value that passes",
        arguments: [
            ("temperature", "-60", -60.0), ("temperature", "150", 150), ("temperature", "85", 85),
            ("temperature", "0", 0),
            ("temperature", "-55", -55), ("temperature", "-40", -40), ("oven_temperature", "240", 240),
            ("humidity", "0", 0), ("humidity", "100", 100), ("humidity", "105", 100), ("lux", "0", 0),
            ("lux", "1023", 1023),
            ("lux", "65534", 65534), ("voltage", "0", 0), ("voltage", "1000", 1000), ("battery", "0", 0),
            ("battery", "100", 100), ("battery_voltage", "0", 0), ("battery_voltage", "100", 100), ("co2", "1", 1),
            ("co2", "100000", 100_000), ("co2", "5001", 5001), ("co", "0", 0), ("gas", "43521 ppm", 43_521),
            ("pm25", "0", 0),
            ("radon", "0", 0), ("frequency", "40", 40), ("frequency", "70", 70),
        ])
    func kept(name: String, text: String, expected: Double) { #expect(value("a/b/\(name)", text) == expected) }

    @Test(
        "The first that does not",
        arguments: [
            ("temperature", "-60.1", Rejection.Reason.outOfRange), ("temperature", "150.1", .outOfRange),
            ("temperature", "-127", .sentinel), ("temperature", "-100", .sentinel), ("temperature", "999", .sentinel),
            ("temperature", "850", .sentinel), ("temperature", "327.67", .sentinel),
            ("temperature", "-327.68", .sentinel),
            ("temperature", "655.35", .sentinel), ("temperature", "6553.5", .sentinel),
            ("temperature", "6550.1", .outOfRange),
            ("oven_temperature", "1301", .outOfRange), ("oven_temperature", "999", .sentinel),
            ("humidity", "-0.1", .outOfRange),
            ("humidity", "105.1", .outOfRange), ("humidity", "655.35", .sentinel), ("lux", "-1", .sentinel),
            ("lux", "65535", .sentinel), ("lux", "-0.5", .outOfRange), ("voltage", "-1", .sentinel),
            ("voltage", "65.535", .sentinel),
            ("voltage", "1001", .unitMissing), ("battery", "-1", .outOfRange), ("battery", "101", .outOfRange),
            ("battery", "255", .sentinel), ("battery", "low", .unknownWord), ("battery_voltage", "65.535", .sentinel),
            ("battery_voltage", "101", .unitMissing), ("co2", "0", .sentinel), ("co2", "-1", .outOfRange),
            ("co2", "65535", .sentinel), ("co2", "100001", .outOfRange), ("co", "-1", .sentinel),
            ("co", "65535", .sentinel),
            ("frequency", "39.9", .unitMissing), ("frequency", "868.1", .unitMissing), ("leak", "-1", .sentinel),
        ])
    func dropped(name: String, text: String, reason: Rejection.Reason) {
        let understanding = understand("a/b/\(name)", text)
        #expect(understanding.readings.isEmpty)
        #expect(understanding.reasons == [reason])
        // What the sensor cannot tell is its fault; what we cannot read is not.
        let isSensors = [.sentinel, .outOfRange].contains(reason)
        #expect(understanding.unreadable.isEmpty != isSensors)
    }

    @Test(
        "Words and values for “none” are none, and the sensor’s own fault",
        arguments: [
            "null", "nan", "NaN", "inf", "-inf", "Infinity", "None", "unknown", "unavailable", "N/A", "--", "error",
            " ",
        ])
    func none(text: String) {
        let understanding = understand("a/temperature", text)
        #expect(understanding.readings.isEmpty)
        #expect(
            understanding.unreadable == [Series(device: "a", indicator: .temperature, unit: .celsius)])
    }

    @Test("85 °C of a DS18B20 is a marker first and after a jump, and real in a steady series")
    func powerOn() {
        var decoder = MessageDecoder()
        func told(_ text: String) -> Double? {
            decoder.decode(Message("boiler/ds18b20/temperature", text)).readings.first?.value
        }
        #expect(told("85") == nil)
        #expect(told("64.9") == 64.9)
        #expect(told("85.0") == nil)
        #expect(told("65") == 65)
        #expect(told("85") == 85)
        #expect(told("85") == 85)
        #expect(value("boiler/pt100/temperature", "85") == 85)
    }

    @Test("A field that says invalid, and a gas sensor that warms up")
    func flagged() {
        #expect(understand("a/box", #"{"is_valid":false,"temperature":20}"#).reasons == [.markedInvalid])
        #expect(understand("a/box", #"{"preheating":true,"co":20,"temperature":20}"#).told == ["temperature 20.0 °C"])
        #expect(understand("a/gas", #"{"value":20,"unit":"ppm","state":"self-test"}"#).reasons == [.warmingUp])
    }
}
