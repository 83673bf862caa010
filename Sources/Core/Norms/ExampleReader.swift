extension WorkedExample {
    init(_ source: DocumentReader) {
        var reader = source
        name = reader.text("name", example: "\"50 ppm for two hours\"")
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
