/// Looks over all documents of a folder at once: what cannot be read, what contradicts itself or another act, and examples that do
/// not come out.
package struct LibraryCheck: Sendable {
    package struct Document: Sendable {
        package let file: String
        package let act: ActDocument
        package init(file: String, act: ActDocument) { (self.file, self.act) = (file, act) }
    }
    package private(set) var documents: [Document] = []
    /// Must be put right.
    package private(set) var problems: [DocumentProblem] = []
    /// Worth a look; nothing is wrong.
    package private(set) var remarks: [DocumentProblem] = []
    package private(set) var exampleCount = 0

    package init(_ files: [(name: String, text: String)]) {
        for file in files {
            do {
                documents.append(Document(file: file.name, act: try ActDocument(parsing: file.text, file: file.name)))
            } catch {
                problems += error.problems
            }
        }
        problems += Self.overlaps(documents)
        for document in documents {
            for (index, norm) in document.act.norms.enumerated() {
                look(at: CitedNorm(act: document.act.act, norm: norm), "norms[\(index)]", document.file)
            }
        }
    }

    private mutating func look(at cited: CitedNorm, _ path: String, _ file: String) {
        for found in Contradictions(cited.norm, path).problems { problems.append(found.inFile(file)) }
        for found in Completeness(cited, path).remarks { remarks.append(found.inFile(file)) }
        for (index, example) in cited.norm.examples.enumerated() {
            exampleCount += 1
            let run = ExampleRun(example, of: cited)
            for difference in run.differences {
                problems.append(
                    DocumentProblem(
                        file: file, path: "\(path).examples[\(index)]", message: "“\(example.name)”: \(difference)",
                        remedy: "correct the limit or the example"))
            }
        }
    }

    // MARK: Editions

    /// Two documents of one act must be editions that follow each other.
    package static func overlaps(_ documents: [Document]) -> [DocumentProblem] {
        var problems: [DocumentProblem] = []
        for (index, document) in documents.enumerated() {
            for other in documents[..<index] where other.act.act.id == document.act.act.id {
                let (one, two) = (document.act.act, other.act.act)
                if one.edition == two.edition {
                    problems.append(
                        DocumentProblem(
                            file: document.file, path: "act.id",
                            message: "“\(one.id)”, edition \(one.edition), is also in \(other.file)",
                            remedy: "give each act its own id, and each edition its own name"))
                } else if one.overlaps(two) {
                    problems.append(
                        DocumentProblem(
                            file: document.file, path: "act.inForce",
                            message: "overlaps with edition \(two.edition) of “\(one.id)” in \(other.file)",
                            remedy: "let the earlier one end (until) on the day from which the later one holds"))
                }
            }
        }
        return problems
    }
}

extension Act {
    fileprivate func overlaps(_ other: Act) -> Bool {
        let (start, end) = (inForceFrom ?? .distantPast, inForceUntil ?? .distantFuture)
        return start < other.inForceUntil ?? .distantFuture && other.inForceFrom ?? .distantPast < end
    }
}

/// Numbers of one norm that cannot all be meant.
private struct Contradictions {
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
        case .interruption, .state: break
        }
    }

    private mutating func add(_ key: String, _ message: String, _ remedy: String) {
        problems.append(DocumentProblem(path: "\(path).\(key)", message: message, remedy: remedy))
    }

    /// A limit that no such sensor can reach is a slip in the unit.
    private mutating func checkRange(_ limits: [Double?], _ key: String) {
        let range = Plausibility.range(norm.indicator, norm.unit)
        for limit in limits.compactMap({ $0 }) where !range.contains(limit) {
            add(key, "no \(norm.indicator.rawValue) sensor reports \(limit) \(norm.unit.rawValue)", "check number and unit")
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
private struct Completeness {
    private let norm: Norm
    private let path: String
    private(set) var remarks: [DocumentProblem] = []

    init(_ cited: CitedNorm, _ path: String) {
        (norm, self.path) = (cited.norm, path)
        let missing = Language.allCases.map(\.rawValue).filter { norm.whatToDo.texts[$0] == nil }
        if !missing.isEmpty {
            add("whatToDo", "has no text in \(missing.joined(separator: ", "))", "add it: people are warned in their language")
        }
        lookAtExamples()
        if case .timeAtLevel(let limit) = norm.limit, !limit.reaches {
            add("limit.reaches", "is not set: a value exactly on a level does not count", "add \"reaches\": true if it does")
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
    package var raises: Bool { expect.contains { $0.event == "raised" } }
}
