/// Judges the value itself.
///
/// Time counts by samples: a delay has passed when a sample proves it, never because nothing came.
package struct BandGauge: Hashable, Codable, Sendable {
    private var hold = Hold()
    private var worst = 0.0
    private var limit = 0.0

    package init() {}

    package mutating func take(_ sample: Sample, _ band: Band, severity: Severity) -> Finding {
        if sample.isUncertain && band.onDelay > .zero { return finding(severity) ?? .unknown(.uncertainTime) }
        let broken = Self.brokenLimit(sample.value, band)
        if sample.isRepeat && broken == nil { return finding(severity) ?? .within }
        if let broken {
            if hold.phase == .idle || isWorse(sample.value, than: worst, limit: broken) {
                (worst, limit) = (sample.value, broken)
            }
            hold.take(.bad, at: sample.time, onDelay: band.onDelay, offDelay: band.offDelay)
        } else {
            let isClear =
                (band.upper.map { sample.value <= $0 - band.deadband } ?? true)
                && (band.lower.map { sample.value >= $0 + band.deadband } ?? true)
            hold.take(isClear ? .good : .between, at: sample.time, onDelay: band.onDelay, offDelay: band.offDelay)
        }
        return finding(severity) ?? .within
    }

    /// Goes on by a changed limit, from the newest value: what breaks the new one too keeps its beginning and waits no second time;
    /// anything else begins anew.
    mutating func adapt(to band: Band, newest: Sample, severity: Severity) -> Finding {
        guard hold.phase != .idle, let broken = Self.brokenLimit(newest.value, band) else {
            self = BandGauge()
            return .within
        }
        if Self.brokenLimit(worst, band) != broken { worst = newest.value }
        limit = broken
        hold.take(.bad, at: newest.time, onDelay: band.onDelay, offDelay: band.offDelay)
        return finding(severity) ?? .within
    }

    private static func brokenLimit(_ value: Double, _ band: Band) -> Double? {
        if let upper = band.upper, Comparison.isAbove(value, upper, reaches: band.reaches) { return upper }
        if let lower = band.lower, Comparison.isBelow(value, lower, reaches: band.reaches) { return lower }
        return nil
    }

    private func isWorse(_ value: Double, than other: Double, limit: Double) -> Bool {
        abs(value - limit) > abs(other - self.limit)
    }

    private func finding(_ severity: Severity) -> Finding? {
        hold.activeSince.map { .exceeded(Excess(severity: severity, since: $0, value: worst, limit: limit)) }
    }
}
