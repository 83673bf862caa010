import Core
import Foundation

/// One figure with what it is compared to.
struct Measurement {
    let measure: String
    let subject: String
    let value: Double
    let unit: String
    /// What was measured beside it in the same run, and how it came out.
    var reference: String?
    var ratio: Double?

    var json: String {
        JSONValue.object([
            "measure": .string(measure), "subject": .string(subject), "value": .number(value), "unit": .string(unit),
            "reference": JSONValue(reference), "ratio": JSONValue(ratio),
        ]).text
    }

    var line: String {
        let figure = "\(measure), \(subject): \(Self.rounded(value)) \(unit)"
        guard let reference else { return figure }
        return figure + " against \(reference)" + (ratio.map { ", ratio " + String(format: "%.2f", $0) } ?? "")
    }

    static func rounded(_ value: Double) -> String {
        abs(value) >= 100 ? String(format: "%.0f", value) : String(format: "%.2f", value)
    }
}

struct BenchFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Real seconds since some moment.
func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension [Double] {
    /// The value that the share `part` of all does not exceed.
    func percentile(_ part: Double) -> Double {
        let sorted = sorted()
        return sorted.isEmpty ? .nan : sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}
