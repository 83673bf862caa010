import Core
import Testing

@testable import Decode

@Suite("Words")
struct WordTests {
    @Test(
        "States in words, in any case and with blanks",
        arguments: [
            ("door", "open opened on true 1", "closed close shut off false 0", "ajar half 2 unknown test"),
            ("window", "OPEN True 1", " Closed Shut 0", "tilted 2"),
            ("door_open", "true 1 on", "false 0 off", "2 maybe"),
            ("door_closed", "false 0 off", "true 1 on", "2 maybe"),
            ("gas", "true alarm mild heavy True", "false none normal", "test unknown strange"),
            ("smoke", "true 1 on alarm", "false 0 off normal dry", "test 2 unknown"),
            ("water_leak", "true 1 on alarm wet leak", "false 0 off normal dry", "damp 2"),
            ("vibration", "true 1 on vibration", "false 0 off", "strong tilt"),
            ("motion", "true 1 on", "false 0 off", "2 somebody"), ("lamp", "ON true 1", "OFF false 0", "50 dim"),
        ])
    func states(name: String, ones: String, zeros: String, others: String) {
        for word in ones.split(separator: " ") { #expect(value("a/b/\(name)", " \(word) ") == 1, "\(name) \(word)") }
        for word in zeros.split(separator: " ") { #expect(value("a/b/\(name)", "\(word)\n") == 0, "\(name) \(word)") }
        for word in others.split(separator: " ") {
            #expect(value("a/b/\(name)", String(word)) == nil, "\(name) \(word)")
        }
    }

    @Test("The polarity of a contact is anybody’s choice, unless a word or metadata tells it")
    func contact() {
        #expect(understand("a/contact", "true").readings.isEmpty)
        #expect(understand("a/box", #"{"contact":true}"#).readings.isEmpty)
        #expect(understand("a/door_contact", "1").readings.isEmpty)
        #expect(value("a/door_contact", "open") == 1)
        #expect(value("zigbee2mqtt/x", #"{"contact":true}"#) == 0)
    }

    @Test("A gas meter that says “None” has no value; a detector that says “none” sees no gas")
    func noneOfGas() {
        var decoder = MessageDecoder()
        #expect(decoder.decode(Message("a/gas", "none")).told == ["gas 0.0 bool"])
        _ = decoder.decode(Message("b/gas", "12 ppm"))
        let none = decoder.decode(Message("b/gas", "None"))
        #expect(none.readings.isEmpty)
        #expect(none.unreadable == [Series(device: "b", indicator: .gas, unit: .ppm)])
    }

    @Test(
        "Names that contain the word and are not the quantity",
        arguments: [
            "temperature_max", "min_temp", "temp_offset", "target_temperature", "temperature_setpoint", "dew_point",
            "heat_index", "chip_temperature", "device_temperature", "humidity_threshold", "absolute_humidity",
            "soil_moisture", "door_count", "doorbell", "door_lock", "motion_timeout", "gas_meter", "gas_volume",
            "gas_resistance", "gas_sensitivity", "eCO2", "co2_alarm", "battery_low", "battery_state",
            "battery_capacity",
            "smoke_density", "water_level", "light_switch", "brightness", "color_temp", "vibration_strength",
            "voltage_min", "temp_hum", "co_2", "outdoor", "indoor", "gateway", "opening_hours", "time_open",
            "window_shutter",
        ])
    func notTheQuantity(name: String) {
        #expect(understand("a/b/\(name)", "1").readings.isEmpty)
        #expect(understand("a/box", #"{"\#(name)":1}"#).readings.isEmpty)
    }

    @Test(
        "Names in the spellings that are about",
        arguments: [
            ("Temperature", "temperature 1.0 °C"), ("airTemperature", "temperature 1.0 °C"),
            ("TempC_SHT", "temperature sht 1.0 °C"),
            ("temperature_1", "temperature 1 1.0 °C"), ("tempc", "temperature 1.0 °C"),
            ("relative_humidity", "humidity 1.0 %"),
            ("Illuminance", "light 1.0 lx"), ("BatV", "battery_voltage 1.0 V"),
            ("batteryVoltage", "battery_voltage 1.0 V"),
            ("voltage_phase_b", "voltage b 1.0 V"), ("L2_voltage", "voltage l2 1.0 V"), ("CO2", "co2 1.0 ppm"),
            ("carbon_dioxide", "co2 1.0 ppm"), ("carbonMonoxide", "gas co 1.0 ppm"),
            ("PM2.5", "particles pm2.5 1.0 µg/m3"),
            ("pm2_5", "particles pm2.5 1.0 µg/m3"), ("PM10", "particles pm10 1.0 µg/m3"),
            ("waterLeak", "water_leak 1.0 bool"),
            ("doorOpen", "door 1.0 bool"), ("is_open", "door 1.0 bool"), ("front_door", "door front 1.0 bool"),
            ("window", "door window 1.0 bool"), ("occupancy", "motion 1.0 bool"), ("acc_x", "vibration x 1.0 raw"),
            ("ch4_lel", "gas ch4 1.0 %LEL"), ("co_alarm", "gas co 1.0 bool"), ("battery_percent", "battery 1.0 %"),
        ])
    func spellings(key: String, expected: String) {
        #expect(understand("a/box", #"{"\#(key)":1}"#).told == [expected])
    }
}
