extension Norm {
    init?(_ reader: inout DocumentReader) {
        id = reader.identifier("id", example: "\"co-alarm\"")
        clause = reader.text("clause", example: "\"4.2.2\"")
        hazard = reader.required(
            "hazard", reader.choice("hazard", Hazard.self), or: .pollution, example: "\"poisoning\"")
        track = reader.choice("track", Track.self) ?? .safety
        let indicator = reader.choice("indicator", Indicator.self)
        self.indicator = reader.required("indicator", indicator, or: .gas, example: "\"gas\"")
        species = (reader.texts("species") ?? []).map { $0.lowercased() }
        let (unit, hasUnit) = Self.unit(of: indicator, &reader)
        self.unit = unit
        base = Self.base(&reader)
        appliesTo = Application("appliesTo", in: &reader)
        confidence = reader.required(
            "confidence", reader.choice("confidence", Confidence.self), or: .unsure, example: "\"read\"")
        severity = reader.choice("severity", Severity.self) ?? .warning
        why = reader.words("why", example: "{\"en\": \"…\"}")
        whatToDo = reader.words("whatToDo", example: "{\"en\": \"…\", \"de\": \"…\", \"ru\": \"…\"}")
        respondWithin = reader.span("respondWithin")
        references = reader.texts("references") ?? []
        examples = reader.objects("examples").map { WorkedExample($0) }
        guard var limit = Limit("limit", in: &reader) else { return nil }
        limit.inherit(unit: unit, species: species, indicator: self.indicator)
        self.limit = limit
        if indicator != nil && hasUnit { NormFit(norm: self, reader: reader).report() }
    }

    /// The unit of the limit's numbers, and whether it is known. What is yes or no needs none.
    private static func unit(of indicator: Indicator?, _ reader: inout DocumentReader) -> (Unit, Bool) {
        if reader.value("unit") == nil, indicator?.canonicalUnit == .boolean { return (.boolean, true) }
        let written = reader.unit("unit")
        let unit = reader.required("unit", written, or: indicator?.canonicalUnit ?? .ppm, example: "\"ppm\"")
        guard let indicator, let written else { return (unit, false) }
        if !indicator.accepts(written) {
            let fitting = Unit.allCases.filter { indicator.accepts($0) && $0 != .raw }.map(\.rawValue)
            reader.problem(
                "unit", "“\(written.rawValue)” is no unit of \(indicator.rawValue)",
                remedy: "use one of: \(fitting.joined(separator: ", "))")
            return (unit, false)
        }
        return (unit, true)
    }

    private static func base(_ reader: inout DocumentReader) -> Conversion.Base {
        let degrees = reader.number("base") ?? 20
        if let base = Int(exactly: degrees).flatMap({ Conversion.Base(rawValue: $0) }) { return base }
        reader.problem(
            "base", "is neither 20 nor 25", remedy: "write the temperature (°C) at which the act states mg/m³")
        return .at20
    }
}

extension Limit {
    /// Conditions about the norm's own indicator speak of its unit and its substances where they do not name their own.
    fileprivate mutating func inherit(unit: Unit, species: [String], indicator: Indicator) {
        guard case .state(var state) = self else { return }
        for index in state.all.indices where state.all[index].subject == .indicator(indicator) {
            if state.all[index].species.isEmpty { state.all[index].species = species }
            if state.all[index].unit == nil && indicator.canonicalUnit == nil { state.all[index].unit = unit }
        }
        self = .state(state)
    }
}

/// Reports limits that could be read and would never, or wrongly, judge anything.
private struct NormFit {
    let norm: Norm
    let reader: DocumentReader

    func report() {
        switch norm.limit {
        case .band, .mean, .timeAtLevel: checkNumbers()
        case .interruption:
            if norm.indicator != .voltage {
                reader.problem("indicator", "an interruption is judged from voltage", remedy: "write \"voltage\"")
            }
        case .peak:
            if norm.indicator != .vibration || norm.unit.isEvent {
                reader.problem(
                    "indicator", "a peak is judged from vibration in m/s2 or mm/s", remedy: "correct indicator and unit"
                )
            }
        case .state(let state): check(state)
        }
    }

    private func checkNumbers() {
        if norm.unit.isEvent {
            reader.problem(
                "limit.shape", "“\(norm.limit.shape)” needs numbers, but \(norm.indicator.rawValue) here is yes or no",
                remedy: "use the shape state")
        }
        let isCombustible = norm.hazard == .explosion
        if norm.species.isEmpty, norm.indicator == .particles {
            reader.problem("species", "is missing", remedy: "say which particles, as in \"species\": \"pm2.5\"")
        }
        if norm.species.isEmpty, norm.indicator == .gas, isCombustible, norm.unit != .percentLEL {
            reader.problem(
                "species", "is missing",
                remedy: "say which gas, or write the limit in %LEL, which holds for all of them")
        }
    }

    private func check(_ state: StateLimit) {
        let isAbout = state.all.contains {
            $0.subject == .indicator(norm.indicator) || $0.subject == .mains && norm.indicator == .voltage
        }
        if !isAbout {
            reader.problem(
                "indicator", "is in none of the conditions", remedy: "name the indicator that the alarm is about")
        }
        if norm.appliesTo.season != .any || norm.appliesTo.hours != nil {
            reader.problem(
                "appliesTo", "season and hours are not judged together with the shape state yet",
                remedy: "leave them out, or use another shape")
        }
        for (index, condition) in state.all.enumerated() {
            guard case .indicator(let indicator) = condition.subject else { continue }
            if condition.unit == nil && indicator.canonicalUnit == nil {
                reader.problem(
                    "limit.all[\(index)].unit", "is missing", remedy: "add it, as in \"unit\": \"%LEL\"")
            } else if let unit = condition.unit, !indicator.accepts(unit) {
                reader.problem(
                    "limit.all[\(index)].unit", "“\(unit.rawValue)” is no unit of \(indicator.rawValue)",
                    remedy: "correct it")
            } else if condition.isAboutState != (condition.unit ?? indicator.canonicalUnit)?.isEvent {
                reader.problem(
                    "limit.all[\(index)]",
                    condition.isAboutState
                        ? "\(indicator.rawValue) is a number here" : "\(indicator.rawValue) is yes or no here",
                    remedy: condition.isAboutState ? "give \"below\" or \"above\"" : "give \"is\"")
            }
        }
        if state.isArmed { checkArmed(state) }
    }

    /// The alarm panel knows openings and movements, and one hazard.
    private func checkArmed(_ state: StateLimit) {
        if norm.hazard != .intrusion {
            reader.problem("hazard", "a norm of the armed flat is about intrusion", remedy: "write \"intrusion\"")
        }
        let isTrigger = state.all.allSatisfy { condition in
            condition.subject == .armed || condition.subject == .indicator(.door)
                || condition.subject == .indicator(.motion)
        }
        if !isTrigger || !state.all.allSatisfy({ $0.test == .equals(1) }) {
            reader.problem(
                "limit.all", "an armed flat is triggered by a door that opens or by motion",
                remedy: "use {\"indicator\": \"door\", \"is\": true} or {\"indicator\": \"motion\", \"is\": true}")
        }
    }
}

extension StateLimit.Condition {
    fileprivate var isAboutState: Bool {
        if case .equals = test { true } else { false }
    }
}
