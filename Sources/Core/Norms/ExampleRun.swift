/// Runs a worked example through the engine: one flat with what the norm needs, and this norm alone.
package struct ExampleRun: Sendable {
    /// A moment of the alarm's life, counted from the example's start.
    package struct Line: Hashable, Sendable, CustomStringConvertible {
        package let at: Span
        package let event: String
        package let severity: Severity?
        package var description: String {
            [event, severity?.rawValue, "at \(at)"].compactMap { $0 }.joined(separator: " ")
        }
    }

    package let norm: CitedNorm
    package let example: WorkedExample
    /// What came, in order.
    package let came: [Line]
    /// Where it differs from what the example says, in words; empty where it does not.
    package let differences: [String]

    package var isAsExpected: Bool { differences.isEmpty }

    package init(_ example: WorkedExample, of norm: CitedNorm) {
        (self.norm, self.example) = (norm, example)
        if let inventory = example.inventory {
            let count = norm.norm.absences(in: inventory).count
            came = []
            differences = count == example.missing ? [] : ["expected \(example.missing) missing, found \(count)"]
            return
        }
        let timeline = ExampleFlat(example, norm).run()
        came = timeline
        differences = Self.compare(timeline, with: example)
    }

    // MARK: Comparing

    /// Raising and changes of severity are compared always, an end where the example names one.
    private static func compare(_ timeline: [Line], with example: WorkedExample) -> [String] {
        let named = Set(example.expect.map(\.event)).union(["raised", "severity"])
        let came = timeline.filter { named.contains($0.event) }
        var differences: [String] = []
        for (index, wanted) in example.expect.enumerated() {
            guard came.indices.contains(index) else {
                differences.append("expected \(line(wanted)), nothing came")
                continue
            }
            let tolerance = wanted.within ?? example.spacing
            let isSame =
                came[index].event == wanted.event && wanted.severity.map { $0 == came[index].severity } ?? true
                && (came[index].at - wanted.at).magnitude <= tolerance
            if !isSame { differences.append("expected \(line(wanted)) (± \(tolerance)), came \(came[index])") }
        }
        for line in came.dropFirst(example.expect.count) { differences.append("not expected: \(line)") }
        return differences
    }

    private static func line(_ wanted: WorkedExample.Expectation) -> Line {
        Line(at: wanted.at, event: wanted.event, severity: wanted.severity)
    }
}

extension WorkedExample {
    /// The widest spacing of its readings; a second where each stands alone.
    var spacing: Span { readings.filter { $0.count > 1 }.map(\.every).max() ?? .seconds(1) }
}
