/// The verdicts of all norms on all channels over a period, from readings that come series by series. One channel is held at a time.
package struct ComplianceReport {
    package struct Line: Sendable {
        package let channel: ReportedChannel
        package let cited: CitedNorm
        package let compliance: Compliance
    }

    /// By whose law.
    package struct Law: Sendable {
        let norms: NormLibrary
        let jurisdictions: [String]
        /// Nil: each act judges the time in which it is in force.
        let actsInForceAt: Timestamp?

        package init(norms: NormLibrary, jurisdictions: [String], actsInForceAt: Timestamp? = nil) {
            (self.norms, self.jurisdictions, self.actsInForceAt) = (norms, jurisdictions, actsInForceAt)
        }
    }

    /// Time before the period from which at least the usual intervals are learned.
    private static let leastReach = Span.days(1)

    package let period: Period
    /// The first readings that matter: windows reach back.
    package let from: Timestamp
    /// By place and channel.
    package private(set) var lines: [Line] = []
    /// Norms that apply to what was measured, and of which this period says nothing: they count over a longer one, or are no matter of one
    /// channel. In the order of the library.
    package private(set) var unreported: [(cited: CitedNorm, needs: CalendarPeriod?)] = []
    /// Readings within the period, of all channels that were asked for.
    package private(set) var readingCount = 0
    private let channels: [(source: ReportedChannel, norms: [ChosenNorm])]
    private let numbers: [Series: Int]
    private let end: Timestamp
    private let zone: Zone
    private let datesCount: Bool
    private var current: (number: Int, meter: ChannelMeter)?
    private var results: [[Line]?]

    fileprivate typealias ChosenNorm = (cited: CitedNorm, factor: Double)

    /// - Parameters:
    ///   - now: what comes later than this is not known yet.
    ///   - isWanted: which of the norms that apply are reported.
    package init(
        _ period: Period, on channels: [ReportedChannel], by law: Law, zone: Zone, now: Timestamp,
        isWanted: (CitedNorm) -> Bool = { _ in true }
    ) {
        (self.period, self.zone, datesCount) = (period, zone, law.actsInForceAt == nil)
        end = min(now, period.end)
        let sorted = channels.sorted { Self.key($0).lexicographicallyPrecedes(Self.key($1)) }
        self.channels = sorted.map { ($0, law.norms(for: $0.traits).filter { isWanted($0.cited) }) }
        let reach = self.channels.flatMap(\.norms).map { ComplianceMeter.reach(of: $0.cited.norm) }.max() ?? .zero
        from = period.start - max(reach, Self.leastReach)
        numbers = Dictionary(sorted.enumerated().map { ($1.series, $0) }) { first, _ in first }
        results = sorted.map { _ in nil }
    }

    private static func key(_ channel: ReportedChannel) -> [String] {
        let series = channel.series
        return [
            channel.place.path, series.device, series.indicator.rawValue, series.species ?? "", series.channel ?? "",
            series.unit.rawValue,
        ]
    }

    /// Of which series readings are needed.
    package var series: Set<Series> { Set(numbers.keys) }

    /// Takes the readings of one series after those of another, each in the order of their sample times.
    package mutating func take(_ value: Double, of series: Series, at time: Timestamp, _ quality: Quality = []) {
        guard time >= from, time < end, let number = numbers[series] else { return }
        if number != current?.number {
            complete()
            precondition(results[number] == nil, "a series comes in one piece")
            current = (number, meter(number))
        }
        if period.contains(time) { readingCount += 1 }
        current?.meter.take(value, at: time, quality)
    }

    package mutating func finish() {
        complete()
        for number in channels.indices where results[number] == nil {
            current = (number, meter(number))
            complete()
        }
        lines = results.flatMap { $0 ?? [] }
        var known: Set<String> = []
        for cited in channels.flatMap(\.norms).map(\.cited) {
            let (whole, shape) = (cited.norm.limit.wholePeriod, ComplianceShape(cited.norm.limit, nominal: nil))
            let isTooLong = whole.map { !period.holds($0, zone: zone) } ?? false
            if shape == nil || isTooLong, known.insert(cited.key).inserted { unreported.append((cited, whole)) }
        }
        unreported.sort { $0.cited.key < $1.cited.key }
    }

    private func meter(_ number: Int) -> ChannelMeter {
        let (source, norms) = channels[number]
        return ChannelMeter(
            source,
            norms.compactMap { cited, factor in
                ComplianceMeter(
                    cited, nominal: source.traits.nominalVoltage, period: period, from: from, zone: zone,
                    datesCount: datesCount
                ).map { (factor, $0) }
            })
    }

    private mutating func complete() {
        guard var open = current else { return }
        current = nil
        let source = channels[open.number].source
        results[open.number] = open.meter.finish(at: end).map { Line(channel: source, cited: $0, compliance: $1) }
    }
}

extension ComplianceReport.Law {
    /// The norms of both tracks that apply to a channel, those first that the site cites first.
    fileprivate func norms(for traits: NormLibrary.Traits) -> [ComplianceReport.ChosenNorm] {
        norms.norms(about: traits.series.indicator, citedBy: jurisdictions).compactMap { number in
            guard norms.isChosen(number, jurisdictions: jurisdictions),
                actsInForceAt.map({ norms[number].act.isInForce(at: $0) }) ?? true,
                let factor = norms.factor(number, for: traits)
            else { return nil }
            return (norms[number], factor)
        }
    }
}
