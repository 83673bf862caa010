import Core

/// Works out what a name means from its words.
struct Naming {
    private var heads: [(head: Lexicon.Head, word: String)] = []
    private var unitWords: [(text: String, word: String)] = []
    private var unit: WrittenUnit?
    private var unknown: [String] = []
    private var positions: [String] = []
    private var marks: Set<Lexicon.Role> = []
    private var isCount = false

    static func meaning(of name: String) -> Glossary.Meaning {
        var naming = Naming()
        naming.read(Words.split(name).flatMap { Lexicon.compounds[$0] ?? [$0] })
        naming.settleUnit()
        return naming.meaning()
    }

    private mutating func read(_ words: [String]) {
        var index = 0
        while index < words.count {
            let length = [3, 2].first { length in
                index + length <= words.count
                    && Lexicon.phrases[words[index..<index + length].joined(separator: " ")] != nil
            }
            if let length, let role = Lexicon.phrases[words[index..<index + length].joined(separator: " ")] {
                take(role, words[index])
                index += length
            } else if words[index] == "mq", index + 1 < words.count, words[index + 1].allSatisfy(\.isNumber) {
                take(.head(.quantity(.gas, species: nil)), words[index])
                isCount = true
                index += 2
            } else {
                if Lexicon.sensorOfGas(words[index]) { isCount = true }
                take(Lexicon.role(of: words[index]), words[index])
                index += 1
            }
        }
    }

    private mutating func take(_ role: Lexicon.Role?, _ word: String) {
        switch role {
        case .head(let head): heads.append((head, word))
        case .unit(let text): unitWords.append((text, word))
        case .count: isCount = true
        case .position: positions.append(word)
        case .filler, .flag, .open, .closed, .contact, .level, .state, .excluded: marks.insert(role ?? .filler)
        case nil: unknown.append(word)
        }
    }

    /// The quantity decides whether `c` is a unit or a phase; a unit that does not fit names another quantity.
    private mutating func settleUnit() {
        for (text, word) in unitWords {
            let written = WrittenUnit(text)
            let fits = written.map { written in named.contains { $0.accepts(written.unit) } } ?? false
            if unit == nil && (fits || heads.isEmpty && word != "c") {
                unit = written
            } else if word == "c" {
                positions.append(word)
            } else {
                heads.append((.other, word))
            }
        }
    }

    /// The indicators named, with those that a unit could make of them.
    private var named: Set<Indicator> {
        var named: Set<Indicator> = []
        for (head, _) in heads {
            switch head {
            case .quantity(.battery, _): named.formUnion([.battery, .batteryVoltage])
            case .quantity(let indicator, _): named.insert(indicator)
            case .trace: named.insert(.gas)
            case .light: named.insert(.light)
            case .accelerometer: named.insert(.vibration)
            case .cell: named.insert(.batteryVoltage)
            case .opening: named.insert(.door)
            case .other: break
            }
        }
        return named
    }

    private func meaning() -> Glossary.Meaning {
        if marks.contains(.excluded) { return .excluded }
        guard let last = heads.last?.head else { return withoutHead() }
        let climate: Set<Indicator> = [.temperature, .humidity, .light, .co2, .particles, .radon, .frequency]
        // `temp_hum` is a device that measures both.
        if named.intersection(climate).count > 1 { return .nothing }
        guard var measurand = measurand(last) else { return .other }
        let qualifiers = unknown + earlierHeads(than: measurand)
        if let refusal = refusal(of: measurand, qualifiers) { return refusal }
        finish(&measurand)
        let places = positions.filter { !["phase", "axis", "channel", "ch"].contains($0) }
        let place = places.isEmpty ? measurand.channel.map { [$0] } ?? [] : places
        let channel = (qualifiers + place).joined(separator: "-")
        measurand.channel = channel.isEmpty ? nil : channel
        let isNumbered = places.contains { $0.allSatisfy(\.isNumber) }
        return .quantity(measurand, qualifiers.isEmpty && !isNumbered ? .whole : .qualified)
    }

    private func withoutHead() -> Glossary.Meaning {
        if marks.contains(.contact) { return .other }
        guard unknown.isEmpty, !marks.isEmpty || !positions.isEmpty || unit != nil || isCount else { return .nothing }
        if isCount { return .excluded }
        if positions.isEmpty, unit == nil, marks.contains(.open) != marks.contains(.closed), !marks.contains(.flag) {
            var door = Measurand(.door)
            door.isInverted = marks.contains(.closed)
            return .quantity(door, .stateAlone)
        }
        return positions.isEmpty ? .value(unit) : .position(positions.joined(separator: "-"))
    }

    /// The last head says what is measured, as in English compounds: `door_battery`, `battery_temperature`.
    private func measurand(_ last: Lexicon.Head) -> Measurand? {
        switch last {
        case .quantity(.battery, _) where named.contains(.voltage) || unit?.unit == .volt: Measurand(.batteryVoltage)
        case .quantity(.voltage, _) where named.contains(.batteryVoltage): Measurand(.batteryVoltage)
        case .quantity(.gas, nil) where named.contains(.co2): Measurand(.co2)
        case .quantity(.gas, nil): Measurand(.gas, species: speciesNamedBefore)
        case .quantity(let indicator, let species): Measurand(indicator, species: species)
        case .trace(let species): Measurand(.gas, species: species)
        case .light: Measurand(.light)
        case .accelerometer: Measurand(.vibration)
        case .cell: unit?.unit == .volt ? Measurand(.batteryVoltage) : nil
        case .opening(let name):
            Measurand(.door, channel: name == "door" || marks.contains(.open) || marks.contains(.closed) ? nil : name)
        case .other: nil
        }
    }

    /// `co_gas` names the substance first.
    private var speciesNamedBefore: String? {
        for (head, _) in heads {
            switch head {
            case .quantity(.gas, let species?), .trace(let species): return species
            default: continue
            }
        }
        return nil
    }

    /// A name with the right head that still is not the quantity.
    private func refusal(of measurand: Measurand, _ qualifiers: [String]) -> Glossary.Meaning? {
        let indicator = measurand.indicator
        if marks.contains(.flag), ![.gas, .smoke, .waterLeak, .vibration, .motion].contains(indicator) {
            return .excluded
        }
        if isCount, ![.gas, .vibration, .smoke].contains(indicator) { return .excluded }
        if marks.contains(.closed), indicator != .door { return .excluded }
        if marks.contains(.state), [.battery, .batteryVoltage].contains(indicator) { return .excluded }
        if marks.contains(.level), [.smoke, .waterLeak, .door].contains(indicator) { return .other }
        if indicator == .frequency && !qualifiers.isEmpty { return .other }
        if indicator == .light, case .light? = heads.last?.head, !qualifiers.isEmpty { return .other }
        if let unit, !indicator.accepts(unit.unit) { return .other }
        return nil
    }

    private func finish(_ measurand: inout Measurand) {
        measurand.unit = unit ?? (isCount ? WrittenUnit("raw") : nil)
        switch heads.last?.head {
        case .accelerometer: measurand.form = .number
        case .trace: measurand.needsUnit = measurand.unit == nil && !marks.contains(.flag)
        case .light, .quantity(.light, _): measurand.needsUnit = marks.contains(.level) && unit == nil
        default: break
        }
        if marks.contains(.flag) { measurand.form = .state }
        if marks.contains(.contact) && measurand.indicator == .door { measurand.form = .openOrClosed }
        if marks.contains(.closed) { measurand.isInverted = true }
        let hot: Set = [
            "thermocouple", "oven", "flue", "chimney", "stove", "exhaust", "kiln", "furnace", "fireplace", "grill",
        ]
        measurand.isHot = !hot.isDisjoint(with: unknown)
        measurand.startsAt85 = unknown.contains { $0.hasPrefix("ds18") || $0 == "dallas" }
    }

    /// `gas_temperature`: the gas says which temperature. But `current_temperature` is the one of now.
    private func earlierHeads(than measurand: Measurand) -> [String] {
        heads.dropLast().compactMap { head, word in
            switch head {
            case .quantity(let indicator, _): related(indicator, measurand.indicator) ? nil : word
            case .trace: measurand.indicator == .gas ? nil : word
            case .light: measurand.indicator == .light ? nil : word
            case .accelerometer: measurand.indicator == .vibration ? nil : word
            case .cell: measurand.indicator == .batteryVoltage ? nil : word
            case .opening: measurand.indicator == .door ? nil : word
            case .other: word == "current" ? nil : word
            }
        }
    }

    private func related(_ a: Indicator, _ b: Indicator) -> Bool {
        a == b || Set([a, b]).isSubset(of: [.battery, .voltage, .batteryVoltage]) || Set([a, b]) == [.gas, .co2]
    }
}
