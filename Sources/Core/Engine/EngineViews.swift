/// What others may see of the engine.
extension Engine {
    package func note(of device: String) -> DeviceNote? {
        directoryEntry(device).flatMap { state.buildings[$0.building].devices[$0.device].note }
    }

    package func hasTrouble(_ kind: FaultKind) -> Bool {
        state.buildings[0].trouble(kind) != nil
    }

    /// The shortest interval at which a sampled series usually reports; nil while none is known.
    package var shortestInterval: Span? {
        var shortest: Span?
        for building in state.buildings {
            for device in building.devices {
                for channel in device.channels {
                    guard let usual = channel.cadence.largestUsual else { continue }
                    shortest = min(shortest ?? usual, usual)
                }
            }
        }
        return shortest
    }

    package var isListening: Bool { state.isListening }
    package var isCatchingUp: Bool { state.isCatchingUp }
    package var deviceCount: Int { state.buildings.reduce(0) { $0 + $1.devices.count } }
    package var channelCount: Int { state.buildings.reduce(0) { $0 + $1.devices.reduce(0) { $0 + $1.channels.count } } }

    /// Alarms that are not cleared, as their last transition would show them.
    package var openAlarms: [Transition] {
        state.buildings.flatMap { building in
            building.alarms.map { alarm in
                let event: Transition.Kind =
                    alarm.ended != nil ? .ended : alarm.acknowledgement != nil ? .acknowledged : .raised
                return building.transition(
                    event, alarm, at: alarm.ended ?? alarm.raised, by: alarm.acknowledgement?.by, viewContext)
            }
        }
    }

    /// One device as people see it in a list.
    package struct DeviceView: Sendable {
        package struct ChannelView: Sendable {
            package let series: Series
            package let value: Double?
            package let time: Timestamp?
            package let interval: Span?
            package let isSilent: Bool
            /// Norms that judge it, as act and id.
            package let norms: [String]
        }
        package let id: String
        package let place: Place
        package let isPlaced: Bool
        package let family: String?
        package let model: String?
        package let heard: Timestamp?
        package let isOffline: Bool
        package let isSupervised: Bool
        package let faults: [FaultKind]
        package let channels: [ChannelView]
    }

    package var devices: [DeviceView] {
        state.buildings.flatMap { building in building.devices.map { view($0, in: building) } }
    }

    private func view(_ device: Device, in building: Building) -> DeviceView {
        DeviceView(
            id: device.id, place: building.place(ofFlat: device.flat, room: device.room), isPlaced: device.isPlaced,
            family: device.note?.family,
            model: device.note?.model, heard: device.heard, isOffline: device.offlineSince != nil,
            isSupervised: device.plan.interval != nil || device.channels.contains { $0.watchedUntil != nil },
            faults: FaultKind.allCases.filter { device.faults.contains($0) },
            channels: device.channels.map { channel in
                DeviceView.ChannelView(
                    series: channel.series, value: channel.newest == nil ? nil : channel.value, time: channel.newest,
                    interval: device.plan.interval ?? channel.cadence.largestUsual,
                    isSilent: channel.faults.contains(.silent),
                    norms: channel.tracks.map { norms[$0.norm].key }
                        + channel.joins.map { norms[building.flats[device.flat].joins[$0].norm].key })
            })
    }

    /// Arm state per flat.
    package var armStates: [(place: Place, mode: ArmMode)] {
        state.buildings.flatMap { building in
            building.flats.indices.filter { building.flats[$0].isPlaced }.map {
                (building.place(ofFlat: $0), building.flats[$0].panel.mode)
            }
        }
    }
}
