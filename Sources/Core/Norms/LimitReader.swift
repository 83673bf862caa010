extension Limit {
    /// The shapes of which a norm may be made.
    package static let shapes = [
        "band", "mean", "percentile", "exceedances", "time-at-level", "interruption", "state", "peak",
        "frequency-curve", "rate", "presence", "dose",
    ]

    init?(_ key: String, in norm: inout DocumentReader, about indicator: Indicator) {
        guard var reader = norm.object(key) else {
            norm.problem(key, "is missing", remedy: "add it, as in \"limit\": {\"shape\": \"band\", \"upper\": 25}")
            return nil
        }
        let shape = reader.required("shape", reader.string("shape"), or: "…", example: "\"band\"")
        switch shape {
        case "band": self = .band(Band(&reader))
        case "mean": self = .mean(Mean(&reader))
        case "time-at-level": self = .timeAtLevel(TimeAtLevel(&reader))
        case "interruption": self = .interruption(Interruption(&reader))
        case "state": self = .state(StateLimit(&reader))
        case "peak": self = .peak(Peak(&reader))
        case "percentile": self = .percentile(Percentile(&reader))
        case "exceedances": self = .exceedances(Exceedances(&reader))
        case "frequency-curve": self = .frequencyCurve(FrequencyCurve(&reader))
        case "rate": self = .rate(Rate(&reader))
        case "presence": self = .presence(Presence(&reader, of: indicator))
        case "dose": self = .dose(Dose(&reader))
        case "…": return nil
        default:
            reader.problem(
                "shape", "“\(shape)” is no shape of limit",
                remedy: "use one of: \(Self.shapes.joined(separator: ", "))")
            return nil
        }
        reader.finish()
    }
}

/// Reports a limit that limits nothing, or whose lower end lies above its upper end.
func checkBounds(_ lower: Double?, _ upper: Double?, in reader: DocumentReader) {
    if lower == nil && upper == nil {
        reader.problem("", "has neither lower nor upper", remedy: "give at least one of them")
    }
    if let lower, let upper, lower >= upper {
        reader.problem("lower", "is not below upper", remedy: "exchange \(lower) and \(upper), or correct one")
    }
}

extension Band {
    fileprivate init(_ reader: inout DocumentReader) {
        lower = reader.number("lower")
        upper = reader.number("upper")
        reaches = reader.bool("reaches") ?? false
        deadband = reader.number("deadband") ?? 0
        onDelay = reader.span("onDelay") ?? .zero
        offDelay = reader.span("offDelay") ?? .zero
        checkBounds(lower, upper, in: reader)
        if deadband < 0 {
            reader.problem("deadband", "is negative", remedy: "write how far back inside the band counts as good")
        }
        if let lower, let upper, deadband * 2 >= upper - lower {
            reader.problem(
                "deadband", "leaves no value that would end the alarm", remedy: "make it smaller than half the band")
        }
    }
}

extension Mean {
    fileprivate init(_ reader: inout DocumentReader) {
        reaches = reader.bool("reaches") ?? false
        windows = []
        for var window in reader.objects("windows") {
            let length = window.required("length", window.span("length"), or: .minutes(10), example: "\"10 min\"")
            if length <= .zero { window.problem("length", "is zero", remedy: "write the averaging time of the act") }
            let read = Window(
                length: length, kind: window.choice("kind", Kind.self) ?? .sliding, lower: window.number("lower"),
                upper: window.number("upper"), completeness: window.number("completeness") ?? 0.75,
                severity: window.choice("severity", Severity.self))
            checkBounds(read.lower, read.upper, in: window)
            if !(0...1).contains(read.completeness) {
                window.problem("completeness", "is not a share", remedy: "write a number from 0 to 1")
            }
            window.finish()
            windows.append(read)
        }
        if windows.isEmpty {
            reader.problem(
                "windows", "has no window", remedy: "add {\"length\": \"10 min\", \"kind\": \"block\", \"upper\": …}")
        }
    }
}

extension TimeAtLevel {
    fileprivate init(_ reader: inout DocumentReader) {
        reaches = reader.bool("reaches") ?? false
        resetBelow = reader.number("resetBelow")
        levels = []
        for var level in reader.objects("levels") {
            let read = Level(
                atLeast: level.required("atLeast", level.number("atLeast"), or: 0, example: "50"),
                notBefore: level.span("notBefore"), by: level.span("by"),
                severity: level.choice("severity", Severity.self))
            if read.notBefore == nil && read.by == nil {
                level.problem("", "says no time", remedy: "add \"notBefore\" or \"by\"")
            }
            if let early = read.notBefore, let late = read.by, early > late {
                level.problem("by", "is before notBefore", remedy: "exchange them")
            }
            if let resetBelow, resetBelow > read.atLeast {
                level.problem("atLeast", "is below resetBelow", remedy: "lower resetBelow to \(read.atLeast) or less")
            }
            if levels.contains(where: { $0.atLeast == read.atLeast }) {
                level.problem("atLeast", "is there twice", remedy: "keep one level for each value")
            }
            level.finish()
            levels.append(read)
        }
        if levels.isEmpty {
            reader.problem("levels", "has no level", remedy: "add {\"atLeast\": 50, \"by\": \"90 min\"}")
        }
        levels.sort { $0.atLeast < $1.atLeast }
    }
}

extension Interruption {
    fileprivate init(_ reader: inout DocumentReader) {
        belowShare = reader.required("belowShare", reader.number("belowShare"), or: 0.05, example: "0.05")
        let longerThan = reader.span("longerThan")
        budget = OutageBudget("budget", in: &reader)
        // Without a budget every outage counts; with one alone, only their sum does.
        self.longerThan = longerThan ?? (budget == nil ? .zero : nil)
        if !(belowShare > 0 && belowShare < 1) {
            reader.problem(
                "belowShare", "is not a share of the nominal voltage", remedy: "write a number between 0 and 1")
        }
    }
}

extension StateLimit {
    fileprivate init(_ reader: inout DocumentReader) {
        onDelay = reader.span("onDelay") ?? .zero
        offDelay = reader.span("offDelay") ?? .zero
        all = []
        for var object in reader.objects("all") {
            if let condition = Condition(&object) { all.append(condition) }
            object.finish()
        }
        // Two doors of one room are open for as long as each of them is; conditions of several kinds meet in the room.
        scope = reader.choice("scope", Scope.self) ?? (all.count == 1 ? .device : .room)
        if all.isEmpty {
            reader.problem("all", "has no condition", remedy: "add {\"indicator\": \"water_leak\", \"is\": true}")
        }
        if isArmed && all.count == 1 {
            reader.problem("all", "has nothing that could trigger", remedy: "add a door or motion condition")
        }
    }
}

extension StateLimit.Condition {
    private static let yes = ["true", "yes", "on", "open", "wet"]
    private static let no = ["false", "no", "off", "closed", "dry"]

    fileprivate init?(_ reader: inout DocumentReader) {
        let word = reader.required("indicator", reader.string("indicator"), or: "…", example: "\"door\"")
        let written = reader.value("is")
        let (below, above) = (reader.number("below"), reader.number("above"))
        species = (reader.texts("species") ?? []).map { $0.lowercased() }
        unit = reader.unit("unit")
        opening = reader.choice("opening", DevicePlan.Opening.self)?.rawValue
        zone = reader.choice("zone", DevicePlan.Zone.self)?.rawValue
        switch word {
        case "…": return nil
        case "armed": subject = .armed
        case "mains": subject = .mains
        default:
            guard let indicator = Indicator(rawValue: word) else {
                let known = Indicator.allCases.map(\.rawValue).joined(separator: ", ")
                reader.problem("indicator", "“\(word)” is not known", remedy: "use one of: \(known), armed, mains")
                return nil
            }
            subject = .indicator(indicator)
        }
        switch (written, below, above) {
        case (.bool(let flag), nil, nil): test = .equals(flag ? 1 : 0)
        case (.number(let number), nil, nil) where number == 0 || number == 1: test = .equals(number)
        case (.string(let text), nil, nil) where Self.yes.contains(text.lowercased()): test = .equals(1)
        case (.string(let text), nil, nil) where Self.no.contains(text.lowercased()): test = .equals(0)
        case (nil, let limit?, nil): test = .below(limit)
        case (nil, nil, let limit?): test = .above(limit)
        case (_?, nil, nil):
            reader.problem("is", "is neither yes nor no", remedy: "write true or false")
            return nil
        default:
            reader.problem("", "needs exactly one test", remedy: "give \"is\", \"below\" or \"above\"")
            return nil
        }
        checkSubject(reader)
    }

    private func checkSubject(_ reader: DocumentReader) {
        switch (subject, test) {
        case (.armed, .equals(1)), (.indicator, _): break
        case (.armed, _):
            reader.problem("is", "can only be true for armed", remedy: "write {\"indicator\": \"armed\", \"is\": true}")
        case (.mains, .below(let share)) where (0...2).contains(share): break
        case (.mains, .above(let share)) where (0...2).contains(share): break
        case (.mains, _):
            reader.problem(
                "", "mains is a share of the nominal voltage",
                remedy: "write {\"indicator\": \"mains\", \"below\": 0.05}")
        }
    }
}

extension Peak {
    fileprivate init(_ reader: inout DocumentReader) {
        reaches = reader.bool("reaches") ?? true
        levels = []
        for var level in reader.objects("levels") {
            levels.append(
                Level(
                    atLeast: level.required("atLeast", level.number("atLeast"), or: 1, example: "0.25"),
                    total: level.span("total") ?? .zero, severity: level.choice("severity", Severity.self)))
            if let last = levels.last, last.atLeast <= 0 {
                level.problem("atLeast", "is not above zero", remedy: "write the acceleration or velocity of the act")
            }
            if let last = levels.last, levels.dropLast().contains(where: { $0.atLeast == last.atLeast }) {
                level.problem("atLeast", "is there twice", remedy: "keep one level for each value")
            }
            level.finish()
        }
        if levels.isEmpty {
            reader.problem("levels", "has no level", remedy: "add {\"atLeast\": 0.25, \"total\": \"0.3 s\"}")
        }
        levels.sort { $0.atLeast < $1.atLeast }
        if var object = reader.object("corroborate") {
            corroborate = Corroboration(
                devices: object.required("devices", object.count("devices", from: 2), or: 3, example: "3"),
                within: object.required("within", object.span("within"), or: .seconds(10), example: "\"10 s\""))
            object.finish()
        } else {
            corroborate = nil
        }
    }
}
