import Core

/// Whatever names its quantity by itself: a value on a topic whose last levels name it, or an object whose keys do.
struct PlainTopics: Family {
    static let name = "plain"

    func claim(_ topic: Topic, _ memory: inout Memory) -> Claim? {
        let last = topic.levels.count - 1
        guard last >= 0, topic.levels.contains(where: { !$0.isEmpty }) else { return .ignored(.noQuantity) }
        if ["availability", "lwt", "online", "connected"].contains(topic.lastWord) {
            return .availability(subject: topic.prefix(last))
        }
        let before = last > 0 ? memory.glossary.meaning(of: topic.levels[last - 1]) : .nothing
        switch memory.glossary.meaning(of: topic.levels[last]) {
        case .quantity(_, .stateAlone) where before == .other || before == .excluded: return .payload
        case .quantity(let measurand, .stateAlone):
            if case .quantity(let opening, .whole) = before, opening.indicator == .door {
                var named = measurand
                named.channel = opening.channel
                return plan(topic, named, device: topic.prefix(last - 1))
            }
            return plan(topic, measurand, device: topic.prefix(last))
        case .quantity(var measurand, let extent):
            if extent == .whole { return plan(topic, measurand, device: topic.prefix(last)) }
            // The level names a device: `front_door`. Its own topic tells it apart, so no channel has to.
            measurand.channel = nil
            return plan(topic, measurand, device: topic.text)
        case .value(let unit):
            return secondLast(topic, before) { $0.unit = unit ?? $0.unit } ?? .payload
        case .position(let position): return secondLast(topic, before) { $0.channel = position } ?? .payload
        case .nothing: return named(topic, before) ?? .payload
        case .other:
            // The present one, beside `setpoint` and `max`, unless it may be in amperes.
            if topic.lastWord == "current", case .quantity(let measurand, _) = before, measurand.indicator != .voltage {
                return secondLast(topic, before) { _ in }
            }
            return .payload
        case .excluded: return .ignored(.setting)
        }
    }

    /// `…/temperature/state`, `…/voltage/l1`: the level before names the quantity.
    private func secondLast(_ topic: Topic, _ before: Glossary.Meaning, _ finish: (inout Measurand) -> Void) -> Claim? {
        guard case .quantity(var measurand, let extent) = before else { return nil }
        let last = topic.levels.count - 1
        if extent == .qualified { measurand.channel = nil }
        finish(&measurand)
        let device = topic.prefix(extent == .qualified ? last : last - 1)
        return plan(topic, measurand, device: device, mayBeAvailability: topic.lastWord == "status")
    }

    /// `…/temperature/bedroom`: the last level is a name.
    private func named(_ topic: Topic, _ before: Glossary.Meaning) -> Claim? {
        guard case .quantity(let measurand, .whole) = before, topic.levels.count > 1 else { return nil }
        let isName = topic.lastWord.unicodeScalars.contains { $0.properties.isAlphabetic }
        return isName ? plan(topic, measurand, device: topic.without(topic.levels.count - 2)) : nil
    }

    private func plan(_ topic: Topic, _ measurand: Measurand, device: String, mayBeAvailability: Bool = false) -> Claim
    {
        var measurand = measurand
        if PowerOnGuard.concerns(topic) { measurand.startsAt85 = true }
        // Where the whole topic is the device, everything on it is that device's.
        let word = device == topic.text ? nil : topic.lastWord
        return .value(
            ValuePlan(
                source: Source(device: device, family: Self.name), measurand: measurand, word: word,
                mayBeAvailability: mayBeAvailability))
    }

    mutating func read(
        _ payload: Payload, on topic: Topic, _ delivery: Delivery, _ memory: inout Memory,
        into understanding: inout Understanding
    ) -> Bool {
        switch payload {
        case .empty: understanding.ignored = .empty
        case .text(let scalar):
            if !readStatus(scalar, on: topic, into: &understanding) { understanding.ignored = .noQuantity }
        case .document(let document):
            var scope = ObjectReader.Scope(
                source: Source(device: topic.text, family: Self.name), delivery: delivery, context: nil)
            scope.startsAt85 = PowerOnGuard.concerns(topic)
            ObjectReader.read(document, scope, &memory, into: &understanding)
            guard understanding.readings.isEmpty && understanding.rejected.isEmpty else { break }
            let status = (document["state"] ?? document["status"])?.scalar
            if status.map({ readStatus($0, on: topic, into: &understanding) }) != true {
                understanding.ignored = .noQuantity
            }
        }
        return false
    }

    /// `…/status` with a word for “there” or “gone”; documents with values are published on such topics too.
    private func readStatus(_ scalar: Scalar, on topic: Topic, into understanding: inout Understanding) -> Bool {
        guard topic.lastWord == "status", case .word(let word) = scalar,
            let isOnline = StateWords.availability(word)
        else { return false }
        let subject = topic.prefix(topic.levels.count - 1)
        understanding.availability.append(Availability(subject: subject, isOnline: isOnline))
        return true
    }
}
