import Core

/// What a scenario says of a building besides its flats.
struct BuildingHeader {
    var members: [String: JSONValue]

    static func read(_ reader: inout DocumentReader) -> [String: BuildingHeader] {
        var headers: [String: BuildingHeader] = [:]
        var seen: Set<String> = []
        for source in reader.objects("buildings") {
            var building = source
            let id = identifier(&building, example: "\"b1\"")
            if !seen.insert(id).inserted {
                building.problem("id", "the building “\(id)” is there twice", remedy: "give the other its own id")
            }
            _ = building.value("flats")
            var members: [String: JSONValue] = ["id": .string(id)]
            for key in ["name", "nominalVoltage", "feeds", "street", "house", "city", "country", "description"] {
                members[key] = building.value(key)
            }
            if members["nominalVoltage"] == nil { members["nominalVoltage"] = 230 }
            building.finish()
            headers[id] = BuildingHeader(members: members)
        }
        return headers
    }
}

/// The site document for a scenario: its own head, with all buildings, flats, rooms and devices.
enum SiteDocument {
    static func text(
        _ head: JSONValue?, _ headers: [String: BuildingHeader], _ flats: [SimulatedFlat], _ reader: DocumentReader
    ) -> String {
        var members: [String: JSONValue] = ["site": "simulation", "timeZone": "UTC", "jurisdictions": ["EU"]]
        if case .object(let own)? = head {
            for (key, value) in own { members[key] = value }
        } else if head != nil {
            reader.problem("site", "must be an object", remedy: "write {\"site\": \"riverside\", …} without buildings")
        }
        if members["buildings"] != nil {
            reader.problem("site.buildings", "is made from the scenario's own buildings", remedy: "leave it out")
        }
        var order: [String] = []
        for flat in flats where !order.contains(flat.building) { order.append(flat.building) }
        members["buildings"] = .array(
            order.map { id in
                var building = headers[id]?.members ?? ["id": .string(id)]
                building["flats"] = .array(flats.filter { $0.building == id }.map { $0.json })
                return .object(building)
            })
        let text = JSONValue.object(members).text
        do {
            _ = try Site(parsing: text)
        } catch {
            for problem in error.problems {
                reader.problem("site", "\(problem.path) \(problem.message)", remedy: problem.remedy)
            }
        }
        return text
    }
}

extension SimulatedFlat {
    fileprivate var json: JSONValue {
        [
            "id": .string(id),
            "rooms": .array(
                rooms.map { room in
                    [
                        "id": .string(room.id), "kind": .string(room.kind),
                        "devices": .array(room.devices.map { $0.json(building: building, flat: id, room: room.id) }),
                    ]
                }),
        ]
    }
}

extension DeviceSpec {
    fileprivate func json(building: String, flat: String, room: String) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(serviceID(building: building, flat: flat, room: room))
        ]
        members["opening"] = opening.map { .string($0) }
        members["zone"] = zone.map { .string($0) }
        members["interval"] = interval.map { .string($0) }
        if measures.contains(where: { $0.quantity == .lamp }) { members["lamp"] = true }
        return .object(members)
    }
}
