/// Troubles of many flats that are one trouble of the building.
extension Building {
    // MARK: Outage

    /// Flats that have lost their supply become one outage of the building.
    mutating func watchOutages(
        _ subject: Alarm.Subject, flat: Int?, at time: Timestamp, _ context: Context, _ out: inout Output
    ) {
        guard let flat, id != nil, case .hazard(let hazard) = subject, hazard.hasCommonCause else { return }
        switch hazard {
        case .powerOutage: gatherOutages(flat, at: time, context, &out)
        case .earthquake: endEarthquake(at: time, context, &out)
        default: break
        }
    }

    /// Half of the flats with a meter, and at least three.
    private func outageThreshold() -> Int {
        let metered = Set(
            devices.filter { device in device.channels.contains { $0.series.indicator == .voltage } }.map(\.flat))
        return max(3, (metered.count + 1) / 2)
    }

    private mutating func gatherOutages(_ flat: Int, at time: Timestamp, _ context: Context, _ out: inout Output) {
        let subject = Alarm.Subject.hazard(.powerOutage)
        let dark = alarms.filter { $0.isActive && $0.subject == subject && $0.flatKey != nil }
        if let building = active(subject, nil) {
            let source = Evidence.Source.flat(flat)
            if dark.count < outageThreshold() {
                alarms[building].evidence = []
                end(building, at: time, .recovered, context, &out)
            } else if let own = dark.first(where: { $0.flatKey == flats[flat].id }) {
                let known = alarms[building].evidence.first { $0.source == source }
                // The building is as badly off as its flats: they are held back and only it is told.
                if known?.excess.severity != own.severity {
                    support(subject, flat: nil, with: evidence(of: own, flat), at: time, context, &out)
                }
            } else {
                withdraw(source, from: subject, flat: nil, at: time, context, &out)
            }
        } else if dark.count >= outageThreshold(), let own = dark.first(where: { $0.flatKey == flats[flat].id }) {
            support(subject, flat: nil, with: evidence(of: own, flat), at: time, context, &out)
            guard let building = active(subject, nil) else { return }
            for other in dark where other.flatKey != own.flatKey {
                guard let index = flats.firstIndex(where: { $0.id == other.flatKey }) else { continue }
                alarms[building].evidence.append(evidence(of: other, index))
            }
            holdBack(behind: building, at: time, context, &out)
        }
    }

    private func evidence(of alarm: Alarm, _ flat: Int) -> Evidence {
        var evidence = alarm.lead
        evidence.source = .flat(flat)
        return evidence
    }

    // MARK: Earthquake

    /// Several devices that begin to shake within seconds are no slammed door.
    mutating func corroborate(
        _ peak: Peak, _ device: Int, _ norm: Int, _ excess: Excess, at time: Timestamp, _ context: Context,
        _ out: inout Output
    ) {
        guard id != nil, let wanted = peak.corroborate, context.norms[norm].norm.hazard == .earthquake else { return }
        shakes.removeAll { $0.device == device || time - $0.time > wanted.within + .minutes(5) }
        shakes.append(Shake(device: device, flat: devices[device].flat, time: excess.since, norm: norm))
        let together = shakes.filter { (excess.since - $0.time).magnitude <= wanted.within }
        guard together.count >= wanted.devices else { return }
        let subject = Alarm.Subject.hazard(.earthquake)
        let isNew = active(subject, nil) == nil
        let series = devices[device].channels.first { $0.series.indicator == .vibration }?.series
        let evidence = Evidence(
            source: .flat(devices[device].flat), device: devices[device].id, room: nil, indicator: .vibration,
            species: nil, norm: norm, excess: excess, unit: series?.unit)
        support(subject, flat: nil, with: evidence, at: time, context, &out)
        if isNew, let building = active(subject, nil) { holdBack(behind: building, at: time, context, &out) }
    }

    /// The building's earthquake ends when no flat shakes any more.
    private mutating func endEarthquake(at time: Timestamp, _ context: Context, _ out: inout Output) {
        let subject = Alarm.Subject.hazard(.earthquake)
        guard let building = active(subject, nil) else { return }
        guard !alarms.contains(where: { $0.isActive && $0.subject == subject && $0.flatKey != nil }) else { return }
        alarms[building].evidence = []
        end(building, at: time, .recovered, context, &out)
    }

    // MARK: Holding back

    /// A new small alarm waits behind the bigger one of its building.
    mutating func suppress(_ index: Int, at time: Timestamp, _ context: Context, _ out: inout Output) {
        guard alarms[index].flatKey != nil, let hazard = alarms[index].hazard, hazard.hasCommonCause else { return }
        guard let building = active(.hazard(hazard), nil) else { return }
        alarms[index].suppressedBy = alarms[building].id
        record(.suppressed, index, at: time, context, &out)
    }

    /// The small alarms that led to a bigger one are held back from people from now on.
    private mutating func holdBack(behind building: Int, at time: Timestamp, _ context: Context, _ out: inout Output) {
        let (subject, id) = (alarms[building].subject, alarms[building].id)
        for index in alarms.indices
        where alarms[index].isActive && alarms[index].subject == subject && alarms[index].flatKey != nil {
            guard alarms[index].suppressedBy == nil else { continue }
            alarms[index].suppressedBy = id
            alarms[index].telling.pending = []
            record(.suppressed, index, at: time, context, &out)
        }
    }

    /// At the end of a suppression the present truth is told.
    mutating func release(heldBackBy id: String, at time: Timestamp, _ context: Context, _ out: inout Output) {
        for index in alarms.indices where alarms[index].suppressedBy == id {
            alarms[index].suppressedBy = nil
            guard alarms[index].isActive else { continue }
            record(.unsuppressed, index, at: time, context, &out)
            tell(.unsuppressed, index, at: time, context, &out)
        }
    }
}
