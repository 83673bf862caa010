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
        guard var limit = Limit("limit", in: &reader, about: self.indicator) else { return nil }
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
        if !indicator.accepts(written), !(indicator == .vibration && written == .vibrationDose) {
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
