import Core

/// Reads the fields of one object.
struct FieldReader {
    let modifiers: Modifiers
    let scope: ObjectReader.Scope
    /// What stands for the value of the context, best first.
    private var candidate: (rank: Int, value: JSON, unit: WrittenUnit?, key: String)?

    init(modifiers: Modifiers, scope: ObjectReader.Scope) { (self.modifiers, self.scope) = (modifiers, scope) }

    /// `keys` are the entries of the fields' keys, in their order.
    mutating func read(
        _ fields: [JSON.Field], _ keys: [Glossary.Entry], _ memory: inout Memory,
        into understanding: inout Understanding
    ) {
        for (field, key) in zip(fields, keys) { read(field, key, &memory, into: &understanding) }
        guard let candidate, var context = scope.context else { return }
        context.unit = candidate.unit ?? context.unit
        take(candidate.value, as: context, field: candidate.key, unit: modifiers.unit, &memory, into: &understanding)
    }

    private mutating func read(
        _ field: JSON.Field, _ key: Glossary.Entry, _ memory: inout Memory, into understanding: inout Understanding
    ) {
        switch key.meaning {
        case .quantity(let measurand, let extent):
            if extent == .stateAlone && scope.isOther { return }
            readNamed(field, key.role, measurand, &memory, into: &understanding)
        case .value(let unit):
            // `sensor` may name the quantity instead, and `at` the time.
            if case .time? = key.role { return }
            if key.role == .name && field.value.text != nil { return }
            readValue(field, unit, &memory, into: &understanding)
        case .position(let position):
            // `"axis": "x"` says which axis the others are of.
            if key.role == .axis && field.value.text != nil { return }
            guard var context = scope.context else { return }
            if context.indicator == .temperature && position == "c" {
                readValue(field, UnitText.read("C"), &memory, into: &understanding)
                return
            }
            context.channel = [context.channel, position].compactMap { $0 }.joined(separator: "-")
            take(field.value, as: context, field: field.key, unit: modifiers.unit, &memory, into: &understanding)
        case .nothing where key.role == .peak && scope.context?.indicator == .vibration:
            guard var context = scope.context else { return }
            context.channel = [context.channel, "peak"].compactMap { $0 }.joined(separator: "-")
            take(field.value, as: context, field: field.key, unit: modifiers.unit, &memory, into: &understanding)
        case .other, .nothing: descend(field, &memory, into: &understanding)
        case .excluded: break
        }
    }

    /// A key that names a quantity by itself.
    private func readNamed(
        _ field: JSON.Field, _ role: KeyRole?, _ measurand: Measurand, _ memory: inout Memory,
        into understanding: inout Understanding
    ) {
        var measurand = measurand
        if measurand.indicator == .light && modifiers.hasLux && role != .lux { return }
        if let context = scope.context, context.indicator == measurand.indicator {
            measurand.species = measurand.species ?? context.species
            measurand.unit = measurand.unit ?? (measurand.species == context.species ? context.unit : nil)
        } else if let foreign = scope.foreignChannel {
            measurand.channel = [foreign, measurand.channel].compactMap { $0 }.joined(separator: "-")
        }
        measurand.unit = measurand.unit ?? scope.units[measurand.indicator]
        if measurand.unit == nil, let unit = modifiers.unit, measurand.indicator.accepts(unit.unit) {
            measurand.unit = unit
        }
        if measurand.unit != nil { measurand.needsUnit = false }
        if measurand.indicator == .voltage, modifiers.isBatteryDevice, measurand.unit == nil,
            let value = field.value.scalar,
            case .number(let number) = value, number < 50 || number > 1000
        {
            measurand.indicator = .batteryVoltage
        }
        take(field.value, as: measurand, field: field.key, unit: nil, &memory, into: &understanding)
    }

    private mutating func readValue(
        _ field: JSON.Field, _ unit: WrittenUnit?, _ memory: inout Memory, into understanding: inout Understanding
    ) {
        switch field.value {
        case .object where scope.context == nil: descend(field, keepsPath: true, &memory, into: &understanding)
        case .list(let list) where scope.context == nil && list.contains { $0.isObject }:
            descend(field, keepsPath: true, &memory, into: &understanding)
        case _ where scope.context != nil:
            let key = field.key.lowercased()
            let rank = Self.ranks.firstIndex(of: key) ?? Self.ranks.count
            let fits = unit.map { scope.context?.indicator.accepts($0.unit) ?? false } ?? true
            guard rank < (candidate?.rank ?? .max), fits || key == "v" else { return }
            candidate = (rank, field.value, key == "v" ? nil : unit, field.key)
        default: break
        }
    }

    static func isValueKey(_ key: String) -> Bool { ["value", "v", "val"].contains(key.lowercased()) }

    private static let ranks = [
        "value", "v", "val", "reading", "measured", "measurement", "concentration", "rms", "samples",
    ]

    private func descend(
        _ field: JSON.Field, keepsPath: Bool = false, _ memory: inout Memory, into understanding: inout Understanding
    ) {
        guard field.value.isObject || field.value.list != nil, keepsPath || Self.isName(field.key) else { return }
        var inner = scope
        inner.context = nil
        inner.foreignChannel = nil
        inner.isOther = memory.glossary.meaning(of: field.key) == .other
        if !keepsPath && field.key != "d" { inner.path.append(field.key) }
        if PowerOnGuard.concerns(field.key) { inner.startsAt85 = true }
        if inner.path.count > 8 { return }
        ObjectReader.read(field.value, inner, &memory, into: &understanding)
    }

    private func take(
        _ value: JSON, as measurand: Measurand, field: String, unit: WrittenUnit?, _ memory: inout Memory,
        into understanding: inout Understanding
    ) {
        var named = measurand
        named.channel = scope.channel(measurand.channel)
        named.startsAt85 = named.startsAt85 || scope.startsAt85
        let key = scope.channel(field) ?? field
        if modifiers.isWarmingUp, [.gas, .co2, .smoke].contains(measurand.indicator) {
            understanding.reject(key, .warmingUp)
        } else if modifiers.hasUnknownUnit, let context = scope.context, context.indicator == measurand.indicator,
            measurand.unit == context.unit
        {
            understanding.reject(key, .unknownUnit)
        } else if let scalar = value.scalar {
            understanding.take(scalar, as: named, of: scope.source, scope.delivery, unit: unit, field: key, &memory)
        } else if let list = value.list, !list.contains(where: { $0.isObject }) {
            takeBurst(list, as: named, field: key, unit: unit, &memory, into: &understanding)
        } else {
            var inner = scope
            inner.context = measurand
            inner.foreignChannel = nil
            ObjectReader.read(value, inner, &memory, into: &understanding)
        }
    }

    /// Whether a key may become part of a series' name: a time would make a new series of every message.
    private static func isName(_ key: String) -> Bool {
        guard key.utf8.count <= 64, key.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return false }
        return !(key.utf8.count >= 9 && key.allSatisfy(\.isNumber)) && WrittenTime(key) == nil
    }

    /// Samples at a rate: the first one has the time of the object.
    private func takeBurst(
        _ list: [JSON], as measurand: Measurand, field: String, unit: WrittenUnit?, _ memory: inout Memory,
        into understanding: inout Understanding
    ) {
        guard let start = scope.delivery.time, let step = modifiers.sampleStep else {
            understanding.reject(field, .noSampleTimes)
            return
        }
        var delivery = scope.delivery
        for (index, value) in list.prefix(Understanding.mostReadings).enumerated() {
            delivery.time = start + .seconds(step * Double(index))
            guard let scalar = value.scalar else { continue }
            understanding.take(
                scalar, as: measurand, of: scope.source, delivery, unit: unit, field: field, &memory)
        }
        if list.count > Understanding.mostReadings { understanding.reject(field, .tooManyValues) }
    }
}
