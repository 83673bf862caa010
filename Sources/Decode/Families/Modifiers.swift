import Core

/// The fields of an object that say something about the others: time, unit, sample rate, whose values they are.
struct Modifiers {
    /// Indices of the fields that are used up.
    private(set) var consumed: Set<Int> = []
    private(set) var unit: WrittenUnit?
    private(set) var hasUnknownUnit = false
    private(set) var isInvalid = false
    private(set) var isWarmingUp = false
    /// Seconds from one sample to the next.
    private(set) var sampleStep: Double?
    /// Why a time was written that cannot be used, or should not.
    private(set) var timeTrouble: Rejection.Reason?
    private var time: Timestamp?
    private var device: String?
    private var species: String?
    private var units: [Indicator: WrittenUnit] = [:]
    private var named: Measurand?

    init(_ fields: [JSON.Field], _ scope: ObjectReader.Scope, _ memory: inout Memory) {
        var times: [(rank: Int, time: DeviceTime)] = []
        for (index, field) in fields.enumerated() {
            let key = field.key.lowercased()
            if let rank = Self.times.firstIndex(of: key) {
                let live = !scope.delivery.isRetained
                guard let time = DeviceTime(field.value, arrival: scope.delivery.arrival, isLive: live) else { continue }
                // `t` may be anything, a temperature too.
                if key == "t" && time == .unusable && scope.context == nil { continue }
                times.append((rank, time))
                consumed.insert(index)
            } else if read(field, key, scope, &memory) {
                consumed.insert(index)
            }
        }
        settle(times, arrival: scope.delivery.arrival)
        if scope.context == nil { readName(fields, &memory) }
    }

    /// Elements of a list that need no number to be told apart.
    static func tellApart(_ fields: [JSON.Field]) -> Bool {
        fields.contains { field in
            let key = field.key.lowercased()
            return times.contains(key) || devices.contains(key) || names.contains(key)
        }
    }

    /// The scope for the values of this object.
    func apply(to scope: ObjectReader.Scope) -> ObjectReader.Scope {
        var inner = scope
        if let time { inner.delivery.time = time }
        if let device, !scope.source.device.split(separator: "/").contains(Substring(device)) {
            inner.source.device += "/" + device
        }
        inner.units.merge(units) { _, own in own }
        if let named { inner.context = named }
        if let species, inner.context?.indicator == .gas || inner.context?.indicator == .particles {
            inner.context?.species = species
            inner.context?.needsUnit = false
        }
        return inner
    }

    private mutating func read(_ field: JSON.Field, _ key: String, _ scope: ObjectReader.Scope, _ memory: inout Memory)
        -> Bool
    {
        switch key {
        case "unit", "units", "u", "uom", "unit_of_measurement", "unitofmeasurement":
            guard case .text(let text) = field.value else { return key != "u" }
            unit = WrittenUnit(text)
            hasUnknownUnit = unit == nil && !text.isEmpty
        case "species", "substance", "gas_type", "gastype":
            species = field.value.text.flatMap { Self.species($0, &memory) }
        case "valid", "is_valid", "isvalid": if field.value == .flag(false) { isInvalid = true }
        case "warmup", "warming_up", "warmingup", "preheat", "preheating":
            if field.value == .flag(true) { isWarmingUp = true }
        case "state", "status", "operation", "mode":
            guard case .text(let text) = field.value, Self.warmings.contains(text.lowercased()) else { return false }
            isWarmingUp = true
        case "fs", "sample_rate", "samplerate", "sampling_rate", "samplingrate", "rate_hz", "odr":
            if let rate = field.value.double, rate > 0, rate <= 1e6 { sampleStep = 1 / rate }
        case "dt", "dt_s": sampleStep = Self.step(field.value.double)
        case "dt_ms", "period_ms", "interval_ms": sampleStep = Self.step(field.value.double.map { $0 / 1000 })
        case _ where Self.devices.contains(key): readDevice(field.value)
        case _ where key.contains("unit"):
            guard case .text(let text) = field.value, let written = WrittenUnit(text) else { return false }
            let name = field.key.lowercased().replacing("units", with: "").replacing("unit", with: "")
            guard case .quantity(let measurand, _) = memory.glossary.meaning(of: name) else { return false }
            units[measurand.indicator] = written
        default: return false
        }
        return true
    }

    private static func step(_ seconds: Double?) -> Double? {
        seconds.flatMap { $0 > 0 && $0 <= 3600 ? $0 : nil }
    }

    private mutating func readDevice(_ value: JSON) {
        switch value {
        case .text(let text) where !text.isEmpty && text.utf8.count <= 64 && text.utf8.allSatisfy { $0 >= 0x20 }:
            device = device ?? text
        case .integer(let number): device = device ?? String(number)
        default: break
        }
    }

    /// The best key that names an instant; if none does, the trouble with it.
    private mutating func settle(_ times: [(rank: Int, time: DeviceTime)], arrival: Timestamp) {
        for (_, candidate) in times.sorted(by: { $0.rank < $1.rank }) {
            guard case .instant(let instant) = candidate else { continue }
            time = instant
            timeTrouble = instant - arrival > DeviceClock.tolerance ? .timeAhead : nil
            return
        }
        timeTrouble = times.isEmpty ? nil : .unusableTime
    }

    /// `{"type": "temperature", "value": 21.5}` names its quantity in a value.
    private mutating func readName(_ fields: [JSON.Field], _ memory: inout Memory) {
        guard fields.contains(where: { ["value", "v", "val"].contains($0.key.lowercased()) }) else { return }
        for (index, field) in fields.enumerated() where Self.names.contains(field.key.lowercased()) {
            guard case .text(let text) = field.value,
                case .quantity(let measurand, .whole) = memory.glossary.meaning(of: text)
            else { continue }
            named = measurand
            consumed.insert(index)
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

    /// Keys of times, the best first.
    private static let times = [
        "epoch", "timestamp", "time", "ts", "datetime", "date_time", "sampled_at", "sample_time", "measured_at",
        "measurement_time", "observed_at", "last_seen", "lastseen", "created_at", "at", "utc", "t",
    ]
    private static let devices: Set = [
        "device_id", "deviceid", "sensor_id", "sensorid", "node_id", "nodeid", "dev_id", "mac", "device", "deveui",
        "dev_eui", "serial_number", "serialnumber",
    ]
    private static let names: Set = [
        "type", "quantity", "indicator", "parameter", "metric", "property", "sensor_type", "sensortype", "sensor",
        "name", "kind",
    ]
    private static let warmings: Set = [
        "warmup", "warm-up", "warming", "warming up", "preheat", "preheating", "self-test", "selftest", "self_test",
        "test",
    ]
}
