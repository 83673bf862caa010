import Core

/// Families that are recognised and not read yet, so that nobody takes their messages for something else.
struct UnreadFamilies: Family {
    /// Topics of which a discovery message says what they are, in words that we do not read yet.
    private var discovered: Set<String> = []
    private static let mostDiscovered = 20_000

    func claim(_ topic: Topic, _ memory: inout Memory) -> Claim? {
        if topic.levels.first == "homeassistant" {
            return topic.lastWord == "config" ? .payload : .ignored(.otherFamily)
        }
        return isOther(topic) || discovered.contains(topic.text) ? .ignored(.otherFamily) : nil
    }

    private func isOther(_ topic: Topic) -> Bool {
        let words = topic.levels.indices.map { topic.word($0) }
        let first = topic.levels[0]
        let last = topic.lastWord
        switch first {
        case "homie", "spBv1.0", "shellies", "ruuvi", "tele", "stat": return true
        case "N", "R", "W": return words.count >= 3
        case "v1" where words.count > 1: if ["devices", "gateway"].contains(words[1]) { return true }
        case "v3" where words.count > 3: if first == "v3" && words[2] == "devices" { return true }
        case "application" where words.count > 3: if words[2] == "device" { return true }
        default: break
        }
        if first.hasPrefix("v1.") && words.count > 1 { return true }  // SensorThings
        if words[0].hasPrefix("zwave") { return true }
        if topic.levels.contains(where: { $0.hasPrefix("$") }) { return true }  // Homie's attributes
        if words.contains(where: { $0.hasPrefix("datastreams(") || $0 == "observations" }) { return true }
        if topic.levels.contains(where: { $0.hasSuffix("toMQTT") || $0.hasPrefix("MQTTto") }) { return true }
        if words.contains(where: { $0.hasPrefix("endpoint_") }) { return true }  // Z-Wave JS
        if words.count > 2 && words[1] == "5" && words.count >= 4 { return true }  // Homie 5 under its own domain
        return isTasmota(topic, words) || isShelly(words, last) || isESPHome(words, last)
    }

    /// `tele/<name>/SENSOR`, its parts in any order.
    private func isTasmota(_ topic: Topic, _ words: [String]) -> Bool {
        guard words.contains("tele") || words.contains("stat"), let last = topic.levels.last else { return false }
        return last == last.uppercased() && last.contains { $0.isLetter }
    }

    /// `<prefix>/events/rpc` and `<prefix>/status/<component>:<number>`.
    private func isShelly(_ words: [String], _ last: String) -> Bool {
        guard words.count > 2 else { return false }
        let before = words[words.count - 2]
        if before == "events" && last == "rpc" { return true }
        return before == "status"
            && (last.contains(":") || ["sys", "wifi", "mqtt", "cloud", "ble", "ws", "eth"].contains(last))
    }

    /// `<prefix>/<component>/<object>/state`: quantity and unit are told only by discovery.
    private func isESPHome(_ words: [String], _ last: String) -> Bool {
        let components: Set = [
            "sensor", "binary_sensor", "text_sensor", "switch", "light", "number", "select", "climate", "fan", "cover",
            "button", "lock", "valve",
        ]
        return words.count > 3 && last == "state" && components.contains(words[words.count - 3])
    }

    /// SenML, Shelly's RPC, the LoRaWAN servers, and whatever wraps its values in an envelope of its own.
    func recognises(_ document: JSON, on topic: Topic) -> Bool {
        switch document {
        case .list(let list):
            guard let first = list.first else { return false }
            return ["bn", "bt", "bu", "bv", "bver"].contains { first[$0] != nil }
                || first["n"] != nil && ["v", "vs", "vb", "vd", "s"].contains { first[$0] != nil }
        case .object:
            if document["method"] != nil && document["params"] != nil { return true }
            if document["end_device_ids"] != nil || document["uplink_message"] != nil { return true }
            if document["deviceInfo"] != nil && document["devAddr"] ?? document["fPort"] ?? document["object"] != nil {
                return true
            }
            if document["phenomenonTime"] != nil || document["@iot.id"] != nil { return true }
            return document["gwts"] != nil || document["servicedata"] != nil
        case .null, .flag, .integer, .number, .text: return false
        }
    }

    mutating func read(
        _ payload: Payload, on topic: Topic, _ delivery: Delivery, _ memory: inout Memory,
        into understanding: inout Understanding
    ) -> Bool {
        understanding.ignored = .otherFamily
        guard topic.levels.first == "homeassistant" else { return false }
        understanding.isMetadata = true
        guard case .document(let document) = payload, discovered.count < Self.mostDiscovered else { return false }
        let before = discovered.count
        discover(document, base: "")
        return discovered.count != before
    }

    /// The state topics of an entity, with `~` for their common beginning or end.
    private mutating func discover(_ document: JSON, base: String) {
        guard case .object(let fields) = document else { return }
        let base = document["~"]?.text ?? base
        for field in fields {
            switch field.key {
            case "stat_t", "state_topic":
                guard let text = field.value.text, text.utf8.count <= 512, base.utf8.count <= 512 else { continue }
                discovered.insert(
                    text.hasPrefix("~") ? base + text.dropFirst() : text.hasSuffix("~") ? text.dropLast() + base : text)
            case "cmps", "components":
                guard case .object(let components) = field.value else { continue }
                for component in components { discover(component.value, base: base) }
            default: break
            }
        }
    }
}
