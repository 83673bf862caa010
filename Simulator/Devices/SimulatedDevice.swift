import Core

/// One device: what it senses and when it speaks.
struct SimulatedDevice: Sendable {
    struct Channel: Sendable {
        let measure: Measure
        let speech: NativeSpeech
        var plant: any Plant
        /// For events.
        var changes: Changes?
    }

    /// Which of the readings of all `number` devices together are this one's: every so manieth.
    struct Numbering: Sendable {
        let rate: Double
        let count: Int
        let step: Int
        var next: Int

        /// When the next one is due.
        var due: Double { next < count ? Double(next) / rate : .infinity }
    }

    let id: String
    let spec: DeviceSpec
    private let surroundings: Surroundings
    private var channels: [Channel]
    private var writer: FaultyWriter
    private var beat: SplitMix64
    /// When it reports by itself; infinite: never.
    private var tick: Double
    private var hasSpoken = false
    private var moving: [Interval] = []
    private var numbering: Numbering?

    init(
        _ spec: DeviceSpec, id: String, surroundings: Surroundings, faults: [Fault], seed: UInt64, numbering: Numbering?
    ) {
        (self.spec, self.id, self.surroundings, self.numbering) = (spec, id, surroundings, numbering)
        let path = surroundings.path
        channels = spec.measures.map { measure in
            Channel(
                measure: measure, speech: NativeSpeech(device: id, measure: measure, hasClock: spec.hasClock),
                plant: measure.plant(surroundings, SplitMix64(seed: seed, part: path + [measure.text])),
                changes: measure.quantity.isEvent
                    ? Changes.of(measure.quantity, surroundings, isEntrance: spec.opening == "entrance") : nil)
        }
        writer = FaultyWriter(
            faults.filter { $0.device.names(path) }, random: SplitMix64(seed: seed, part: path + ["faults"]))
        beat = SplitMix64(seed: seed, part: path)
        // A first word soon after the start, then each in its own beat.
        let first = beat.uniform(0..<min(5, spec.every ?? 5))
        tick = numbering?.due ?? first
        for case let plant as VibrationPlant in channels.map(\.plant) { moving += plant.isMoving }
    }

    /// When it wants to speak next; infinite: never again.
    var due: Double { channels.reduce(tick) { min($0, $1.changes?.next ?? .infinity) } }

    /// Says what is due at `time`.
    mutating func speak(at time: Double, _ stamps: inout Stamps, into out: inout [Publication]) {
        let isTick = tick <= time
        var spoken: [FaultyWriter.Value] = []
        for index in channels.indices {
            let hasChanged = channels[index].changes?.next.map { $0 <= time } ?? false
            channels[index].changes?.pass(time)
            guard isTick || hasChanged || spec.speech == .zigbee else { continue }
            let written = sense(index, at: time)
            spoken.append(.init(channel: index, of: channels[index].measure, channels[index].speech, written))
        }
        if isTick { advance(from: time) }
        guard hasPower(time) else { return }
        switch spec.speech {
        case .native: writer.write(native: spoken, at: time, &stamps, into: &out)
        case .zigbee:
            let quality = Int(beat.uniform(60..<220))
            writer.write(zigbee: spoken, topic: id, linkQuality: quality, at: time, &stamps, into: &out)
        }
    }

    private mutating func sense(_ index: Int, at time: Double) -> Written {
        if let changes = channels[index].changes { return .state(changes.isOn(at: time)) }
        if let numbering { return .number(Double(numbering.next), decimals: 0) }
        return .number(channels[index].plant.value(at: time), decimals: channels[index].measure.quantity.decimals)
    }

    private mutating func advance(from time: Double) {
        if var numbers = numbering {
            numbers.next += numbers.step
            (numbering, tick) = (numbers, numbers.due)
        } else if let every = spec.every, !hasSpoken {
            (tick, hasSpoken) = (time + every * beat.uniform(0.02..<1), true)
        } else if let every = spec.every {
            // What moves is measured five times as often.
            tick = time + (moving.contains(time) ? every / 5 : every * beat.uniform(0.98..<1.02))
        } else {
            tick = .infinity
        }
    }

    private func hasPower(_ time: Double) -> Bool {
        guard spec.power == .mains, let outage = surroundings.outage(time) else { return true }
        return outage.meters == .zero && spec.measures.contains { $0.quantity == .voltage }
    }
}

extension Measure {
    fileprivate func plant(_ surroundings: Surroundings, _ random: SplitMix64) -> any Plant {
        switch quantity {
        case .voltage: MainsPlant(surroundings, random)
        case .frequency: FrequencyPlant(random)
        case .temperature: TemperaturePlant(surroundings, random)
        case .humidity: HumidityPlant(surroundings, random)
        case .co2: CarbonDioxidePlant(surroundings, random)
        case .light: LightPlant(surroundings, random)
        case .vibration: VibrationPlant(surroundings, axis: channel, random)
        case .co: GasPlant(surroundings, source: .carbonMonoxide, usual: 1.5, random)
        case .methane: GasPlant(surroundings, source: .gasLeak, usual: 0.3, random)
        case .battery: BatteryPlant(surroundings, random)
        case .number, .lamp, .door, .motion, .smoke, .waterLeak, .gasAlarm, .coAlarm: NoPlant()
        }
    }
}
