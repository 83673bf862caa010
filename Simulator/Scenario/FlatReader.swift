import Core

/// A flat that is there many times: `{"household": "family", "rooms": [...]}`.
struct FlatTemplate {
    let household: HouseholdKind
    let arms: Bool
    let rooms: [SimulatedRoom]

    static func read(_ reader: inout DocumentReader) -> [String: FlatTemplate] {
        guard let value = reader.value("templates") else {
            reader.problem("templates", "is missing", remedy: "add at least one, as in {\"home\": {\"rooms\": […]}}")
            return [:]
        }
        guard case .object(let members) = value else {
            reader.problem("templates", "must be an object", remedy: "write {\"name\": {\"rooms\": […]}}")
            return [:]
        }
        return members.reduce(into: [:]) { templates, member in
            let path = reader.sub("templates.\(member.key)")
            templates[member.key] = FlatTemplate(
                DocumentReader(member.value, path: path, problems: reader.problems))
        }
    }

    private init(_ source: DocumentReader) {
        var reader = source
        household = reader.choice("household", HouseholdKind.self) ?? .none
        arms = reader.bool("arms") ?? false
        rooms = reader.objects("rooms").map { SimulatedRoom($0) }
        reader.finish()
        if rooms.isEmpty { reader.problem("rooms", "is empty", remedy: "add a room with devices") }
        unique(rooms.map(\.id), "rooms", "room", reader)
    }
}

private func unique(_ ids: [String], _ key: String, _ what: String, _ reader: DocumentReader) {
    var seen: Set<String> = []
    for id in ids where !id.isEmpty && !seen.insert(id).inserted {
        reader.problem(key, "the \(what) “\(id)” is there twice", remedy: "give the other its own id")
    }
}

/// A part of a topic.
func identifier(_ reader: inout DocumentReader, example: String) -> String {
    let written = reader.string("id")
    let id = reader.required("id", written, or: "", example: example)
    if written == "" || id.contains(where: { "/+#*_".contains($0) || $0.isWhitespace }) {
        reader.problem("id", "“\(id)” cannot stand in a topic", remedy: "use letters, digits and hyphens")
    }
    return id
}

extension SimulatedRoom {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        id = identifier(&reader, example: "\"kitchen\"")
        let word = reader.string("kind") ?? id
        kind = RoomKind.canonical(word) ?? "other"
        if RoomKind.canonical(word) == nil {
            reader.problem(
                "kind", "“\(word)” is no kind of room", remedy: "use one of: \(RoomKind.all.joined(separator: ", "))")
        }
        devices = reader.objects("devices").map { DeviceSpec($0) }
        reader.finish()
        unique(devices.map(\.id), "devices", "device", reader)
    }
}

extension DeviceSpec {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        id = identifier(&reader, example: "\"climate\"")
        speech = reader.choice("speaks", Speech.self) ?? .native
        power = reader.choice("power", Power.self) ?? .battery
        every = reader.span("every")?.seconds
        opening = reader.choice("opening", DevicePlan.Opening.self)?.rawValue
        zone = reader.choice("zone", DevicePlan.Zone.self)?.rawValue
        interval = reader.span("interval")?.description
        hasClock = reader.bool("clock") ?? true
        measures = []
        let written = reader.strings("measures")
        let words = reader.required("measures", written, or: [], example: "[\"temperature\"]")
        if written == [] {
            reader.problem("measures", "is empty", remedy: "add what it measures, as in [\"temperature\"]")
        }
        for (index, word) in words.enumerated() {
            if let measure = Measure(word) {
                measures.append(measure)
            } else {
                reader.problem(
                    "measures[\(index)]", "“\(word)” is nothing that can be measured",
                    remedy: "use one of: \(Quantity.allCases.map(\.rawValue).joined(separator: ", "))")
            }
        }
        reader.finish()
        check(reader)
    }

    private func check(_ reader: DocumentReader) {
        let quantities = measures.map(\.quantity)
        if every == nil, let sampled = quantities.first(where: { !$0.isEvent && $0 != .number }) {
            reader.problem(
                "every", "is missing: \(sampled.rawValue) is measured every so often",
                remedy: "add it, as in \"every\": \"60 s\"")
        }
        if let every, every < 0.01 { reader.problem("every", "is too short", remedy: "write 0.01 s or more") }
        if speech == .zigbee && !hasClock {
            reader.problem("clock", "is the gateway's", remedy: "use \"speaks\": \"native\"")
        }
        if speech == .zigbee, let odd = quantities.first(where: { ZigbeeSpeech.key(of: $0) == nil }) {
            reader.problem(
                "speaks", "no Zigbee device of this kind measures \(odd.rawValue)", remedy: "use \"speaks\": \"native\""
            )
        }
    }
}

extension SimulatedFlat {
    static func read(
        _ reader: inout DocumentReader, _ templates: [String: FlatTemplate], _ parameters: Parameters
    ) -> [SimulatedFlat] {
        let flats = reader.objects("buildings").flatMap { source -> [SimulatedFlat] in
            var building = source
            let id = building.string("id") ?? ""
            let nominal = building.number("nominalVoltage", within: Bounds.volts) ?? 230
            var seen: Set<String> = []
            return building.objects("flats").flatMap { source in
                let flats = written(source, building: id, nominal, templates, parameters)
                if let twice = flats.first(where: { !seen.insert($0.id).inserted }) {
                    source.problem("id", "the flat “\(twice.id)” is there twice", remedy: "give the other its own id")
                }
                return flats
            }
        }
        if flats.isEmpty {
            reader.problem("buildings", "holds no flat", remedy: "add a building with flats")
        }
        return flats
    }

    /// One flat, or with `count` several whose `{n}` is replaced by their number.
    private static func written(
        _ source: DocumentReader, building: String, _ nominal: Double, _ templates: [String: FlatTemplate],
        _ parameters: Parameters
    ) -> [SimulatedFlat] {
        var reader = source
        let id = identifier(&reader, example: "\"f{n}\"")
        let amount = parameters.amount("count", &reader) ?? 1
        let isPossible = Bounds.flats.contains(amount) && amount == amount.rounded()
        if !isPossible {
            reader.problem(
                "count", "\(amount.shown) is no number of flats", remedy: "write a whole number from 1 to 100000")
        }
        let count = isPossible ? Int(amount) : 1
        let name = reader.required("template", reader.string("template"), or: "", example: "\"home\"")
        reader.finish()
        guard let template = templates[name] else {
            if !name.isEmpty {
                reader.problem(
                    "template", "there is no template “\(name)”",
                    remedy: "use one of: \(templates.keys.sorted().joined(separator: ", "))")
            }
            return []
        }
        if count > 1 && !id.contains("{n}") {
            reader.problem("id", "several flats cannot all be “\(id)”", remedy: "write {n} where their number goes")
        }
        return (0..<count).map { index in
            SimulatedFlat(
                building: building, id: id.replacing("{n}", with: String(index + 1)), nominalVoltage: nominal,
                household: template.household, arms: template.arms, rooms: template.rooms)
        }
    }
}
