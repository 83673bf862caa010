/// A limit as a person would say it, one line for each of its parts.
extension Norm {
    package var limitInWords: [String] {
        switch limit {
        case .band(let band): [bandWords(band)]
        case .mean(let mean): mean.windows.map { meanWords($0, mean.reaches) }
        case .timeAtLevel(let limit): timerWords(limit)
        case .interruption(let limit): interruptionWords(limit)
        case .state(let state): [stateWords(state)]
        case .peak(let peak): peakWords(peak)
        case .percentile(let limit): percentileWords(limit)
        case .exceedances(let limit): exceedanceWords(limit)
        case .frequencyCurve(let curve): curveWords(curve)
        case .rate(let rate): rateWords(rate)
        case .presence(let presence): [presenceWords(presence)]
        case .dose(let dose): [doseWords(dose)]
        }
    }

    func amount(_ value: Double) -> String { "\(plain(value)) \(unit.rawValue)" }

    func plain(_ value: Double) -> String {
        let text = String(value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    func percent(_ share: Double) -> String { "\(plain((share * 1e6).rounded() / 1e4)) %" }

    func after(_ delay: Span) -> String { delay > .zero ? " for \(delay)" : "" }

    func bounds(_ lower: Double?, _ upper: Double?, _ reaches: Bool) -> String {
        let parts = [
            lower.map { reaches ? "\(amount($0)) or less" : "below \(amount($0))" },
            upper.map { reaches ? "\(amount($0)) or more" : "above \(amount($0))" },
        ]
        return parts.compactMap { $0 }.joined(separator: " or ")
    }

    private func bandWords(_ band: Band) -> String {
        var text = bounds(band.lower, band.upper, band.reaches) + after(band.onDelay) + ": \(severity.rawValue)"
        if band.deadband > 0 { text += "; ends \(amount(band.deadband)) inside the limit" }
        if band.offDelay > .zero { text += "\(band.deadband > 0 ? " and" : "; ends") after \(band.offDelay)" }
        return text
    }

    private func meanWords(_ window: Mean.Window, _ reaches: Bool) -> String {
        let kind =
            switch window.kind {
            case .block: "mean of each \(window.length)"
            case .sliding: "mean of the last \(window.length)"
            }
        let level = (window.severity ?? severity).rawValue
        let share = percent(window.completeness)
        return "\(kind) \(bounds(window.lower, window.upper, reaches)): \(level); needs \(share) of the readings"
    }

    private func timerWords(_ limit: TimeAtLevel) -> [String] {
        var lines = limit.levels.map { level in
            let value = limit.reaches ? "\(amount(level.atLeast)) or more" : "above \(amount(level.atLeast))"
            var text = "\(value)\(after(level.delay)): \((level.severity ?? severity).rawValue)"
            if let by = level.by, level.notBefore != nil { text += " (the act: \(by) at the latest)" }
            return text
        }
        if let reset = limit.resetBelow { lines.append("below \(amount(reset)) the time starts anew") }
        return lines
    }

    private func stateWords(_ state: StateLimit) -> String {
        let conditions = state.all.map { condition in conditionWords(condition) }.joined(separator: " and ")
        let delay =
            state.onDelay > .zero ? (state.isArmed ? ", entry delay \(state.onDelay)" : after(state.onDelay)) : ""
        return "\(conditions)\(delay): \(severity.rawValue)"
    }

    private func conditionWords(_ condition: StateLimit.Condition) -> String {
        let qualities = condition.species + [condition.opening, condition.zone].compactMap { $0 }
        let detail = qualities.isEmpty ? "" : " (\(qualities.joined(separator: ", ")))"
        let name: String
        let unit: Unit?
        switch condition.subject {
        case .armed: return "armed"
        case .mains: (name, unit) = ("mains", nil)
        case .indicator(let indicator):
            (name, unit) = (indicator.rawValue.replacing("_", with: " "), condition.unit ?? indicator.canonicalUnit)
        }
        func value(_ limit: Double) -> String {
            unit.map { "\(plain(limit)) \($0.rawValue)" } ?? "\(percent(limit)) of the nominal voltage"
        }
        switch condition.test {
        case .equals(let wanted): return "\(name)\(detail) \(wanted == 1 ? "yes" : "no")"
        case .below(let limit): return "\(name)\(detail) below \(value(limit))"
        case .above(let limit): return "\(name)\(detail) above \(value(limit))"
        }
    }

    private func peakWords(_ peak: Peak) -> [String] {
        var lines = peak.levels.map { level in
            let value = peak.reaches ? "\(amount(level.atLeast)) or more" : "above \(amount(level.atLeast))"
            let total = level.total > .zero ? " for \(level.total) in total" : ""
            return "\(value)\(total): \((level.severity ?? severity).rawValue)"
        }
        if let together = peak.corroborate {
            lines.append("\(together.devices) devices within \(together.within) raise it for the building")
        }
        return lines
    }
}

extension Application {
    /// Where it applies, as a person would say it; empty for everywhere.
    package var inWords: String {
        var parts: [String] = []
        if !rooms.contains("*") { parts.append(rooms.joined(separator: ", ")) }
        switch season {
        case .any: break
        case .cold: parts.append("October to April")
        case .warm: parts.append("May to September")
        }
        if let hours { parts.append("\(hours.text) local time") }
        if let feeds { parts.append("\(feeds) supply feed\(feeds == 1 ? "" : "s")") }
        if let nominalVoltage { parts.append("nominal \(Int(nominalVoltage)) V") }
        if let opening { parts.append("\(opening) doors") }
        if let floor {
            let ends = [floor.atLeast.map { "from floor \(Int($0))" }, floor.atMost.map { "up to floor \(Int($0))" }]
            parts.append(ends.compactMap { $0 }.joined(separator: " "))
        }
        if let burner { parts.append(burner ? "flats with a burner" : "flats without a burner") }
        return parts.joined(separator: "; ")
    }
}

extension Application.ClosedMinutes {
    /// `22:00-07:00`.
    package var text: String {
        func clock(_ minute: Int) -> String { "\((minute / 60).padded(2)):\((minute % 60).padded(2))" }
        return "\(clock(from))-\(clock(to))"
    }
}
