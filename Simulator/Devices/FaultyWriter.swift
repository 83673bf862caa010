import Core

/// Writes what a device has sensed, with all that may go wrong on the way.
struct FaultyWriter: Sendable {
    struct Value: Sendable {
        let channel: Int
        let measure: Measure
        let speech: NativeSpeech
        var written: Written

        init(channel: Int, of measure: Measure, _ speech: NativeSpeech, _ written: Written) {
            (self.channel, self.measure, self.speech, self.written) = (channel, measure, speech, written)
        }
    }

    private let faults: [Fault]
    private var random: SplitMix64
    private var frozen: [Int: Written] = [:]
    /// Channels whose last value was a spike.
    private var spiked: Set<Int> = []
    /// Waits for the message after it.
    private var held: [Publication] = []
    private var isTurn = false
    /// The first thing it ever said, for replays.
    private var first: [Publication] = []
    private var nextReplay = 0.0

    init(_ faults: [Fault], random: SplitMix64) { (self.faults, self.random) = (faults, random) }

    mutating func write(native values: [Value], at time: Double, _ stamps: inout Stamps, into out: inout [Publication])
    {
        let active = faults.filter { $0.time.contains(time) }
        let stamp = stamp(at: time, active, &stamps)
        let messages = values.map { value in
            let written = spoil(value, active)
            var payload = value.speech.payload(written, stamp: stamp)
            if case .word(let word) = written { payload = Array(word.utf8) }
            return Publication(at: time, topic: value.speech.topic, payload: payload)
        }
        deliver(messages, active, at: time, into: &out)
    }

    mutating func write(
        zigbee values: [Value], topic: String, linkQuality: Int, at time: Double, _ stamps: inout Stamps,
        into out: inout [Publication]
    ) {
        let active = faults.filter { $0.time.contains(time) }
        let stamp = stamp(at: time, active, &stamps)
        let payload = ZigbeeSpeech.payload(
            values.map { ($0.measure, spoil($0, active)) }, linkQuality: linkQuality, stamp: stamp)
        deliver([Publication(at: time, topic: topic, payload: payload)], active, at: time, into: &out)
    }

    // MARK: Values and stamps

    private mutating func spoil(_ value: Value, _ active: [Fault]) -> Written {
        var written = value.written
        var isFrozen = false
        for fault in active where fault.measure == nil || fault.measure == value.measure.quantity {
            switch fault.what {
            case .frozen:
                written = frozen[value.channel] ?? written
                frozen[value.channel] = written
                isFrozen = true
            case .nan: written = .word("nan")
            case .spikes:
                if let spike = spike(fault, value) { written = spike }
            case .decimalComma:
                if case .number = written { written = .word(written.text.replacing(".", with: ",")) }
            case .dropout, .replay, .duplicates, .wrongClock, .unsetClock, .reordering: break
            }
        }
        if !isFrozen { frozen[value.channel] = nil }
        return written
    }

    /// Never two in a row: a sensor whose values are none again and again is broken, and told as such.
    private mutating func spike(_ fault: Fault, _ value: Value) -> Written? {
        guard !value.measure.quantity.isEvent, random.chance(fault.share / 100), !spiked.contains(value.channel) else {
            spiked.remove(value.channel)
            return nil
        }
        spiked.insert(value.channel)
        return .number(fault.values[Int(random.uniform(0..<Double(fault.values.count)))], decimals: 0)
    }

    private func stamp(at time: Double, _ active: [Fault], _ stamps: inout Stamps) -> String {
        var instant = stamps.instant(time)
        for fault in active {
            if fault.what == .wrongClock { instant += .seconds(fault.offset) }
            if fault.what == .unsetClock { instant = Timestamp(microseconds: Int64(time) * 1_000_000) }
        }
        return stamps.text(instant)
    }

    // MARK: Delivery

    private mutating func deliver(
        _ messages: [Publication], _ active: [Fault], at time: Double, into out: inout [Publication]
    ) {
        if first.isEmpty { first = messages }
        guard !active.isEmpty || !held.isEmpty else { return out += messages }
        if active.contains(where: { $0.what == .dropout }) { return }
        let isReordering = active.contains { $0.what == .reordering }
        isTurn.toggle()
        if isReordering && held.isEmpty && isTurn {
            held = messages
            return
        }
        out += messages
        if active.contains(where: { $0.what == .duplicates }) { out += messages }
        out += held.map { Publication(at: time, topic: $0.topic, payload: $0.payload) }
        held = []
        if let replay = active.first(where: { $0.what == .replay }), time >= nextReplay {
            nextReplay = time + replay.every
            out += first.map {
                Publication(at: time, topic: $0.topic, payload: $0.payload, isRetained: true, isReplay: true)
            }
        }
    }
}
