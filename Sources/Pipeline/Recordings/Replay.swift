package import Core

/// Runs a recording through the engine in virtual time.
package struct Replay {
    package private(set) var engine: Engine
    package let site: Site
    private let isAdHoc: Bool
    private let room: String

    /// - Parameters:
    ///   - site: nil: each device is a flat of its own in one building with 230 V.
    ///   - room: kind of the rooms without a site.
    ///   - actsInForceAt: the law of which day judges.
    package init(site: Site?, norms: NormLibrary, jurisdictions: [String]?, room: String, actsInForceAt: Timestamp) {
        var used = site ?? .none
        if site == nil { used.buildings = [BuildingPlan(id: "replay", nominalVoltage: 230)] }
        if let jurisdictions { used.jurisdictions = jurisdictions }
        (self.site, isAdHoc, self.room) = (used, site == nil, room)
        engine = Engine(site: used, norms: norms, zones: { TimeZones.zone($0) }, actsInForceAt: actsInForceAt)
    }

    /// The channels that the recording had, for a report.
    package var reportedChannels: [ReportedChannel] { engine.reportedChannels }

    /// Hands over each transition as it happens. Recordings are often written device by device; here they run side by side.
    /// - Parameter notes: what is known of devices beforehand, as where they stand.
    package mutating func run(
        _ recording: [CSVReadings.Row], notes: [DeviceNote] = [], _ report: (Transition) throws -> Void
    ) rethrows {
        let rows = recording.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
            \.element)
        guard let first = rows.first else { return }
        var effects: [Effect] = []
        var arrival = first.time - .seconds(1)
        var seen: Set<String> = []
        for event in [.started(downSince: nil), .listening(true), .caughtUp] + notes.map({ Event.device($0) }) {
            arrival += Span(microseconds: 1)
            engine.step(event, at: arrival, into: &effects)
        }
        for row in rows {
            arrival = max(arrival + Span(microseconds: 1), row.time)
            let device = row.reading.series.device
            if isAdHoc, seen.insert(device).inserted {
                let note = DeviceNote(
                    device: device, family: "recording", placement: Place(building: "replay", flat: device, room: room))
                engine.step(.device(note), at: arrival, into: &effects)
                arrival += Span(microseconds: 1)
            }
            engine.step(.reading(row.reading), at: arrival, into: &effects)
            try hand(&effects, to: report)
        }
    }

    private func hand(_ effects: inout [Effect], to report: (Transition) throws -> Void) rethrows {
        for case .transition(let transition) in effects { try report(transition) }
        effects.removeAll(keepingCapacity: true)
    }
}
