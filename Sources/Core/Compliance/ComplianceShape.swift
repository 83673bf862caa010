/// How a limit is counted over a period. The one place of a report that looks at its shape.
enum ComplianceShape: Hashable, Sendable {
    /// What the gauge finds after each reading, for as long as it stands.
    /// - Parameter delay: how long the norm bears a broken limit.
    case values(Compliance.Bounds, delay: Span)
    /// What the gauge says of each of its windows: a shape with windows only has to tell `judged` of them.
    case windows([Window])

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
            self = .values(.init(lower: nominal.map { $0 * limit.belowShare }), delay: limit.longerThan)
        case .peak(let peak):
            let lowest = peak.levels.min { $0.atLeast < $1.atLeast }
            self = .values(.init(upper: lowest?.atLeast), delay: lowest?.total ?? .zero)
        case .state: return nil  // joined over a place
        }
    }

    /// How far before a period readings matter to it.
    var reach: Span {
        switch self {
        case .values(_, let delay): delay
        case .windows(let windows): windows.map(\.length).max() ?? .zero
        }
    }
}
