/// Puts devices, norms and alarms into their places anew after the site or the norms have changed.
///
/// Whatever is the same keeps its state: gauges, timers, windows, arm state, alarms with their acknowledgement. An alarm whose norm has
/// changed is judged again within its episode.
struct Rebuilding {
    private let old: [Building]
    private let oldNorms: NormLibrary
    private let context: Context
    private(set) var effects: [Effect] = []
    private var new: [Building] = [Building(id: nil)]
    /// Old building and device to new ones.
    private var moved: [Engine.Reference: Engine.Reference] = [:]
    private let numbers: [Int: Int]

    init(from old: [Building], oldNorms: NormLibrary, context: Context) {
        (self.old, self.oldNorms, self.context) = (old, oldNorms, context)
        let new = context.norms
        var editions: [String: [Int]] = [:]
        for number in new.norms.indices { editions[new[number].key, default: []].append(number) }
        numbers = Dictionary(
            uniqueKeysWithValues: oldNorms.norms.enumerated().compactMap { old, cited in
                // An act may be there in several editions, one after the other.
                let same = editions[cited.key]?.first { new[$0].act.edition == cited.act.edition }
                return (same ?? editions[cited.key]?.last).map { (old, $0) }
            })
    }

    mutating func run(expectedSince: Timestamp?) -> [Building] {
        layOut()
        placeDevices(expectedSince)
        bind()
        joinChannels()
        carryPanels()
        carryAlarms()
        startJoins()
        return new
    }

    private func isSame(_ oldNumber: Int) -> Bool {
        numbers[oldNumber].map { context.norms[$0] == oldNorms[oldNumber] } ?? false
    }

    // MARK: Places

    private mutating func layOut() {
        for plan in context.site.buildings {
            var building = Building(id: plan.id)
            for flat in plan.flats { _ = building.flat(flat.id, isPlaced: true) }
            new.append(building)
        }
        for building in old {
            guard let index = new.firstIndex(where: { $0.id == building.id }) else { continue }
            new[index].nextNumber = building.nextNumber
        }
    }

    private mutating func placeDevices(_ expectedSince: Timestamp?) {
        var known: [String: Engine.Reference] = [:]
        for (b, building) in old.enumerated() {
            for (d, device) in building.devices.enumerated() { known[device.id] = .init(building: b, device: d) }
        }
        for plan in context.site.buildings {
            guard let building = new.firstIndex(where: { $0.id == plan.id }) else { continue }
            for flatPlan in plan.flats {
                let flat = new[building].flat(flatPlan.id, isPlaced: true)
                for room in flatPlan.rooms {
                    for devicePlan in room.devices {
                        var device =
                            carried(known[devicePlan.id]) ?? Device(id: devicePlan.id, flat: flat, isPlaced: true)
                        (device.flat, device.room, device.roomKind, device.isPlaced) = (flat, room.id, room.kind, true)
                        device.plan = Device.Plan(devicePlan, flat: flatPlan, building: plan)
                        device.expectedSince = device.expectedSince ?? expectedSince
                        add(device, to: building, from: known.removeValue(forKey: devicePlan.id))
                    }
                }
            }
        }
        // In the old order, so that every run numbers them alike.
        for (b, building) in old.enumerated() {
            for (d, device) in building.devices.enumerated() where known[device.id] == .init(building: b, device: d) {
                placeUnlisted(device, from: .init(building: b, device: d))
            }
        }
    }

    private mutating func placeUnlisted(_ device: Device, from reference: Engine.Reference) {
        var device = device
        device.plan = Device.Plan()
        let placement = device.note?.placement
        if context.site.selfPlacement, let placement, let id = placement.building {
            if !new.contains(where: { $0.id == id }) {
                var building = Building(id: id)
                building.nextNumber = old.first { $0.id == id }?.nextNumber ?? 1
                new.append(building)
            }
            guard let building = new.firstIndex(where: { $0.id == id }) else { return }
            device.flat = new[building].flat(placement.flat ?? "", isPlaced: true)
            (device.room, device.isPlaced) = (placement.room, true)
            device.roomKind = placement.room.flatMap { RoomKind.canonical($0) } ?? "other"
            device.plan = Device.Plan(at: placement, context.site)
            add(device, to: building, from: reference)
        } else {
            device.flat = new[0].flat(device.id, isPlaced: false)
            (device.room, device.roomKind, device.isPlaced) = (nil, nil, false)
            add(device, to: 0, from: reference)
        }
    }

    private func carried(_ reference: Engine.Reference?) -> Device? {
        reference.map { old[$0.building].devices[$0.device] }
    }

    private mutating func add(_ device: Device, to building: Int, from reference: Engine.Reference?) {
        new[building].devices.append(device)
        guard let reference else { return }
        moved[reference] = .init(building: building, device: new[building].devices.count - 1)
        if old[reference.building].silentMeters.contains(reference.device) {
            new[building].silentMeters.append(new[building].devices.count - 1)
        }
    }

    /// The new device, where it still belongs to the same flat.
    private func stayed(_ building: Int, _ device: Int) -> Engine.Reference? {
        guard let reference = moved[.init(building: building, device: device)] else { return nil }
        let (before, after) = (old[building], new[reference.building])
        let (oldFlat, newFlat) = (
            before.flats[before.devices[device].flat], after.flats[after.devices[reference.device].flat]
        )
        return before.id == after.id && oldFlat.id == newFlat.id && oldFlat.isPlaced == newFlat.isPlaced
            ? reference : nil
    }

    // MARK: Norms

    private mutating func bind() {
        for building in new.indices {
            for device in new[building].devices.indices {
                for channel in new[building].devices[device].channels.indices {
                    new[building].devices[device].channels[channel].joins = []
                    // Carried under the new numbers, `bind` finds them and keeps those that still apply.
                    new[building].devices[device].channels[channel].tracks = new[building].devices[device].channels[
                        channel
                    ].tracks
                        .compactMap { track in
                            guard isSame(track.norm), let number = numbers[track.norm] else { return nil }
                            var track = track
                            track.norm = number
                            return track
                        }
                    new[building].bind(device, channel, context)
                }
            }
        }
    }

    private mutating func joinChannels() {
        for building in new.indices {
            for device in new[building].devices.indices {
                for channel in new[building].devices[device].channels.indices {
                    new[building].join(device, channel, context)
                }
            }
        }
        for (b, building) in old.enumerated() {
            guard let target = new.firstIndex(where: { $0.id == building.id }) else { continue }
            for flat in building.flats {
                guard
                    let newFlat = new[target].flats.firstIndex(where: {
                        $0.id == flat.id && $0.isPlaced == flat.isPlaced
                    })
                else { continue }
                for join in flat.joins where isSame(join.norm) {
                    guard
                        let index = new[target].flats[newFlat].joins.firstIndex(where: {
                            $0.norm == numbers[join.norm] && $0.scope == join.scope
                        })
                    else { continue }
                    var carried = new[target].flats[newFlat].joins[index]
                    carried.carry(from: join) { reference in
                        stayed(b, reference.device).map { .init(device: $0.device, channel: reference.channel) }
                    }
                    new[target].flats[newFlat].joins[index] = carried
                }
            }
        }
    }

    /// Joins that are new look at what their channels say already.
    private mutating func startJoins() {
        var out = Output()
        for building in new.indices {
            for flat in new[building].flats.indices {
                for join in new[building].flats[flat].joins.indices
                where new[building].flats[flat].joins[join].conditions.allSatisfy({ !$0.isKnown }) {
                    for reference in Set(new[building].flats[flat].joins[join].conditions.flatMap(\.channels)).sorted()
                    {
                        guard let time = new[building].devices[reference.device].channels[reference.channel].newest
                        else { continue }
                        new[building].settle(join, flat: flat, changed: reference, at: time, context, &out)
                    }
                    new[building].elapse(join, flat: flat, to: context.now, context, &out)
                }
            }
        }
        effects += out.effects
    }

    // MARK: Alarms

    private mutating func carryPanels() {
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

    private mutating func carryAlarms() {
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
                    new[place].end(index, at: context.now, changed ? .normChanged : .moved, context, &out)
                } else if changed {
                    new[place].record(.normChanged, index, at: context.now, context, &out)
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
            guard let number = numbers[norm] else { return (nil, true) }
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
            // A join of a changed norm begins anew from what its channels say.
            guard isSame(norm), target.flats[newFlat].joins[newJoin].hold.activeSince != nil else { return (nil, true) }
            kept.source = .join(flat: newFlat, join: newJoin)
            return (kept, false)
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

    /// The same episode by the new limit. Where that needs more than the last value, the old verdict stands until a reading comes.
    private mutating func rejudge(_ evidence: Evidence, _ reference: Engine.Reference, _ channel: Int, _ track: Int)
        -> Evidence?
    {
        let known = new[reference.building].devices[reference.device].channels[channel]
        let bound = known.tracks[track]
        guard let time = known.newest else { return nil }
        var gauge = bound.gauge
        let finding = gauge.rejudge(
            evidence.excess, value: known.value * bound.factor, at: time, context.norms[bound.norm].norm)
        new[reference.building].devices[reference.device].channels[channel].tracks[track].gauge = gauge
        guard let finding else {
            new[reference.building].devices[reference.device].channels[channel].tracks[track].finding = .exceeded(
                evidence.excess)
            return evidence
        }
        new[reference.building].devices[reference.device].channels[channel].tracks[track].finding = finding
        guard let excess = finding.excess else { return nil }
        var judged = evidence
        judged.excess = excess
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

extension Device.Plan {
    /// What the site document says of a device and of where it stands; nil for what it does not name.
    init(_ plan: DevicePlan?, flat: FlatPlan?, building: BuildingPlan?) {
        (opening, zone, interval) = (plan?.opening, plan?.zone, plan?.interval)
        (reportsPeaks, isDeclared) = (plan?.reportsPeaks ?? false, plan != nil)
        nominalVoltage = plan?.nominalVoltage ?? flat?.nominalVoltage ?? building?.nominalVoltage
        (feeds, floor, hasBurner) = (building?.feeds, flat?.floor, flat?.hasBurner)
    }

    /// Of a device that placed itself.
    init(at place: Place, _ site: Site) {
        let building = place.building.flatMap { site.building($0) }
        self.init(nil, flat: building?.flats.first { $0.id == place.flat }, building: building)
    }
}

extension Join {
    /// Takes over what an equal join of before had reached; `map` gives the new place of a channel.
    mutating func carry(from other: Join, _ map: (Reference) -> Reference?) {
        hold = other.hold
        lead = other.lead.flatMap(map)
        for index in conditions.indices where other.conditions.indices.contains(index) {
            conditions[index].isKnown = other.conditions[index].isKnown
            conditions[index].since = other.conditions[index].since
            conditions[index].proof = other.conditions[index].proof
            conditions[index].by = other.conditions[index].by.flatMap(map)
        }
    }
}

extension Join.Reference: Comparable {
    static func < (a: Self, b: Self) -> Bool { (a.device, a.channel) < (b.device, b.channel) }
}
