import Core

/// Reads the attributes of one Zigbee2MQTT device.
struct Zigbee2MQTTReader {
    let device: Zigbee2MQTTDevice
    let source: Source
    var delivery: Delivery

    mutating func read(
        _ document: JSON, _ cache: inout AttributeCache, _ memory: inout Memory,
        into understanding: inout Understanding
    ) {
        guard case .object(let fields) = document else {
            understanding.ignored = .noQuantity
            return
        }
        let isLive = !delivery.isRetained
        if let written = document["last_seen"],
            let time = DeviceTime(written, arrival: delivery.arrival, isLive: isLive)
        {
            switch time {
            case .instant(let instant):
                delivery.time = instant
                if instant - delivery.arrival > DeviceClock.tolerance { understanding.reject("last_seen", .timeAhead) }
            case .unusable: understanding.reject("last_seen", .unusableTime)
            }
        }
        let repeated = cache.repeated(fields, of: source.device, lastSeen: delivery.time)
        let before = understanding.rejected.count
        for (index, field) in fields.enumerated() where !repeated.contains(index) {
            guard field.value.isSingle, let measurand = measurand(field.key, field.value, among: fields, &memory),
                let scalar = field.value.scalar
            else { continue }
            understanding.take(scalar, as: measurand, of: source, delivery, field: field.key, &memory)
        }
        if understanding.readings.isEmpty && understanding.rejected.count == before {
            understanding.ignored = repeated.isEmpty ? .noQuantity : .cached
        }
    }

    /// One attribute on a topic of its own.
    func read(_ key: String, _ text: Scalar, _ memory: inout Memory, into understanding: inout Understanding) {
        var value = JSON.null
        if case .number(let number) = text { value = .number(number) }
        if case .word(let word) = text { value = .text(word) }
        guard let measurand = measurand(key, value, among: [], &memory) else {
            understanding.ignored = .noQuantity
            return
        }
        understanding.take(text, as: measurand, of: source, delivery, field: key, &memory)
    }

    /// What an attribute tells; its value and its siblings matter where names are used for several things.
    private func measurand(_ key: String, _ value: JSON, among fields: [JSON.Field], _ memory: inout Memory)
        -> Measurand?
    {
        func has(_ key: String) -> Bool { fields.contains { $0.key == key } }
        if key == "illuminance" && has("illuminance_lux") { return nil }
        if key == "action" {
            // Old converters tell a shake only so; the flag beside it is the same event.
            return value.text?.lowercased() == "vibration" && !has("vibration") ? Measurand(.vibration) : nil
        }
        if let described = device.attributes[key] { return described }
        guard var measurand = Zigbee2MQTTDevice.measurand(key, &memory.glossary) else { return nil }
        if measurand.indicator == .door, device.isThermostat || fields.contains(where: { $0.key.hasSuffix("setpoint") })
        {
            return nil
        }
        if measurand.indicator == .voltage, measurand.unit == nil, let number = value.double {
            let isBattery = device.isBatteryPowered ?? (has("battery") || has("battery_low"))
            if number > 1000 || isBattery && number < 50 { measurand.indicator = .batteryVoltage }
        }
        return measurand
    }
}

/// Zigbee2MQTT repeats every attribute it knows in every message: with the same `last_seen` nothing was measured again.
struct AttributeCache: Sendable {
    private struct Entry: Sendable {
        var lastSeen: Timestamp
        var fields: [JSON.Field]
    }

    private var entries: [String: Entry] = [:]
    private static let most = 20_000
    private static let mostFields = 100

    private static func isSmall(_ field: JSON.Field) -> Bool {
        field.value.isSingle && field.key.utf8.count <= 64 && field.value.text?.utf8.count ?? 0 <= 64
    }

    /// Indices of the fields that repeat the ones of before; longer or deeper documents are not remembered.
    mutating func repeated(_ fields: [JSON.Field], of device: String, lastSeen: Timestamp?) -> Set<Int> {
        guard let lastSeen, fields.count <= Self.mostFields else { return [] }
        guard var entry = entries[device], entry.lastSeen == lastSeen else {
            if entries.count >= Self.most { entries.removeAll(keepingCapacity: true) }
            entries[device] = Entry(lastSeen: lastSeen, fields: fields.filter(Self.isSmall))
            return []
        }
        var repeated: Set<Int> = []
        for (index, field) in fields.enumerated() where Self.isSmall(field) {
            guard let known = entry.fields.firstIndex(where: { $0.key == field.key }) else {
                if entry.fields.count < Self.mostFields { entry.fields.append(field) }
                continue
            }
            if entry.fields[known].value == field.value { repeated.insert(index) }
            entry.fields[known].value = field.value
        }
        entries[device] = entry
        return repeated
    }
}
