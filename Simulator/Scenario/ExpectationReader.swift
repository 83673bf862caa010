import Core

extension Expectation {
    /// Reads `expect`: the alarms and faults that must follow, one for each place that is named.
    static func read(_ reader: inout DocumentReader, _ paths: DevicePaths, length: Double)
        -> ([Expectation], Set<FaultKind>)
    {
        guard var object = reader.object("expect") else {
            reader.problem("expect", "is missing", remedy: "add {\"alarms\": []}: what must follow, or nothing at all")
            return ([], [])
        }
        let alarms = object.objects("alarms").flatMap { Self.alarms($0, paths, length: length) }
        let faults = object.objects("faults").flatMap { Self.faults($0, paths, length: length) }
        var allowed: Set<FaultKind> = []
        for (index, word) in (object.strings("allowFaults") ?? []).enumerated() {
            if let kind = FaultKind(rawValue: word) {
                allowed.insert(kind)
            } else {
                object.problem(
                    "allowFaults[\(index)]", "“\(word)” is no fault",
                    remedy: "use some of: \(FaultKind.allCases.map(\.rawValue).joined(separator: ", "))")
            }
        }
        object.finish()
        return (alarms + faults, allowed)
    }

    private static func alarms(_ source: DocumentReader, _ paths: DevicePaths, length: Double) -> [Expectation] {
        var reader = source
        let hazard = reader.required("hazard", reader.choice("hazard", Hazard.self), or: .fire, example: "\"fire\"")
        let places = paths.pattern("where", &reader, depth: 1...2, example: "\"b1/f2\"")
        let act = reader.string("act")
        let severity = reader.choice("severity", Severity.self)
        let reaches = reader.choice("reaches", Severity.self)
        let common = Common(&reader, length: length)
        reader.finish()
        return (places.map { paths.named(by: $0) } ?? []).map { place in
            Expectation(
                subject: .hazard(hazard), place: place, window: common.window, act: act, severity: severity,
                reaches: reaches, then: common.then, isOptional: common.isOptional, needsData: common.needsData)
        }
    }

    private static func faults(_ source: DocumentReader, _ paths: DevicePaths, length: Double) -> [Expectation] {
        var reader = source
        let kind = reader.required("kind", reader.choice("kind", FaultKind.self), or: .silent, example: "\"frozen\"")
        let places = paths.pattern("device", &reader, depth: 4...4, example: "\"b1/f2/kitchen/climate\"")
        let common = Common(&reader, length: length)
        reader.finish()
        return (places.map { paths.named(by: $0) } ?? []).map { place in
            Expectation(
                subject: .fault(kind), place: place, window: common.window, act: nil, severity: nil, reaches: nil,
                then: common.then, isOptional: common.isOptional, needsData: common.needsData)
        }
    }

    private struct Common {
        let window: Interval
        let then: [Transition.Kind]
        let isOptional: Bool
        let needsData: Bool

        init(_ reader: inout DocumentReader, length: Double) {
            let words = reader.strings("between")
            let spans = (words ?? []).compactMap { Span($0)?.seconds }
            if words != nil && (spans.count != 2 || words?.count != 2 || spans[0] >= spans[1]) {
                reader.problem("between", "is no stretch of time", remedy: "write it as [\"3 min\", \"4 min\"]")
            }
            window = spans.count == 2 ? Interval(from: spans[0], to: spans[1]) : Interval(from: 0, to: .infinity)
            if window.from > length || window.to.isFinite && window.to > length {
                reader.problem("between", "goes beyond the scenario's end", remedy: "make \"duration\" longer")
            }
            let events = reader.strings("then") ?? []
            then = events.compactMap { Transition.Kind(rawValue: $0) }
            if then.count != events.count {
                let known = Transition.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                reader.problem("then", "has what is no event", remedy: "use some of: \(known)")
            }
            isOptional = reader.bool("optional") ?? false
            needsData = reader.bool("needsData") ?? false
        }
    }
}
