import Core

/// All places and devices of a scenario, to find out what a pattern means.
struct DevicePaths {
    /// Building, flat, room, device.
    let devices: [[String]]
    let rooms: [[String]]
    let flats: [[String]]
    let buildings: [[String]]

    init(_ flats: [SimulatedFlat]) {
        self.flats = flats.map { [$0.building, $0.id] }
        rooms = flats.flatMap { flat in flat.rooms.map { [flat.building, flat.id, $0.id] } }
        devices = flats.flatMap { flat in
            flat.rooms.flatMap { room in room.devices.map { [flat.building, flat.id, room.id, $0.id] } }
        }
        var seen: Set<String> = []
        buildings = flats.map(\.building).filter { seen.insert($0).inserted }.map { [$0] }
    }

    private func paths(depth: Int) -> [[String]] {
        switch depth {
        case 1: buildings
        case 2: flats
        case 3: rooms
        default: devices
        }
    }

    /// What a pattern names, level by level.
    func named(by pattern: PlacePattern) -> [[String]] { paths(depth: pattern.depth).filter { pattern.names($0) } }

    /// Reads a place that must exist, with so many levels.
    func pattern(_ key: String, _ reader: inout DocumentReader, depth: ClosedRange<Int>, example: String)
        -> PlacePattern?
    {
        let text = reader.required(key, reader.string(key), or: "", example: example)
        guard !text.isEmpty else { return nil }
        let pattern = PlacePattern(text)
        guard depth.contains(pattern.depth) else {
            reader.problem(key, "“\(text)” has the wrong number of levels", remedy: "write it as in \(example)")
            return nil
        }
        guard !named(by: pattern).isEmpty else {
            let known = paths(depth: pattern.depth).prefix(6).map { $0.joined(separator: "/") }
            reader.problem(
                key, "“\(text)” is nowhere in this scenario",
                remedy: "there are: \(known.joined(separator: ", "))\(known.count == 6 ? ", …" : "")")
            return nil
        }
        return pattern
    }
}
