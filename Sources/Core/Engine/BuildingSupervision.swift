/// Watching the sensors themselves: silence, clocks, frozen and unusable values, batteries.
extension Building {
    private static let offlineDelay = Span.seconds(60)
    private static let shortestTolerance = Span.seconds(10)
    private static let safetyTolerance = Span.seconds(100)
    private static let unusableInARow = 3

    // MARK: Hearing

    /// A device has spoken, whatever it said.
    mutating func hear(_ device: Int, _ context: Context, _ out: inout Output) {
        devices[device].heard = context.now
        devices[device].deafWhenHeard = context.deaf
        devices[device].offlineSince = nil
        if devices[device].plan.interval != nil {
            watch(device: device, context, &out)
            endFault(.silent, device, nil, at: context.now, context, &out)
        } else if devices[device].faults.contains(.silent),
            devices[device].channels.allSatisfy({ !$0.faults.contains(.silent) })
        {
            endFault(.silent, device, nil, at: context.now, context, &out)
        }
        if devices[device].isBatteryPowered { inferOutages(provedBy: device, context, &out) }
    }

    /// A channel has spoken with a value that can be used.
    mutating func listen(_ device: Int, _ channel: Int, gap: Span?, _ context: Context, _ out: inout Output) {
        devices[device].channels[channel].heard = context.now
        devices[device].channels[channel].deafWhenHeard = context.deaf
        if devices[device].channels[channel].faults.contains(.silent) {
            endFault(.silent, device, channel, at: context.now, context, &out)
        } else if let gap {
            devices[device].channels[channel].cadence.note(gap: gap)
        }
        watch(device: device, channel: channel, context, &out)
    }

    /// The time since the reading before, where it tells how often the device reports.
    func learnableGap(
        _ device: Int, _ channel: Int, _ time: Timestamp, _ quality: Quality, _ heard: Timestamp?, _ context: Context
    ) -> Span? {
        guard devices[device].channels[channel].series.isSampled, let heard else { return nil }
        let wasDeaf = devices[device].channels[channel].deafWhenHeard != context.deaf
        if quality.contains(.arrivalTime) || quality.contains(.wrongClock) {
            return context.isCatchingUp || wasDeaf ? nil : context.now - heard
        }
        // A reading out of order has no gap.
        guard let previous = devices[device].channels[channel].previousTime, time > previous else { return nil }
        let gap = time - previous
        // By the device's own time a restart makes no gap, unless something was lost in it.
        return wasDeaf && !devices[device].channels[channel].cadence.isUsual(gap) ? nil : gap
    }

    // MARK: Silence

    /// How long a sampled channel may be silent: three of its usual intervals.
    private func tolerance(_ device: Int, _ channel: Int) -> Span? {
        guard devices[device].isPlaced, devices[device].plan.interval == nil else { return nil }
        guard let usual = devices[device].channels[channel].cadence.largestUsual else { return nil }
        let isSafety = devices[device].plan.isDeclared && devices[device].channels[channel].series.isSafety
        // A twentieth for jitter: the third report may come just in time.
        let tolerance = usual * 3 + Span(microseconds: usual.microseconds / 20)
        return max(tolerance, isSafety ? Self.safetyTolerance : Self.shortestTolerance)
    }

    /// Asks to be woken when the silence would be too long. A later deadline need not be asked for: whoever is woken looks again.
    private mutating func watch(device: Int, channel: Int, _ context: Context, _ out: inout Output) {
        guard let due = silenceDue(device, channel, context) else { return }
        if let until = devices[device].channels[channel].watchedUntil, until <= due { return }
        devices[device].channels[channel].watchedUntil = due
        out.wake(.channel(device, channel), at: due)
    }

    /// A declared interval is watched on the device: any message of it is a sign of life.
    mutating func watch(device: Int, _ context: Context, _ out: inout Output) {
        guard let due = silenceDue(device, context) else { return }
        if let until = devices[device].watchedUntil, until <= due { return }
        devices[device].watchedUntil = due
        out.wake(.device(device), at: due)
    }

    private func silenceDue(_ device: Int, _ context: Context) -> Timestamp? {
        guard let interval = devices[device].plan.interval else { return nil }
        let safety = devices[device].channels.contains(where: \.series.isSafety)
        let tolerance = max(interval * 3, safety ? Self.safetyTolerance : .zero)
        guard let from = devices[device].heard ?? devices[device].expectedSince else { return nil }
        return from + tolerance + (context.deaf - devices[device].deafWhenHeard)
    }

    private func silenceDue(_ device: Int, _ channel: Int, _ context: Context) -> Timestamp? {
        guard let heard = devices[device].channels[channel].heard, let tolerance = tolerance(device, channel) else {
            return nil
        }
        let spoke = max(heard, devices[device].channels[channel].unreadableAt ?? heard)
        return spoke + tolerance + (context.deaf - devices[device].channels[channel].deafWhenHeard)
    }

    /// Begins to watch everything again, after a start or when the broker is heard again.
    mutating func watchAll(_ context: Context, _ out: inout Output) {
        for device in devices.indices {
            watch(device: device, context, &out)
            watchAbsence(of: device, context, &out)
            for channel in devices[device].channels.indices { watch(device: device, channel: channel, context, &out) }
        }
    }

    private mutating func watchAbsence(of device: Int, _ context: Context, _ out: inout Output) {
        guard let offline = devices[device].offlineSince, devices[device].offlineDue == nil else { return }
        let due = max(context.now, offline + Self.offlineDelay)
        devices[device].offlineDue = due
        out.wake(.offline(device), at: due)
    }

    mutating func wake(offline device: Int, at time: Timestamp, _ context: Context, _ out: inout Output) {
        guard devices[device].offlineDue == time else { return }
        devices[device].offlineDue = nil
        guard context.isListening, let offline = devices[device].offlineSince else { return }
        guard time - offline >= Self.offlineDelay else { return watchAbsence(of: device, context, &out) }
        startFault(.silent, device, nil, since: offline, at: time, detail: "offline", context, &out)
    }

    mutating func wake(device: Int, at time: Timestamp, _ context: Context, _ out: inout Output) {
        guard devices[device].watchedUntil == time else { return }
        devices[device].watchedUntil = nil
        guard context.isListening, let due = silenceDue(device, context) else { return }
        guard due <= time else { return watch(device: device, context, &out) }
        if inferOutage(ofSilent: device, context, &out) { return explainSilence(device, nil) }
        let since = devices[device].heard ?? devices[device].expectedSince ?? time
        let detail = devices[device].heard == nil ? "never" : nil
        startFault(.silent, device, nil, since: since, at: time, detail: detail, context, &out)
    }

    mutating func wake(device: Int, channel: Int, at time: Timestamp, _ context: Context, _ out: inout Output) {
        guard devices[device].channels[channel].watchedUntil == time else { return }
        devices[device].channels[channel].watchedUntil = nil
        guard context.isListening, let due = silenceDue(device, channel, context) else { return }
        guard due <= time else { return watch(device: device, channel: channel, context, &out) }
        guard let since = devices[device].channels[channel].heard else { return }
        if inferOutage(ofSilent: device, context, &out) { return explainSilence(device, channel) }
        startFault(.silent, device, channel, since: since, at: time, context, &out)
    }

    mutating func take(_ availability: Availability, device: Int, _ context: Context, _ out: inout Output) {
        if availability.isOnline {
            devices[device].offlineSince = nil
            if devices[device].channels.allSatisfy({ !$0.faults.contains(.silent) }) {
                endFault(.silent, device, nil, at: context.now, context, &out)
            }
        } else if devices[device].offlineSince == nil {
            devices[device].offlineSince = context.now
            watchAbsence(of: device, context, &out)
        }
    }

    /// Every deadline that the state waits for; the agenda of a restored engine is filled from these.
    func waiting(_ context: Context) -> [(due: Timestamp, wake: Wake)] {
        var wakes: [(Timestamp, Wake)] = []
        for device in devices.indices {
            if let until = devices[device].watchedUntil { wakes.append((until, .device(device))) }
            if let due = devices[device].offlineDue { wakes.append((due, .offline(device))) }
            for channel in devices[device].channels.indices {
                if let until = devices[device].channels[channel].watchedUntil {
                    wakes.append((until, .channel(device, channel)))
                }
            }
        }
        for flat in flats.indices {
            if let due = flats[flat].panel.due { wakes.append((due, .panel(flat))) }
            for join in flats[flat].joins.indices {
                guard case .state(let state) = context.norms[flats[flat].joins[join].norm].norm.limit else { continue }
                if let due = flats[flat].joins[join].due(state) { wakes.append((due, .join(flat: flat, join: join))) }
            }
        }
        for alarm in alarms where alarm.isActive {
            let due = alarm.telling.notBefore ?? alarm.telling.pending.map(\.due).min()
            if let due { wakes.append((due, .alarm(alarm.number))) }
        }
        return wakes
    }

    // MARK: Outage seen from silence

    /// Something with a battery speaks: meters behind the same gateway that are silent have lost their supply.
    private mutating func inferOutages(provedBy witness: Int, _ context: Context, _ out: inout Output) {
        for device in silentMeters where device != witness && isNear(device, witness) {
            inferOutage(device, context, &out)
            guard active(.hazard(.powerOutage), devices[device].flat) != nil else { continue }
            // Its silence is no trouble of its own any more.
            let subject = Alarm.Subject.fault(.silent, device: devices[device].id)
            for channel in [-1] + devices[device].channels.indices {
                withdraw(
                    .fault(channel: channel), from: subject, flat: devices[device].flat, at: context.now, context, &out)
            }
        }
    }

    /// A meter has fallen silent: whoever spoke since then with a battery proves an outage.
    /// - Returns: whether the silence is an outage.
    private mutating func inferOutage(ofSilent device: Int, _ context: Context, _ out: inout Output) -> Bool {
        guard isMeter(device), let last = devices[device].heard else { return false }
        if !silentMeters.contains(device) { silentMeters.append(device) }
        let isProved = devices.indices.contains(where: { witness in
            guard witness != device, devices[witness].isBatteryPowered, isNear(device, witness) else { return false }
            // Later than the meter's next report would have been.
            let interval =
                devices[device].channels.compactMap { devices[device].plan.interval ?? $0.cadence.expected }.max()
                ?? .zero
            return devices[witness].heard.map { $0 > last + interval } ?? false
        })
        guard isProved else { return false }
        inferOutage(device, context, &out)
        return active(.hazard(.powerOutage), devices[device].flat) != nil
    }

    /// Silent, but no fault: nothing is raised, and nothing is learned from the gap.
    private mutating func explainSilence(_ device: Int, _ channel: Int?) {
        _ = devices[device].faults.insert(.silent)
        if let channel { _ = devices[device].channels[channel].faults.insert(.silent) }
    }

    private func isMeter(_ device: Int) -> Bool {
        !devices[device].isBatteryPowered
            && devices[device].channels.contains { $0.series.indicator == .voltage && $0.newest != nil }
    }

    private func isNear(_ a: Int, _ b: Int) -> Bool {
        if let gateway = devices[a].note?.gateway, gateway == devices[b].note?.gateway { return true }
        return devices[a].flat == devices[b].flat && flats[devices[a].flat].isPlaced
    }

    private mutating func inferOutage(_ device: Int, _ context: Context, _ out: inout Output) {
        for channel in devices[device].channels.indices
        where devices[device].channels[channel].series.indicator == .voltage {
            guard let nominal = nominalVoltage(device, channel),
                let last = devices[device].channels[channel].newest
            else { continue }
            for track in devices[device].channels[channel].tracks.indices {
                let norm = context.norms[devices[device].channels[channel].tracks[track].norm].norm
                guard case .interruption(let limit) = norm.limit,
                    case .interruption(var gauge) = devices[device].channels[channel].tracks[track].gauge
                else { continue }
                let finding = gauge.inferOutage(
                    since: last, at: context.now, limit, nominal: nominal, severity: norm.severity,
                    zone: context.zone)
                devices[device].channels[channel].tracks[track].gauge = .interruption(gauge)
                let wasExceeded = devices[device].channels[channel].tracks[track].finding.excess != nil
                devices[device].channels[channel].tracks[track].finding = finding
                guard let excess = finding.excess, !wasExceeded else { continue }
                let series = devices[device].channels[channel].series
                let number = devices[device].channels[channel].tracks[track].norm
                let evidence = Evidence(
                    source: .track(device: device, channel: channel, norm: number), device: devices[device].id,
                    room: devices[device].room,
                    indicator: .voltage, species: series.species, norm: number, excess: excess, unit: .volt)
                support(
                    .hazard(norm.hazard), flat: devices[device].flat, with: evidence, at: context.now, context, &out)
            }
        }
    }

    // MARK: Values and clocks

    mutating func noteUnusable(_ device: Int, _ channel: Int, _ context: Context, _ out: inout Output) {
        devices[device].channels[channel].unreadable += 1
        devices[device].channels[channel].unreadableAt = context.now
        if devices[device].channels[channel].faults.contains(.silent) {
            endFault(.silent, device, channel, at: context.now, context, &out)
        }
        guard devices[device].channels[channel].unreadable >= Self.unusableInARow else { return }
        startFault(.unreadable, device, channel, since: context.now, at: context.now, context, &out)
    }

    /// A value came that is none.
    mutating func takeUnreadable(_ series: Series, device: Int, _ context: Context, _ out: inout Output) {
        hear(device, context, &out)
        let channel = channel(series, of: device, context)
        noteUnusable(device, channel, context, &out)
    }

    mutating func watchFrozen(
        _ device: Int, _ channel: Int, _ value: Double, at time: Timestamp, _ context: Context, _ out: inout Output
    ) {
        let series = devices[device].channels[channel].series
        guard series.isSampled, !series.isAboutBattery else { return }
        if devices[device].channels[channel].frozen.take(value, at: time) {
            startFault(.frozen, device, channel, since: time, at: time, context, &out)
        } else if devices[device].channels[channel].faults.contains(.frozen),
            !devices[device].channels[channel].frozen.isRepeating
        {
            endFault(.frozen, device, channel, at: time, context, &out)
        }
    }

    mutating func watchClock(_ device: Int, _ context: Context, _ out: inout Output) {
        if case .wrong(let by) = devices[device].clock.state {
            startFault(
                .wrongClock, device, nil, since: context.now, at: context.now, detail: String(Int(by.seconds)), context,
                &out)
        } else {
            endFault(.wrongClock, device, nil, at: context.now, context, &out)
        }
    }

    mutating func watchBattery(_ device: Int, _ channel: Int, _ value: Double, _ context: Context, _ out: inout Output)
    {
        guard devices[device].channels[channel].series.indicator == .battery else { return }
        if value <= 15 {
            startFault(
                .batteryLow, device, channel, since: context.now, at: context.now, detail: String(Int(value)), context,
                &out)
        } else if value >= 25 {
            endFault(.batteryLow, device, channel, at: context.now, context, &out)
        }
    }

    // MARK: Faults

    /// One fault per device and kind; its channels are its evidence.
    mutating func startFault(
        _ kind: FaultKind, _ device: Int, _ channel: Int?, since: Timestamp, at time: Timestamp, detail: String? = nil,
        _ context: Context,
        _ out: inout Output
    ) {
        let isNew =
            channel.map { devices[device].channels[$0].faults.insert(kind) } ?? !devices[device].faults
            .contains(kind)
        guard isNew else { return }
        _ = devices[device].faults.insert(kind)
        let series = channel.map { devices[device].channels[$0].series } ?? devices[device].onlySeries
        let evidence = Evidence(
            source: .fault(channel: channel ?? -1), device: devices[device].id, room: devices[device].room,
            indicator: series?.indicator,
            species: series?.species, norm: nil,
            excess: Excess(severity: kind == .batteryLow ? .notice : .warning, since: since, value: 0, limit: 0),
            unit: nil, detail: detail)
        support(
            .fault(kind, device: devices[device].id), flat: devices[device].flat, with: evidence, at: time, context,
            &out)
    }

    mutating func endFault(
        _ kind: FaultKind, _ device: Int, _ channel: Int?, at time: Timestamp, _ context: Context, _ out: inout Output
    ) {
        guard devices[device].faults.contains(kind) else { return }
        if let channel { devices[device].channels[channel].faults.remove(kind) }
        let subject = Alarm.Subject.fault(kind, device: devices[device].id)
        withdraw(.fault(channel: channel ?? -1), from: subject, flat: devices[device].flat, at: time, context, &out)
        guard active(subject, devices[device].flat) == nil else { return }
        devices[device].faults.remove(kind)
        if kind == .silent { silentMeters.removeAll { $0 == device } }
    }
}

extension Device {
    /// The series, where there is only one besides the battery: a fault of the device is a fault of it.
    fileprivate var onlySeries: Series? {
        let own = channels.filter { ![.battery, .batteryVoltage].contains($0.series.indicator) }
        return own.count == 1 ? own[0].series : nil
    }
}
