/// Judges shaking against a limit that depends on its dominant frequency.
///
/// Value and frequency come as two readings; whichever is second is the one that judges. Without a frequency nothing can be said.
/// An excess is over when a value within the limit comes 30 s after the last one beyond it, as for `PeakGauge`.
package struct FrequencyCurveGauge: Hashable, Codable, Sendable {
    private struct Waiting: Hashable, Codable, Sendable {
        var time: Timestamp
        var value: Double
        var interval: Span?
    }

    /// The newest value, as long as its frequency has not come.
    private var waiting: Waiting?
    private var began: Timestamp?
    private var newest = Timestamp.distantPast
    private var worst = 0.0
    private var limit = 0.0

    package init() {}

    /// Whether two readings speak of the same moment: closer than half of what is usually between them.
    package static func isTogether(_ a: Timestamp, _ b: Timestamp, interval: Span?) -> Bool {
        let half = interval.map { Span(microseconds: $0.microseconds / 2) } ?? .seconds(0.5)
        return (a - b).magnitude <= min(half, .seconds(1))
    }

    /// `sample.value` is the deviation from rest, never negative.
    package mutating func take(_ sample: Sample, frequency: Double?, _ curve: FrequencyCurve, severity: Severity)
        -> Finding
    {
        guard let frequency else {
            if !sample.isRepeat || sample.value > waiting?.value ?? -1 {
                waiting = Waiting(time: sample.time, value: sample.value, interval: sample.interval)
            }
            return finding(curve, severity) ?? .unknown(.noFrequency)
        }
        waiting = nil
        let limit = curve.limit(at: frequency)
        if Comparison.isAbove(sample.value, limit, reaches: curve.reaches) {
            if began == nil || sample.value / limit > worst / self.limit { (worst, self.limit) = (sample.value, limit) }
            began = began ?? sample.time
            newest = sample.time
        } else if !sample.isRepeat, sample.time - newest > PeakGauge.quiet {
            began = nil
        }
        return finding(curve, severity) ?? .within
    }

    /// The frequency came after the value.
    /// - Returns: nil where no value waited for it.
    package mutating func take(frequency: Double, at time: Timestamp, _ curve: FrequencyCurve, severity: Severity)
        -> Finding?
    {
        guard let waiting, Self.isTogether(waiting.time, time, interval: waiting.interval) else { return nil }
        let sample = Sample(time: waiting.time, value: waiting.value, interval: waiting.interval)
        return take(sample, frequency: frequency, curve, severity: severity)
    }

    private func finding(_ curve: FrequencyCurve, _ severity: Severity) -> Finding? {
        began.map { .exceeded(Excess(severity: curve.severity ?? severity, since: $0, value: worst, limit: limit)) }
    }
}
