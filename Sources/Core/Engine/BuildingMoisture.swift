extension Building {
    /// Judges what follows from a temperature or a humidity together with the other, where a norm asks for it.
    mutating func deriveMoisture(
        _ device: Int, _ channel: Int, _ value: Double, at time: Timestamp, _ context: Context, _ out: inout Output
    ) {
        let series = devices[device].channels[channel].series
        guard !context.frame.moisture.isEmpty, series.indicator == .temperature || series.indicator == .humidity else {
            return
        }
        let interval = devices[device].plan.interval ?? devices[device].channels[channel].cadence.expected
        let place =
            devices[device].airPairs.firstIndex { $0.channel == series.channel } ?? devices[device].airPairs.endIndex
        if place == devices[device].airPairs.endIndex {
            devices[device].airPairs.append(AirPairs(channel: series.channel))
        }
        for pair in devices[device].airPairs[place].take(value, of: series.indicator, at: time, interval: interval) {
            for indicator in context.frame.moisture { judge(indicator, of: pair, device, channel, context, &out) }
        }
    }

    private mutating func judge(
        _ indicator: Indicator, of pair: AirPairs.Pair, _ device: Int, _ source: Int, _ context: Context,
        _ out: inout Output
    ) {
        let value =
            indicator == .dewPoint
            ? AirMoisture.dewPoint(celsius: pair.celsius, humidity: pair.humidity)
            : AirMoisture.absoluteHumidity(celsius: pair.celsius, humidity: pair.humidity)
        guard let value, let unit = indicator.canonicalUnit else { return }
        let series = Series(
            device: devices[device].id, indicator: indicator,
            channel: devices[device].channels[source].series.channel, unit: unit)
        let derived = channel(series, of: device, context)
        guard case .judge(_, let isRepeat) = devices[device].channels[derived].admit(value, at: pair.time) else {
            return
        }
        // It comes as often as what it is derived from.
        devices[device].channels[derived].cadence = devices[device].channels[source].cadence
        judge(device, derived, value, at: pair.time, isRepeat: isRepeat, isUncertain: false, context, &out)
    }
}
