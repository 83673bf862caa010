/// What a new site document changes, in plain words, before it is put in force.
package struct SiteChange {
    package let lines: [String]

    package init(from old: Site, to new: Site) {
        var lines: [String] = []
        func compare<Value: Equatable>(_ what: String, _ a: Value, _ b: Value) {
            if a != b { lines.append("\(what): \(a) → \(b)") }
        }
        compare("site", old.id, new.id)
        compare("time zone", old.timeZone, new.timeZone)
        compare("language", old.language.rawValue, new.language.rawValue)
        compare("jurisdictions", old.jurisdictions.joined(separator: ", "), new.jurisdictions.joined(separator: ", "))
        compare("devices may place themselves", old.selfPlacement, new.selfPlacement)
        lines += Self.difference("building", old.buildings.map(\.id), new.buildings.map(\.id))
        lines += Self.difference("flat", Self.flats(old), Self.flats(new))
        lines += Self.difference("room", Self.rooms(old), Self.rooms(new))
        lines += Self.devices(old, new)
        lines += Self.difference("person", old.people.map(\.id), new.people.map(\.id))
        for person in new.people {
            guard let before = old.people.first(where: { $0.id == person.id }), before != person else { continue }
            lines.append("person \(person.id) is changed")
        }
        if old.routes != new.routes { lines.append("routes: \(old.routes.count) → \(new.routes.count)") }
        if lines.isEmpty { lines = ["nothing changes"] }
        self.lines = lines + Self.cautions(new)
    }

    /// Why `new` must not be put in force; nil where it may.
    package static func refusal(from old: Site, to new: Site) -> DocumentProblem? {
        guard old.reachesSomebody, !new.reachesSomebody else { return nil }
        return DocumentProblem(
            path: "people",
            message: "nobody would be told of alarms any more: no person has a channel that can be used",
            remedy:
                "give at least one person a channel, as in \"channels\": [{\"kind\": \"email\", \"address\": \"…\"}]")
    }

    private static func flats(_ site: Site) -> [String] {
        site.buildings.flatMap { building in building.flats.map { "\(building.id)/\($0.id)" } }
    }

    private static func rooms(_ site: Site) -> [String] {
        site.buildings.flatMap { building in
            building.flats.flatMap { flat in flat.rooms.map { "\(building.id)/\(flat.id)/\($0.id) (\($0.kind))" } }
        }
    }

    private static func places(_ site: Site) -> [String: (place: String, plan: DevicePlan)] {
        var places: [String: (String, DevicePlan)] = [:]
        for building in site.buildings {
            for flat in building.flats {
                for room in flat.rooms {
                    for device in room.devices { places[device.id] = ("\(building.id)/\(flat.id)/\(room.id)", device) }
                }
            }
        }
        return places
    }

    private static func devices(_ old: Site, _ new: Site) -> [String] {
        let (before, after) = (places(old), places(new))
        var lines = difference("device", before.keys.sorted(), after.keys.sorted())
        for (id, now) in after.sorted(by: { $0.key < $1.key }) {
            guard let then = before[id] else { continue }
            if then.place != now.place {
                lines.append("device \(id) moves from \(then.place) to \(now.place)")
            } else if then.plan != now.plan {
                lines.append("device \(id) is changed")
            }
        }
        return lines
    }

    private static func difference(_ what: String, _ old: [String], _ new: [String]) -> [String] {
        let (before, after) = (Set(old), Set(new))
        return new.filter { !before.contains($0) }.map { "+ \(what) \($0)" }
            + old.filter { !after.contains($0) }.map { "- \(what) \($0)" }
    }

    /// What the document asks for and this version does not do.
    private static func cautions(_ site: Site) -> [String] {
        var lines: [String] = []
        if !site.reachesSomebody {
            lines.append("! nobody is told of alarms: no person has a channel that can be used")
        }
        for person in site.people {
            for channel in person.channels where !channel.kind.canSend {
                lines.append(
                    "! \(person.id): this version cannot send by \(channel.kind.rawValue); add e-mail, webhook or mqtt")
            }
            if person.quietHours != nil {
                lines.append("! \(person.id): this version keeps no quiet hours; messages come at any time")
            }
        }
        return lines
    }
}

extension Site {
    fileprivate var reachesSomebody: Bool { people.contains { $0.channels.contains { $0.kind.canSend } } }
}
