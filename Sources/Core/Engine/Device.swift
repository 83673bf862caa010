/// One device with its channels.
struct Device: Hashable, Codable, Sendable {
    let id: String
    /// Index of its flat in the building.
    var flat: Int
    var room: String?
    var roomKind: String?
    var isPlaced: Bool
    /// From the site document.
    var plan = Plan()
    var note: DeviceNote?
    var channels: [Channel] = []
    /// Only where a norm asks what temperature and humidity say together.
    var airPairs: [AirPairs] = []
    var clock = DeviceClock()

    var heard: Timestamp?
    var deafWhenHeard = Span.zero
    var offlineSince: Timestamp?
    /// The deadline for its absence that is in the agenda.
    var offlineDue: Timestamp?
    var faults = FaultSet()
    /// When we began to expect it.
    var expectedSince: Timestamp?
    /// The deadline for its silence that is in the agenda.
    var watchedUntil: Timestamp?

    /// What the site document says of a device, as far as decisions need it.
    struct Plan: Hashable, Codable, Sendable {
        var opening: DevicePlan.Opening?
        var zone: DevicePlan.Zone?
        var interval: Span?
        var reportsPeaks = false
        /// Of the supply it is on: its own, its flat's or its building's.
        var nominalVoltage: Double?
        var feeds: Int?
        var floor: Double?
        var hasBurner: Bool?
        /// Named in the site document.
        var isDeclared = false
    }

    init(id: String, flat: Int, room: String? = nil, roomKind: String? = nil, isPlaced: Bool) {
        (self.id, self.flat, self.room, self.roomKind, self.isPlaced) = (id, flat, room, roomKind, isPlaced)
    }

    /// Told by its metadata, else by its reporting a battery.
    // Inlined: a member of an array's element is read in place then; otherwise the whole element is copied for the call.
    @inline(__always)
    var isBatteryPowered: Bool { note?.isBatteryPowered ?? hasBattery }
    /// Reports a battery.
    private(set) var hasBattery = false

    mutating func addChannel(_ series: Series) -> Int {
        channels.append(Channel(series: series))
        if series.isAboutBattery { hasBattery = true }
        return channels.count - 1
    }

    /// Part that it plays in the alarm system for this indicator.
    func zone(for indicator: Indicator) -> DevicePlan.Zone {
        if let zone = plan.zone { return zone }
        switch indicator {
        case .motion: return .follower
        case .door:
            switch plan.opening {
            case .entrance: return .entry
            case .window: return .instant
            case .inner, nil: return .follower
            }
        default: return .instant
        }
    }

    /// Sample time and quality of a reading, by what is known of the device's clock.
    mutating func date(_ reading: Reading, arrival: Timestamp, isCatchingUp: Bool) -> (
        time: Timestamp, quality: Quality
    ) {
        guard let stamp = reading.deviceTime else {
            return (arrival, isCatchingUp ? [.arrivalTime, .uncertainTime] : .arrivalTime)
        }
        if reading.isRetained {
            // A stored message says nothing about the clock; its stamp is taken as it is unless it cannot be.
            return stamp - arrival > DeviceClock.tolerance ? (arrival, [.wrongClock, .retained]) : (stamp, .retained)
        }
        return clock.believes(stamp, arrival: arrival) ? (stamp, []) : (arrival, .wrongClock)
    }
}

extension [Channel] {
    func index(of series: Series) -> Int? {
        // By index: an element handed to a closure would be copied with all that it holds.
        for index in indices where self[index].series == series { return index }
        return nil
    }
}
