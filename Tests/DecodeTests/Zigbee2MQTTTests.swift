import Core
import Testing

@testable import Decode

@Suite("Zigbee2MQTT")
struct Zigbee2MQTTTests {
    private static func devices(_ exposes: String, power: String = "Battery") -> String {
        """
        [{"ieee_address":"0x01","type":"EndDevice","friendly_name":"den/one","power_source":"\(power)",
        "definition":{"vendor":"Sample","model":"S-1","exposes":[\(exposes)]}},
        {"ieee_address":"0x00","type":"Coordinator","friendly_name":"Coordinator","definition":null}]
        """
    }

    private static let voltage = #"{"type":"numeric","name":"voltage","property":"voltage","access":1,"unit":"mV"}"#

    @Test("The list of devices is metadata and tells what they are")
    func notes() {
        let understanding = understand("zigbee2mqtt/bridge/devices", Self.devices(Self.voltage), retained: true)
        #expect(understanding.isMetadata)
        #expect(
            understanding.devices == [
                DeviceNote(
                    device: "zigbee2mqtt/den/one", family: "zigbee2mqtt", gateway: "zigbee2mqtt", model: "Sample S-1",
                    isBatteryPowered: true)
            ])
    }

    @Test(
        "The same key is the cell of one device and the mains of another",
        arguments: ["Battery", "Mains (single phase)"])
    func voltage(power: String) {
        var decoder = MessageDecoder()
        let exposes = Self.voltage.replacing("mV", with: power == "Battery" ? "mV" : "V")
        _ = decoder.decode(Message("zigbee2mqtt/bridge/devices", Self.devices(exposes, power: power)))
        let told = decoder.decode(Message("zigbee2mqtt/den/one", #"{"voltage":\#(power == "Battery" ? 2950 : 229)}"#))
            .told
        #expect(told == [power == "Battery" ? "battery_voltage 2.95 V" : "voltage 229.0 V"])
    }

    @Test("What can be set is a setting, and what is not published is nothing", arguments: [1, 5, 2, 3, 7, 4])
    func access(bits: Int) {
        var decoder = MessageDecoder()
        let expose = #"{"type":"numeric","name":"temperature","property":"temperature","access":\#(bits),"unit":"°C"}"#
        _ = decoder.decode(Message("zigbee2mqtt/bridge/devices", Self.devices(expose)))
        let count = decoder.decode(Message("zigbee2mqtt/den/one", #"{"temperature":20}"#)).readings.count
        #expect(count == ([1, 5].contains(bits) ? 1 : 0))
    }

    @Test("Any base is one once its bridge was heard, and its gateway is that base")
    func bases() {
        var decoder = MessageDecoder()
        #expect(decoder.decode(Message("house/radio/one", #"{"contact":false}"#)).readings.isEmpty)
        _ = decoder.decode(Message("house/radio/bridge/state", #"{"state":"online"}"#))
        let understanding = decoder.decode(Message("house/radio/one", #"{"contact":false}"#))
        #expect(understanding.told == ["door 1.0 bool"])
        #expect(understanding.devices.map(\.gateway) == ["house/radio"])
        #expect(understanding.devices.map(\.device) == ["house/radio/one"])
        // A list that is none makes no base of its topic.
        _ = decoder.decode(Message("other/bridge/devices", #"[{"name":"x"}]"#))
        #expect(decoder.decode(Message("other/one", #"{"contact":false}"#)).readings.isEmpty)
    }

    @Test("A new list of devices replaces the old one")
    func relearn() {
        var decoder = MessageDecoder()
        let straight =
            #"{"type":"binary","name":"contact","property":"contact","access":1,"value_on":false,"value_off":true}"#
        let inverted =
            #"{"type":"binary","name":"contact","property":"contact","access":1,"value_on":true,"value_off":false}"#
        for (exposes, expected) in [(straight, 1.0), (inverted, 0), (straight, 1)] {
            _ = decoder.decode(Message("zigbee2mqtt/bridge/devices", Self.devices(exposes)))
            let told = decoder.decode(Message("zigbee2mqtt/den/one", #"{"contact":false}"#)).readings.map(\.value)
            #expect(told == [expected])
        }
    }

    @Test("An unchanged attribute with an unchanged last_seen is the cached one")
    func cache() {
        var decoder = MessageDecoder()
        func told(_ vibration: Bool, second: Int) -> [Double] {
            let text = #"{"vibration":\#(vibration),"last_seen":"2026-05-04T11:59:0\#(second)Z"}"#
            return decoder.decode(Message("zigbee2mqtt/shelf", text)).readings.map(\.value)
        }
        #expect(told(true, second: 1) == [1])
        #expect(told(true, second: 1) == [])
        #expect(told(false, second: 1) == [0])
        #expect(told(true, second: 1) == [1])
        #expect(told(true, second: 2) == [1])
    }

    @Test("Without last_seen nobody knows, so every message counts")
    func withoutLastSeen() {
        var decoder = MessageDecoder()
        for _ in 0..<2 {
            #expect(decoder.decode(Message("zigbee2mqtt/shelf", #"{"vibration":true}"#)).readings.count == 1)
        }
    }
}
