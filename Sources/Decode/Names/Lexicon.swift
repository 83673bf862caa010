import Core

/// The words that names are made of.
enum Lexicon {
    /// What a word contributes to a name.
    enum Role: Hashable, Sendable {
        /// Says what is measured.
        case head(Head)
        case unit(String)
        /// Belongs to the quantity without changing it.
        case filler
        /// Only one reading among several: a state rather than an amount, a count, how a door stands.
        case flag, count, open, closed, contact, level, state
        case position
        /// Makes a setting, a statistic or a time of the whole name.
        case excluded
    }

    enum Head: Hashable, Sendable {
        case quantity(Indicator, species: String?)
        /// A gas for which several units are usual.
        case trace(species: String)
        /// `light` alone may be a lamp as well: it counts only without further words.
        case light
        case accelerometer
        case cell
        case opening(String)
        case other
    }

    static func knows(_ word: String) -> Bool {
        roles[word] != nil || compounds[word] != nil || sensorOfGas(word)
    }

    /// `mq2`, `mq135`: a count of a converter until a unit says otherwise.
    static func sensorOfGas(_ word: String) -> Bool {
        word.hasPrefix("mq") && word.count > 2 && word.dropFirst(2).allSatisfy(\.isNumber)
    }

    static func role(of word: String) -> Role? {
        if let role = roles[word] { return role }
        if sensorOfGas(word) { return .head(.quantity(.gas, species: nil)) }
        return word.count <= 4 && word.allSatisfy(\.isNumber) ? .position : nil
    }

    /// Words of two and three parts, joined by blanks; the longest goes first.
    static let phrases: [String: Role] = {
        var phrases: [String: Role] = [
            "carbon dioxide": .head(.quantity(.co2, species: nil)),
            // The second CO sensor, or CO2: nobody knows.
            "co 2": .excluded,
            "carbon monoxide": .head(.quantity(.gas, species: "co")),
            "natural gas": .head(.quantity(.gas, species: "natural-gas")),
            "nitrogen dioxide": .head(.trace(species: "no2")), "hydrogen sulfide": .head(.trace(species: "h2s")),
            "m s2": .unit("m/s2"), "mm s": .unit("mm/s"), "mg m3": .unit("mg/m3"), "ug m3": .unit("µg/m3"),
            "µg m3": .unit("µg/m3"), "bq m3": .unit("Bq/m3"), "m v": .unit("mV"), "k v": .unit("kV"),
            "dew point": .excluded, "heat index": .excluded, "feels like": .excluded, "wind chill": .excluded,
            "wet bulb": .excluded, "e co2": .excluded, "co2 eq": .excluded, "co2 e": .excluded, "self test": .excluded,
            "open circuit": .excluded, "open drain": .excluded, "last seen": .excluded, "color temp": .excluded,
        ]
        for leak in ["leak", "leakage", "alarm", "detected", "flood"] {
            phrases["water \(leak)"] = .head(.quantity(.waterLeak, species: nil))
        }
        for (digits, species) in [("1", "pm1"), ("2 5", "pm2.5"), ("4", "pm4"), ("10", "pm10")] {
            phrases["pm \(digits)"] = .head(.quantity(.particles, species: species))
        }
        phrases["pm2 5"] = .head(.quantity(.particles, species: "pm2.5"))
        return phrases
    }()

    static let roles: [String: Role] = {
        var roles: [String: Role] = [:]
        func add(_ words: String, _ role: Role) {
            for word in words.split(separator: " ") { roles[String(word)] = role }
        }
        func add(_ words: String, _ indicator: Indicator, species: String? = nil) {
            add(words, .head(.quantity(indicator, species: species)))
        }
        add("temperature temp temperatur", .temperature)
        add("humidity hum rh humid", .humidity)
        add("illuminance illumination lux", .light)
        add("light", .head(.light))
        add("voltage volt volts", .voltage)
        add("battery batt bat", .battery)
        add("vbat vbatt batv battv vdd", .batteryVoltage)
        add("cell", .head(.cell))
        add("co2 carbondioxide", .co2)
        add("gas", .gas)
        add("co carbonmonoxide", .gas, species: "co")
        add("ch4 methane", .gas, species: "ch4")
        add("lpg", .gas, species: "lpg")
        add("propane", .gas, species: "propane")
        add("butane", .gas, species: "butane")
        add("h2 hydrogen", .gas, species: "h2")
        add("naturalgas", .gas, species: "natural-gas")
        for (words, species) in [
            ("no2", "no2"), ("hcho ch2o formaldehyde formaldehyd", "hcho"), ("nh3 ammonia", "nh3"), ("h2s", "h2s"),
            ("o3 ozone", "o3"), ("so2", "so2"),
        ] {
            add(words, .head(.trace(species: species)))
        }
        add("smoke", .smoke)
        add("leak leakage flood flooding waterleak", .waterLeak)
        add("door", .head(.opening("door")))
        add("opening", .head(.opening("door")))
        add("window", .head(.opening("window")))
        add("gate", .head(.opening("gate")))
        add("vibration vib", .vibration)
        add("accel acceleration accelerometer acc", .head(.accelerometer))
        add("motion occupancy occupied presence pir", .motion)
        add("lamp", .lamp)
        add("frequency freq", .frequency)
        add("particles particulate", .particles)
        add("pm1", .particles, species: "pm1")
        add("pm25 pm2p5", .particles, species: "pm2.5")
        add("pm4", .particles, species: "pm4")
        add("pm10", .particles, species: "pm10")
        add("radon", .radon)
        addUnits(&roles)
        addOthers(&roles)
        return roles
    }()

    private static func addUnits(_ roles: inout [String: Role]) {
        let units = [
            "c": "C", "celsius": "C", "degc": "C", "f": "F", "fahrenheit": "F", "degf": "F", "k": "K", "kelvin": "K",
            "°c": "C", "°f": "F", "%": "%", "pct": "%", "percent": "%", "percentage": "%", "lx": "lx", "klx": "klx",
            "v": "V", "mv": "mV", "kv": "kV", "hz": "Hz", "ppm": "ppm", "ppb": "ppb", "lel": "%LEL", "mgm3": "mg/m3",
            "ugm3": "µg/m3", "bqm3": "Bq/m3", "bq": "Bq/m3", "g": "g", "mg": "mg", "ms2": "m/s2", "mms": "mm/s",
        ]
        for (word, unit) in units { roles[word] = .unit(unit) }
    }

    /// Words that stand for two.
    static let compounds: [String: [String]] = [
        "tempc": ["temp", "c"], "tempf": ["temp", "f"], "tempk": ["temp", "k"], "accx": ["accel", "x"],
        "accy": ["accel", "y"], "accz": ["accel", "z"],
    ]
}
