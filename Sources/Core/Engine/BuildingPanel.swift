extension Building {
    /// A door or motion sensor of a flat has spoken.
    mutating func trigger(
        _ device: Int, _ channel: Int, _ value: Double, at time: Timestamp, _ context: Context, _ out: inout Output
    ) {
        guard value == 1, !devices[device].channels[channel].wasOn else { return }
        let flat = devices[device].flat
        elapse(flat, to: time, context, &out)
        let series = devices[device].channels[channel].series
        let zone = devices[device].zone(for: series.indicator)
        guard let number = intrusionNorm(for: device, channel, context) else { return }
        guard case .state(let state) = context.norms[number].norm.limit else { return }
        let trigger = Panel.Trigger(
            device: device, channel: channel, norm: number, time: time, severity: context.norms[number].norm.severity)
        flats[flat].panel.take(trigger, zone: zone, indicator: series.indicator, entryDelay: state.onDelay)
        follow(flat, at: time, context, &out)
    }

    /// The armed norm that this sensor is a trigger of: first by the site's order of jurisdictions.
    private func intrusionNorm(for device: Int, _ channel: Int, _ context: Context) -> Int? {
        let jurisdictions = context.frame.jurisdictions
        let series = devices[device].channels[channel].series
        let traits = traits(device, channel)
        let fitting = context.norms.norms(about: series.indicator).filter { number in
            guard case .state(let state) = context.norms[number].norm.limit, state.isArmed else { return false }
            guard context.norms.isUsed(number, jurisdictions: jurisdictions, at: context.lawDate) else { return false }
            let norm = context.norms[number].norm
            return norm.appliesTo.covers(traits, norm.hazard)
                && state.all.contains { $0.fits(series, devices[device], norm.hazard) }
        }
        return fitting.min {
            context.norms.rank($0, jurisdictions: jurisdictions) < context.norms.rank($1, jurisdictions: jurisdictions)
        }
    }

    /// Lets the panel's delays pass.
    mutating func elapse(_ flat: Int, to time: Timestamp, _ context: Context, _ out: inout Output) {
        guard let due = flats[flat].panel.due, due <= time else { return }
        flats[flat].panel.elapse(to: due)
        follow(flat, at: due, context, &out)
    }

    /// Turns what the panel says into evidence and deadlines.
    private mutating func follow(_ flat: Int, at time: Timestamp, _ context: Context, _ out: inout Output) {
        if let due = flats[flat].panel.due { out.wake(.panel(flat), at: due) }
        guard let trigger = flats[flat].panel.triggered else { return }
        let series = devices[trigger.device].channels[trigger.channel].series
        let evidence = Evidence(
            source: .panel(flat: flat), device: devices[trigger.device].id, room: devices[trigger.device].room,
            indicator: series.indicator, species: nil, norm: trigger.norm,
            excess: Excess(severity: trigger.severity, since: trigger.time, value: 1, limit: 1), unit: .boolean)
        support(.hazard(.intrusion), flat: flat, with: evidence, at: time, context, &out)
    }

    mutating func arm(_ flat: Int, _ mode: ArmMode, by person: String, _ context: Context, _ out: inout Output) {
        let delay =
            id.flatMap { context.site.building($0) }?.flats.first { $0.id == flats[flat].id }?.exitDelay ?? .seconds(45)
        flats[flat].panel.set(mode, at: context.now, exitDelay: delay)
        if let due = flats[flat].panel.due { out.wake(.panel(flat), at: due) }
        let open = devices.filter { device in
            device.flat == flat && device.channels.contains { $0.series.indicator == .door && $0.wasOn }
        }.map(\.id)
        var transition = Transition(
            time: context.now, event: mode == .off ? .disarmed : .armed, place: place(ofFlat: flat), text: "")
        transition.by = person
        transition.text = Wording.armed(mode, by: person, open: open, context.site.language)
        out.effects.append(.transition(transition))
        out.effects.append(.reply(.done(transition.text)))
        if mode == .off {
            withdraw(.panel(flat: flat), from: .hazard(.intrusion), flat: flat, at: context.now, context, &out)
        }
    }
}
