extension FrequencyCurve {
    init(_ reader: inout DocumentReader) {
        severity = reader.choice("severity", Severity.self)
        reaches = reader.bool("reaches") ?? false
        points = []
        for (item, path) in reader.array("points") ?? [] {
            guard let point = Point(item, path, reader) else { continue }
            if points.contains(where: { $0.hertz == point.hertz }) {
                reader.problems.add(path, "has a frequency that is there already", remedy: "keep one point for each")
            }
            points.append(point)
        }
        points.sort { $0.hertz < $1.hertz }
        if points.isEmpty {
            reader.problem(
                "points", "has no point", remedy: "add [{\"hz\": 10, \"value\": 5}, {\"hz\": 50, \"value\": 15}]")
            points = [Point(hertz: 1, value: 1)]
        }
    }
}

extension FrequencyCurve.Point {
    /// `{"hz": 10, "value": 5}`, or the pair `[10, 5]`.
    fileprivate init?(_ item: JSONValue, _ path: String, _ curve: DocumentReader) {
        if case .array(let pair) = item {
            guard pair.count == 2, case .number(let hertz) = pair[0], case .number(let value) = pair[1] else {
                curve.problems.add(
                    path, "is no point", remedy: "write {\"hz\": 10, \"value\": 5}")
                return nil
            }
            self.init(hertz: hertz, value: value)
        } else {
            var reader = DocumentReader(item, path: path, problems: curve.problems)
            guard case .object = item else { return nil }
            self.init(
                hertz: reader.required("hz", reader.number("hz"), or: 1, example: "10"),
                value: reader.required("value", reader.number("value"), or: 1, example: "5"))
            reader.finish()
        }
        if !(hertz >= 0 && value > 0) {
            curve.problems.add(
                path, "is no limit at a frequency", remedy: "write a frequency from 0 Hz and a value above zero")
        }
    }
}

extension Rate {
    init(_ reader: inout DocumentReader) {
        upper = reader.number("upper")
        lower = reader.number("lower")
        reaches = reader.bool("reaches") ?? false
        let per = reader.required("per", reader.span("per"), or: .minutes(1), example: "\"1 min\"")
        self.per = per > .zero ? per : .minutes(1)
        let over = reader.span("over")
        self.over = over.flatMap { $0 > .zero ? $0 : nil } ?? self.per
        if upper == nil && lower == nil {
            reader.problem("", "has neither lower nor upper", remedy: "give at least one of them")
        }
        if let upper, upper <= 0 {
            reader.problem("upper", "is no rise", remedy: "write a number above zero; a fall is \"lower\", below zero")
        }
        if let lower, lower >= 0 {
            reader.problem("lower", "is no fall", remedy: "write a number below zero; a rise is \"upper\", above zero")
        }
        if per <= .zero { reader.problem("per", "is zero", remedy: "write the time for which the change is stated") }
        if over == .zero { reader.problem("over", "is zero", remedy: "write over what time the change is looked at") }
    }
}

extension Presence {
    /// The indicator is the norm's own where not said.
    init(_ reader: inout DocumentReader, of indicator: Indicator) {
        let written = reader.choice("indicator", Indicator.self)
        self.indicator = written ?? indicator
        let scope = reader.choice("per", Scope.self)
        per = reader.required("per", scope, or: .flat, example: "\"flat\"")
        let words = reader.texts("rooms") ?? ["*"]
        rooms = words.contains("*") ? [] : words.map { RoomKind.canonical($0) ?? $0 }
        for word in words where word != "*" && RoomKind.canonical(word) == nil {
            reader.problem(
                "rooms", "“\(word)” is no kind of room",
                remedy: "use *, or some of: \(RoomKind.all.joined(separator: ", "))")
        }
        if words.isEmpty { reader.problem("rooms", "is empty", remedy: "write [\"*\"] for all rooms") }
    }
}

extension Dose {
    init(_ reader: inout DocumentReader) {
        power = reader.number("power") ?? 4
        upper = reader.required("upper", reader.number("upper"), or: 1, example: "0.4")
        reaches = reader.bool("reaches") ?? false
        per = reader.calendarPeriod("per")
        if !(1...8).contains(power) {
            reader.problem(
                "power", "is no power of a dose", remedy: "write a number from 1 to 8; 4 for vibration (VDV)")
        }
        if upper <= 0 { reader.problem("upper", "is no dose", remedy: "write a number above zero") }
    }
}
