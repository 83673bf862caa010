/// Numbers of one norm that cannot all be meant.
struct Contradictions {
    private let norm: Norm
    private let path: String
    private(set) var problems: [DocumentProblem] = []

    init(_ norm: Norm, _ path: String) {
        (self.norm, self.path) = (norm, path)
        switch norm.limit {
        case .band(let band): checkRange([band.lower, band.upper], "limit")
        case .mean(let mean): checkRange(mean.windows.flatMap { [$0.lower, $0.upper] }, "limit.windows")
        case .timeAtLevel(let limit):
            checkRange(limit.levels.map(\.atLeast), "limit.levels")
            checkLadder(limit.levels.map { ($0.atLeast, $0.delay, $0.severity) }, mustHurry: true)
        case .peak(let peak):
            checkRange(peak.levels.map(\.atLeast), "limit.levels")
            checkLadder(peak.levels.map { ($0.atLeast, $0.total, $0.severity) }, mustHurry: false)
        case .percentile(let limit): checkRange([limit.lower, limit.upper], "limit")
        case .exceedances(let limit): checkRange([limit.above, limit.below], "limit")
        case .frequencyCurve(let curve): checkRange(curve.points.map(\.value), "limit.points")
        case .interruption, .state, .rate, .presence, .dose: break
        }
    }

    private mutating func add(_ key: String, _ message: String, _ remedy: String) {
        problems.append(DocumentProblem(path: "\(path).\(key)", message: message, remedy: remedy))
    }

    /// A limit that no such sensor can reach is a slip in the unit.
    private mutating func checkRange(_ limits: [Double?], _ key: String) {
        let range = Plausibility.range(norm.indicator, norm.unit)
        for limit in limits.compactMap({ $0 }) where !range.contains(limit) {
            add(
                key, "no \(norm.indicator.rawValue) sensor reports \(limit) \(norm.unit.rawValue)",
                "check number and unit")
        }
    }

    /// The higher level must not be told later, nor as less bad.
    private mutating func checkLadder(_ levels: [(value: Double, delay: Span, severity: Severity?)], mustHurry: Bool) {
        for (low, high) in zip(levels, levels.dropFirst()) {
            if mustHurry && high.delay > low.delay {
                add("limit.levels", "\(high.value) raises later than \(low.value)", "let the higher level raise sooner")
            }
            if high.severity ?? norm.severity < low.severity ?? norm.severity {
                add("limit.levels", "\(high.value) is less severe than \(low.value)", "exchange the severities")
            }
        }
    }
}

/// What a reader of the norm would miss.
struct Completeness {
    private let norm: Norm
    private let path: String
    private(set) var remarks: [DocumentProblem] = []

    init(_ cited: CitedNorm, _ path: String) {
        (norm, self.path) = (cited.norm, path)
        let missing = Language.allCases.map(\.rawValue).filter { norm.whatToDo.texts[$0] == nil }
        if !missing.isEmpty {
            add(
                "whatToDo", "has no text in \(missing.joined(separator: ", "))",
                "add it: people are warned in their language")
        }
        lookAtExamples()
        if case .timeAtLevel(let limit) = norm.limit, !limit.reaches {
            add(
                "limit.reaches", "is not set: a value exactly on a level does not count",
                "add \"reaches\": true if it does")
        }
        if norm.indicator == .gas, norm.species.isEmpty, norm.hazard != .explosion {
            add("species", "names no gas: only sensors that name none are judged", "add it, as in \"species\": \"co\"")
        }
    }

    private mutating func lookAtExamples() {
        if norm.examples.isEmpty {
            add("examples", "are missing", "add the last value that passes and the first that does not")
        } else if norm.examples.allSatisfy({ $0.raises }) {
            add("examples", "all raise an alarm", "add one that must not")
        } else if !norm.examples.contains(where: { $0.raises }) {
            add("examples", "raise no alarm", "add one that must")
        }
    }

    private mutating func add(_ key: String, _ message: String, _ remedy: String) {
        remarks.append(DocumentProblem(path: "\(path).\(key)", message: message, remedy: remedy))
    }
}

extension WorkedExample {
    /// Whether the norm is broken in it.
    package var raises: Bool { missing > 0 || expect.contains { $0.event == "raised" } }
}
