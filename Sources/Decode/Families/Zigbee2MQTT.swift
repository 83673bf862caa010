import Core

/// Zigbee2MQTT: `<base>/<friendly name>` with all attributes of a device, described by `<base>/bridge/devices`.
struct Zigbee2MQTT: Family {
    static let name = "zigbee2mqtt"

    /// Devices by friendly name, of each base topic that was seen to be one.
    private var bases: [String: [String: Zigbee2MQTTDevice]] = [Zigbee2MQTT.name: [:]]
    private var cache = AttributeCache()
    private static let mostBases = 64

    func claim(_ topic: Topic, _ memory: inout Memory) -> Claim? {
        if let bridge = bridgeTopic(topic) {
            switch bridge.rest {
            case ["state"] where bases[bridge.base] != nil: return .availability(subject: bridge.base)
            case ["devices"]: return .payload
            case ["state"], ["info"]: return bases[bridge.base] == nil ? .payload : .ignored(.bridge)
            default: return .ignored(.bridge)
            }
        }
        guard let base = base(of: topic) else { return nil }
        if topic.lastWord == "availability" { return .availability(subject: topic.prefix(topic.levels.count - 1)) }
        return base.isEmpty ? nil : .payload
    }

    /// Topics of the bridge itself; only those words, for a device may be called `bridge`.
    private func bridgeTopic(_ topic: Topic) -> (base: String, rest: [String])? {
        guard let index = topic.levels.dropFirst().firstIndex(of: "bridge"), index + 1 < topic.levels.count else {
            return nil
        }
        let words: Set = [
            "state", "devices", "info", "groups", "logging", "event", "request", "response", "log", "config",
            "networkmap", "extensions", "definitions", "converters", "health", "options",
        ]
        guard words.contains(topic.levels[index + 1]) else { return nil }
        return (topic.levels[..<index].joined(separator: "/"), Array(topic.levels[(index + 1)...]))
    }

    /// The longest known base that the topic lies below.
    private func base(of topic: Topic) -> String? {
        for count in stride(from: topic.levels.count - 1, through: 1, by: -1) {
            let base = topic.levels[..<count].joined(separator: "/")
            if bases[base] != nil { return base }
        }
        return nil
    }

    /// A document with the quality of the radio link comes from nobody else; its base may not have been heard yet.
    func recognises(_ document: JSON, on topic: Topic) -> Bool {
        topic.levels.count > 1 && document["linkquality"]?.double != nil
    }

    mutating func read(
        _ payload: Payload, on topic: Topic, _ delivery: Delivery, _ memory: inout Memory,
        into understanding: inout Understanding
    ) -> Bool {
        if let bridge = bridgeTopic(topic) {
            return readBridge(bridge.base, bridge.rest, payload, &memory, into: &understanding)
        }
        let base = base(of: topic) ?? topic.levels[0]
        let name = String(topic.text.dropFirst(base.count + 1))
        switch payload {
        case .empty: understanding.ignored = .empty
        case .document(let document):
            let device = bases[base]?[name] ?? Zigbee2MQTTDevice(name: name)
            var reader = Zigbee2MQTTReader(device: device, source: device.source(base), delivery: delivery)
            reader.read(document, &cache, &memory, into: &understanding)
        case .text(let scalar):
            guard bases[base]?[name] == nil, let slash = name.lastIndex(of: "/") else {
                understanding.ignored = .noQuantity
                break
            }
            // `output: attribute`: one plain value per topic.
            let owner = String(name[..<slash])
            let device = bases[base]?[owner] ?? Zigbee2MQTTDevice(name: owner)
            let reader = Zigbee2MQTTReader(device: device, source: device.source(base), delivery: delivery)
            let attribute = String(name[name.index(after: slash)...])
            reader.read(attribute, scalar, &memory, into: &understanding)
        }
        return false
    }

    private mutating func readBridge(
        _ base: String, _ rest: [String], _ payload: Payload, _ memory: inout Memory,
        into understanding: inout Understanding
    ) -> Bool {
        switch (rest, payload) {
        case (["devices"], .empty):
            understanding.isMetadata = true
            guard bases[base] != nil else { return false }
            bases[base] = [:]
            return true
        case (["devices"], .document(.list(let list))):
            guard list.isEmpty || list.contains(where: { $0["ieee_address"] != nil }) else { return false }
            let devices = list.prefix(Zigbee2MQTTDevice.most).compactMap { Zigbee2MQTTDevice($0, &memory.glossary) }
            guard learn(base, Dictionary(devices.map { ($0.name, $0) }) { $1 }) else { return false }
            understanding.isMetadata = true
            for device in devices where device.isOurs {
                understanding.devices.append(device.source(base).note)
                _ = memory.isNews(device.source(base).device)
            }
            return true
        case (["state"], .document(let document)):
            guard case .word(let word)? = document["state"]?.scalar, let isOnline = StateWords.availability(word) else {
                return false
            }
            understanding.availability.append(Availability(subject: base, isOnline: isOnline))
            return learn(base, [:])
        case (["info"], .document(let document)):
            guard document["coordinator"] != nil, document["version"] != nil else { return false }
            understanding.ignored = .bridge
            return learn(base, [:])
        default:
            understanding.ignored = .bridge
            return false
        }
    }

    private mutating func learn(_ base: String, _ devices: [String: Zigbee2MQTTDevice]) -> Bool {
        guard bases[base] != nil || bases.count < Self.mostBases else { return false }
        bases[base] = devices
        return true
    }
}
