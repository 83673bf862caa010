extension Building {
    /// Looks at a join again after one of its channels has news.
    mutating func settle(
        _ join: Int, flat: Int, changed reference: Join.Reference, at time: Timestamp, _ context: Context,
        _ out: inout Output
    ) {
        let cited = context.frame.norms[flats[flat].joins[join].norm]
        guard case .state(let state) = cited.norm.limit else { return }
        // What was due before this sample happens before it, also where the sample comes late.
        elapse(join, flat: flat, to: time, context, &out)
        let newest = devices[reference.device].channels[reference.channel].newest
        for index in state.all.indices {
            guard flats[flat].joins[join].conditions[index].channels.contains(reference) else { continue }
            let holds = holds(state.all[index], reference, context)
            flats[flat].joins[join].conditions[index].isKnown = true
            if holds {
                flats[flat].joins[join].conditions[index].since =
                    flats[flat].joins[join].conditions[index].since ?? time
                flats[flat].joins[join].conditions[index].by = flats[flat].joins[join].conditions[index].by ?? reference
                flats[flat].joins[join].conditions[index].proof = newest
            } else if let other = flats[flat].joins[join].conditions[index].channels.first(where: {
                self.holds(state.all[index], $0, context)
            }) {
                flats[flat].joins[join].conditions[index].by = other
            } else {
                flats[flat].joins[join].conditions[index].since = nil
                flats[flat].joins[join].conditions[index].by = nil
                flats[flat].joins[join].conditions[index].proof = nil
            }
        }
        if cited.norm.hazard == .lampBurnout, hasOutage(flat) { return flats[flat].joins[join].forgetSamples() }
        move(join, flat: flat, at: time, state, cited, context, &out)
    }

    /// The join with what its channels say already; it is not moved by it.
    func look(_ join: Int, flat: Int, _ context: Context) -> Join {
        var looked = flats[flat].joins[join]
        guard case .state(let state) = context.norms[looked.norm].norm.limit else { return looked }
        for index in looked.conditions.indices {
            for reference in looked.conditions[index].channels where looked.conditions[index].since == nil {
                guard let newest = devices[reference.device].channels[reference.channel].newest else { continue }
                looked.conditions[index].isKnown = true
                guard holds(state.all[index], reference, context) else { continue }
                looked.conditions[index].since = newest
                (looked.conditions[index].by, looked.conditions[index].proof) = (reference, newest)
                looked.lead = looked.lead ?? reference
            }
        }
        return looked
    }

    /// Without supply every lamp is dark.
    private func hasOutage(_ flat: Int) -> Bool {
        active(.hazard(.powerOutage), flat) != nil || active(.hazard(.powerOutage), nil) != nil
    }

    /// Lets time pass for a join.
    mutating func elapse(_ join: Int, flat: Int, to time: Timestamp, _ context: Context, _ out: inout Output) {
        let cited = context.frame.norms[flats[flat].joins[join].norm]
        guard case .state(let state) = cited.norm.limit else { return }
        guard let due = flats[flat].joins[join].due(state), due <= time else { return }
        move(join, flat: flat, at: due, state, cited, context, &out)
    }

    private mutating func move(
        _ join: Int, flat: Int, at time: Timestamp, _ state: StateLimit, _ cited: CitedNorm, _ context: Context,
        _ out: inout Output
    ) {
        guard flats[flat].joins[join].settle(at: time, state) else { return }
        if let due = flats[flat].joins[join].due(state) { out.wake(.join(flat: flat, join: join), at: due) }
        let source = Evidence.Source.join(flat: flat, join: join)
        guard let since = flats[flat].joins[join].hold.activeSince,
            let lead = flats[flat].joins[join].lead(about: cited.norm.indicator, in: state)
        else {
            withdraw(source, from: .hazard(cited.norm.hazard), flat: flat, at: time, context, &out)
            return
        }
        let channel = devices[lead.device].channels[lead.channel]
        let evidence = Evidence(
            source: source, device: devices[lead.device].id, room: devices[lead.device].room,
            indicator: channel.series.indicator,
            species: channel.series.species, norm: flats[flat].joins[join].norm,
            excess: Excess(
                severity: cited.norm.severity, since: since, value: channel.value,
                limit: state.limitShown(for: channel.series)),
            unit: channel.series.unit)
        support(.hazard(cited.norm.hazard), flat: flat, with: evidence, at: time, context, &out)
    }

    private func holds(_ condition: StateLimit.Condition, _ reference: Join.Reference, _ context: Context) -> Bool {
        guard devices[reference.device].channels[reference.channel].newest != nil else { return false }
        let value = devices[reference.device].channels[reference.channel].value
        guard condition.subject == .mains else { return condition.test.holds(value) }
        return nominalVoltage(reference.device, reference.channel).map { condition.test.holds(value / $0) } ?? false
    }
}

extension StateLimit {
    /// The number that a measured value is shown beside.
    fileprivate func limitShown(for series: Series) -> Double {
        for condition in all where condition.subject == .indicator(series.indicator) {
            switch condition.test {
            case .equals(let value), .below(let value), .above(let value): return value
            }
        }
        return 0
    }
}
