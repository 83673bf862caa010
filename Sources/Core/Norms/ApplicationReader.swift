extension Application {
    private static let seasonWords: [String: Season] = [
        "all": .any, "year": .any, "heating": .cold, "heating season": .cold, "heating-season": .cold, "winter": .cold,
        "summer": .warm,
    ]

    init(_ key: String, in norm: inout DocumentReader) {
        guard var reader = norm.object(key) else {
            self = .everywhere
            return
        }
        let written = reader.texts("rooms") ?? ["*"]
        rooms = written.map { RoomKind.canonical($0) ?? $0 }
        for room in written where room != "*" && RoomKind.canonical(room) == nil {
            reader.problem(
                "rooms", "“\(room)” is no kind of room",
                remedy: "use *, or some of: \(RoomKind.all.joined(separator: ", "))")
        }
        if written.isEmpty { reader.problem("rooms", "is empty", remedy: "write [\"*\"] for all rooms") }
        season = reader.choice("season", or: Self.seasonWords) ?? .any
        hours = reader.string("hours").flatMap { text in
            if let minutes = ClosedMinutes(text) { return minutes }
            reader.problem("hours", "“\(text)” are no hours", remedy: "write them as \"22:00-07:00\", in local time")
            return nil
        }
        feeds = reader.count("feeds", from: 1)
        nominalVoltage = reader.number("nominalVoltage")
        if let nominalVoltage, nominalVoltage <= 0 {
            reader.problem("nominalVoltage", "is no voltage", remedy: "write the nominal voltage, as in 230")
        }
        opening = reader.choice("opening", DevicePlan.Opening.self)?.rawValue
        floor = reader.value("floor").flatMap { Floors($0, "floor", &reader) }
        burner = reader.bool("burner")
        reader.finish()
    }
}

extension Application.Floors {
    /// A number for one floor, or `{"atLeast": 3, "atMost": 5}`; 0 is the ground floor.
    fileprivate init?(_ value: JSONValue, _ key: String, _ reader: inout DocumentReader) {
        if case .number(let floor) = value {
            self.init(atLeast: floor, atMost: floor)
            return
        }
        guard var object = reader.object(key) else { return nil }
        self.init(atLeast: object.number("atLeast"), atMost: object.number("atMost"))
        if atLeast == nil && atMost == nil {
            object.problem("", "names no floor", remedy: "write a number, or {\"atLeast\": 3}, {\"atMost\": 0} or both")
        }
        if let atLeast, let atMost, atLeast > atMost {
            object.problem("atLeast", "is above atMost", remedy: "exchange them")
        }
        object.finish()
    }
}

extension Application.ClosedMinutes {
    /// `22:00-07:00`; `24:00` is the day's end.
    package init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { part -> Int? in
            let digits = part.split(separator: ":", omittingEmptySubsequences: false)
            guard digits.count == 2, digits.allSatisfy({ (1...2).contains($0.count) }) else { return nil }
            guard let hour = Int(digits[0]), let minute = Int(digits[1]) else { return nil }
            guard (0...24).contains(hour), (0...59).contains(minute), hour * 60 + minute <= 1440 else { return nil }
            return hour * 60 + minute
        }
        guard ends.count == 2, let from = ends[0], let to = ends[1], from != to else { return nil }
        (self.from, self.to) = (from, to)
    }
}
