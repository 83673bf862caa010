/// What becomes of a gauge when its norm is changed while it judges.
///
/// The episode goes on: what stands under the old limit and is still broken under the new one has not to prove itself a second time.
/// Where the new shape has nothing in common with the old one, it begins with the newest value.
extension Track {
    /// - Parameters:
    ///   - newest: the newest judged sample, in the norm's unit.
    mutating func adapt(
        from old: Norm, to new: Norm, number: Int, newest: Sample?, nominal: Double?, _ context: Context
    ) {
        norm = number
        guard let newest else {
            gauge = Gauge(new.limit)
            return
        }
        if let found = gauge.adapt(from: old, to: new, newest: newest, nominal: nominal) {
            finding = found
            return
        }
        gauge = Gauge(new.limit)
        let wasExceeded = finding.excess != nil
        finding = .unknown(.insufficientData)
        // Shaking is judged by how far it is from rest, which the value alone does not say.
        guard wasExceeded, !new.limit.isOfShaking else { return }
        _ = take(newest, context.norms[number], nominal: nominal, context)
    }
}

extension Gauge {
    /// Nil where nothing that was reached says anything under the new limit.
    fileprivate mutating func adapt(from old: Norm, to new: Norm, newest: Sample, nominal: Double?) -> Finding? {
        switch (self, old.limit, new.limit) {
        case (.band(var gauge), .band, .band(let limit)):
            defer { self = .band(gauge) }
            return gauge.adapt(to: limit, newest: newest, severity: new.severity)
        case (.mean(var gauge), .mean(let old), .mean(let limit)):
            defer { self = .mean(gauge) }
            return gauge.adapt(from: old, to: limit, severity: new.severity)
        case (.timeAtLevel(var gauge), .timeAtLevel(let old), .timeAtLevel(let limit)):
            defer { self = .timeAtLevel(gauge) }
            return gauge.adapt(from: old, to: limit, newest: newest, severity: new.severity)
        case (.interruption(var gauge), .interruption(let old), .interruption(let limit)):
            guard let nominal else { return .unknown(.noNominal) }
            defer { self = .interruption(gauge) }
            return gauge.adapt(from: old, to: limit, newest: newest, nominal: nominal, severity: new.severity)
        case (.peak(var gauge), .peak(let old), .peak(let limit)):
            defer { self = .peak(gauge) }
            return gauge.adapt(from: old, to: limit, severity: new.severity)
        case (.rate(var gauge), .rate(let old), .rate(let limit)) where old.over == limit.over && old.per == limit.per:
            defer { self = .rate(gauge) }
            return gauge.adapt(to: limit, severity: new.severity)
        case (.dose(var gauge), .dose(let old), .dose(let limit))
        where old.power == limit.power && old.per == limit.per:
            defer { self = .dose(gauge) }
            return gauge.adapt(to: limit, newest: newest, severity: new.severity)
        // Another shape; and what is counted over a period was counted by the old numbers.
        default: return nil
        }
    }
}

extension Limit {
    fileprivate var isOfShaking: Bool {
        switch self {
        case .peak, .frequencyCurve: true
        default: false
        }
    }
}
