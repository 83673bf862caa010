/// Limits that count over a period, change or presence, as a person would say them.
extension Norm {
    func interruptionWords(_ limit: Interruption) -> [String] {
        let supply = "supply under \(percent(limit.belowShare)) of the nominal voltage"
        var lines: [String] = []
        if let longerThan = limit.longerThan { lines.append("\(supply)\(after(longerThan)): \(severity.rawValue)") }
        if let budget = limit.budget {
            let parts = [
                budget.hours.map { "more than \(plain($0)) h" }, budget.count.map { "more than \($0) times" },
            ]
            let amount = parts.compactMap { $0 }.joined(separator: " or ")
            let level = (budget.severity ?? severity).rawValue
            lines.append("\(supply) \(amount) in a \(budget.per.text): \(level)")
        }
        return lines
    }

    func percentileWords(_ limit: Percentile) -> [String] {
        let share = limit.share < 1 ? "more than \(percent(1 - limit.share)) of the means" : "any mean"
        let broken = bounds(limit.lower, limit.upper, limit.reaches)
        return [
            "\(share) of \(limit.block) in \(words(limit.window)) \(broken): \(severity.rawValue)",
            needs(limit.completeness),
        ]
    }

    func exceedanceWords(_ limit: Exceedances) -> [String] {
        let broken = bounds(limit.below, limit.above, limit.reaches)
        let count = limit.allowed == 0 ? "a mean" : "more than \(limit.allowed) means"
        return [
            "\(count) of \(limit.block) \(broken) in \(words(limit.per)): \(severity.rawValue)",
            needs(limit.completeness),
        ]
    }

    func curveWords(_ curve: FrequencyCurve) -> [String] {
        let points = curve.points.map { "\(amount($0.value)) at \(plain($0.hertz)) Hz" }
        let word = curve.reaches ? "reaching" : "above"
        return [
            "\(word) \(points.joined(separator: ", ")): \((curve.severity ?? severity).rawValue)",
            "between two points a straight line, beyond the ends the nearest value; without the frequency no verdict",
        ]
    }

    func rateWords(_ rate: Rate) -> [String] {
        let word = rate.reaches ? "or more" : ""
        let least = rate.reaches ? "" : "more than "
        let look = rate.over == rate.per ? "" : ", seen over \(rate.over)"
        func line(_ verb: String, _ change: Double) -> String {
            let size = [amount(change), word].filter { !$0.isEmpty }.joined(separator: " ")
            return "\(verb) by \(least)\(size) in \(rate.per)\(look): \(severity.rawValue)"
        }
        return [rate.upper.map { line("rises", $0) }, rate.lower.map { line("falls", -$0) }].compactMap { $0 }
    }

    /// `co gas`: what a device that must be there tells about.
    package var deviceInWords: String {
        (species + [indicator.rawValue.replacing("_", with: " ")]).joined(separator: " ")
    }

    func presenceWords(_ presence: Presence) -> String {
        let rooms = presence.rooms.isEmpty ? "" : " with \(presence.rooms.joined(separator: ", "))"
        let place =
            presence.per == .room && !presence.rooms.isEmpty
            ? presence.rooms.joined(separator: ", ") : presence.per.rawValue + rooms
        return "no \(deviceInWords) device in a \(place): \(severity.rawValue)"
    }

    func doseWords(_ dose: Dose) -> String {
        let time = dose.per.map { words($0) } ?? "these hours"
        let broken = bounds(nil, dose.upper, dose.reaches)
        return "dose of \(time) (power \(plain(dose.power))) \(broken): \(severity.rawValue)"
    }

    private func words(_ period: CalendarPeriod) -> String {
        if case .span(let span) = period { "\(span)" } else { "a \(period.text)" }
    }

    private func needs(_ share: Double) -> String {
        "needs \(percent(share)) of the readings of a mean, and of the means"
    }
}
