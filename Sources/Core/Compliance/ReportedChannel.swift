/// A channel with what decides which norms a report judges it by.
package struct ReportedChannel: Sendable {
    package let place: Place
    package let traits: NormLibrary.Traits
    /// From the site document.
    let declaredInterval: Span?
    /// What the engine has learned; holds until the readings of the report tell more.
    let learnedInterval: Span?
    let reportsPeaks: Bool

    package var series: Series { traits.series }
}

extension Engine {
    /// Every channel, as it is placed now.
    package var reportedChannels: [ReportedChannel] {
        state.buildings.flatMap { building in
            building.devices.indices.flatMap { device in
                building.devices[device].channels.indices.map { building.reported(device, $0) }
            }
        }
    }
}

extension Building {
    fileprivate func reported(_ device: Int, _ channel: Int) -> ReportedChannel {
        let entry = devices[device]
        return ReportedChannel(
            place: place(ofFlat: entry.flat, room: entry.room), traits: traits(device, channel),
            declaredInterval: entry.plan.interval, learnedInterval: entry.channels[channel].cadence.expected,
            reportsPeaks: entry.plan.reportsPeaks)
    }
}

/// The readings of one channel on their way to its norms: what the engine does before it judges.
struct ChannelMeter {
    private let source: ReportedChannel
    private var channel: Channel
    private var meters: [(factor: Double, meter: ComplianceMeter)]

    init(_ source: ReportedChannel, _ meters: [(factor: Double, meter: ComplianceMeter)]) {
        (self.source, self.meters) = (source, meters)
        channel = Channel(series: source.series)
    }

    /// In the order of the sample times; a reading that came late has its place in it.
    mutating func take(_ value: Double, at time: Timestamp, _ quality: Quality) {
        guard !quality.contains(.implausible), case .judge(let held, let isRepeat) = channel.admit(value, at: time)
        else { return }
        if !isRepeat, let previous = channel.previousTime { channel.cadence.note(gap: time - previous) }
        let isUncertain = quality.contains(.uncertainTime)
        if let held { judge(held.value, held.time, isRepeat: false, isUncertain) }
        judge(value, time, isRepeat: isRepeat, isUncertain)
    }

    private mutating func judge(_ value: Double, _ time: Timestamp, isRepeat: Bool, _ isUncertain: Bool) {
        let interval = source.declaredInterval ?? channel.cadence.expected ?? source.learnedInterval
        guard let judged = channel.judged(value, interval, reportsPeaks: source.reportsPeaks) else { return }
        for index in meters.indices {
            let factor = meters[index].factor
            meters[index].meter.take(
                Sample(
                    time: time, value: factor == 1 ? judged : judged * factor, interval: interval, isRepeat: isRepeat,
                    isUncertain: isUncertain))
        }
    }

    mutating func finish(at end: Timestamp) -> [(CitedNorm, Compliance)] {
        meters.indices.map { index in
            meters[index].meter.finish(at: end)
            return (meters[index].meter.cited, meters[index].meter.compliance)
        }
    }
}
