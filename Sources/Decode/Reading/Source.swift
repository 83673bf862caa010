import Core

/// Whose values these are. A class: it goes along with every value, and one pointer is quickly copied.
final class Source: Sendable {
    let device: String
    let family: String
    let gateway: String?
    let model: String?
    let isBatteryPowered: Bool?
    let placement: Place?

    init(
        device: String, family: String, gateway: String? = nil, model: String? = nil, isBatteryPowered: Bool? = nil,
        placement: Place? = nil
    ) {
        (self.device, self.family, self.gateway, self.model) = (device, family, gateway, model)
        (self.isBatteryPowered, self.placement) = (isBatteryPowered, placement)
    }

    /// One of several devices that publish on the same topic.
    func part(_ name: String) -> Source {
        Source(device: device + "/" + name, family: family, gateway: gateway)
    }

    var note: DeviceNote {
        DeviceNote(
            device: device, family: family, gateway: gateway, model: model, isBatteryPowered: isBatteryPowered,
            placement: placement)
    }
}

/// When and how the values of a message came.
struct Delivery: Hashable, Sendable {
    let arrival: Timestamp
    let isRetained: Bool
    /// The device's own time for these values.
    var time: Timestamp?

    init(_ message: Message) { (arrival, isRetained) = (message.arrival, message.isRetained) }
}

extension Understanding {
    /// Judges a value and keeps what comes of it. `field` names it in a rejection, `unit` is written beside it, `usual` is the series that
    /// it belongs to unless its unit says otherwise.
    mutating func take(
        _ scalar: Scalar, as measurand: Measurand, of source: Source, _ delivery: Delivery, unit: WrittenUnit? = nil,
        usual: Series? = nil, field: String, _ memory: inout Memory
    ) {
        switch measurand.judge(scalar, unit: unit) {
        case .value(let value, let unit, let indicator):
            let series =
                usual?.unit == unit && usual?.indicator == indicator
                ? usual!
                : Series(
                    device: source.device, indicator: indicator, species: measurand.species, channel: measurand.channel,
                    unit: unit)
            if scalar == .word("none"), let usual = memory.lastUnit(series), usual != .boolean {
                // A gas meter without a value, rather than a detector that sees none.
                refuse(.noValue, isUnreadable: true, measurand, source, delivery, field: field, memory)
                return
            }
            if measurand.startsAt85, indicator == .temperature, memory.isPowerOnMarker(value, of: series) {
                refuse(.sentinel, isUnreadable: true, measurand, source, delivery, field: field, memory)
                return
            }
            memory.noteUnit(series)
            add(series, value, source, delivery, &memory)
        case .refused(let reason, let isUnreadable):
            refuse(reason, isUnreadable: isUnreadable, measurand, source, delivery, field: field, memory)
        }
    }

    /// A value that needs no judging any more.
    mutating func add(_ series: Series, _ value: Double, _ source: Source, _ delivery: Delivery, _ memory: inout Memory)
    {
        guard readings.count < Self.mostReadings else {
            if rejected.last?.reason != .tooManyValues { reject("payload", .tooManyValues) }
            return
        }
        guard
            let reading = Reading(series, value, deviceTime: delivery.time, isRetained: delivery.isRetained),
            !repeats(reading)
        else { return }
        if memory.isNews(source.device) { devices.append(source.note) }
        readings.append(reading)
    }

    /// The same quantity once more in another unit (`tempc`, `tempf` in whole degrees) is one reading.
    private func repeats(_ reading: Reading) -> Bool {
        let tolerance = reading.series.indicator == .temperature ? 0.6 : 0.1
        return readings.count <= 32
            && readings.contains {
                $0.series == reading.series && $0.deviceTime == reading.deviceTime
                    && abs($0.value - reading.value) <= tolerance
            }
    }

    private mutating func refuse(
        _ reason: Rejection.Reason, isUnreadable: Bool, _ measurand: Measurand, _ source: Source, _ delivery: Delivery,
        field: String, _ memory: Memory
    ) {
        reject(field, reason)
        guard isUnreadable, !delivery.isRetained, let unit = measurand.defaultUnit else { return }
        let series = Series(
            device: source.device, indicator: measurand.indicator, species: measurand.species,
            channel: measurand.channel, unit: unit)
        let usual = memory.lastUnit(series).map {
            Series(
                device: series.device, indicator: series.indicator, species: series.species, channel: series.channel,
                unit: $0)
        }
        guard unreadable.count < Self.mostRejections else { return }
        unreadable.append(usual ?? series)
    }
}
