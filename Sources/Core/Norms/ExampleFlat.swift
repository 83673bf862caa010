/// The flat that an example plays in.
struct ExampleFlat {
    private let example: WorkedExample
    /// In force and switched on, whatever its act says: an example shows what the limit does.
    private let norm: CitedNorm
    private let start: Timestamp
    private static let place = Place(building: "example", flat: "flat")

    init(_ example: WorkedExample, _ cited: CitedNorm) {
        self.example = example
        norm = cited.forExample
        let day = cited.norm.appliesTo.season == .warm ? (7, 13) : (1, 12)  // Mondays
        let midnight = CivilTime(year: 2026, month: day.0, day: day.1).instant()
        start = example.start ?? midnight + .minutes(cited.norm.appliesTo.hours?.from ?? 0)
    }

    func run() -> [ExampleRun.Line] {
        let library = NormLibrary([ActDocument(act: norm.act, norms: [norm.norm])])
        var engine = Engine(site: site, norms: library)
        var effects: [Effect] = []
        var arrival = start - .seconds(1)
        var events: [Event] = [.started(downSince: nil), .listening(true), .caughtUp]
        if example.isArmed {
            events.append(.command(.arm(building: "example", flat: "flat", mode: .away, by: "example")))
        }
        for event in events {
            arrival += Span(microseconds: 1)
            engine.step(event, at: arrival, into: &effects)
        }
        for reading in readings {
            arrival = max(arrival + Span(microseconds: 1), reading.deviceTime ?? arrival)
            engine.step(.reading(reading), at: arrival, into: &effects)
        }
        let expected = example.expect.map { $0.at + ($0.within ?? example.spacing) }.max() ?? .zero
        engine.advance(to: max(arrival, start + expected), into: &effects)
        return effects.compactMap { effect in
            guard case .transition(let transition) = effect, transition.hazard == norm.norm.hazard else { return nil }
            guard WorkedExample.Expectation.events.contains(transition.event.rawValue) else { return nil }
            return ExampleRun.Line(
                at: transition.time - start, event: transition.event.rawValue, severity: transition.severity)
        }
    }

    // MARK: Readings

    /// In time order. Where two stretches of a series meet, the later one has the moment.
    private var readings: [Reading] {
        struct Key: Hashable {
            let series: Series
            let at: Int64
        }
        var values: [Key: (value: Double, order: Int)] = [:]
        for (order, stretch) in example.readings.enumerated() {
            for step in 0..<stretch.count {
                let at = stretch.from + stretch.every * Int64(step)
                values[Key(series: series(stretch), at: at.microseconds)] = (stretch.value, order)
            }
        }
        let sorted = values.sorted { ($0.key.at, $0.value.order) < ($1.key.at, $1.value.order) }
        return sorted.compactMap { key, value in
            Reading(key.series, value.value, deviceTime: start + Span(microseconds: key.at))
        }
    }

    private func indicator(_ stretch: WorkedExample.Stretch) -> Indicator { stretch.indicator ?? norm.norm.indicator }

    private func device(_ stretch: WorkedExample.Stretch) -> String {
        // The frequency of the shaking comes from the device that feels it.
        stretch.device ?? (isShakingFrequency(stretch) ? norm.norm.indicator : indicator(stretch)).rawValue
    }

    private func isShakingFrequency(_ stretch: WorkedExample.Stretch) -> Bool {
        if case .frequencyCurve = norm.norm.limit { indicator(stretch) == .frequency } else { false }
    }

    private func series(_ stretch: WorkedExample.Stretch) -> Series {
        let indicator = indicator(stretch)
        if isShakingFrequency(stretch) {
            return Series(
                device: device(stretch), indicator: .frequency, channel: Indicator.vibration.rawValue, unit: .hertz)
        }
        var (species, unit) = (norm.norm.species.first, norm.norm.unit)
        // What adds up to a dose are accelerations.
        if unit == .vibrationDose { unit = .metrePerSecondSquared }
        if indicator != norm.norm.indicator {
            let condition = norm.norm.limit.conditions.first { $0.subject == .indicator(indicator) }
            species = condition?.species.first
            unit = condition?.unit ?? indicator.canonicalUnit ?? .boolean
        }
        return Series(device: device(stretch), indicator: indicator, species: species, unit: unit)
    }

    // MARK: Place

    private var site: Site {
        let applies = norm.norm.appliesTo
        let kind = example.place.room ?? applies.rooms.first { $0 != "*" } ?? "living"
        var flat = FlatPlan(id: "flat")
        flat.exitDelay = .zero
        flat.floor = applies.floor?.atLeast ?? applies.floor?.atMost
        flat.hasBurner = applies.burner
        flat.rooms = [RoomPlan(id: "room", kind: kind, devices: devices)]
        var building = BuildingPlan(id: "example", nominalVoltage: applies.nominalVoltage ?? 230, flats: [flat])
        building.feeds = applies.feeds
        var site = Site.none
        (site.buildings, site.jurisdictions) = ([building], ["house"])
        return site
    }

    private var devices: [DevicePlan] {
        let byDevice = Dictionary(grouping: example.readings) { device($0) }
        let conditions = norm.norm.limit.conditions
        return byDevice.sorted { $0.key < $1.key }.map { id, stretches in
            var plan = DevicePlan(id: id)
            plan.opening =
                example.place.opening
                ?? (norm.norm.appliesTo.opening ?? conditions.compactMap(\.opening).first).flatMap {
                    .init(rawValue: $0)
                }
            plan.zone =
                example.place.zone ?? conditions.compactMap(\.zone).first.flatMap { .init(rawValue: $0) }
            plan.reportsPeaks = stretches.contains { indicator($0) == .vibration }
            // An example says how often a sensor reports; there is nothing to be learned.
            let spacings = Set(stretches.filter { $0.count > 1 }.map(\.every))
            if spacings.count == 1 { plan.interval = spacings.first }
            return plan
        }
    }
}

extension Limit {
    /// Of a `state`; none in other shapes.
    fileprivate var conditions: [StateLimit.Condition] {
        if case .state(let state) = self { state.all } else { [] }
    }
}

extension CitedNorm {
    fileprivate var forExample: CitedNorm {
        let act = Act(
            id: act.id, kind: act.kind, jurisdictions: ["house"], issuer: act.issuer, edition: act.edition,
            title: act.title, inForceFrom: nil, inForceUntil: nil, source: act.source)
        let norm = Norm(
            id: norm.id, clause: norm.clause, hazard: norm.hazard, track: .safety, indicator: norm.indicator,
            species: norm.species, unit: norm.unit, base: norm.base, appliesTo: norm.appliesTo, limit: norm.limit,
            severity: norm.severity, confidence: .read, why: norm.why, whatToDo: norm.whatToDo,
            respondWithin: norm.respondWithin, references: norm.references, examples: [])
        return CitedNorm(act: act, norm: norm)
    }
}
