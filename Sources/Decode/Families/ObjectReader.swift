import Core

/// Reads documents whose keys say what their values are.
enum ObjectReader {
    /// What is known on the way down to a value.
    struct Scope {
        var source: Source
        var delivery: Delivery
        /// What `value` stands for: named by the topic or by a key further out.
        var context: Measurand?
        /// Keys on the way, which tell values of one quantity apart.
        var path: [String] = []
        /// Channel of values that the topic does not name.
        var foreignChannel: String?
        /// Units that the document declares for a quantity: `"TempUnit": "F"`.
        var units: [Indicator: WrittenUnit] = [:]
        /// Inside something like a valve, where `open` is no door.
        var isOther = false
        /// Thermometers that report 85 °C when they were just powered on.
        var startsAt85 = false
        var depth = 0

        func channel(_ own: String?) -> String? {
            let parts = path + (own.map { [$0] } ?? [])
            return parts.isEmpty ? nil : parts.joined(separator: "/")
        }
    }

    private static let deepest = 10
    private static let longestList = 1000

    static func read(_ document: JSON, _ scope: Scope, _ memory: inout Memory, into understanding: inout Understanding) {
        guard scope.depth < deepest else { return }
        var scope = scope
        scope.depth += 1
        switch document {
        case .object(let fields): read(fields, scope, &memory, into: &understanding)
        case .list(let list) where list.count <= longestList:
            for (index, element) in list.enumerated() {
                guard case .object(let fields) = element else { continue }
                var inner = scope
                // Without time and name only the place in the list tells the elements apart.
                if list.count > 1, !Modifiers.tellApart(fields) { inner.path.append(String(index + 1)) }
                read(fields, inner, &memory, into: &understanding)
            }
        case .list: understanding.reject("payload", .tooManyValues)
        case .null, .flag, .integer, .number, .text: break
        }
    }

    private static func read(
        _ fields: [JSON.Field], _ scope: Scope, _ memory: inout Memory, into understanding: inout Understanding
    ) {
        let modifiers = Modifiers(fields, scope, &memory)
        if modifiers.isInvalid {
            understanding.reject(scope.channel(nil) ?? "payload", .markedInvalid)
            return
        }
        if let reason = modifiers.timeTrouble { understanding.reject("time", reason) }
        var reader = FieldReader(fields: fields, modifiers: modifiers, scope: modifiers.apply(to: scope))
        reader.read(&memory, into: &understanding)
    }
}

/// The fields of one object.
struct FieldReader {
    let fields: [JSON.Field]
    let modifiers: Modifiers
    let scope: ObjectReader.Scope
    private var isBatteryDevice = false
    private var hasLux = false
    /// What stands for the value of the context, best first.
    private var candidate: (rank: Int, value: JSON, unit: WrittenUnit?, key: String)?

    init(fields: [JSON.Field], modifiers: Modifiers, scope: ObjectReader.Scope) {
        (self.fields, self.modifiers, self.scope) = (fields, modifiers, scope)
        for field in fields {
            if ["battery", "batt", "battery_low", "battery_level", "batteryLevel"].contains(field.key) {
                isBatteryDevice = true
            }
            if field.key == "lux" || field.key == "illuminance_lux" { hasLux = true }
        }
    }

    mutating func read(_ memory: inout Memory, into understanding: inout Understanding) {
        for (index, field) in fields.enumerated() where !modifiers.consumed.contains(index) {
            read(field, &memory, into: &understanding)
        }
        guard let candidate, var context = scope.context else { return }
        context.unit = candidate.unit ?? context.unit
        take(candidate.value, as: context, field: candidate.key, unit: modifiers.unit, &memory, into: &understanding)
    }

    private mutating func read(_ field: JSON.Field, _ memory: inout Memory, into understanding: inout Understanding) {
        switch memory.glossary.meaning(of: field.key) {
        case .quantity(let measurand, let extent):
            if extent == .stateAlone && scope.isOther { return }
            readNamed(field, measurand, &memory, into: &understanding)
        case .value(let unit): readValue(field, unit, &memory, into: &understanding)
        case .position(let position):
            guard var context = scope.context else { return }
            if context.indicator == .temperature && position == "c" {
                readValue(field, WrittenUnit("C"), &memory, into: &understanding)
                return
            }
            context.channel = [context.channel, position].compactMap { $0 }.joined(separator: "-")
            take(field.value, as: context, field: field.key, unit: modifiers.unit, &memory, into: &understanding)
        case .nothing where field.key == "peak" && scope.context?.indicator == .vibration:
            guard var context = scope.context else { return }
            context.channel = [context.channel, "peak"].compactMap { $0 }.joined(separator: "-")
            take(field.value, as: context, field: field.key, unit: modifiers.unit, &memory, into: &understanding)
        case .other, .nothing: descend(field, &memory, into: &understanding)
        case .excluded: break
        }
    }

    /// A key that names a quantity by itself.
    private func readNamed(
        _ field: JSON.Field, _ measurand: Measurand, _ memory: inout Memory, into understanding: inout Understanding
    ) {
        var measurand = measurand
        if measurand.indicator == .light && hasLux && !field.key.lowercased().contains("lux") { return }
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
        if measurand.indicator == .voltage, isBatteryDevice, measurand.unit == nil, let value = field.value.scalar,
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

    private static let ranks = ["value", "v", "val", "reading", "measured", "measurement", "concentration", "rms"]

    private func descend(
        _ field: JSON.Field, keepsPath: Bool = false, _ memory: inout Memory, into understanding: inout Understanding
    ) {
        guard field.value.isObject || field.value.list != nil else { return }
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
        } else if let list = value.list {
            takeBurst(list, as: named, field: key, unit: unit, &memory, into: &understanding)
        } else {
            var inner = scope
            inner.context = measurand
            inner.foreignChannel = nil
            ObjectReader.read(value, inner, &memory, into: &understanding)
        }
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
