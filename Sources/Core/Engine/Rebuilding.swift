/// Puts devices, norms and alarms into their places anew after the site or the norms have changed.
///
/// Whatever is the same keeps its state: gauges, timers, windows, arm state, alarms with their acknowledgement. An alarm whose norm has
/// changed is judged again within its episode.
struct Rebuilding {
    let old: [Building]
    let oldNorms: NormLibrary
    /// As which the norms have changed; nil where they have not, or only with the date.
    let version: NormVersion?
    let context: Context
    var effects: [Effect] = []
    var new: [Building] = [Building(id: nil)]
    /// Old building and device to new ones.
    var moved: [Engine.Reference: Engine.Reference] = [:]
    let numbers: [Int: Int]

    init(from old: [Building], oldNorms: NormLibrary, version: NormVersion?, context: Context) {
        (self.old, self.oldNorms, self.version, self.context) = (old, oldNorms, version, context)
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

    func isSame(_ oldNumber: Int) -> Bool {
        numbers[oldNumber].map { context.norms[$0].judgesLike(oldNorms[oldNumber]) } ?? false
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
    func stayed(_ building: Int, _ device: Int) -> Engine.Reference? {
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
                    let tracks = new[building].devices[device].channels[channel].tracks
                    new[building].devices[device].channels[channel].tracks = tracks.compactMap {
                        carried($0, new[building], device, channel)
                    }
                    new[building].bind(device, channel, context)
                }
            }
        }
    }

    /// The track under its new number: as it was where its norm is the same, adapted where the norm was changed.
    private func carried(_ track: Track, _ building: Building, _ device: Int, _ channel: Int) -> Track? {
        guard let number = numbers[track.norm] else { return nil }
        var carried = track
        carried.norm = number
        let (before, now) = (oldNorms[track.norm].norm, context.norms[number].norm)
        guard !isSame(track.norm) else { return carried }
        guard before.measuresLike(now) else { return nil }
        let known = building.devices[device].channels[channel]
        carried.adapt(
            from: before, to: now, number: number,
            newest: known.newest.map { Sample(time: $0, value: known.value * track.factor) },
            nominal: building.nominalVoltage(device, channel), context)
        return carried
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
                for join in flat.joins {
                    guard
                        let index = new[target].flats[newFlat].joins.firstIndex(where: {
                            $0.norm == numbers[join.norm] && $0.scope == join.scope
                        })
                    else { continue }
                    carry(join, of: b, to: index, flat: newFlat, of: target)
                }
            }
        }
    }

    /// With the same conditions a join keeps what it had reached, whatever else was changed. With others its excess goes on where they
    /// too hold now.
    private mutating func carry(_ join: Join, of b: Int, to index: Int, flat: Int, of target: Int) {
        guard case .state(let before) = oldNorms[join.norm].norm.limit,
            case .state(let now) = context.norms[new[target].flats[flat].joins[index].norm].norm.limit
        else { return }
        if before.all == now.all {
            var carried = new[target].flats[flat].joins[index]
            carried.carry(from: join) { reference in
                stayed(b, reference.device).map { .init(device: $0.device, channel: reference.channel) }
            }
            new[target].flats[flat].joins[index] = carried
        } else if join.hold.activeSince != nil {
            var resumed = new[target].look(index, flat: flat, context)
            guard resumed.conditions.allSatisfy({ $0.since != nil }) else { return }
            resumed.hold = join.hold
            new[target].flats[flat].joins[index] = resumed
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
