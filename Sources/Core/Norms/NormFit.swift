/// Reports limits that could be read and would never, or wrongly, judge anything.
struct NormFit {
    let norm: Norm
    let reader: DocumentReader

    func report() {
        if norm.unit == .vibrationDose && norm.limit.shape != "dose" {
            reader.problem("unit", "is that of a dose", remedy: "use the shape dose, or correct the unit")
        }
        switch norm.limit {
        case .band, .mean, .timeAtLevel, .percentile, .exceedances, .rate: checkNumbers()
        case .interruption:
            if norm.indicator != .voltage {
                reader.problem("indicator", "an interruption is judged from voltage", remedy: "write \"voltage\"")
            }
        case .peak: checkShaking("a peak")
        case .frequencyCurve: checkShaking("a curve by frequency")
        case .dose(let dose): check(dose)
        case .state(let state): check(state)
        case .presence(let presence): check(presence)
        }
        for (index, example) in norm.examples.enumerated() {
            check(example, "examples[\(index)]")
        }
    }

    private func checkShaking(_ what: String) {
        if norm.indicator != .vibration || norm.unit.isEvent {
            reader.problem(
                "indicator", "\(what) is judged from vibration in m/s2 or mm/s", remedy: "correct indicator and unit")
        }
    }

    private func check(_ dose: Dose) {
        checkNumbers()
        if norm.indicator == .vibration && norm.unit != .vibrationDose {
            reader.problem("unit", "is not that of a vibration dose", remedy: "write \"m/s^1.75\"")
        }
        if norm.unit == .vibrationDose && dose.power != 4 {
            reader.problem("limit.power", "does not fit the unit", remedy: "write 4, or leave it out")
        }
        if dose.per == nil && norm.appliesTo.hours == nil {
            reader.problem(
                "limit.per", "is missing", remedy: "write \"day\", or give the hours of the dose in \"appliesTo\"")
        }
        if dose.per != nil && norm.appliesTo.hours != nil {
            reader.problem("limit.per", "and hours cannot both say when a dose begins", remedy: "leave one of them out")
        }
    }

    private func check(_ presence: Presence) {
        if presence.indicator != norm.indicator {
            reader.problem(
                "limit.indicator", "is not the norm's own",
                remedy: "write \"\(norm.indicator.rawValue)\" in both places")
        }
        if norm.appliesTo.season != .any || norm.appliesTo.hours != nil {
            reader.problem(
                "appliesTo", "a device is there at any time", remedy: "leave season and hours out")
        }
    }

    private func check(_ example: WorkedExample, _ path: String) {
        let isAboutPlaces = if case .presence = norm.limit { true } else { false }
        if isAboutPlaces && example.inventory == nil {
            reader.problem(
                path + ".inventory", "is missing",
                remedy: "say what stands where: [{\"room\": \"bedroom\", \"devices\": [\"smoke\"]}]")
        } else if !isAboutPlaces && example.inventory != nil {
            reader.problem(
                path + ".inventory", "is only for norms of the shape presence", remedy: "give readings and expect")
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
