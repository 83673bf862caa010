/// Alarms and arm states in their places anew, those whose norm was changed judged again.
extension Rebuilding {
    mutating func carryPanels() {
        for (b, building) in old.enumerated() {
            guard let target = new.firstIndex(where: { $0.id == building.id }) else { continue }
            for flat in building.flats {
                guard
                    let index = new[target].flats.firstIndex(where: { $0.id == flat.id && $0.isPlaced == flat.isPlaced }
                    )
                else { continue }
                var panel = flat.panel
                panel.move { trigger in
                    guard let reference = stayed(b, trigger.device), let norm = numbers[trigger.norm] else {
                        return nil
                    }
                    var trigger = trigger
                    (trigger.device, trigger.norm) = (reference.device, norm)
                    return trigger
                }
                new[target].flats[index].panel = panel
            }
        }
    }

    mutating func carryAlarms() {
        for (b, building) in old.enumerated() {
            let target = new.firstIndex { $0.id == building.id }
            var out = Output()
            for alarm in building.alarms {
                var carried = alarm
                var changed = false
                carried.evidence = alarm.evidence.compactMap { evidence in
                    let (kept, isChanged) = carry(evidence, of: building, b, alarm)
                    changed = changed || isChanged
                    return kept
                }
                carried.lead =
                    carried.evidence.first { $0.source == carried.lead.source } ?? carried.evidence.first
                    ?? withoutNorm(alarm.lead)
                // A building that is gone ends its alarms from where the unplaced are.
                let place = target ?? 0
                new[place].alarms.append(carried)
                let index = new[place].alarms.count - 1
                guard carried.isActive else { continue }
                if carried.evidence.isEmpty {
                    new[place].end(
                        index, at: context.now, changed ? .normChanged(version) : .moved, context, &out)
                } else if changed {
                    new[place].record(
                        .normChanged, index, at: context.now, reason: .normChanged(version), by: version?.author,
                        context, &out)
                    new[place].weigh(index, at: context.now, context, &out)
                }
            }
            effects += out.effects
        }
        forgetLostFaults()
    }

    private func withoutNorm(_ evidence: Evidence) -> Evidence {
        var evidence = evidence
        evidence.norm = evidence.norm.flatMap { numbers[$0] }
        return evidence
    }

    /// The evidence in its new place, nil where it does not speak for the alarm any more; and whether its norm has changed.
    private mutating func carry(_ evidence: Evidence, of building: Building, _ b: Int, _ alarm: Alarm) -> (
        Evidence?, Bool
    ) {
        var kept = evidence
        if let norm = evidence.norm {
            // A norm that now speaks of another danger says nothing of this one.
            guard let number = numbers[norm], alarm.hazard == nil || context.norms[number].norm.hazard == alarm.hazard
            else { return (nil, true) }
            kept.norm = number
            kept.citation = context.norms[number].citation
        }
        switch evidence.source {
        case .track(let device, let channel, let norm):
            guard let reference = stayed(b, device), let number = numbers[norm] else { return (nil, false) }
            kept.source = .track(device: reference.device, channel: channel, norm: number)
            let tracks = new[reference.building].devices[reference.device].channels[channel].tracks
            guard let track = tracks.firstIndex(where: { $0.norm == number }) else { return (nil, true) }
            if isSame(norm) { return (kept, false) }
            return (rejudge(kept, reference, channel, track), true)
        case .join(let flat, let join):
            let (id, norm, scope) = (
                building.flats[flat].id, building.flats[flat].joins[join].norm, building.flats[flat].joins[join].scope
            )
            guard let target = new.first(where: { $0.id == building.id }), let number = numbers[norm],
                let newFlat = target.flats.firstIndex(where: { $0.id == id }),
                let newJoin = target.flats[newFlat].joins.firstIndex(where: { $0.norm == number && $0.scope == scope })
            else { return (nil, numbers[norm] == nil) }
            guard target.flats[newFlat].joins[newJoin].hold.activeSince != nil else { return (nil, true) }
            kept.source = .join(flat: newFlat, join: newJoin)
            if !isSame(norm) { kept.excess.severity = context.norms[number].norm.severity }
            return (kept, !isSame(norm))
        case .panel(let flat), .flat(let flat):
            guard let target = new.first(where: { $0.id == building.id }),
                let newFlat = target.flats.firstIndex(where: { $0.id == building.flats[flat].id })
            else { return (nil, false) }
            if case .panel = evidence.source {
                kept.source = .panel(flat: newFlat)
            } else {
                kept.source = .flat(newFlat)
            }
            return (kept, evidence.norm.map { !isSame($0) } ?? false)
        case .fault:
            guard case .fault(_, let device) = alarm.subject, device != "normwatch" else { return (kept, false) }
            guard let index = building.devices.firstIndex(where: { $0.id == device }), stayed(b, index) != nil else {
                return (nil, false)
            }
            return (kept, false)
        }
    }

    /// The same episode by the new limit; nil where that is not broken. Where the new limit cannot say yet, the old verdict stands until
    /// it can.
    private mutating func rejudge(_ evidence: Evidence, _ reference: Engine.Reference, _ channel: Int, _ track: Int)
        -> Evidence?
    {
        var judged = evidence
        switch new[reference.building].devices[reference.device].channels[channel].tracks[track].finding {
        case .within: return nil
        case .exceeded(let excess):
            judged.excess = excess
            judged.excess.since = evidence.excess.since
        case .unknown:
            new[reference.building].devices[reference.device].channels[channel].tracks[track].finding = .exceeded(
                evidence.excess)
        }
        return judged
    }

    /// A device whose fault did not come along with it may have the fault again.
    private mutating func forgetLostFaults() {
        for building in new.indices {
            for device in new[building].devices.indices {
                let id = new[building].devices[device].id
                var kept = new[building].devices[device].faults
                let flat = new[building].devices[device].flat
                kept.filter { new[building].active(.fault($0, device: id), flat) != nil }
                guard kept != new[building].devices[device].faults else { continue }
                new[building].devices[device].faults = kept
                for channel in new[building].devices[device].channels.indices {
                    new[building].devices[device].channels[channel].faults.formIntersection(kept)
                }
            }
        }
    }
}
