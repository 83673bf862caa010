extension WorkedExample {
    init(_ source: DocumentReader) {
        var reader = source
        name = reader.text("name", example: "\"50 ppm for two hours\"")
        if reader.value("inventory") != nil {
            inventory = Inventory(rooms: reader.objects("inventory").enumerated().map { .init($1, number: $0) })
            missing = reader.required("missing", reader.count("missing", from: 0), or: 0, example: "1")
            (readings, expect, isArmed, start) = ([], [], false, nil)
            place = ExamplePlace(room: nil, opening: nil, zone: nil)
            reader.finish()
            return
        }
        (inventory, missing) = (nil, 0)
        readings = reader.objects("readings").map { Stretch($0) }
        expect = reader.objects("expect").map { Expectation($0) }
        isArmed = reader.bool("armed") ?? false
        start = reader.instant("start")
        let room = reader.string("room")
        place = ExamplePlace(
            room: room.flatMap { RoomKind.canonical($0) }, opening: reader.choice("opening", DevicePlan.Opening.self),
            zone: reader.choice("zone", DevicePlan.Zone.self))
        if let room, place.room == nil {
            reader.problem(
                "room", "“\(room)” is no kind of room", remedy: "use one of: \(RoomKind.all.joined(separator: ", "))")
        }
        if readings.isEmpty {
            reader.problem(
                "readings", "has no reading",
                remedy: "add {\"from\": \"0 s\", \"to\": \"2 h\", \"every\": \"30 s\", \"value\": 50}")
        }
        if reader.value("expect") == nil {
            reader.problem(
                "expect", "is missing",
                remedy: "add [{\"at\": \"60 min\", \"event\": \"raised\"}], or [] where nothing must come")
        }
        let count = readings.reduce(0) { $0 + $1.count }
        if count > Self.mostReadings {
            reader.problem(
                "readings", "are \(count) readings", remedy: "let them come less often; at most \(Self.mostReadings)")
        }
        reader.finish()
    }

    /// Enough for a year of hours or a day of seconds; a slip in `every` must not run for an hour.
    private static let mostReadings = 100_000
}

extension Inventory.Room {
    /// A room of an example: `{"flat": "1", "floor": 2, "room": "bedroom", "devices": ["smoke", "gas/co"]}`.
    fileprivate init(_ source: DocumentReader, number: Int) {
        var reader = source
        let word = reader.required("room", reader.string("room"), or: "other", example: "\"bedroom\"")
        if RoomKind.canonical(word) == nil {
            reader.problem(
                "room", "“\(word)” is no kind of room", remedy: "use one of: \(RoomKind.all.joined(separator: ", "))")
        }
        let place = Place(building: "example", flat: reader.string("flat") ?? "flat", room: "room \(number + 1)")
        let (floor, hasBurner) = (reader.number("floor"), reader.bool("burner"))
        var series: [Series] = []
        for device in reader.strings("devices") ?? [] {
            let parts = device.split(separator: "/", maxSplits: 1).map(String.init)
            guard let indicator = Indicator(rawValue: parts.first ?? "") else {
                let known = Indicator.allCases.map(\.rawValue).joined(separator: ", ")
                reader.problem("devices", "“\(device)” is no device", remedy: "use one of: \(known); or gas/co")
                continue
            }
            series.append(
                Series(
                    device: device, indicator: indicator, species: parts.count > 1 ? parts[1] : nil,
                    unit: indicator.canonicalUnit ?? .boolean))
        }
        self.init(
            place: place, kind: RoomKind.canonical(word) ?? "other", floor: floor, hasBurner: hasBurner, series: series)
        reader.finish()
    }
}

extension WorkedExample.Stretch {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        from = reader.required("from", reader.span("from"), or: .zero, example: "\"0 s\"")
        to = reader.span("to") ?? from
        let written = reader.span("every")
        if written == .zero { reader.problem("every", "is zero", remedy: "write the time between two readings") }
        every = max(written ?? .minutes(1), .seconds(0.001))
        if case .bool(let flag)? = reader.value("value") {
            value = flag ? 1 : 0
        } else {
            value = reader.required("value", reader.number("value"), or: 0, example: "50")
        }
        indicator = reader.choice("indicator", Indicator.self)
        device = reader.string("device")
        if to < from { reader.problem("to", "is before from", remedy: "exchange them") }
        reader.finish()
    }

    /// How many readings it stands for.
    var count: Int { to < from ? 0 : Int((to - from).microseconds / every.microseconds) + 1 }
}

extension WorkedExample.Expectation {
    fileprivate init(_ source: DocumentReader) {
        var reader = source
        at = reader.required("at", reader.span("at"), or: .zero, example: "\"60 min\"")
        event = reader.required("event", reader.string("event"), or: "raised", example: "\"raised\"")
        severity = reader.choice("severity", Severity.self)
        within = reader.span("within")
        if !Self.events.contains(event) {
            reader.problem(
                "event", "“\(event)” is no event of an example", remedy: "use raised, severity, ended or cleared")
        }
        reader.finish()
    }

    static let events = ["raised", "severity", "ended", "cleared"]
}

extension DocumentReader {
    /// An instant with its zone, or a day.
    fileprivate mutating func instant(_ key: String) -> Timestamp? {
        guard let text = string(key) else { return nil }
        guard let instant = Timestamp(text) ?? Timestamp(text + "T00:00:00Z") else {
            problem(key, "“\(text)” is no time", remedy: "write it as 2026-01-15T08:00:00Z")
            return nil
        }
        return instant
    }
}
