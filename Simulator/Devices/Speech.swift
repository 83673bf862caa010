import Core

/// One topic per quantity: `sensors/<building>/<flat>/<room>/<device>/<indicator>[/<channel>]`.
struct NativeSpeech: Sendable {
    let topic: String
    private let tail: String
    private let hasClock: Bool

    init(device: String, measure: Measure, hasClock: Bool) {
        self.hasClock = hasClock
        let quantity = measure.quantity
        topic = device + "/" + quantity.indicator.rawValue + (measure.channel.map { "/" + $0 } ?? "")
        let unit = quantity.unit.map { #","unit":"\#($0.rawValue)""# } ?? ""
        let species = quantity.species.map { #","species":"\#($0)""# } ?? ""
        tail = unit + species
    }

    func payload(_ value: Written, stamp: String) -> [UInt8] {
        let time = hasClock ? #","time":"\#(stamp)""# : ""
        return Array(#"{"value":\#(value.text)\#(tail)\#(time)}"#.utf8)
    }

    /// Nothing but the value, as simple devices write it.
    func bare(_ text: String) -> [UInt8] { Array(text.utf8) }
}

/// All attributes of a device in one document, as Zigbee2MQTT writes them.
enum ZigbeeSpeech {
    /// The attribute's key; nil for what such devices do not measure.
    static func key(of quantity: Quantity) -> String? {
        switch quantity {
        case .temperature: "temperature"
        case .humidity: "humidity"
        case .co2: "co2"
        case .light: "illuminance"
        case .battery: "battery"
        case .voltage: "voltage"
        case .lamp: "state"
        case .door: "contact"
        case .motion: "occupancy"
        case .smoke: "smoke"
        case .waterLeak: "water_leak"
        case .gasAlarm: "gas"
        case .coAlarm: "carbon_monoxide"
        case .frequency, .vibration, .co, .methane, .number: nil
        }
    }

    static func payload(_ values: [(Measure, Written)], linkQuality: Int, stamp: String) -> [UInt8] {
        var text = "{"
        for (measure, value) in values {
            guard let key = key(of: measure.quantity) else { continue }
            var written = value.text
            if case .state(let isOn) = value {
                // A closed contact is a closed door.
                if measure.quantity == .door { written = isOn ? "false" : "true" }
                if measure.quantity == .lamp { written = isOn ? "\"ON\"" : "\"OFF\"" }
            }
            if value == .word("nan") { written = "null" }
            text += "\"\(key)\":\(written),"
        }
        return Array((text + "\"last_seen\":\"\(stamp)\",\"linkquality\":\(linkQuality)}").utf8)
    }

    // MARK: Metadata

    /// `bridge/devices`: what the gateway says of its devices.
    static func devices(_ devices: [(name: String, spec: DeviceSpec)]) -> [UInt8] {
        let coordinator: JSONValue = [
            "ieee_address": "0x00124b0000000000", "type": "Coordinator", "friendly_name": "Coordinator",
        ]
        let list = devices.enumerated().map { index, device in describe(device.name, device.spec, number: index + 1) }
        return Array(JSONValue.array([coordinator] + list).text.utf8)
    }

    private static func describe(_ name: String, _ spec: DeviceSpec, number: Int) -> JSONValue {
        let address = String(number, radix: 16)
        return [
            "ieee_address": .string("0x00124b" + String(repeating: "0", count: 10 - address.count) + address),
            "type": spec.power == .mains ? "Router" : "EndDevice", "friendly_name": .string(name),
            "power_source": spec.power == .mains ? "Mains (single phase)" : "Battery",
            "definition": [
                "vendor": "Simulator", "model": .string(spec.id),
                "exposes": .array(spec.measures.compactMap { expose($0.quantity) }),
            ],
        ]
    }

    private static func expose(_ quantity: Quantity) -> JSONValue? {
        guard let key = key(of: quantity) else { return nil }
        switch quantity {
        case .lamp:
            let state: JSONValue = [
                "type": "binary", "name": "state", "property": "state", "access": 7, "value_on": "ON",
                "value_off": "OFF",
            ]
            return ["type": "light", "features": [state]]
        case .door:
            return [
                "type": "binary", "name": .string(key), "property": .string(key), "access": 1, "value_on": false,
                "value_off": true,
            ]
        case .motion, .smoke, .waterLeak, .gasAlarm, .coAlarm:
            return [
                "type": "binary", "name": .string(key), "property": .string(key), "access": 1, "value_on": true,
                "value_off": false,
            ]
        default:
            return [
                "type": "numeric", "name": .string(key), "property": .string(key), "access": 1,
                "unit": JSONValue(quantity.unit?.rawValue),
            ]
        }
    }
}
