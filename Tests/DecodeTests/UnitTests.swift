import Core
import Testing

@testable import Decode

@Suite("Units")
struct UnitTests {
    @Test(
        "Every accepted unit becomes the canonical one",
        arguments: [
            ("temperature", "C", 20.0, 20.0), ("temperature", "°C", 20, 20), ("temperature", "degC", 20, 20),
            ("temperature", "Cel", 20, 20), ("temperature", "celsius", 20, 20), ("temperature", "F", 70.7, 21.5),
            ("temperature", "°F", 32, 0), ("temperature", "K", 273.15, 0), ("humidity", "%RH", 40, 40),
            ("humidity", "%, RH", 40, 40), ("light", "lux", 5, 5), ("light", "klx", 0.5, 500),
            ("light", "fc", 1, 10.764),
            ("voltage", "V", 230, 230), ("voltage", "mV", 230_000, 230), ("voltage", "kV", 0.23, 230),
            ("battery_voltage", "mV", 2995, 2.995), ("co2", "ppm", 600, 600), ("co2", "%vol", 0.06, 600),
            ("gas", "ppm", 3, 3), ("gas", "ppb", 3000, 3), ("gas", "%LEL", 3, 3), ("gas", "LEL", 3, 3),
            ("gas", "mg/m3", 3, 3), ("gas", "mg/m³", 3, 3), ("gas", "raw", 3, 3), ("vibration", "g", 1, 9.80665),
            ("vibration", "mg", 100, 0.980665), ("vibration", "m/s²", 2, 2), ("vibration", "mm/s", 2, 2),
            ("vibration", "in/s", 2, 50.8), ("vibration", "m/s", 0.002, 2), ("radon", "Bq/m³", 40, 40),
            ("pm25", "µg/m³", 4, 4), ("frequency", "Hz", 50, 50), ("battery", "%", 50, 50),
        ])
    func accepted(name: String, unit: String, number: Double, expected: Double) {
        #expect(value("a/b/\(name)", #"{"value":\#(number),"unit":"\#(unit)"}"#) == expected)
    }

    @Test(
        "A unit of another quantity is refused",
        arguments: [
            ("temperature", "%"), ("humidity", "g/m3"), ("light", "W/m²"), ("light", "%"), ("voltage", "A"),
            ("co2", "mg/m3"), ("gas", "m³"), ("gas", "°C"), ("vibration", "V"), ("battery", "Ah"), ("door", "%"),
        ])
    func refused(name: String, unit: String) {
        let understanding = understand("a/b/\(name)", #"{"value":1,"unit":"\#(unit)"}"#)
        #expect(understanding.readings.isEmpty)
        #expect([[.unitDoesNotFit], [.unknownUnit]].contains(understanding.reasons))
    }

    @Test(
        "Where no unit is given, the quantity decides or nobody does",
        arguments: [
            ("battery", "3010", "battery_voltage 3.01 V"), ("battery", "88", "battery 88.0 %"), ("battery", "2.9", nil),
            ("vdd", "3010", "battery_voltage 3.01 V"), ("battery_mv", "900", "battery_voltage 0.9 V"),
            ("gas", "12", "gas 12.0 raw"), ("co", "12", "gas co 12.0 ppm"), ("mq135", "12", "gas 12.0 raw"),
            ("no2", "12", nil), ("vibration", "12", "vibration 12.0 raw"), ("vibration", "1", "vibration 1.0 bool"),
            ("acceleration", "1", "vibration 1.0 raw"), ("light_level", "12", nil),
            ("light_level", "12 lx", "light 12.0 lx"),
        ] as [(String, String, String?)])
    func unitless(name: String, text: String, expected: String?) {
        #expect(understand("a/b/\(name)", text).told == (expected.map { [$0] } ?? []))
    }

    @Test("Units come from the value, the object, the key, or a key beside it")
    func sources() {
        #expect(value("a/temp_f", "212 °F") == 100)
        #expect(value("a/temp_f", "212") == 100)
        #expect(value("a/box", #"{"temperature":212,"temperature_unit":"F"}"#) == 100)
        #expect(value("a/box", #"{"sht":{"Temperature":212},"TempUnit":"F"}"#) == 100)
        #expect(value("a/box", #"{"co_ppb":3000}"#) == 3)
    }
}
