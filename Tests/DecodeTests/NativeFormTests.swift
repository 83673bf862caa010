import Core
import Testing

@testable import Decode

@Suite("Native form")
struct NativeFormTests {
    @Test("Every indicator is read by its own word, in its own unit", arguments: Indicator.allCases)
    func indicators(indicator: Indicator) {
        let reading = understand("sensors/b/f/kitchen/d/\(indicator.rawValue)", "1").readings[0]
        #expect(reading.series.indicator == indicator)
        #expect(reading.series.device == "sensors/b/f/kitchen/d")
        let unit: Unit? = indicator == .gas ? .raw : indicator == .vibration ? .boolean : indicator.canonicalUnit
        #expect(reading.series.unit == unit)
    }

    @Test("The topic tells where the device stands, once, before its first reading")
    func placement() {
        var decoder = MessageDecoder()
        let first = decoder.decode(Message("sensors/b1/f12/kitchen/hob/gas", "{}"))
        #expect(first.devices.isEmpty)
        let second = decoder.decode(Message("sensors/b1/f12/kitchen/hob/gas", "true"))
        #expect(second.devices.map(\.placement) == [Place(building: "b1", flat: "f12", room: "kitchen")])
        #expect(second.devices.map(\.family) == ["native"])
        #expect(decoder.decode(Message("sensors/b1/f12/kitchen/hob/gas", "false")).devices.isEmpty)
    }

    @Test(
        "A gas number without unit is ppm only when the substance is known",
        arguments: [
            ("gas", "12", "gas 12.0 raw"), ("gas/co", "12", "gas co 12.0 ppm"), ("gas", "true", "gas 1.0 bool"),
            ("gas", #"{"value":12,"species":"CO"}"#, "gas co 12.0 ppm"), ("gas/left", "12", "gas left 12.0 raw"),
            ("gas", #"{"value":12,"unit":"%LEL"}"#, "gas 12.0 %LEL"), ("gas/no2", "0.1", "gas no2 0.1 ppm"),
            ("co", "12", "gas co 12.0 ppm"),
        ])
    func gas(end: String, payload: String, expected: String) {
        #expect(understand("sensors/b/f/kitchen/d/\(end)", payload).told == [expected])
    }

    @Test("A retained value without time is the last known one, and with time a point of the history")
    func retained() {
        let bare = understand("sensors/b/f/kitchen/d/gas", "3 ppm", retained: true).readings[0]
        #expect(bare.isRetained && bare.deviceTime == nil)
        let dated = understand("sensors/b/f/kitchen/d/gas", #"{"v":3,"u":"ppm","t":1777885200}"#, retained: true)
            .readings[0]
        #expect(dated.isRetained && dated.deviceTime == Timestamp("2026-05-04T09:00:00Z"))
    }

    @Test(
        "Fewer or empty levels are not the native form",
        arguments: ["sensors/b/f/kitchen/gas", "sensors/b//kitchen/d/gas"])
    func otherShapes(topic: String) {
        #expect(understand(topic, "3 ppm").devices.map(\.family) == ["plain"])
    }

    @Test("What else a native object holds is the same device’s")
    func beside() {
        let understanding = understand("sensors/b/f/kitchen/d/temperature", #"{"value":20,"battery":80}"#)
        #expect(understanding.told.sorted() == ["battery 80.0 %", "temperature 20.0 °C"])
        #expect(Set(understanding.readings.map(\.series.device)) == ["sensors/b/f/kitchen/d"])
    }
}
