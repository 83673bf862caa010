import Core

/// `at` and `until` in seconds; what has no end goes on to the end of the scenario.
private func time(_ reader: inout DocumentReader, length: Double, usual: Double? = nil) -> Interval {
    let from = reader.required("at", reader.span("at"), or: .zero, example: "\"2 min\"").seconds
    let to = reader.span("until")?.seconds ?? usual.map { from + $0 } ?? .infinity
    if to <= from { reader.problem("until", "is not after “at”", remedy: "write the time since the scenario's start") }
    if from > length { reader.problem("at", "is after the scenario's end", remedy: "make \"duration\" longer") }
    return Interval(from: from, to: to)
}

extension Happening {
    init?(_ source: DocumentReader, _ paths: DevicePaths, length: Double) {
        var reader = source
        let what = reader.required("what", reader.choice("what", What.self), or: .water, example: "\"gas-leak\"")
        time = Simulator.time(&reader, length: length, usual: what.usualLength)
        self.what = what
        let place = paths.pattern("where", &reader, depth: 1...4, example: "\"b1/f2/kitchen\"")
        peak = what.usualPeak.map { usual in reader.number("peak", within: Bounds.value) ?? usual } ?? 0
        rise = what.usualRise.map { usual in reader.span("rise")?.seconds ?? usual } ?? 0
        meters = what == .powerOutage ? reader.choice("meters", Meters.self) ?? .silent : .silent
        reader.finish()
        guard let place else { return nil }
        self.place = place
    }
}

extension Fault {
    init?(_ source: DocumentReader, _ paths: DevicePaths, length: Double) {
        var reader = source
        what = reader.required("what", reader.choice("what", What.self), or: .dropout, example: "\"frozen\"")
        time = Simulator.time(&reader, length: length)
        let device = paths.pattern("device", &reader, depth: 4...4, example: "\"b1/f2/kitchen/climate\"")
        measure = reader.choice("measure", Quantity.self)
        var offset = 0.0
        if what == .wrongClock {
            let text = reader.required("offset", reader.string("offset"), or: "", example: "\"-3 h\"")
            let span = Span(text.hasPrefix("-") ? String(text.dropFirst()) : text)
            if let span {
                offset = text.hasPrefix("-") ? -span.seconds : span.seconds
            } else if !text.isEmpty {
                reader.problem("offset", "“\(text)” is no duration", remedy: "write it as \"-3 h\" or \"40 d\"")
            }
        }
        self.offset = offset
        values = what == .spikes ? Self.values(&reader) : []
        share = what == .spikes ? reader.number("percent", within: Bounds.percent) ?? 5 : 0
        every = what == .replay ? reader.span("every")?.seconds ?? 300 : 0
        if what == .replay && every < 1 { reader.problem("every", "is too short", remedy: "write 1 s or more") }
        reader.finish()
        guard let device else { return nil }
        self.device = device
    }

    private static func values(_ reader: inout DocumentReader) -> [Double] {
        let items = reader.required("values", reader.array("values"), or: [], example: "[43521, 65535, -127]")
        return items.enumerated().map { index, item in
            let key = "values[\(index)]"
            guard case .number(let number) = item.0 else {
                reader.problem(key, "must be a number", remedy: "write it without quotation marks and unit")
                return 0
            }
            return reader.limited(number, to: Bounds.value, at: key)
        }
    }
}

extension PersonAction {
    init?(_ source: DocumentReader, _ paths: DevicePaths, length: Double) {
        enum Word: String, CaseIterable { case arm, acknowledge }
        var reader = source
        at = reader.required("at", reader.span("at"), or: .zero, example: "\"2 min\"").seconds
        if at > length { reader.problem("at", "is after the scenario's end", remedy: "make \"duration\" longer") }
        by = reader.string("by") ?? "simulator"
        let word = reader.required("do", reader.choice("do", Word.self), or: .arm, example: "\"arm\"")
        switch word {
        case .arm:
            let mode = reader.required("mode", reader.choice("mode", ArmMode.self), or: .away, example: "\"away\"")
            let flat = paths.pattern("where", &reader, depth: 2...2, example: "\"b1/f4\"")
            reader.finish()
            guard let flat, let path = paths.named(by: flat).first else { return nil }
            what = .arm(building: path[0], flat: path[1], mode: mode)
        case .acknowledge:
            let hazard = reader.required("hazard", reader.choice("hazard", Hazard.self), or: .fire, example: "\"fire\"")
            let place = paths.pattern("where", &reader, depth: 1...2, example: "\"b1/f4\"")
            reader.finish()
            guard let place, let path = paths.named(by: place).first else { return nil }
            what = .acknowledge(hazard, place: path)
        }
    }
}
