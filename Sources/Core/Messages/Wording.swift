/// Sentences for people: what, where, since when, how bad by which law, what to do.
enum Wording {
    /// One line for journal and terminal.
    static func line(
        _ transition: Transition, norm: CitedNorm?, detail: String?, _ reason: Building.EndReason, _ zone: Zone,
        _ language: Language
    ) -> String {
        let words = Vocabulary.of(language)
        let what = subject(transition, words)
        let place = place(transition.place, words)
        switch transition.event {
        case .raised, .severity, .unsuppressed:
            let severity = transition.severity.flatMap { words.severities[$0] } ?? ""
            let facts = [
                measured(transition, norm, words), fault(transition, detail, words), since(transition, zone, words),
            ]
            return "\(severity): \(what), \(place). " + facts.compactMap { $0 }.joined(separator: " ")
        case .ended:
            let why =
                switch reason {
                case .recovered: words.ended
                case .normChanged(let version): words.endedByNorm + origin(version, words)
                case .moved: words.endedByMove
                }
            return "\(what), \(place): \(why)"
        case .acknowledged: return "\(what), \(place): \(words.acknowledgedBy) \(transition.by ?? "–")"
        case .cleared: return "\(what), \(place): \(words.cleared)"
        case .suppressed: return "\(what), \(place): \(words.suppressed)"
        case .normChanged:
            guard case .normChanged(let version) = reason else { return "\(what), \(place): \(words.normChanged)" }
            return "\(what), \(place): \(words.normChanged)\(origin(version, words))"
        case .comment, .armed, .disarmed: return transition.text
        }
    }

    /// Subject and text of a message.
    static func notice(
        _ transition: Transition, alarm: Alarm, norm: CitedNorm?, _ context: Context, _ language: Language
    ) -> (subject: String, body: String) {
        let words = Vocabulary.of(language)
        let what = subject(transition, words)
        let place = namedPlace(transition.place, context.site, words)
        let severity = transition.severity.flatMap { words.severities[$0] } ?? ""
        if transition.event == .ended {
            let span = "\(local(alarm.since, context.zone)) – \(local(alarm.ended ?? context.now, context.zone))"
            return (
                "\(words.endedSubject): \(what), \(place)",
                "\(what), \(place): \(words.ended)\n\(words.wasActive) \(span)."
            )
        }
        var lines = ["\(severity): \(what)", "\(words.whereWord): \(place)"]
        lines.append("\(words.sinceWord): \(local(alarm.since, context.zone))")
        if let measured = measured(transition, norm, words) { lines.append(measured) }
        if let fault = fault(transition, alarm.lead.detail, words) { lines.append(fault) }
        if let device = transition.device { lines.append("\(words.deviceWord): \(device)") }
        if let norm {
            lines.append("\(words.whatToDo): \(norm.norm.whatToDo[language])")
            if norm.isProvisional { lines.append(words.provisional) }
        } else if let kind = transition.fault, let advice = words.faultAdvice[kind] {
            lines.append("\(words.whatToDo): \(advice)")
        }
        lines.append("\(words.acknowledgeWith): normwatch ack \(alarm.id)")
        return ("\(severity): \(what), \(place)", lines.joined(separator: "\n"))
    }

    static func armed(_ mode: ArmMode, by person: String, open: [String], _ language: Language) -> String {
        let words = Vocabulary.of(language)
        let state = "\(words.armModes[mode] ?? mode.rawValue) (\(person))"
        return mode == .off || open.isEmpty ? state : "\(state); \(words.stillOpen): \(open.joined(separator: ", "))"
    }

    static func acknowledged(_ language: Language) -> String { Vocabulary.of(language).acknowledged }
    static func alreadyAcknowledged(_ person: String, _ language: Language) -> String {
        "\(Vocabulary.of(language).alreadyAcknowledged) \(person)"
    }
    static func noSuchAlarm(_ id: String, _ language: Language) -> String {
        "\(Vocabulary.of(language).noSuchAlarm): \(id)"
    }
    static func noSuchFlat(_ building: String, _ flat: String, _ language: Language) -> String {
        "\(Vocabulary.of(language).noSuchFlat): \(building)/\(flat)"
    }

    // MARK: Parts

    /// Which version of the norms it is, who put it in force, and why.
    private static func origin(_ version: NormVersion?, _ words: Vocabulary) -> String {
        guard let version else { return "" }
        let reason = version.reason.map { ": “\($0)”" } ?? ""
        return " (\(words.version) \(version.number), \(version.author)\(reason))"
    }

    private static func subject(_ transition: Transition, _ words: Vocabulary) -> String {
        if let kind = transition.fault { return words.faults[kind] ?? kind.rawValue }
        guard let hazard = transition.hazard else { return "" }
        let name = words.hazards[hazard] ?? hazard.rawValue
        return transition.species.flatMap { words.species[$0] }.map { "\(name) (\($0))" } ?? name
    }

    private static func place(_ place: Place, _ words: Vocabulary) -> String {
        place.path.isEmpty ? words.unplaced : place.path
    }

    /// With the names that people know.
    private static func namedPlace(_ place: Place, _ site: Site, _ words: Vocabulary) -> String {
        guard let id = place.building else { return words.unplaced }
        let building = site.building(id)
        var parts = [building?.name ?? id]
        if let flat = place.flat { parts.append("\(words.flatWord) \(flat)") }
        if let room = place.room {
            let plan = building?.flats.first { $0.id == place.flat }?.rooms.first { $0.id == room }
            parts.append(plan?.name ?? room)
        }
        return parts.joined(separator: ", ")
    }

    /// Value and limit with the law: "312 ppm, limit 300 ppm (EN 50291-1:2018, alarm conditions)."
    private static func measured(_ transition: Transition, _ norm: CitedNorm?, _ words: Vocabulary) -> String? {
        guard let citation = transition.norm else { return nil }
        let law = "\(norm.map { words.title(of: $0.act) } ?? citation.act), \(citation.clause)"
        guard let value = transition.value, let unit = transition.unit, unit != .boolean else {
            return "\(words.kinds[citation.kind] ?? citation.kind): \(law)."
        }
        let limit = transition.limit.map { ", \(words.limitWord) \(words.number($0)) \(unit.rawValue)" } ?? ""
        return
            "\(words.number(value)) \(unit.rawValue)\(limit) (\(words.kinds[citation.kind] ?? citation.kind): \(law))."
    }

    private static func fault(_ transition: Transition, _ detail: String?, _ words: Vocabulary) -> String? {
        guard let kind = transition.fault else { return nil }
        let device = transition.device ?? ""
        let channel = transition.indicator.map { " (\(words.indicators[$0] ?? $0.rawValue))" } ?? ""
        return "\(device)\(channel): \(words.explain(kind, detail))"
    }

    private static func since(_ transition: Transition, _ zone: Zone, _ words: Vocabulary) -> String? {
        transition.since.map { "\(words.sinceWord): \(local($0, zone))." }
    }

    /// To the second, as a local clock shows it.
    private static func local(_ instant: Timestamp, _ zone: Zone) -> String {
        let civil = zone.civil(instant)
        return "\(civil.year.padded(4))-\(civil.month.padded(2))-\(civil.day.padded(2)) "
            + "\(civil.hour.padded(2)):\(civil.minute.padded(2)):\(civil.second.padded(2))"
    }
}
