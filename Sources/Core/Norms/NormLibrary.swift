/// All norms that were read, with the question which of them apply to a channel.
package struct NormLibrary: Sendable {
    package let acts: [ActDocument]
    package let norms: [CitedNorm]
    private let byIndicator: [Indicator: [Int]]

    package init(_ acts: [ActDocument]) {
        self.acts = acts.sorted { $0.act.id < $1.act.id }
        norms = self.acts.flatMap { document in document.norms.map { CitedNorm(act: document.act, norm: $0) } }
        var index: [Indicator: [Int]] = [:]
        for (number, cited) in norms.enumerated() {
            for indicator in cited.norm.indicators { index[indicator, default: []].append(number) }
        }
        byIndicator = index
    }

    package static let empty = NormLibrary([])

    package subscript(_ number: Int) -> CitedNorm { norms[number] }

    /// Norms that say something about `indicator`, in a fixed order.
    package func norms(about indicator: Indicator) -> [Int] { byIndicator[indicator] ?? [] }

    /// The same, those first that the site cites first: where several are broken by one reading, the alarm is raised by the first.
    func norms(about indicator: Indicator, citedBy jurisdictions: [String]) -> [Int] {
        norms(about: indicator).map { (rank: rank($0, jurisdictions: jurisdictions), number: $0) }.sorted { $0 < $1 }
            .map(\.number)
    }

    /// What decides whether a norm applies, apart from the norm.
    package struct Traits: Hashable, Sendable {
        package var series: Series
        package var roomKind: String?
        package var isPlaced: Bool
        package var nominalVoltage: Double?
        package var feeds: Int?
        package var opening: DevicePlan.Opening?
        package var floor: Double?
        package var hasBurner: Bool?

        package init(
            series: Series, roomKind: String? = nil, isPlaced: Bool, nominalVoltage: Double? = nil, feeds: Int? = nil,
            opening: DevicePlan.Opening? = nil, floor: Double? = nil, hasBurner: Bool? = nil
        ) {
            (self.series, self.roomKind, self.isPlaced) = (series, roomKind, isPlaced)
            (self.nominalVoltage, self.feeds, self.opening) = (nominalVoltage, feeds, opening)
            (self.floor, self.hasBurner) = (floor, hasBurner)
        }
    }

    /// Whether the engine judges by the norm: on, for safety, in one of the jurisdictions, in force.
    package func isUsed(_ number: Int, jurisdictions: [String], at instant: Timestamp) -> Bool {
        let cited = norms[number]
        return cited.norm.track == .safety && cited.act.isInForce(at: instant)
            && isChosen(number, jurisdictions: jurisdictions)
    }

    /// Whether the norm is on and of one of the jurisdictions, whatever its track and its dates.
    package func isChosen(_ number: Int, jurisdictions: [String]) -> Bool {
        let cited = norms[number]
        return cited.norm.isOn && cited.act.jurisdictions.contains { jurisdictions.contains($0) || $0 == "house" }
    }

    /// Place of the norm's act in the site's order of jurisdictions; smaller is cited first.
    package func rank(_ number: Int, jurisdictions: [String]) -> Int {
        norms[number].act.jurisdictions.compactMap { jurisdictions.firstIndex(of: $0) }.min() ?? jurisdictions.count
    }

    /// The factor from the series' unit to the norm's, or nil where the norm does not judge this channel.
    package func factor(_ number: Int, for traits: Traits) -> Double? {
        let norm = norms[number].norm
        guard norm.appliesTo.covers(traits, norm.hazard) else { return nil }
        // A norm of the mains does not judge at how many hertz a floor shakes.
        guard !traits.series.isShakingFrequency else { return nil }
        switch norm.limit {
        case .state: return nil  // joined over a place, see `Join`
        case .presence: return nil  // judged from what stands where, see `Inventory`
        case .interruption:
            return traits.series.indicator == .voltage && traits.series.unit == .volt ? 1 : nil
        case .band, .mean, .timeAtLevel, .peak, .percentile, .exceedances, .frequencyCurve, .rate, .dose:
            guard norm.indicator == traits.series.indicator, norm.coversSpecies(of: traits.series) else { return nil }
            return Conversion.factor(
                from: traits.series.unit, to: norm.unit, species: traits.series.species, base: norm.base)
        }
    }

    /// How long before an act ends people are told.
    package static let notice = Span.days(90)

    /// The next instant after `instant` at which an act comes into force, ends, or will end soon.
    package func nextChange(after instant: Timestamp) -> Timestamp? {
        acts.flatMap { [$0.act.inForceFrom, $0.act.inForceUntil, $0.act.inForceUntil.map { $0 - Self.notice }] }
            .compactMap { $0 }.filter { $0 > instant }.min()
    }

    /// Acts in use that end soon and have no later edition here.
    package func ending(soonAfter instant: Timestamp, jurisdictions: [String]) -> [Act] {
        let used = Set(norms.indices.filter { isChosen($0, jurisdictions: jurisdictions) }.map { norms[$0].act })
        return acts.map(\.act).filter { act in
            guard let until = act.inForceUntil, used.contains(act), act.isInForce(at: instant) else { return false }
            return until - instant <= Self.notice
                && !acts.contains { $0.act.id == act.id && $0.act.isInForce(at: until) }
        }
    }
}

extension Norm {
    /// All indicators that the limit looks at.
    package var indicators: Set<Indicator> {
        guard case .state(let state) = limit else { return [indicator] }
        return Set(
            state.all.compactMap { condition in
                switch condition.subject {
                case .indicator(let indicator): indicator
                case .mains: .voltage
                case .armed: nil
                }
            })
    }

    /// A sensor that names no gas is taken as one for combustible gas where it speaks in yes or no or in %LEL; in ppm it cannot be
    /// judged.
    package func coversSpecies(of series: Series) -> Bool {
        Self.covers(species, series, hazard)
    }

    static func covers(_ wanted: [String], _ series: Series, _ hazard: Hazard) -> Bool {
        guard series.indicator == .gas || series.indicator == .particles else { return true }
        guard let species = series.species else {
            if series.unit == .boolean || series.unit == .percentLEL { return hazard == .explosion }
            // A norm that names no gas judges what names none, and nothing else.
            return wanted.isEmpty && hazard != .explosion
        }
        if wanted.isEmpty { return hazard == .explosion ? Conversion.isCombustible(species) : false }
        return wanted.contains(species)
    }
}

extension Application {
    func covers(_ traits: NormLibrary.Traits, _ hazard: Hazard) -> Bool {
        if !traits.isPlaced && !hazard.isJudgedUnplaced { return false }
        if !rooms.contains("*") {
            guard let kind = traits.roomKind, rooms.contains(kind) else { return false }
        }
        // A cold store is cold and an outdoor sensor is outdoors, whatever the rooms of a norm say.
        if rooms.contains("*"), let kind = traits.roomKind, ["cold-store", "outdoor"].contains(kind),
            hazard.isAboutRoomClimate
        {
            return false
        }
        if let feeds, feeds != traits.feeds ?? 1 { return false }
        if let nominalVoltage, nominalVoltage != traits.nominalVoltage { return false }
        if let opening, opening != traits.opening?.rawValue { return false }
        // A flat of which the document does not say it may have it: a norm must not be lost for a missing entry.
        if let floor, let actual = traits.floor, !floor.contains(actual) { return false }
        if let burner, let actual = traits.hasBurner, burner != actual { return false }
        return true
    }

    /// Whether season and hours let the norm apply at this local time.
    package func isActive(at local: CivilTime) -> Bool {
        if let hours, !hours.contains(local.hour * 60 + local.minute) { return false }
        switch season {
        case .any: return true
        case .cold: return local.month >= 10 || local.month <= 4
        case .warm: return (5...9).contains(local.month)
        }
    }
}

extension Hazard {
    /// About the climate of a room where people are.
    var isAboutRoomClimate: Bool {
        switch self {
        case .cold, .heat, .damp, .stuffyAir, .pollution: true
        default: false
        }
    }
}
