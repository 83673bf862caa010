/// Who is told what, and when.
extension Building {
    /// A small alarm of a hazard that may be the building's waits for the bigger one to show.
    private static let settling = Span.seconds(10)

    /// An alarm has changed at `time` in a way that people must know.
    mutating func tell(
        _ event: Transition.Kind, _ index: Int, at time: Timestamp, _ context: Context, _ out: inout Output
    ) {
        switch event {
        case .raised, .unsuppressed:
            guard alarms[index].suppressedBy == nil else { return }
            // What is left of a bigger alarm, which has been told, may wait a moment however bad it is.
            let mayWait = event == .unsuppressed || alarms[index].severity < .danger
            guard isSmall(alarms[index]), mayWait else { return begin(event, index, context, &out) }
            // By sample time: a backlog that is read in a moment tells the same as a life that took its time.
            alarms[index].telling.notBefore = time + Self.settling
            out.wake(.alarm(alarms[index].number), at: time + Self.settling)
        case .severity:
            guard alarms[index].suppressedBy == nil else { return }
            if alarms[index].telling.notBefore != nil && alarms[index].severity < .danger { return }
            begin(event, index, context, &out)
        case .ended:
            if let wait = alarms[index].telling.notBefore, wait <= time, alarms[index].suppressedBy == nil {
                begin(alarms[index].beginning, index, context, &out)
            }
            alarms[index].telling.pending = []
            for person in alarms[index].telling.told { send(.ended, index, to: person, context, &out) }
        case .acknowledged, .cleared, .suppressed, .comment, .normChanged, .armed, .disarmed:
            break
        }
    }

    /// Whether it may turn out to be a part of something bigger.
    private func isSmall(_ alarm: Alarm) -> Bool {
        alarm.hazard?.hasCommonCause == true && alarm.flatKey != nil && id != nil
    }

    /// Starts the steps of the routes, or tells those who know already that it became worse.
    private mutating func begin(_ event: Transition.Kind, _ index: Int, _ context: Context, _ out: inout Output) {
        alarms[index].telling.notBefore = nil
        for person in alarms[index].telling.told { send(event, index, to: person, context, &out) }
        for (number, route) in context.site.effectiveRoutes.enumerated() where route.match.covers(alarms[index]) {
            for (step, what) in route.steps.enumerated() {
                let pending = Telling.Step(due: context.now + what.after, route: number, step: step)
                guard !alarms[index].telling.pending.contains(where: { $0.route == number && $0.step == step }) else {
                    continue
                }
                alarms[index].telling.pending.append(pending)
            }
        }
        carryOut(event, index, context, &out)
    }

    /// Does the steps that are due and asks to be woken for the next.
    private mutating func carryOut(_ event: Transition.Kind, _ index: Int, _ context: Context, _ out: inout Output) {
        let due = alarms[index].telling.pending.filter { $0.due <= context.now }
        alarms[index].telling.pending.removeAll { $0.due <= context.now }
        let routes = context.site.effectiveRoutes
        for step in due
        where routes.indices.contains(step.route) && routes[step.route].steps.indices.contains(step.step) {
            for target in routes[step.route].steps[step.step].to {
                for person in context.site.people(target, for: alarms[index].place, at: context.now)
                where !alarms[index].telling.told.contains(person.id) {
                    alarms[index].telling.told.append(person.id)
                    send(event, index, to: person.id, context, &out)
                }
            }
        }
        if let next = alarms[index].telling.pending.map(\.due).min() {
            out.wake(.alarm(alarms[index].number), at: next)
        }
    }

    mutating func wake(alarm number: Int, at time: Timestamp, _ context: Context, _ out: inout Output) {
        guard let index = alarms.firstIndex(where: { $0.number == number }), alarms[index].isActive else { return }
        if let wait = alarms[index].telling.notBefore {
            guard wait <= time, alarms[index].suppressedBy == nil else { return }
            begin(alarms[index].beginning, index, context, &out)
        } else {
            carryOut(alarms[index].beginning, index, context, &out)
        }
    }

    private func send(_ event: Transition.Kind, _ index: Int, to id: String, _ context: Context, _ out: inout Output) {
        guard let person = context.site.people.first(where: { $0.id == id }) else { return }
        let alarm = alarms[index]
        let language = person.language ?? context.site.language
        let transition = transition(event, alarm, at: alarm.ended ?? context.now, language: language, context)
        let words = Wording.notice(
            transition, alarm: alarm, norm: alarm.lead.norm.map { context.norms[$0] }, context, language)
        for channel in person.channels {
            let notice = Identity.hash([
                alarm.id, alarm.tellingName(event), id, channel.kind.rawValue, channel.address,
            ])
            out.effects.append(
                .notice(
                    Notice(
                        id: notice, alarm: alarm.id, alarmClass: alarm.alarmClass, event: event,
                        severity: alarm.severity,
                        recipient: id, channel: channel, subject: words.subject, body: words.body, created: context.now,
                        transition: transition.json.text)))
        }
    }
}

extension Alarm {
    /// What those are told who do not know of it yet.
    var beginning: Transition.Kind { releases > 0 ? .unsuppressed : .raised }

    /// One name for everything that is told of it, the same however often it is told.
    func tellingName(_ event: Transition.Kind) -> String {
        switch event {
        case .severity: "severity \(severityChanges)"
        case .unsuppressed: "unsuppressed \(releases)"
        default: event.rawValue
        }
    }
}

extension Route.Match {
    func covers(_ alarm: Alarm) -> Bool {
        if let severity, alarm.severity < severity { return false }
        if alarm.alarmClass != alarmClass ?? .alarm { return false }
        if !hazards.isEmpty {
            guard let hazard = alarm.hazard, hazards.contains(hazard) else { return false }
        }
        if let building, building != alarm.place.building { return false }
        if let flat, flat != alarm.place.flat { return false }
        return true
    }
}

extension Site {
    /// The routes of the document; without any, alarms go to everybody concerned and faults to those who look after the house.
    var effectiveRoutes: [Route] {
        if !routes.isEmpty { return routes }
        func route(_ alarmClass: AlarmClass, _ to: [String], _ severity: Severity?) -> Route {
            Route(
                match: .init(severity: severity, alarmClass: alarmClass), steps: [.init(to: to)])
        }
        return [
            route(.alarm, ["resident", "staff", "administrator"], nil), route(.fault, ["staff", "administrator"], nil),
            route(.supervisory, ["staff", "administrator"], nil),
        ]
    }

    /// The people that a target means: one by id, or those of a role whose place it is.
    func people(_ target: String, for place: Place, at instant: Timestamp) -> [Person] {
        if let person = people.first(where: { $0.id == target }) { return [person] }
        guard let role = Person.Role(rawValue: target) else { return [] }
        return people.filter { person in
            guard person.role == role else { return false }
            switch role {
            case .resident: return isTenant(person.id, of: place, at: instant)
            case .staff, .readOnly:
                return person.buildings.isEmpty || place.building.map { person.buildings.contains($0) } ?? false
            case .administrator: return true
            }
        }
    }

    /// Of the flat; of any flat, where the whole building is meant.
    private func isTenant(_ person: String, of place: Place, at instant: Timestamp) -> Bool {
        guard let building = place.building.flatMap({ self.building($0) }) else { return false }
        return building.flats.contains { flat in
            (place.flat == nil || flat.id == place.flat)
                && flat.tenancies.contains { $0.person == person && $0.covers(instant) }
        }
    }
}
