/// How a limit is counted over a period. The one place of a report that looks at its shape.
enum ComplianceShape: Hashable, Sendable {
    /// What the gauge finds after each reading, for as long as it stands.
    /// - Parameter delay: how long the norm bears a broken limit.
    case values(Compliance.Bounds, delay: Span)
    /// What the gauge says of each of its windows: a shape with windows only has to tell `judged` of them.
    case windows([Window])

    /// Blocks of which some may be outside; how many is the gauge's to say.
    case blocks(Window, within: CalendarPeriod)

    struct Window: Hashable, Sendable {
        let length: Span
        /// Blocks are counted; of a sliding window the time for which its mean is outside.
        let isBlock: Bool
        let bounds: Compliance.Bounds
        /// Share of the period that must be covered for a verdict.
        let completeness: Double
    }

    /// Nil for what is no matter of one channel.
    init?(_ limit: Limit, nominal: Double?) {
        switch limit {
        case .band(let band): self = .values(.init(lower: band.lower, upper: band.upper), delay: band.onDelay)
        case .mean(let mean):
            self = .windows(
                mean.windows.map {
                    Window(
                        length: $0.length, isBlock: $0.kind == .block, bounds: .init(lower: $0.lower, upper: $0.upper),
                        completeness: $0.completeness)
                })
        case .timeAtLevel(let limit):
            let lowest = limit.levels.min { $0.atLeast < $1.atLeast }
            self = .values(.init(upper: lowest?.atLeast), delay: lowest?.delay ?? .zero)
        case .interruption(let limit):
            self = .values(
                .init(lower: nominal.map { $0 * limit.belowShare }), delay: limit.longerThan ?? .zero)
        case .peak(let peak):
            let lowest = peak.levels.min { $0.atLeast < $1.atLeast }
            self = .values(.init(upper: lowest?.atLeast), delay: lowest?.total ?? .zero)
        case .percentile(let limit):
            self = .blocks(
                Window(
                    length: limit.block, isBlock: true, bounds: .init(lower: limit.lower, upper: limit.upper),
                    completeness: limit.completeness), within: limit.window)
        case .exceedances(let limit):
            self = .blocks(
                Window(
                    length: limit.block, isBlock: true, bounds: .init(lower: limit.below, upper: limit.above),
                    completeness: limit.completeness), within: limit.per)
        case .rate, .dose: self = .values(.init(), delay: .zero)
        // Joined over a place or a device.
        case .state, .presence, .frequencyCurve: return nil
        }
    }

    var windows: [Window] {
        switch self {
        case .values: []
        case .windows(let windows): windows
        case .blocks(let window, _): [window]
        }
    }

    /// How far before a period readings matter to it.
    var reach: Span {
        switch self {
        case .values(_, let delay): delay
        case .windows(let windows): windows.map(\.length).max() ?? .zero
        case .blocks(let window, _): window.length
        }
    }
}

extension Limit {
    /// The calendar period over which the limit counts, where it says nothing about less.
    var wholePeriod: CalendarPeriod? {
        switch self {
        case .percentile(let limit): limit.window
        case .exceedances(let limit): limit.per
        case .interruption(let limit): limit.longerThan == nil ? limit.budget?.per : nil
        case .band, .mean, .timeAtLevel, .state, .peak, .frequencyCurve, .rate, .presence, .dose: nil
        }
    }
}

extension Period {
    /// Whether at least one such period of the calendar lies in this one from beginning to end.
    func holds(_ calendar: CalendarPeriod, zone: Zone) -> Bool {
        var first = zone.period(containing: start, calendar)
        if first.start < start { first = zone.period(containing: first.end, calendar) }
        return first.end <= end
    }
}
