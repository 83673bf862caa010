import Core

/// What a key says about the other keys of its object.
enum KeyRole: Hashable, Sendable {
    /// A time of measurement; the smallest rank is the best. `t` may mean other things too.
    case time(rank: Int, isVague: Bool)
    case unit
    /// `temperature_unit`, `TempUnit`.
    case unitOf(Indicator)
    case species
    case validity
    case warmingUp
    /// A state in words, which may tell that the sensor is warming up.
    case operation
    /// Samples per second.
    case rate
    /// From one sample to the next, in so many seconds.
    case step(seconds: Double)
    case device
    /// Its value may name the quantity: `"type": "temperature"`.
    case name
    /// Shows that the device lives on a battery.
    case battery
    case lux
    case peak
    /// Its value is the axis or phase of the others.
    case axis

    init?(_ name: String) {
        let key = name.lowercased()
        if let rank = Self.times.firstIndex(of: key) {
            self = .time(rank: rank, isVague: key == "t")
        } else if let role = Self.roles[key] {
            self = role
        } else if let quantity = Self.quantity(ofUnitKey: key, name) {
            self = .unitOf(quantity)
        } else {
            return nil
        }
    }

    private static func quantity(ofUnitKey key: String, _ name: String) -> Indicator? {
        guard key.hasSuffix("unit") || key.hasSuffix("units"), key.utf8.count <= 64 else { return nil }
        let rest = name.dropLast(key.hasSuffix("units") ? 5 : 4)
        guard case .quantity(let measurand, _) = Naming.meaning(of: String(rest)) else { return nil }
        return measurand.indicator
    }

    private static let times = [
        "epoch", "timestamp", "time", "ts", "datetime", "date_time", "sampled_at", "sample_time", "measured_at",
        "measurement_time", "observed_at", "t0", "start_time", "last_seen", "lastseen", "created_at", "at", "utc", "t",
    ]

    private static let roles: [String: KeyRole] = {
        var roles: [String: KeyRole] = [:]
        func add(_ keys: String, _ role: KeyRole) {
            for key in keys.split(separator: " ") { roles[String(key)] = role }
        }
        add("unit units u uom unit_of_measurement unitofmeasurement", .unit)
        add("species substance gas_type gastype", .species)
        add("valid is_valid isvalid", .validity)
        add("warmup warming_up warmingup preheat preheating", .warmingUp)
        add("state status operation mode", .operation)
        add("fs sample_rate samplerate sampling_rate samplingrate rate_hz rate odr", .rate)
        add("dt dt_s", .step(seconds: 1))
        add("dt_ms period_ms interval_ms", .step(seconds: 0.001))
        add(
            "device_id deviceid sensor_id sensorid node_id nodeid dev_id mac device deveui dev_eui serial_number serialnumber",
            .device)
        add("type quantity indicator parameter metric property sensor_type sensortype sensor name kind", .name)
        add("battery batt bat battery_low batterylow battery_level batterylevel battery_percent", .battery)
        add("lux illuminance_lux", .lux)
        add("peak", .peak)
        add("axis phase", .axis)
        return roles
    }()
}
