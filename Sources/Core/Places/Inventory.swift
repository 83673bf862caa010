/// What stands where, for the duties to have a device.
package struct Inventory: Hashable, Sendable {
    package struct Room: Hashable, Sendable {
        package let place: Place
        package let kind: String
        package var floor: Double?
        package var hasBurner: Bool?
        package var feeds: Int?
        package var nominalVoltage: Double?
        /// What the devices of the room tell about. A device that has never spoken tells about nothing.
        package var series: [Series]

        package init(place: Place, kind: String, floor: Double? = nil, hasBurner: Bool? = nil, series: [Series]) {
            (self.place, self.kind, self.floor, self.hasBurner, self.series) = (place, kind, floor, hasBurner, series)
        }
    }
    package let rooms: [Room]

    package init(rooms: [Room]) { self.rooms = rooms }

    /// - Parameter series: all that are known, of whatever device.
    package init(_ site: Site, series: some Sequence<Series>) {
        let known = Dictionary(grouping: series, by: \.device)
        rooms = site.buildings.flatMap { building in
            building.flats.flatMap { flat in
                flat.rooms.map { plan in
                    var room = Room(
                        place: Place(building: building.id, flat: flat.id, room: plan.id), kind: plan.kind,
                        floor: flat.floor, hasBurner: flat.hasBurner,
                        series: plan.devices.flatMap { known[$0.id] ?? [] })
                    room.feeds = building.feeds
                    room.nominalVoltage = flat.nominalVoltage ?? building.nominalVoltage
                    return room
                }
            }
        }
    }
}

extension Inventory {
    /// Only what is in that building, flat or room.
    package func within(_ path: String) -> Inventory {
        Inventory(rooms: rooms.filter { $0.place.path == path || $0.place.path.hasPrefix(path + "/") })
    }
}

/// Where a device is missing that must be there.
package struct Absence: Hashable, Sendable {
    /// `b1/f2/kitchen`, `b1 floor 2`.
    package var words: String {
        [place.path, storey.map { "floor \(Int($0))" }].compactMap { $0 }.joined(separator: " ")
    }

    /// A room, a flat or a building, as the duty is; for a storey the building.
    package let place: Place
    package let storey: Double?
}

extension Norm {
    /// The places that must have a device by this norm and have none, in the order of the inventory; empty for other shapes.
    package func absences(in inventory: Inventory) -> [Absence] { duty(in: inventory).missing }

    /// How many places must have a device by this norm, and those that have none.
    package func duty(in inventory: Inventory) -> (places: Int, missing: [Absence]) {
        guard case .presence(let presence) = limit else { return (0, []) }
        var order: [Absence] = []
        var needs: Set<Absence> = []
        var has: Set<Absence> = []
        for room in inventory.rooms {
            let group = presence.group(of: room)
            if needsDevice(room, presence), needs.insert(group).inserted { order.append(group) }
            if room.series.contains(where: { fits($0, presence) }) { has.insert(group) }
        }
        return (order.count, order.filter { !has.contains($0) })
    }

    private func fits(_ series: Series, _ presence: Presence) -> Bool {
        series.indicator == presence.indicator && !series.isShakingFrequency && coversSpecies(of: series)
    }

    private func needsDevice(_ room: Inventory.Room, _ presence: Presence) -> Bool {
        guard presence.rooms.isEmpty || presence.rooms.contains(room.kind) else { return false }
        let unit = presence.indicator.canonicalUnit ?? .boolean
        let traits = NormLibrary.Traits(
            series: Series(device: "", indicator: presence.indicator, unit: unit), roomKind: room.kind, isPlaced: true,
            nominalVoltage: room.nominalVoltage, feeds: room.feeds, floor: room.floor, hasBurner: room.hasBurner)
        return appliesTo.covers(traits, hazard)
    }
}

extension Presence {
    /// A flat of which the storey is not known is taken for one of its own.
    fileprivate func group(of room: Inventory.Room) -> Absence {
        let place = room.place
        switch per {
        case .room: return Absence(place: place, storey: nil)
        case .storey where room.floor != nil:
            return Absence(place: Place(building: place.building), storey: room.floor)
        case .flat, .storey: return Absence(place: Place(building: place.building, flat: place.flat), storey: nil)
        case .building: return Absence(place: Place(building: place.building), storey: nil)
        }
    }
}
