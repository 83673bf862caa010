import Core

/// Our own form: `sensors/<building>/<flat>/<room>/<device>/<indicator>[/<channel>]`.
struct NativeForm: Family {
    static let name = "native"

    func claim(_ topic: Topic, _ memory: inout Memory) -> Claim? {
        let levels = topic.levels
        guard levels.count == 6 || levels.count == 7, levels[0] == "sensors", levels.allSatisfy({ !$0.isEmpty }) else {
            return nil
        }
        guard var measurand = measurand(topic.word(5), &memory) else { return nil }
        // Without a unit the indicator's own one is meant: that is what the form says.
        measurand.unit = measurand.unit ?? measurand.indicator.canonicalUnit.flatMap { WrittenUnit($0.rawValue) }
        measurand.needsUnit = false
        if levels.count == 7 { name(levels[6], of: &measurand, &memory) }
        let source = Source(
            device: topic.prefix(5), family: Self.name,
            placement: Place(building: levels[1], flat: levels[2], room: levels[3]))
        return .value(ValuePlan(source: source, measurand: measurand, word: nil))
    }

    private func measurand(_ word: String, _ memory: inout Memory) -> Measurand? {
        if let indicator = Indicator(rawValue: word) { return Measurand(indicator) }
        guard case .quantity(let measurand, .whole) = memory.glossary.meaning(of: word) else { return nil }
        return measurand
    }

    /// The last level is a phase, an axis or an endpoint; of a gas it may be the substance.
    private func name(_ level: String, of measurand: inout Measurand, _ memory: inout Memory) {
        let hasSpecies = measurand.indicator == .gas || measurand.indicator == .particles
        if hasSpecies, measurand.species == nil, case .quantity(let named, .whole) = memory.glossary.meaning(of: level),
            named.indicator == measurand.indicator, let species = named.species
        {
            measurand.species = species
        } else {
            measurand.channel = level
        }
    }

    func read(
        _ payload: Payload, on topic: Topic, _ delivery: Delivery, _ memory: inout Memory,
        into understanding: inout Understanding
    ) -> Bool { false }
}
