/// One norm on one channel: the gauge with what it found.
struct Track: Hashable, Codable, Sendable {
    /// Number in the library.
    var norm: Int
    /// From the series' unit to the norm's.
    let factor: Double
    var gauge: Gauge
    var finding = Finding.unknown(.neverSeen)

    init(norm: Int, factor: Double, limit: Limit) {
        (self.norm, self.factor) = (norm, factor)
        gauge = Gauge(limit)
    }

    /// Returns whether the finding is worth a second look: broken now, or broken before.
    mutating func take(
        _ sample: Sample, _ cited: CitedNorm, nominal: Double?, frequency: Double? = nil, _ context: Context
    ) -> Bool {
        let wasExceeded = finding.excess != nil
        if !cited.norm.appliesTo.isAlways, !cited.norm.appliesTo.isActive(at: context.zone.civil(sample.time)) {
            gauge = Gauge(cited.norm.limit)
            finding = .within
            return wasExceeded
        }
        if cited.norm.isMoot(at: sample.value, nominal: nominal) { return false }
        finding = gauge.take(sample, cited, nominal: nominal, frequency: frequency, zone: context.zone)
        return wasExceeded || finding.excess != nil
    }

    /// The dominant frequency of a shaking that came before it. Returns the same as `take`.
    mutating func take(frequency: Double, at time: Timestamp, _ norm: Norm) -> Bool {
        guard case .frequencyCurve(let curve) = norm.limit, case .frequencyCurve(var curveGauge) = gauge,
            let found = curveGauge.take(frequency: frequency, at: time, curve, severity: norm.severity)
        else { return false }
        let wasExceeded = finding.excess != nil
        (gauge, finding) = (.frequencyCurve(curveGauge), found)
        return wasExceeded || finding.excess != nil
    }
}

/// The state of a limit's shape.
enum Gauge: Hashable, Codable, Sendable {
    case band(BandGauge)
    case mean(MeanGauge)
    case timeAtLevel(TimeAtLevelGauge)
    case interruption(InterruptionGauge)
    case peak(PeakGauge)
    case percentile(PercentileGauge)
    case exceedances(ExceedancesGauge)
    case frequencyCurve(FrequencyCurveGauge)
    case rate(RateGauge)
    case dose(DoseGauge)
    /// While a gauge is being changed; keeps its arrays unshared.
    case none

    init(_ limit: Limit) {
        switch limit {
        case .band: self = .band(BandGauge())
        case .mean(let mean): self = .mean(MeanGauge(windows: mean.windows.count))
        case .timeAtLevel(let limit): self = .timeAtLevel(TimeAtLevelGauge(levels: limit.levels.count))
        case .interruption: self = .interruption(InterruptionGauge())
        case .peak(let peak): self = .peak(PeakGauge(levels: peak.levels.count))
        case .percentile: self = .percentile(PercentileGauge())
        case .exceedances: self = .exceedances(ExceedancesGauge())
        case .frequencyCurve: self = .frequencyCurve(FrequencyCurveGauge())
        case .rate: self = .rate(RateGauge())
        case .dose: self = .dose(DoseGauge())
        case .state, .presence: self = .none
        }
    }

    /// - Parameter judged: is told of every window that was judged, where the shape has windows.
    mutating func take(
        _ sample: Sample, _ cited: CitedNorm, nominal: Double?, frequency: Double?, zone: Zone,
        judged: (JudgedWindow) -> Void = { _ in }
    ) -> Finding {
        let severity = cited.norm.severity
        switch (self, cited.norm.limit) {
        case (.band(var gauge), .band(let limit)):
            self = .none
            defer { self = .band(gauge) }
            return gauge.take(sample, limit, severity: severity)
        case (.mean(var gauge), .mean(let limit)):
            self = .none
            defer { self = .mean(gauge) }
            return gauge.take(sample, limit, severity: severity, zone: zone, judged: judged)
        case (.timeAtLevel(var gauge), .timeAtLevel(let limit)):
            self = .none
            defer { self = .timeAtLevel(gauge) }
            return gauge.take(sample, limit, severity: severity)
        case (.interruption(var gauge), .interruption(let limit)):
            guard let nominal else { return .unknown(.noNominal) }
            defer { self = .interruption(gauge) }
            return gauge.take(sample, limit, nominal: nominal, severity: severity, zone: zone)
        case (.peak(var gauge), .peak(let limit)):
            self = .none
            defer { self = .peak(gauge) }
            return gauge.take(sample, limit, severity: severity)
        case (.percentile(var gauge), .percentile(let limit)):
            defer { self = .percentile(gauge) }
            return gauge.take(sample, limit, severity: severity, zone: zone, judged: judged)
        case (.exceedances(var gauge), .exceedances(let limit)):
            defer { self = .exceedances(gauge) }
            return gauge.take(sample, limit, severity: severity, zone: zone, judged: judged)
        case (.frequencyCurve(var gauge), .frequencyCurve(let limit)):
            defer { self = .frequencyCurve(gauge) }
            return gauge.take(sample, frequency: frequency, limit, severity: severity)
        case (.rate(var gauge), .rate(let limit)):
            self = .none
            defer { self = .rate(gauge) }
            return gauge.take(sample, limit, severity: severity)
        case (.dose(var gauge), .dose(let limit)):
            defer { self = .dose(gauge) }
            return gauge.take(sample, limit, severity: severity, zone: zone)
        default:
            preconditionFailure("a gauge stays with the limit that it was made for")
        }
    }
}

extension Application {
    /// Whether neither season nor hours have to be looked at.
    var isAlways: Bool { season == .any && hours == nil }
}

extension Norm {
    /// Without supply there is no quality of supply: an outage is one trouble, not two.
    func isMoot(at value: Double, nominal: Double?) -> Bool {
        guard hazard == .powerQuality, let nominal else { return false }
        return value < nominal * Interruption.usualShare
    }
}
