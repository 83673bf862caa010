import Core

/// A device as `bridge/devices` describes it, or one of which only the name is known.
struct Zigbee2MQTTDevice: Sendable {
    static let most = 5000

    let name: String
    private(set) var model: String?
    private(set) var isBatteryPowered: Bool?
    /// Attributes by their key in the payload; nil for one that is described and not ours.
    private(set) var attributes: [String: Measurand?] = [:]
    private(set) var isDescribed = false
    /// A thermostat guesses from temperatures that a window is open.
    private(set) var isThermostat = false

    init(name: String) { self.name = name }

    init?(_ json: JSON, _ glossary: inout Glossary) {
        guard let name = json["friendly_name"]?.text, !name.isEmpty, json["type"]?.text != "Coordinator" else {
            return nil
        }
        self.init(name: name)
        let definition = json["definition"]
        let parts = [definition?["vendor"]?.text, definition?["model"]?.text ?? json["model_id"]?.text]
        model = parts.compactMap { $0 }.joined(separator: " ")
        if model?.isEmpty == true { model = nil }
        if let power = json["power_source"]?.text?.lowercased() {
            isBatteryPowered = power == "battery" ? true : power.hasPrefix("unknown") ? nil : false
        }
        let exposes = definition?["exposes"]?.list ?? []
        isDescribed = !exposes.isEmpty
        isThermostat = exposes.contains { $0["type"]?.text == "climate" }
        let hasBattery = exposes.contains { $0["property"]?.text == "battery" }
        if hasBattery && isBatteryPowered == nil { isBatteryPowered = true }
        for expose in exposes { collect(expose, inside: nil, depth: 0, &glossary) }
        // Before 2.0 `illuminance` is the raw value of the radio where the other one is lux.
        if attributes["illuminance_lux"] != nil { attributes["illuminance"] = .some(nil) }
    }

    /// Whether it measures anything that we know.
    var isOurs: Bool { attributes.values.contains { $0 != nil } }

    func source(_ base: String) -> Source {
        Source(
            device: base + "/" + name, family: Zigbee2MQTT.name, gateway: base, model: model,
            isBatteryPowered: isBatteryPowered)
    }

    private mutating func collect(_ expose: JSON, inside group: String?, depth: Int, _ glossary: inout Glossary) {
        guard depth < 6 else { return }
        let type = expose["type"]?.text ?? ""
        if let features = expose["features"]?.list {
            // A composite with a property of its own is an object in the payload: colours, schedules.
            guard expose["property"]?.text == nil else { return }
            for feature in features { collect(feature, inside: type, depth: depth + 1, &glossary) }
            return
        }
        guard let name = expose["name"]?.text, let key = expose["property"]?.text ?? expose["name"]?.text else {
            return
        }
        attributes[key] = .some(measurand(name, key, type, expose, inside: group, &glossary))
    }

    private func measurand(
        _ name: String, _ key: String, _ type: String, _ expose: JSON, inside group: String?,
        _ glossary: inout Glossary
    ) -> Measurand? {
        let access = expose["access"]?.double.flatMap { Int(exactly: $0) } ?? 1
        guard access & 1 != 0 else { return nil }
        let isLamp = group == "light" && name == "state"
        // What can be set is a setting; only a lamp tells its state by it.
        guard isLamp || access & 2 == 0 && expose["category"]?.text != "config" else { return nil }
        var named: Measurand?
        if isLamp {
            named = Measurand(.lamp)
        } else if group == nil || group == "climate" {
            named = Self.measurand(name, &glossary) ?? Self.measurand(key, &glossary)
        }
        guard var measurand = named else { return nil }
        if isThermostat && measurand.indicator == .door { return nil }
        if let endpoint = expose["endpoint"]?.text { measurand.channel = endpoint }
        if let text = expose["unit"]?.text, !text.isEmpty {
            guard let unit = UnitText.read(text) else { return nil }
            measurand.unit = unit
            measurand.needsUnit = false
        }
        if measurand.indicator == .voltage && isBatteryPowered == true { measurand.indicator = .batteryVoltage }
        if type == "binary" {
            measurand.form = .state
            if let on = expose["value_on"]?.scalar, let off = expose["value_off"]?.scalar {
                measurand.declared = .init(on: on, off: off)
            }
        } else if type == "numeric" {
            measurand.declared = nil
            if [.gas, .vibration].contains(measurand.indicator) { measurand.form = .number }
        }
        if let unit = measurand.unit, !measurand.indicator.accepts(unit.unit) { return nil }
        return measurand
    }

    /// What the project calls its attributes, where the name alone does not tell or tells something else.
    static func measurand(_ name: String, _ glossary: inout Glossary) -> Measurand? {
        switch name {
        case "contact":
            // True is a closed contact, so a closed door.
            var door = Measurand(.door)
            door.declared = .init(on: .flag(false), off: .flag(true))
            return door
        case "occupancy": return Measurand(.motion)
        case "presence": return Measurand(.motion, channel: "presence")
        case "illuminance", "illuminance_lux": return Measurand(.light)
        case "local_temperature": return Measurand(.temperature)
        case "x_axis", "y_axis", "z_axis", "lamp", "light": return nil
        default:
            guard case .quantity(let measurand, _) = glossary.meaning(of: name) else { return nil }
            return measurand
        }
    }
}
