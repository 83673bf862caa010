import Core

/// What the fields of an object say about each other: time, unit, sample rate, whose values they are.
struct Modifiers {
    private(set) var unit: WrittenUnit?
    private(set) var hasUnknownUnit = false
    private(set) var isInvalid = false
    private(set) var isWarmingUp = false
    private(set) var isBatteryDevice = false
    private(set) var hasLux = false
    /// Seconds from one sample to the next.
    private(set) var sampleStep: Double?
    /// Why a time was written that cannot be used, or should not.
    private(set) var timeTrouble: Rejection.Reason?
    private var time: (rank: Int, instant: Timestamp)?
    private var device: String?
    private var species: String?
    private var units: [Indicator: WrittenUnit] = [:]
    private var named: Measurand?
    private var axis: String?

    /// `keys` are the entries of the fields' keys, in their order.
    init(_ fields: [JSON.Field], _ keys: [Glossary.Entry], _ scope: ObjectReader.Scope, _ memory: inout Memory) {
        for (field, key) in zip(fields, keys) {
            guard let role = key.role else { continue }
            read(field, role, scope, &memory)
        }
        if let time {
            timeTrouble = time.instant - scope.delivery.arrival > DeviceClock.tolerance ? .timeAhead : nil
        }
        if scope.context == nil { readName(fields, keys, &memory) }
    }

    /// Elements of a list that need no number to be told apart.
    static func tellApart(_ keys: [Glossary.Entry]) -> Bool {
        keys.contains { key in
            switch key.role {
            case .time, .device, .name: true
            default: false
            }
        }
    }

    /// The scope for the values of this object.
    func apply(to scope: ObjectReader.Scope) -> ObjectReader.Scope {
        var inner = scope
        if let time { inner.delivery.time = time.instant }
        if let device, !scope.source.device.split(separator: "/").contains(Substring(device)) {
            inner.source = scope.source.part(device)
        }
        if !units.isEmpty { inner.units.merge(units) { _, own in own } }
        if let named { inner.context = named }
        if let axis, inner.context != nil { inner.context?.channel = axis }
        if let species, inner.context?.indicator == .gas || inner.context?.indicator == .particles {
            inner.context?.species = species
            inner.context?.needsUnit = false
        }
        return inner
    }

    private mutating func read(
        _ field: JSON.Field, _ role: KeyRole, _ scope: ObjectReader.Scope, _ memory: inout Memory
    ) {
        switch role {
        case .time(let rank, let isVague): readTime(field.value, rank, isVague && scope.context == nil, scope)
        case .unit:
            guard case .text(let text) = field.value else { return }
            unit = UnitText.read(text)
            hasUnknownUnit = unit == nil && !text.isEmpty
        case .unitOf(let indicator):
            guard case .text(let text) = field.value, let written = UnitText.read(text) else { return }
            units[indicator] = written
        case .species: species = field.value.text.flatMap { Self.species($0, &memory) }
        case .validity: if field.value == .flag(false) { isInvalid = true }
        case .warmingUp: if field.value == .flag(true) { isWarmingUp = true }
        case .operation:
            guard case .text(let text) = field.value, Self.warmings.contains(text.lowercased()) else { return }
            isWarmingUp = true
        case .rate: if let rate = field.value.double, rate > 0, rate <= 1e6 { sampleStep = 1 / rate }
        case .step(let seconds):
            if let step = field.value.double.map({ $0 * seconds }), step > 0, step <= 3600 { sampleStep = step }
        case .device: readDevice(field.value)
        case .battery: isBatteryDevice = true
        case .lux: hasLux = true
        case .axis: axis = field.value.text.flatMap { (1...8).contains($0.utf8.count) ? $0.lowercased() : nil }
        case .name, .peak: break
        }
    }

    private mutating func readTime(_ value: JSON, _ rank: Int, _ isVague: Bool, _ scope: ObjectReader.Scope) {
        let isLive = !scope.delivery.isRetained
        switch DeviceTime(value, arrival: scope.delivery.arrival, isLive: isLive) {
        case .instant(let instant): if rank < time?.rank ?? .max { time = (rank, instant) }
        // `t` may be anything, a temperature too.
        case .unusable: if !isVague && time == nil { timeTrouble = .unusableTime }
        case nil: break
        }
    }

    private mutating func readDevice(_ value: JSON) {
        switch value {
        case .text(let text) where !text.isEmpty && text.utf8.count <= 64 && text.utf8.allSatisfy { $0 >= 0x20 }:
            device = device ?? text
        case .integer(let number): device = device ?? String(number)
        default: break
        }
    }

    /// `{"type": "temperature", "value": 21.5}` names its quantity in a value.
    private mutating func readName(_ fields: [JSON.Field], _ keys: [Glossary.Entry], _ memory: inout Memory) {
        guard keys.contains(where: { $0.role == .name }), fields.contains(where: { FieldReader.isValueKey($0.key) })
        else { return }
        for (field, key) in zip(fields, keys) where key.role == .name {
            guard case .text(let text) = field.value,
                case .quantity(let measurand, .whole) = memory.glossary.meaning(of: text)
            else { continue }
            named = measurand
            return
        }
    }

    /// `CO` and `carbon monoxide` are one substance; any other short word is taken as it is.
    static func species(_ text: String, _ memory: inout Memory) -> String? {
        if case .quantity(let measurand, _) = memory.glossary.meaning(of: text), let species = measurand.species {
            return species
        }
        let word = text.lowercased()
        let isWord = (1...32).contains(word.utf8.count) && word.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
        return isWord ? word : nil
    }

    private static let warmings: Set = [
        "warmup", "warm-up", "warming", "warming up", "preheat", "preheating", "self-test", "selftest", "self_test",
        "test",
    ]
}
