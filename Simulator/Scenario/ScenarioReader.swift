import Core

extension Scenario {
    /// Reads a scenario; comments are allowed.
    /// - Parameter settings: values for the document's parameters that somebody chose.
    /// - Throws: every problem at once, each with its path and remedy.
    init(parsing text: String, name: String, settings: [String: Double] = [:]) throws(DocumentProblems) {
        let problems = ProblemList()
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text, lenient: true)
        } catch {
            throw DocumentProblems([error])
        }
        for path in DuplicateKeys.paths(in: text) {
            problems.add(path, "stands twice", remedy: "delete one of them")
        }
        var reader = DocumentReader(value, problems: problems)
        self.init(&reader, name: name, settings)
        var seen: Set<DocumentProblem> = []
        let distinct = problems.problems.filter { seen.insert($0).inserted }
        guard distinct.isEmpty else { throw DocumentProblems(distinct) }
    }

    private init(_ reader: inout DocumentReader, name: String, _ settings: [String: Double]) {
        self.name = name
        _ = reader.string("$schema")
        title = reader.required("title", reader.string("title"), or: "", example: "\"What it shows\"")
        let written = reader.required("start", reader.string("start"), or: "", example: "\"2026-11-30T18:00:00Z\"")
        start = Timestamp(written) ?? Timestamp(microseconds: 0)
        if !written.isEmpty && Timestamp(written) == nil {
            reader.problem("start", "“\(written)” is no time", remedy: "write it as 2026-11-30T18:00:00Z")
        } else if !written.isEmpty && !Bounds.start.contains(start) {
            reader.problem("start", "“\(written)” is too far away", remedy: "write a time from 2000 to 2099")
        }
        let parameters = Parameters(&reader, settings)
        numbers = Self.numbers(&reader, parameters)
        duration = numbers.map { Double($0.count) / $0.rate } ?? reader.span("duration")?.seconds ?? 0
        if duration <= 0 { reader.problem("duration", "is missing", remedy: "add it, as in \"duration\": \"15 min\"") }
        if numbers == nil && !Bounds.seconds.contains(duration) {
            reader.problem("duration", "is too long", remedy: "write a year (366 d) or less")
        }
        let templates = FlatTemplate.read(&reader)
        flats = SimulatedFlat.read(&reader, templates, parameters)
        let plan = BuildingHeader.read(&reader)
        let paths = DevicePaths(flats)
        // With readings by number the end is whoever's who runs it; what lies behind it does not happen.
        let length = numbers == nil ? duration : .infinity
        happenings = reader.objects("happenings").compactMap { Happening($0, paths, length: length) }
        faults = reader.objects("faults").compactMap { Fault($0, paths, length: length) }
        actions = reader.objects("people").compactMap { PersonAction($0, paths, length: length) }
        (expectations, allowedFaults) = Expectation.read(&reader, paths, length: length)
        siteDocument = SiteDocument.text(reader.value("site"), plan, flats, reader)
        reader.finish()
    }

    private static func numbers(_ reader: inout DocumentReader, _ parameters: Parameters) -> Numbers? {
        guard var object = reader.object("numbers") else { return nil }
        let rate = parameters.amount("rate", &object).map { object.limited($0, to: Bounds.rate, at: "rate") } ?? 0
        let count =
            parameters.amount("count", &object).map { object.limited($0, to: Bounds.messages, at: "count") } ?? 0
        object.finish()
        if rate <= 0 { object.problem("rate", "is missing", remedy: "write readings per second, as in \"rate\": 200") }
        if count < 1 { object.problem("count", "is missing", remedy: "write how many in all, as in \"count\": 10000") }
        return rate > 0 && count >= 1 ? Numbers(rate: rate, count: Int(count)) : nil
    }
}

/// Numbers of a document that can be chosen anew for a run: `"parameters": {"flats": 8}`, or with a least value
/// `{"flats": {"value": 8, "least": 7}}`.
struct Parameters {
    private var values: [String: Double] = [:]

    init(_ reader: inout DocumentReader, _ settings: [String: Double]) {
        guard var object = reader.object("parameters") else {
            for name in settings.keys.sorted() { Self.refuse(name, [], reader) }
            return
        }
        for name in ["flats", "rate", "count"] {
            guard let value = object.value(name) else { continue }
            var least = name == "rate" ? 0.001 : 1
            if case .number(let number) = value {
                values[name] = number
            } else if var detail = object.object(name) {
                values[name] = detail.required("value", detail.number("value"), or: 1, example: "8")
                least = detail.number("least") ?? least
                detail.finish()
            }
            if let chosen = settings[name] { values[name] = chosen }
            let most = name == "flats" ? Bounds.flats.upperBound : Bounds.messages.upperBound
            let used = values[name] ?? 0
            if used < least || used > most || name != "rate" && used != used.rounded() {
                object.problem(
                    name, "\(used.shown) is not possible here",
                    remedy: "choose a number from \(least.shown) to \(most.shown)")
                // One mistake, one problem: what follows from it is not told again.
                values[name] = min(max(least, used.rounded()), most)
            }
        }
        object.finish()
        for name in settings.keys.sorted() where values[name] == nil { Self.refuse(name, values.keys.sorted(), reader) }
    }

    private static func refuse(_ name: String, _ known: [String], _ reader: DocumentReader) {
        let remedy = known.isEmpty ? "it has none to choose" : "it has: \(known.joined(separator: ", "))"
        reader.problem("parameters", "this scenario has no “\(name)”", remedy: remedy)
    }

    /// A number, a parameter's name, or a share of it: `8`, `"flats"`, `"flats/50"` (rounded up).
    func amount(_ key: String, _ reader: inout DocumentReader) -> Double? {
        switch reader.value(key) {
        case nil: return nil
        case .number(let number): return number
        case .string(let text):
            let parts = text.split(separator: "/").map { $0.filter { $0 != " " } }
            let divisor = parts.count == 2 ? Double(parts[1]) : 1
            if let value = parts.first.flatMap({ values[$0] }), let divisor, divisor > 0, parts.count <= 2 {
                return parts.count == 1 ? value : (value / divisor).rounded(.up)
            }
            fallthrough
        default:
            reader.problem(
                key, "is neither a number nor a parameter",
                remedy: values.isEmpty
                    ? "write a number" : "write a number, or one of: \(values.keys.sorted().joined(separator: ", "))")
            return nil
        }
    }
}
