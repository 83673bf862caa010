/// One file of `Thresholds/`: an act and its norms, read strictly.
package struct ActDocument: Hashable, Sendable {
    package let act: Act
    package let norms: [Norm]

    /// - Throws: every problem of the document at once, each with its path and remedy.
    package init(parsing text: String, file: String) throws(DocumentProblems) {
        let list = ProblemList()
        do {
            self.init(try JSONValue(parsing: text), problems: list)
        } catch {
            throw DocumentProblems([DocumentProblem(file: file, path: "", message: error.message, remedy: error.remedy)]
            )
        }
        guard list.problems.isEmpty else {
            throw DocumentProblems(
                list.problems.map { DocumentProblem(file: file, path: $0.path, message: $0.message, remedy: $0.remedy) }
            )
        }
    }

    private init(_ value: JSONValue, problems: ProblemList) {
        var reader = DocumentReader(value, problems: problems)
        _ = reader.string("$schema")
        if var object = reader.object("act") {
            act = Act(&object)
            object.finish()
        } else {
            reader.problem(
                "act", "is missing",
                remedy: "add the act: id, kind, jurisdictions, issuer, edition, title, inForce, source")
            act = .missing
        }
        var norms: [Norm] = []
        var seen: Set<String> = []
        for var object in reader.objects("norms") {
            if let norm = Norm(&object) {
                if !seen.insert(norm.id).inserted {
                    object.problem("id", "“\(norm.id)” is used twice in this act", remedy: "give each norm its own id")
                }
                norms.append(norm)
            }
            object.finish()
        }
        self.norms = norms
        if case .array(let items)? = reader.value("norms"), items.isEmpty {
            reader.problem("norms", "is empty", remedy: "add at least one norm, or remove the file")
        } else if reader.value("norms") == nil {
            reader.problem("norms", "is missing", remedy: "add the list of norms")
        }
        reader.finish()
    }
}

extension Act {
    fileprivate static let missing = Act(
        id: "", kind: .house, jurisdictions: [], issuer: "", edition: "", title: LocalText([:]), inForceFrom: nil,
        inForceUntil: nil, source: Source(title: "", url: nil, kind: .none))

    fileprivate init(_ reader: inout DocumentReader) {
        id = reader.required("id", reader.string("id"), or: "", example: "\"en-50291-1\"")
        kind = reader.required("kind", reader.choice("kind", Kind.self), or: .standard, example: "\"standard\"")
        jurisdictions = reader.required(
            "jurisdictions", reader.strings("jurisdictions"), or: ["INT"], example: "[\"EU\", \"DE\"]")
        issuer = reader.required("issuer", reader.string("issuer"), or: "", example: "\"CENELEC\"")
        edition = reader.required("edition", reader.string("edition"), or: "", example: "\"2018\"")
        title = reader.required(
            "title", LocalText("title", in: &reader), or: LocalText([:]), example: "{\"en\": \"…\"}")
        if !id.isEmpty && !id.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }) {
            reader.problem(
                "id", "“\(id)” has other letters than a-z, 0-9 and -",
                remedy: "write it in small letters, as in \"en-50291-1\"")
        }
        for code in jurisdictions
        where code != "house"
            && !(code.count >= 2 && code.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "-") })
        {
            reader.problem(
                "jurisdictions", "“\(code)” is no code",
                remedy: "use ISO 3166 codes, EU, INT, house, or your own in capitals")
        }
        if jurisdictions.isEmpty { reader.problem("jurisdictions", "is empty", remedy: "say where the act applies") }
        if var dates = reader.object("inForce") {
            inForceFrom = dates.date("from")
            inForceUntil = dates.date("until")
            if let from = inForceFrom, let until = inForceUntil, until <= from {
                dates.problem(
                    "until", "is not after from",
                    remedy: "correct one of the dates; until is the first day out of force")
            }
            dates.finish()
        } else {
            (inForceFrom, inForceUntil) = (nil, nil)
            reader.problem(
                "inForce", "is missing",
                remedy: "add it, as in \"inForce\": {\"from\": \"2018-04-27\", \"until\": null}")
        }
        if var object = reader.object("source") {
            source = Source(
                title: object.required(
                    "title", object.string("title"), or: "", example: "\"where the numbers were read\""),
                url: object.string("url"),
                kind: object.required(
                    "kind", object.choice("kind", Source.Kind.self), or: .none, example: "\"secondary\""))
            object.finish()
        } else {
            source = Source(title: "", url: nil, kind: .none)
            reader.problem(
                "source", "is missing",
                remedy: "say where the numbers come from: {\"title\": …, \"url\": …, \"kind\": \"secondary\"}")
        }
    }
}

extension Norm {
    fileprivate init?(_ reader: inout DocumentReader) {
        id = reader.required("id", reader.string("id"), or: "", example: "\"co-alarm\"")
        clause = reader.required("clause", reader.string("clause"), or: "", example: "\"4.2.2\"")
        hazard = reader.required(
            "hazard", reader.choice("hazard", Hazard.self), or: .pollution, example: "\"poisoning\"")
        track = reader.choice("track", Track.self) ?? .safety
        indicator = reader.required(
            "indicator", reader.choice("indicator", Indicator.self), or: .gas, example: "\"gas\"")
        switch reader.value("species") {
        case nil: species = []
        case .string(let one): species = [one]
        default: species = reader.strings("species") ?? []
        }
        let hasUnit = reader.value("unit") != nil
        let written = reader.unit("unit")
        unit = reader.required("unit", written, or: indicator.canonicalUnit ?? .ppm, example: "\"ppm\"")
        if hasUnit, let written, !indicator.accepts(written) {
            reader.problem(
                "unit", "“\(written.rawValue)” is no unit of \(indicator.rawValue)", remedy: Self.unitRemedy(indicator))
        }
        let degrees = reader.number("base") ?? 20
        base = Conversion.Base(rawValue: Int(exactly: degrees) ?? 0) ?? .at20
        if Conversion.Base(rawValue: Int(exactly: degrees) ?? 0) == nil {
            reader.problem(
                "base", "is neither 20 nor 25", remedy: "write the temperature (°C) at which the act states mg/m³")
        }
        appliesTo = Application("appliesTo", in: &reader)
        confidence = reader.required(
            "confidence", reader.choice("confidence", Confidence.self), or: .unsure, example: "\"read\"")
        severity = reader.choice("severity", Severity.self) ?? .warning
        why = reader.required("why", LocalText("why", in: &reader), or: LocalText([:]), example: "{\"en\": \"…\"}")
        whatToDo = reader.required(
            "whatToDo", LocalText("whatToDo", in: &reader), or: LocalText([:]),
            example: "{\"en\": \"…\", \"de\": \"…\", \"ru\": \"…\"}")
        respondWithin = reader.span("respondWithin")
        references = reader.strings("references") ?? []
        examples = reader.objects("examples").map { WorkedExample($0) }
        guard let limit = Limit("limit", in: &reader, unit: unit) else { return nil }
        self.limit = limit
        checkFit(reader)
    }

    private static func unitRemedy(_ indicator: Indicator) -> String {
        "use one of: "
            + Unit.allCases.filter { indicator.accepts($0) && $0 != .raw }.map(\.rawValue).joined(separator: ", ")
    }

    /// Reports shapes that cannot judge what the norm is about.
    private func checkFit(_ reader: DocumentReader) {
        switch limit {
        case .band, .mean, .timeAtLevel:
            if unit.isEvent {
                reader.problem(
                    "limit.shape", "“\(limit.shape)” needs numbers, but \(indicator.rawValue) here is yes or no",
                    remedy: "use the shape state")
            }
        case .interruption:
            if indicator != .voltage {
                reader.problem("indicator", "an interruption is judged from voltage", remedy: "write \"voltage\"")
            }
        case .peak:
            if indicator != .vibration || unit.isEvent {
                reader.problem(
                    "indicator", "a peak is judged from vibration in m/s2 or mm/s", remedy: "correct indicator and unit"
                )
            }
        case .state(let state):
            if !state.all.contains(where: {
                $0.subject == .indicator(indicator) || $0.subject == .mains && indicator == .voltage
            }) {
                reader.problem(
                    "indicator", "is in none of the conditions", remedy: "name the indicator that the alarm is about")
            }
        }
    }
}

extension Application {
    fileprivate init(_ key: String, in norm: inout DocumentReader) {
        guard var reader = norm.object(key) else {
            self = .everywhere
            return
        }
        let written = reader.strings("rooms") ?? ["*"]
        rooms = written.map { RoomKind.canonical($0) ?? $0 }
        for room in written where room != "*" && RoomKind.canonical(room) == nil {
            reader.problem(
                "rooms", "“\(room)” is no kind of room",
                remedy: "use *, or some of: \(RoomKind.all.joined(separator: ", "))")
        }
        season = reader.choice("season", Season.self) ?? .any
        hours = reader.string("hours").flatMap { text in
            if let minutes = ClosedMinutes(text) { return minutes }
            reader.problem("hours", "“\(text)” are no hours", remedy: "write them as \"22:00-07:00\", in local time")
            return nil
        }
        feeds = reader.number("feeds").map { Int($0) }
        nominalVoltage = reader.number("nominalVoltage")
        opening = reader.string("opening")
        reader.finish()
    }
}

extension Application.ClosedMinutes {
    /// `22:00-07:00`; `24:00` is the day's end.
    package init?(_ text: String) {
        let ends = text.split(separator: "-").map { part -> Int? in
            let numbers = part.split(separator: ":").map { Int($0) }
            guard numbers.count == 2, let hour = numbers[0], let minute = numbers[1] else { return nil }
            guard (0...24).contains(hour), (0...59).contains(minute), hour * 60 + minute <= 1440 else { return nil }
            return hour * 60 + minute
        }
        guard ends.count == 2, let from = ends[0], let to = ends[1], from != to else { return nil }
        (self.from, self.to) = (from, to)
    }
}

extension WorkedExample {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        name = reader.required("name", reader.string("name"), or: "", example: "\"50 ppm for two hours\"")
        readings = reader.objects("readings").map { Stretch($0) }
        expect = reader.objects("expect").map { Expectation($0) }
        isArmed = reader.bool("armed") ?? false
        place = ExamplePlace(
            room: reader.string("room"), opening: reader.string("opening"), zone: reader.string("zone"))
        if readings.isEmpty {
            reader.problem(
                "readings", "is empty",
                remedy: "add {\"from\": \"0 s\", \"to\": \"2 h\", \"every\": \"30 s\", \"value\": 50}")
        }
        reader.finish()
    }
}

extension WorkedExample.Stretch {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        from = reader.required("from", reader.span("from"), or: .zero, example: "\"0 s\"")
        to = reader.span("to") ?? from
        every = reader.span("every") ?? .minutes(1)
        if case .bool(let flag)? = reader.value("value") {
            value = flag ? 1 : 0
        } else {
            value = reader.required("value", reader.number("value"), or: 0, example: "50")
        }
        indicator = reader.choice("indicator", Indicator.self)
        device = reader.string("device")
        if every <= .zero { reader.problem("every", "is zero", remedy: "write the time between two readings") }
        if to < from { reader.problem("to", "is before from", remedy: "exchange them") }
        reader.finish()
    }
}

extension WorkedExample.Expectation {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        at = reader.required("at", reader.span("at"), or: .zero, example: "\"60 min\"")
        event = reader.required("event", reader.string("event"), or: "raised", example: "\"raised\"")
        severity = reader.choice("severity", Severity.self)
        within = reader.span("within")
        if !["raised", "severity", "ended", "cleared"].contains(event) {
            reader.problem(
                "event", "“\(event)” is no event of an example", remedy: "use raised, severity, ended or cleared")
        }
        reader.finish()
    }
}
