/// Everything the engine knows of one building. Nothing in it reaches into another, so that buildings can be judged apart.
struct Building: Hashable, Codable, Sendable {
    /// Nil for what has no place: unplaced devices and our own faults.
    let id: String?
    var devices: [Device] = []
    var flats: [Flat] = []
    /// Not yet cleared, in the order of raising.
    var alarms: [Alarm] = []
    var nextNumber = 1
    /// Meters that have fallen silent: whoever else still speaks may prove an outage.
    var silentMeters: [Int] = []
    /// Recent shaking, for corroboration.
    var shakes: [Shake] = []
    /// The same flats by id.
    private var flatNumbers: [FlatKey: Int] = [:]

    private struct FlatKey: Hashable, Codable, Sendable {
        let id: String
        let isPlaced: Bool
    }

    struct Flat: Hashable, Codable, Sendable {
        /// Of an unplaced device: the device's id.
        let id: String
        let isPlaced: Bool
        var joins: [Join] = []
        var panel = Panel()
    }

    struct Shake: Hashable, Codable, Sendable {
        let device: Int
        let flat: Int
        let time: Timestamp
        let norm: Int
    }

    init(id: String?) { self.id = id }

    /// `flatNumbers` follows from `flats` and is not saved.
    private enum CodingKeys: CodingKey {
        case id, devices, flats, alarms, nextNumber, silentMeters, shakes
    }

    init(from decoder: any Decoder) throws {
        let saved = try decoder.container(keyedBy: CodingKeys.self)
        id = try saved.decodeIfPresent(String.self, forKey: .id)
        devices = try saved.decode([Device].self, forKey: .devices)
        flats = try saved.decode([Flat].self, forKey: .flats)
        alarms = try saved.decode([Alarm].self, forKey: .alarms)
        nextNumber = try saved.decode(Int.self, forKey: .nextNumber)
        silentMeters = try saved.decode([Int].self, forKey: .silentMeters)
        shakes = try saved.decode([Shake].self, forKey: .shakes)
        for (index, flat) in flats.enumerated() { flatNumbers[FlatKey(id: flat.id, isPlaced: flat.isPlaced)] = index }
    }

    func place(ofFlat flat: Int, room: String? = nil) -> Place {
        let isPlaced = flats[flat].isPlaced
        return Place(building: id, flat: isPlaced ? flats[flat].id : nil, room: isPlaced ? room : nil)
    }

    mutating func flat(_ id: String, isPlaced: Bool) -> Int {
        let key = FlatKey(id: id, isPlaced: isPlaced)
        if let index = flatNumbers[key] { return index }
        flats.append(Flat(id: id, isPlaced: isPlaced))
        flatNumbers[key] = flats.count - 1
        return flats.count - 1
    }

    /// Declared, else learned from the channel.
    func nominalVoltage(_ device: Int, _ channel: Int) -> Double? {
        devices[device].plan.nominalVoltage ?? devices[device].channels[channel].supply?.learned
    }

    /// What decides which norms judge a channel.
    func traits(_ device: Int, _ channel: Int) -> NormLibrary.Traits {
        let plan = devices[device].plan
        return NormLibrary.Traits(
            series: devices[device].channels[channel].series, roomKind: devices[device].roomKind,
            isPlaced: devices[device].isPlaced,
            nominalVoltage: nominalVoltage(device, channel), feeds: plan.feeds, opening: plan.opening,
            floor: plan.floor,
            hasBurner: plan.hasBurner)
    }

    // MARK: Readings

    mutating func take(_ reading: Reading, device: Int, _ context: Context, _ out: inout Output) {
        if !reading.isRetained { hear(device, context, &out) }
        let channel = channel(reading.series, of: device, context)
        if reading.isRetained && reading.deviceTime == nil {
            takeLastKnown(reading, device, channel, context, &out)
            return
        }
        let claimed = reading.deviceTime
        var (time, quality) = devices[device].date(reading, arrival: context.now, isCatchingUp: context.isCatchingUp)
        watchClock(device, context, &out)
        let admission = devices[device].channels[channel].admit(reading.value, at: time)
        switch admission {
        case .late: quality.insert(.late)
        case .implausible: quality.insert(.implausible)
        case .judge: break
        }
        out.effects.append(
            .store(
                StoredReading(
                    series: reading.series, time: time, arrival: context.now, value: reading.value, quality: quality,
                    claimed: claimed == time ? nil : claimed)))
        switch admission {
        case .late:
            if !reading.isRetained { listen(device, channel, gap: nil, context, &out) }
        case .implausible:
            if !reading.isRetained { noteUnusable(device, channel, context, &out) }
        case .judge(let held, let isRepeat):
            let before = devices[device].channels[channel].heard
            let gap = learnableGap(device, channel, time, quality, before, context)
            if !reading.isRetained { listen(device, channel, gap: gap, context, &out) }
            devices[device].channels[channel].unreadable = 0
            endFault(.unreadable, device, channel, at: context.now, context, &out)
            watchFrozen(device, channel, reading.value, at: time, context, &out)
            let isUncertain = quality.contains(.uncertainTime)
            if let held {
                judge(
                    device, channel, held.value, at: held.time, isRepeat: false, isUncertain: isUncertain, context, &out
                )
            }
            judge(device, channel, reading.value, at: time, isRepeat: isRepeat, isUncertain: isUncertain, context, &out)
            if !isRepeat && !isUncertain { deriveMoisture(device, channel, reading.value, at: time, context, &out) }
        }
    }

    /// A stored message without a time may raise an alarm, and does nothing else.
    private mutating func takeLastKnown(
        _ reading: Reading, _ device: Int, _ channel: Int, _ context: Context, _ out: inout Output
    ) {
        out.effects.append(.lastKnown(reading))
        guard reading.series.unit.isEvent, reading.value == 1 else { return }
        let isNews = devices[device].channels[channel].newest == nil || devices[device].channels[channel].value != 1
        guard isNews else { return }
        devices[device].channels[channel].value = 1
        devices[device].channels[channel].newest = devices[device].channels[channel].newest ?? context.now
        judge(device, channel, 1, at: context.now, isRepeat: false, isUncertain: false, context, &out)
    }

    mutating func judge(
        _ device: Int, _ channel: Int, _ value: Double, at time: Timestamp, isRepeat: Bool, isUncertain: Bool,
        _ context: Context,
        _ out: inout Output
    ) {
        learnSupply(device, channel, value, at: time, context)
        let indicator = devices[device].channels[channel].series.indicator
        let interval = devices[device].plan.interval ?? devices[device].channels[channel].cadence.expected
        let reportsPeaks = devices[device].plan.reportsPeaks
        let judged = devices[device].channels[channel].judged(value, interval, reportsPeaks: reportsPeaks)
        let frequency = indicator == .vibration ? frequency(device, at: time, interval) : nil
        var over: [Int] = []
        if let judged {
            for track in devices[device].channels[channel].tracks.indices {
                let number = devices[device].channels[channel].tracks[track].norm
                let factor = devices[device].channels[channel].tracks[track].factor
                let sample = Sample(
                    time: time, value: factor == 1 ? judged : judged * factor, interval: interval, isRepeat: isRepeat,
                    isUncertain: isUncertain)
                let nominal = indicator == .voltage ? nominalVoltage(device, channel) : nil
                let isNews = devices[device].channels[channel].tracks[track].take(
                    sample, context.frame.norms[number], nominal: nominal, frequency: frequency, context)
                guard isNews else { continue }
                if devices[device].channels[channel].tracks[track].finding == .within {
                    over.append(track)
                } else {
                    report(device, channel, track, at: time, context, &out)
                }
            }
        }
        withdraw(over, device, channel, at: time, context, &out)
        if devices[device].channels[channel].series.isShakingFrequency {
            judgeShaking(device, frequency: value, at: time, context, &out)
        }
        for join in devices[device].channels[channel].joins {
            settle(
                join, flat: devices[device].flat, changed: .init(device: device, channel: channel), at: time, context,
                &out)
        }
        watchBattery(device, channel, value, context, &out)
        if indicator == .door || indicator == .motion {
            trigger(device, channel, value, at: time, context, &out)
        }
        devices[device].channels[channel].wasOn = value == 1
    }

    /// What one reading ends, the worst last: an alarm that is over for all its norms ends as bad as it was.
    private mutating func withdraw(
        _ over: [Int], _ device: Int, _ channel: Int, at time: Timestamp, _ context: Context, _ out: inout Output
    ) {
        guard !over.isEmpty else { return }
        let order = over.reversed().map { track -> (severity: Severity, track: Int) in
            let norm = devices[device].channels[channel].tracks[track].norm
            let source = Evidence.Source.track(device: device, channel: channel, norm: norm)
            let evidence = alarms.lazy.flatMap(\.evidence).first { $0.source == source }
            return (evidence?.excess.severity ?? .notice, track)
        }
        for next in order.sorted(by: { $0.severity < $1.severity }) {
            report(device, channel, next.track, at: time, context, &out)
        }
    }

    /// The dominant frequency that the device told for the same moment.
    private func frequency(_ device: Int, at time: Timestamp, _ interval: Span?) -> Double? {
        for channel in devices[device].channels.indices
        where devices[device].channels[channel].series.isShakingFrequency {
            guard let newest = devices[device].channels[channel].newest,
                FrequencyCurveGauge.isTogether(newest, time, interval: interval)
            else { continue }
            return devices[device].channels[channel].value
        }
        return nil
    }

    /// A dominant frequency has come: the device's shaking that waited for it is judged.
    private mutating func judgeShaking(
        _ device: Int, frequency: Double, at time: Timestamp, _ context: Context, _ out: inout Output
    ) {
        for channel in devices[device].channels.indices
        where devices[device].channels[channel].series.indicator == .vibration {
            for track in devices[device].channels[channel].tracks.indices {
                let norm = context.norms[devices[device].channels[channel].tracks[track].norm].norm
                let isNews = devices[device].channels[channel].tracks[track].take(
                    frequency: frequency, at: time, norm)
                if isNews { report(device, channel, track, at: time, context, &out) }
            }
        }
    }

    private mutating func learnSupply(
        _ device: Int, _ channel: Int, _ value: Double, at time: Timestamp, _ context: Context
    ) {
        guard devices[device].channels[channel].supply != nil, devices[device].plan.nominalVoltage == nil else {
            return
        }
        if devices[device].channels[channel].supply?.take(value, at: time) == true {
            bind(device, channel, context)
        }
    }

    /// What a track found, as evidence for or against an alarm.
    private mutating func report(
        _ device: Int, _ channel: Int, _ track: Int, at time: Timestamp, _ context: Context, _ out: inout Output
    ) {
        let found = devices[device].channels[channel].tracks[track]
        let series = devices[device].channels[channel].series
        let norm = context.norms[found.norm].norm
        let source = Evidence.Source.track(device: device, channel: channel, norm: found.norm)
        switch found.finding {
        case .exceeded(let excess):
            let evidence = Evidence(
                source: source, device: devices[device].id, room: devices[device].room, indicator: series.indicator,
                species: series.species, norm: found.norm, excess: excess, unit: norm.unit)
            support(.hazard(norm.hazard), flat: devices[device].flat, with: evidence, at: time, context, &out)
            if case .peak(let peak) = norm.limit {
                corroborate(peak, device, found.norm, excess, at: time, context, &out)
            }
        case .within:
            withdraw(source, from: .hazard(norm.hazard), flat: devices[device].flat, at: time, context, &out)
        case .unknown:
            break  // "cannot judge" never ends an alarm
        }
    }

    // MARK: Channels

    mutating func channel(_ series: Series, of device: Int, _ context: Context) -> Int {
        if let index = devices[device].channels.index(of: series) { return index }
        let channel = devices[device].addChannel(series)
        bind(device, channel, context)
        join(device, channel, context)
        return channel
    }

    /// Gives a channel the norms that apply to it; what has a gauge already keeps it.
    mutating func bind(_ device: Int, _ channel: Int, _ context: Context) {
        let series = devices[device].channels[channel].series
        let traits = traits(device, channel)
        let old = devices[device].channels[channel].tracks
        let jurisdictions = context.frame.jurisdictions
        let norms = context.norms.norms(about: series.indicator, citedBy: jurisdictions)
        devices[device].channels[channel].tracks = norms.compactMap { number in
            guard context.norms.isUsed(number, jurisdictions: jurisdictions, at: context.lawDate),
                let factor = context.norms.factor(number, for: traits)
            else { return nil }
            if let same = old.first(where: { $0.norm == number && $0.factor == factor }) { return same }
            return Track(norm: number, factor: factor, limit: context.norms[number].norm.limit)
        }
    }

    /// Puts a channel into the joins that look at it, and begins those that it is the first for.
    mutating func join(_ device: Int, _ channel: Int, _ context: Context) {
        let series = devices[device].channels[channel].series
        let flat = devices[device].flat
        let jurisdictions = context.frame.jurisdictions
        for number in context.norms.norms(about: series.indicator, citedBy: jurisdictions) {
            let norm = context.norms[number].norm
            guard case .state(let state) = norm.limit, !state.isArmed else { continue }
            guard context.norms.isUsed(number, jurisdictions: jurisdictions, at: context.lawDate) else { continue }
            let traits = traits(device, channel)
            for (index, condition) in state.all.enumerated() where condition.fits(series, devices[device], norm.hazard)
            {
                // Only the room in which the alarm would be has to be one of the norm's; the supply may be measured elsewhere.
                if condition.subject != .mains && !norm.appliesTo.covers(traits, norm.hazard) { continue }
                let scope = scope(of: state, device, condition)
                let place = joinIndex(number, scope, state, flat)
                flats[flat].joins[place].conditions[index].channels.append(.init(device: device, channel: channel))
                if !devices[device].channels[channel].joins.contains(place) {
                    devices[device].channels[channel].joins.append(place)
                }
            }
        }
    }

    private func scope(of state: StateLimit, _ device: Int, _ condition: StateLimit.Condition) -> String {
        switch state.scope {
        case .device: devices[device].id
        case .room: devices[device].room ?? devices[device].id
        case .flat: ""
        }
    }

    private mutating func joinIndex(_ norm: Int, _ scope: String, _ state: StateLimit, _ flat: Int) -> Int {
        if let index = flats[flat].joins.firstIndex(where: { $0.norm == norm && $0.scope == scope }) { return index }
        flats[flat].joins.append(Join(norm: norm, scope: scope, state: state))
        return flats[flat].joins.count - 1
    }
}

extension StateLimit.Condition {
    /// Whether a channel can speak for this condition.
    func fits(_ series: Series, _ device: Device, _ hazard: Hazard) -> Bool {
        switch subject {
        case .armed: return false
        case .mains: return series.indicator == .voltage
        case .indicator(let indicator):
            guard series.indicator == indicator else { return false }
        }
        if let opening, opening != device.plan.opening?.rawValue { return false }
        if let zone, zone != device.zone(for: series.indicator).rawValue { return false }
        if let unit { return series.unit == unit && Norm.covers(species, series, hazard) }
        switch test {
        case .equals: guard series.unit == .boolean else { return false }
        case .below, .above: guard series.unit != .boolean && series.unit != .raw else { return false }
        }
        return Norm.covers(species, series, hazard)
    }
}
