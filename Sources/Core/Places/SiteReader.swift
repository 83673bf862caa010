extension Site {
    /// Reads a site document; comments are allowed.
    /// - Throws: every problem at once, each with its path and remedy.
    package init(parsing text: String) throws(DocumentProblems) {
        let problems = ProblemList()
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text, lenient: true)
        } catch {
            throw DocumentProblems([error])
        }
        problems.addDuplicates(in: text)
        self.init(value, problems: problems)
        guard problems.problems.isEmpty else { throw DocumentProblems(problems.problems) }
    }

    private init(_ value: JSONValue, problems: ProblemList) {
        var reader = DocumentReader(value, problems: problems)
        _ = reader.string("$schema")
        id = reader.required("site", reader.string("site"), or: "", example: "\"riverside\"")
        timeZone = reader.string("timeZone") ?? "UTC"
        language = reader.choice("language", Language.self) ?? .en
        jurisdictions = reader.strings("jurisdictions") ?? ["EU"]
        selfPlacement = reader.bool("selfPlacement") ?? false
        buildings = reader.objects("buildings").map { BuildingPlan($0) }
        people = reader.objects("people").map { Person($0) }
        routes = reader.objects("routes").map { Route($0) }
        reader.finish()
        checkIdentities(problems)
        checkPeople(problems)
    }

    private func checkIdentities(_ problems: ProblemList) {
        unique(buildings.map(\.id), "buildings", "building", problems)
        var devices: [String] = []
        for (b, building) in buildings.enumerated() {
            unique(building.flats.map(\.id), "buildings[\(b)].flats", "flat", problems)
            for (f, flat) in building.flats.enumerated() {
                unique(flat.rooms.map(\.id), "buildings[\(b)].flats[\(f)].rooms", "room", problems)
                devices += flat.rooms.flatMap { $0.devices.map(\.id) }
            }
        }
        unique(devices, "buildings", "device", problems)
        unique(people.map(\.id), "people", "person", problems)
    }

    private func unique(_ ids: [String], _ path: String, _ what: String, _ problems: ProblemList) {
        var seen: Set<String> = []
        for id in ids where !id.isEmpty && !seen.insert(id).inserted {
            problems.add(
                path, "the \(what) “\(id)” is there twice", remedy: "keep one of them, or give the other its own id")
        }
    }

    private func checkPeople(_ problems: ProblemList) {
        let known = Set(people.map(\.id))
        for (b, building) in buildings.enumerated() {
            for (f, flat) in building.flats.enumerated() {
                for (t, tenancy) in flat.tenancies.enumerated() where !known.contains(tenancy.person) {
                    problems.add(
                        "buildings[\(b)].flats[\(f)].tenancies[\(t)].person",
                        "“\(tenancy.person)” is not among the people",
                        remedy: "add the person under \"people\"")
                }
            }
        }
        let roles = Set(Person.Role.allCases.map(\.rawValue))
        for (r, route) in routes.enumerated() {
            for (s, step) in route.steps.enumerated() {
                for target in step.to where !known.contains(target) && !roles.contains(target) {
                    problems.add(
                        "routes[\(r)].steps[\(s)].to", "“\(target)” is neither a person nor a role",
                        remedy: "use a person's id, or one of: \(roles.sorted().joined(separator: ", "))")
                }
            }
        }
        if !routes.isEmpty && people.allSatisfy({ $0.channels.isEmpty }) {
            problems.add(
                "routes", "nobody can be reached: no person has a channel", remedy: "give at least one person a channel"
            )
        }
    }
}

/// A part of a topic, so that a place can stand in one.
private func identifier(_ key: String, _ reader: inout DocumentReader, example: String) -> String {
    let id = reader.required(key, reader.string(key), or: "", example: example)
    if id.contains(where: { "/+#".contains($0) || $0.isNewline }) || id == "_" {
        reader.problem(key, "“\(id)” cannot stand in a topic", remedy: "leave out /, + and #")
    }
    return id
}

extension BuildingPlan {
    /// Kept for people to read; the engine does not look at them.
    private static let particularKeys = [
        "country", "region", "city", "street", "house", "latitude", "longitude", "description", "history", "picture",
        "organisations", "contacts",
    ]

    fileprivate init(_ source: DocumentReader) {
        var reader = source
        id = identifier("id", &reader, example: "\"b1\"")
        name = reader.string("name")
        feeds = reader.number("feeds").map { Int($0) }
        nominalVoltage = reader.number("nominalVoltage")
        flats = reader.objects("flats").map { FlatPlan($0) }
        for key in Self.particularKeys {
            particulars[key] = reader.value(key)
        }
        reader.finish()
    }
}

extension FlatPlan {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        id = identifier("id", &reader, example: "\"f12\"")
        floor = reader.number("floor")
        nominalVoltage = reader.number("nominalVoltage")
        hasBurner = reader.bool("hasBurner")
        exitDelay = reader.span("exitDelay")
        rooms = reader.objects("rooms").map { RoomPlan($0) }
        tenancies = reader.objects("tenancies").map { Tenancy($0) }
        reader.finish()
    }
}

extension RoomPlan {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        id = identifier("id", &reader, example: "\"kitchen\"")
        let word = reader.string("kind") ?? RoomKind.canonical(id) ?? "other"
        kind = RoomKind.canonical(word) ?? "other"
        if RoomKind.canonical(word) == nil {
            reader.problem(
                "kind", "“\(word)” is no kind of room", remedy: "use one of: \(RoomKind.all.joined(separator: ", "))")
        }
        name = reader.string("name")
        devices = reader.objects("devices").map { DevicePlan($0) }
        reader.finish()
    }
}

extension DevicePlan {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        id = reader.required("id", reader.string("id"), or: "", example: "\"zigbee2mqtt/kitchen_gas\"")
        name = reader.string("name")
        opening = reader.choice("opening", Opening.self)
        zone = reader.choice("zone", Zone.self)
        interval = reader.span("interval")
        reportsPeaks = reader.bool("reportsPeaks")
        nominalVoltage = reader.number("nominalVoltage")
        isLamp = reader.bool("lamp")
        if let interval, interval <= .zero {
            reader.problem("interval", "is zero", remedy: "write how often the device reports, as in \"60 s\"")
        }
        reader.finish()
    }
}

extension Tenancy {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        person = reader.required("person", reader.string("person"), or: "", example: "\"resident-12\"")
        from = reader.date("from")
        until = reader.date("until")
        reader.finish()
    }
}

extension Person {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        id = reader.required("id", reader.string("id"), or: "", example: "\"resident-12\"")
        role = reader.required("role", reader.choice("role", Role.self), or: .resident, example: "\"resident\"")
        name = reader.string("name")
        language = reader.choice("language", Language.self)
        timeZone = reader.string("timeZone")
        quietHours = reader.string("quietHours").flatMap { Application.ClosedMinutes($0) }
        buildings = reader.strings("buildings") ?? []
        channels = reader.objects("channels").compactMap { Channel($0) }
        if let text = reader.string("quietHours"), quietHours == nil {
            reader.problem("quietHours", "“\(text)” are no hours", remedy: "write them as \"22:00-07:00\"")
        }
        if Person.Role(rawValue: id) != nil {
            reader.problem("id", "“\(id)” is the name of a role", remedy: "give the person another id")
        }
        reader.finish()
    }
}

extension Person.Channel {
    fileprivate init?(_ source: DocumentReader) {
        var reader = source
        let written = reader.required("kind", reader.choice("kind", Kind.self), or: .terminal, example: "\"email\"")
        kind = written
        let key: String? =
            switch written {
            case .terminal: nil
            case .webhook: "url"
            case .email: "address"
            case .mqtt, .ntfy: "topic"
            case .gotify: "url"
            case .telegram: "chat"
            case .command: "command"
            }
        address = key.map { reader.required($0, reader.string($0), or: "", example: "\"…\"") } ?? ""
        secret = written == .webhook ? reader.string("secretFile") : nil
        // A line break in an address would be a second command to a mail server.
        if address.contains(where: { $0.isNewline || $0 == "\0" }) {
            reader.problem(key ?? "", "has a line break", remedy: "write it in one line")
        }
        switch written {
        case .email where !address.isEmpty && address.split(separator: "@").count != 2:
            reader.problem("address", "“\(address)” is no mail address", remedy: "write it as name@example.org")
        case .webhook where !address.isEmpty && !address.hasPrefix("https://") && !address.hasPrefix("http://"):
            reader.problem("url", "“\(address)” is no web address", remedy: "begin it with https://")
        default: break
        }
        reader.finish()
    }
}

extension Route {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        if var object = reader.object("match") {
            match = Match(
                severity: object.choice("severity", Severity.self), alarmClass: object.choice("class", AlarmClass.self),
                hazards: [], building: object.string("building"), flat: object.string("flat"))
            let words = object.strings("hazards") ?? object.string("hazard").map { [$0] } ?? []
            match.hazards = words.compactMap { word in
                if let hazard = Hazard(rawValue: word) { return hazard }
                object.problem(
                    "hazards", "“\(word)” is no hazard",
                    remedy: "use some of: \(Hazard.allCases.map(\.rawValue).joined(separator: ", "))")
                return nil
            }
            _ = object.value("hazard")
            object.finish()
        } else {
            match = Match()
        }
        steps = reader.objects("steps").map { Step($0) }
        if steps.isEmpty {
            reader.problem("steps", "is empty", remedy: "add {\"to\": [\"resident\"], \"after\": \"0 s\"}")
        }
        reader.finish()
    }
}

extension Route.Step {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        to = reader.required("to", reader.strings("to"), or: [], example: "[\"resident\"]")
        after = reader.span("after") ?? .zero
        reader.finish()
    }
}
