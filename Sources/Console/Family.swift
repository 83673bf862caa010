internal import Core

/// One metric with all its label values.
final class Family: Sendable {
    enum Kind: Sendable { case counter, gauge, histogram([Double]) }

    struct Sample: Sendable {
        var value = 0.0
        /// Histogram: per bucket, not yet summed up; the last has no end.
        var counts: [Int] = []
    }

    let name: String
    private let kind: Kind
    private let help: String
    private let unit: String?
    private let labels: [String]
    private let samples: Locked<[[String]: Sample]>

    init(_ name: String, _ kind: Kind, _ help: String, _ unit: String?, _ labels: [String]) {
        precondition(Self.isName(name) && labels.allSatisfy(Self.isName), "\(name): not the letters of a name")
        precondition(unit.map { name.hasSuffix("_" + $0) } ?? true, "\(name) must end with its unit")
        precondition(
            !name.hasSuffix("_total") && !labels.contains("le"), "\(name): the format has its own use for that")
        (self.name, self.kind, self.help, self.unit, self.labels) = (name, kind, help, unit, labels)
        samples = Locked([:])
        if labels.isEmpty { samples.withLock { $0[[]] = empty } }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && !text.first!.isNumber
            && text.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
            }
    }

    private var empty: Sample {
        if case .histogram(let bounds) = kind {
            Sample(counts: Array(repeating: 0, count: bounds.count + 1))
        } else {
            Sample()
        }
    }

    func update(_ values: [String], _ change: (inout Sample) -> Void) {
        precondition(values.count == labels.count, "\(name) has \(labels.count) labels")
        samples.withLock { change(&$0[values, default: empty]) }
    }

    func observe(_ observed: [Double], _ values: [String]) {
        guard case .histogram(let bounds) = kind else { preconditionFailure("\(name) is no histogram") }
        update(values) { sample in
            for value in observed {
                sample.counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
                sample.value += value
            }
        }
    }

    var text: String {
        let word =
            switch kind {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        var lines = ["# TYPE \(name) \(word)"]
        if let unit { lines.append("# UNIT \(name) \(unit)") }
        lines.append("# HELP \(name) \(Self.escaped(help))")
        let sorted = samples.withLock { $0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (values, sample) in sorted { lines += self.lines(sample, values) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(_ sample: Sample, _ values: [String]) -> [String] {
        func line(_ suffix: String, _ number: String, _ more: [(String, String)] = []) -> String {
            let pairs = (Array(zip(labels, values)) + more).map { "\($0)=\"\(Self.escaped($1))\"" }
            return name + suffix + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " " + number
        }
        switch kind {
        case .counter: return [line("_total", Self.number(sample.value))]
        case .gauge: return [line("", Self.number(sample.value))]
        case .histogram(let bounds):
            var sum = 0
            var lines: [String] = []
            for (bound, count) in zip(bounds.map { $0.description } + ["+Inf"], sample.counts) {
                sum += count
                lines.append(line("_bucket", String(sum), [("le", bound)]))
            }
            return lines + [line("_count", String(sum)), line("_sum", Self.number(sample.value))]
        }
    }

    private static func number(_ value: Double) -> String {
        if let whole = Int(exactly: value) { return String(whole) }
        return value.isNaN ? "NaN" : value.isInfinite ? (value > 0 ? "+Inf" : "-Inf") : value.description
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\"", with: "\\\"")
    }
}
