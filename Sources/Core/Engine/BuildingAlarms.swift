extension Building {
    /// An excess speaks for an alarm: raises it, or joins and may change the one that stands.
    mutating func support(
        _ subject: Alarm.Subject, flat: Int?, with evidence: Evidence, at time: Timestamp, _ context: Context,
        _ out: inout Output
    ) {
        var evidence = evidence
        evidence.citation = evidence.norm.map { context.norms[$0].citation }
        guard let index = active(subject, flat) else {
            raise(subject, flat: flat, with: evidence, at: time, context, &out)
            return
        }
        if let old = alarms[index].evidence.firstIndex(where: { $0.source == evidence.source }) {
            alarms[index].evidence[old] = evidence
        } else {
            alarms[index].evidence.append(evidence)
        }
        weigh(index, at: time, context, &out)
        watchOutages(subject, flat: flat, at: time, context, &out)
    }

    /// An excess is over; with the last one the alarm ends.
    mutating func withdraw(
        _ source: Evidence.Source, from subject: Alarm.Subject, flat: Int?, at time: Timestamp,
        reason: EndReason = .recovered,
        _ context: Context, _ out: inout Output
    ) {
        guard let index = active(subject, flat) else { return }
        guard let old = alarms[index].evidence.firstIndex(where: { $0.source == source }) else { return }
        alarms[index].evidence.remove(at: old)
        if alarms[index].evidence.isEmpty {
            end(index, at: time, reason, context, &out)
        } else {
            weigh(index, at: time, context, &out)
        }
        watchOutages(subject, flat: flat, at: time, context, &out)
    }

    func active(_ subject: Alarm.Subject, _ flat: Int?) -> Int? {
        guard !alarms.isEmpty else { return nil }
        let place = key(flat)
        return alarms.firstIndex { $0.isActive && $0.subject == subject && $0.flatKey == place }
    }

    /// What a trouble of our own is about, while it lasts.
    func trouble(_ kind: FaultKind) -> String? {
        active(.fault(kind, device: "normwatch"), nil).map { alarms[$0].lead.detail ?? "" }
    }

    private func key(_ flat: Int?) -> String? { flat.map { flats[$0].id } }

    private mutating func raise(
        _ subject: Alarm.Subject, flat: Int?, with evidence: Evidence, at time: Timestamp, _ context: Context,
        _ out: inout Output
    ) {
        let id = Identity.alarm(subject, building: self.id, flat: key(flat), since: evidence.excess.since)
        let alarm = Alarm(
            number: nextNumber, id: id, subject: subject, flatKey: key(flat),
            place: flat.map { place(ofFlat: $0) } ?? Place(building: self.id), severity: evidence.excess.severity,
            since: evidence.excess.since, raised: time, evidence: [evidence], lead: evidence)
        nextNumber += 1
        alarms.append(alarm)
        let index = alarms.count - 1
        record(.raised, index, at: time, context, &out)
        suppress(index, at: time, context, &out)
        tell(.raised, index, at: time, context, &out)
        watchOutages(subject, flat: flat, at: time, context, &out)
    }

    /// Worst evidence sets the severity; of equals the first by the site's order of jurisdictions is cited.
    mutating func weigh(_ index: Int, at time: Timestamp, _ context: Context, _ out: inout Output) {
        let jurisdictions = context.frame.jurisdictions
        func rank(_ evidence: Evidence) -> Int {
            evidence.norm.map { context.norms.rank($0, jurisdictions: jurisdictions) } ?? 0
        }
        guard
            let lead = alarms[index].evidence.min(by: {
                $0.excess.severity != $1.excess.severity ? $0.excess.severity > $1.excess.severity : rank($0) < rank($1)
            })
        else { return }
        let old = alarms[index].severity
        alarms[index].lead = lead
        guard lead.excess.severity != old else { return }
        alarms[index].severity = lead.excess.severity
        record(.severity, index, at: time, context, &out)
        if lead.excess.severity > old { tell(.severity, index, at: time, context, &out) }
    }

    enum EndReason {
        case recovered, moved
        /// As which version; nil for one that is of another day.
        case normChanged(NormVersion?)
    }

    mutating func end(_ index: Int, at time: Timestamp, _ reason: EndReason, _ context: Context, _ out: inout Output) {
        alarms[index].ended = time
        record(.ended, index, at: time, reason: reason, context, &out)
        tell(.ended, index, at: time, context, &out)
        release(heldBackBy: alarms[index].id, at: time, context, &out)
        clear(index, at: time, context, &out)
    }

    /// Takes an ended alarm off the list: at once, or once it is acknowledged where what happened cannot be undone.
    private mutating func clear(_ index: Int, at time: Timestamp, _ context: Context, _ out: inout Output) {
        guard alarms[index].ended != nil, alarms[index].acknowledgement != nil || !alarms[index].isLatched else {
            return
        }
        record(.cleared, index, at: time, context, &out)
        alarms.remove(at: index)
    }

    mutating func acknowledge(_ index: Int, by person: String, _ context: Context, _ out: inout Output) {
        guard alarms[index].acknowledgement == nil else {
            out.effects.append(
                .reply(
                    .done(Wording.alreadyAcknowledged(alarms[index].acknowledgement?.by ?? "", context.site.language))))
            return
        }
        alarms[index].acknowledgement = .init(by: person, at: context.now)
        alarms[index].telling.pending = []
        record(.acknowledged, index, at: context.now, by: person, context, &out)
        out.effects.append(.reply(.done(Wording.acknowledged(context.site.language))))
        clear(index, at: context.now, context, &out)
    }

    mutating func comment(_ index: Int, _ text: String, by person: String, _ context: Context, _ out: inout Output) {
        record(.comment, index, at: context.now, by: person, words: text, context, &out)
        out.effects.append(.reply(.done(text)))
    }

    // MARK: Journal

    mutating func record(
        _ event: Transition.Kind, _ index: Int, at time: Timestamp, reason: EndReason = .recovered,
        by person: String? = nil,
        words: String? = nil, _ context: Context, _ out: inout Output
    ) {
        switch event {
        case .severity: alarms[index].severityChanges += 1
        case .unsuppressed: alarms[index].releases += 1
        default: break
        }
        out.effects.append(
            .transition(transition(event, alarms[index], at: time, reason: reason, by: person, words: words, context)))
    }

    func transition(
        _ event: Transition.Kind, _ alarm: Alarm, at time: Timestamp, reason: EndReason = .recovered,
        by person: String? = nil,
        words: String? = nil, language: Language? = nil, _ context: Context
    ) -> Transition {
        let lead = alarm.lead
        let language = language ?? context.site.language
        var transition = Transition(
            time: time, event: event, alarm: alarm.id, alarmClass: alarm.alarmClass, hazard: alarm.hazard,
            fault: alarm.fault,
            severity: alarm.severity, place: alarm.place, device: lead.device, indicator: lead.indicator,
            species: lead.species,
            value: alarm.fault == nil ? lead.excess.value : nil, unit: lead.unit,
            limit: alarm.fault == nil ? lead.excess.limit : nil,
            norm: lead.citation, normVersion: lead.citation == nil ? nil : context.frame.normVersion,
            since: alarm.since, by: person, text: words ?? "")
        transition.place.room = alarm.place.flat == nil ? nil : lead.room
        if words == nil {
            let norm = lead.norm.map { context.norms[$0] }
            transition.text = Wording.line(transition, norm: norm, detail: lead.detail, reason, context.zone, language)
        }
        return transition
    }
}

extension CitedNorm {
    var citation: Transition.Citation {
        Transition.Citation(
            act: act.id, kind: act.kind.rawValue, clause: norm.clause, id: norm.id, edition: act.edition,
            isProvisional: isProvisional)
    }
}
