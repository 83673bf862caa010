/// The deterministic fold over everything that happens: state and event give state and effects.
///
/// It reads no clock and does no I/O, so live operation, replay, what-if and simulated time are the same code. Laws: `advance(a)` then
/// `advance(b)` equals `advance(b)`; time has advanced to an event's arrival before the event is looked at; a state saved and read
/// again goes on as if it had not been.
package struct Engine: Sendable {
    private(set) var state: State
    private var frame: Frame
    /// Which building and device an id is; follows from the state.
    private var directory: [String: Reference] = [:]
    private var agenda = Agenda()
    private let zones: @Sendable (String) -> Zone?
    /// Judge by the acts in force then; nil: by those in force at the time of judging.
    private let actsInForceAt: Timestamp?

    struct Reference: Hashable, Sendable {
        let building: Int
        let device: Int
    }

    /// All that a restart must know.
    struct State: Hashable, Codable, Sendable {
        var now = Timestamp.distantPast
        /// The first is no building: unplaced devices and our own faults.
        var buildings: [Building] = [Building(id: nil)]
        var isListening = false
        var deafSince: Timestamp?
        var deaf = Span.zero
        var isCatchingUp = false
        /// When acts come into force, end, or will end so soon that people are warned.
        var normsChange: Timestamp?
        var normVersion: NormVersion?
    }

    /// - Parameters:
    ///   - zones: gives the table of a time zone by its name; nil for a name that is not known.
    ///   - actsInForceAt: pins the acts to a date, for replaying old recordings by today's law.
    package init(
        site: Site = .none, norms: NormLibrary, zones: @escaping @Sendable (String) -> Zone? = { _ in nil },
        actsInForceAt: Timestamp? = nil
    ) {
        (self.zones, self.actsInForceAt) = (zones, actsInForceAt)
        frame = Frame(site: site, norms: norms, zone: zones(site.timeZone) ?? .utc, normVersion: nil)
        state = State()
    }

    package var now: Timestamp { state.now }
    package var site: Site { frame.site }
    package var norms: NormLibrary { frame.norms }
    package var normVersion: NormVersion? { state.normVersion }

    /// When the engine has something to do by itself; nil: never.
    package var nextDeadline: Timestamp? {
        if state.isCatchingUp || state.now == .distantPast { return nil }
        guard let change = state.normsChange, actsInForceAt == nil else { return agenda.next }
        return agenda.next.map { min($0, change) } ?? change
    }

    // MARK: Steps

    /// Lets time pass: everything that was due happens, in order, at its own time.
    package mutating func advance(to time: Timestamp, into effects: inout [Effect]) {
        if state.now == .distantPast { begin(at: time, into: &effects) }
        if !state.isCatchingUp {
            while let due = nextDeadline, due <= time {
                state.now = max(state.now, due)
                if due == state.normsChange {
                    changeNorms(norms, nil, into: &effects)
                    continue
                }
                guard let entry = agenda.removeFirst() else { break }
                wake(entry, into: &effects)
            }
        }
        state.now = max(state.now, time)
    }

    /// Takes one event. `arrival` must be later than every one before.
    package mutating func step(_ event: Event, at arrival: Timestamp, into effects: inout [Effect]) {
        // What fell due while we were away has to wait for what was sent meanwhile.
        if case .started = event { state.isCatchingUp = true }
        advance(to: arrival, into: &effects)
        switch event {
        case .time: break
        case .reading(let reading):
            let place = locate(reading.series.device)
            act(on: place.building, into: &effects) { $0.take(reading, device: place.device, $1, &$2) }
        case .unreadable(let series):
            let place = locate(series.device)
            act(on: place.building, into: &effects) { $0.takeUnreadable(series, device: place.device, $1, &$2) }
        case .availability(let availability): take(availability, into: &effects)
        case .device(let note): take(note, into: &effects)
        case .listening(let isListening): listen(isListening, into: &effects)
        case .started(let downSince): start(downSince, into: &effects)
        case .caughtUp: catchUp(into: &effects)
        case .command(let command): carryOut(command, into: &effects)
        case .site(let site): changeSite(site, into: &effects)
        case .norms(let norms, let version): changeNorms(norms, version, into: &effects)
        case .trouble(let kind, let isActive, let detail): take(kind, isActive, detail, into: &effects)
        }
    }

    private func context() -> Context {
        Context(
            frame: frame, now: state.now,
            deaf: state.deaf + (state.deafSince.map { state.now - $0 } ?? .zero), isListening: state.isListening,
            isCatchingUp: state.isCatchingUp, lawDate: actsInForceAt ?? state.now)
    }

    private mutating func act(
        on building: Int, into effects: inout [Effect], _ body: (inout Building, Context, inout Output) -> Void
    ) {
        var out = Output()
        swap(&out.effects, &effects)
        body(&state.buildings[building], context(), &out)
        for wake in out.wakes { agenda.add(.init(due: wake.due, building: building, wake: wake.wake)) }
        swap(&out.effects, &effects)
    }

    private mutating func wake(_ entry: Agenda.Entry, into effects: inout [Effect]) {
        act(on: entry.building, into: &effects) { building, context, out in
            switch entry.wake {
            case .device(let device): building.wake(device: device, at: entry.due, context, &out)
            case .offline(let device): building.wake(offline: device, at: entry.due, context, &out)
            case .channel(let device, let channel):
                building.wake(device: device, channel: channel, at: entry.due, context, &out)
            case .join(let flat, let join): building.elapse(join, flat: flat, to: entry.due, context, &out)
            case .panel(let flat): building.elapse(flat, to: entry.due, context, &out)
            case .alarm(let number): building.wake(alarm: number, at: entry.due, context, &out)
            }
        }
    }

    // MARK: Devices

    private mutating func locate(_ device: String) -> Reference {
        if let known = directory[device] { return known }
        let flat = state.buildings[0].flat(device, isPlaced: false)
        state.buildings[0].devices.append(Device(id: device, flat: flat, isPlaced: false))
        let reference = Reference(building: 0, device: state.buildings[0].devices.count - 1)
        directory[device] = reference
        return reference
    }

    private mutating func take(_ note: DeviceNote, into effects: inout [Effect]) {
        let old = directory[note.device].map { state.buildings[$0.building].devices[$0.device] }
        guard old?.note != note else { return }
        if let placement = note.placement, site.selfPlacement, old?.isPlaced != true, placement.building != nil {
            let building = building(placement.building ?? "")
            let flat = state.buildings[building].flat(placement.flat ?? "", isPlaced: true)
            var device = Device(
                id: note.device, flat: flat, room: placement.room,
                roomKind: placement.room.flatMap { RoomKind.canonical($0) } ?? "other",
                isPlaced: true)
            device.note = note
            device.plan = Device.Plan(at: placement, site)
            state.buildings[building].devices.append(device)
            directory[note.device] = Reference(building: building, device: state.buildings[building].devices.count - 1)
        } else {
            let place = locate(note.device)
            state.buildings[place.building].devices[place.device].note = note
        }
        effects.append(.device(note))
    }

    private mutating func building(_ id: String) -> Int {
        if let index = state.buildings.firstIndex(where: { $0.id == id }) { return index }
        state.buildings.append(Building(id: id))
        return state.buildings.count - 1
    }

    private mutating func take(_ availability: Availability, into effects: inout [Effect]) {
        for (id, place) in affected(by: availability.subject) where directory[id] != nil {
            act(on: place.building, into: &effects) { $0.take(availability, device: place.device, $1, &$2) }
        }
    }

    /// The device itself, or in a fixed order all devices behind the gateway.
    private func affected(by subject: String) -> [(String, Reference)] {
        if let device = directory[subject] { return [(subject, device)] }
        return directory.filter { state.buildings[$0.value.building].devices[$0.value.device].note?.gateway == subject }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    // MARK: Our own ears

    private mutating func listen(_ isListening: Bool, into effects: inout [Effect]) {
        guard isListening != state.isListening else { return }
        state.isListening = isListening
        if isListening {
            state.deaf += state.deafSince.map { state.now - $0 } ?? .zero
            state.deafSince = nil
            watchAll(into: &effects)
        } else {
            state.deafSince = state.now
        }
    }

    private mutating func watchAll(into effects: inout [Effect]) {
        for building in state.buildings.indices { act(on: building, into: &effects) { $0.watchAll($1, &$2) } }
    }

    private mutating func start(_ downSince: Timestamp?, into effects: inout [Effect]) {
        if state.isListening {
            state.isListening = false
            state.deafSince = downSince
        }
        for building in state.buildings.indices {
            for device in state.buildings[building].devices.indices
            where state.buildings[building].devices[device].expectedSince == nil {
                state.buildings[building].devices[device].expectedSince = state.now
                state.buildings[building].devices[device].deafWhenHeard = state.deaf
            }
        }
    }

    private mutating func catchUp(into effects: inout [Effect]) {
        guard state.isCatchingUp else { return }
        state.isCatchingUp = false
        // What fell due while the backlog was read happens now, each at its own time.
        let now = state.now
        advance(to: now, into: &effects)
    }

    // MARK: People and troubles

    private mutating func carryOut(_ command: Command, into effects: inout [Effect]) {
        switch command {
        case .acknowledge(let alarm, let person):
            onAlarm(alarm, into: &effects) { $0.acknowledge($1, by: person, $2, &$3) }
        case .comment(let alarm, let text, let person):
            onAlarm(alarm, into: &effects) { $0.comment($1, text, by: person, $2, &$3) }
        case .arm(let building, let flat, let mode, let person):
            guard let index = state.buildings.firstIndex(where: { $0.id == building }),
                let place = state.buildings[index].flats.firstIndex(where: { $0.id == flat && $0.isPlaced })
            else {
                effects.append(.reply(.refused(Wording.noSuchFlat(building, flat, site.language))))
                return
            }
            act(on: index, into: &effects) { $0.arm(place, mode, by: person, $1, &$2) }
        }
    }

    private mutating func onAlarm(
        _ id: String, into effects: inout [Effect], _ body: (inout Building, Int, Context, inout Output) -> Void
    ) {
        for building in state.buildings.indices {
            if let index = state.buildings[building].alarms.firstIndex(where: { $0.id == id }) {
                act(on: building, into: &effects) { body(&$0, index, $1, &$2) }
                return
            }
        }
        effects.append(.reply(.refused(Wording.noSuchAlarm(id, site.language))))
    }

    private mutating func take(_ kind: FaultKind, _ isActive: Bool, _ detail: String, into effects: inout [Effect]) {
        let now = state.now
        act(on: 0, into: &effects) { building, context, out in
            let subject = Alarm.Subject.fault(kind, device: "normwatch")
            if isActive {
                guard building.active(subject, nil) == nil else { return }
                let evidence = Evidence(
                    source: .fault(channel: -1), device: "normwatch",
                    excess: Excess(severity: .warning, since: now, value: 0, limit: 0),
                    detail: detail)
                building.support(subject, flat: nil, with: evidence, at: now, context, &out)
            } else {
                building.withdraw(.fault(channel: -1), from: subject, flat: nil, at: now, context, &out)
            }
        }
    }

    // MARK: Documents

    private mutating func changeSite(_ site: Site, into effects: inout [Effect]) {
        rebuild(site, norms, nil, into: &effects)
    }

    /// - Parameter version: nil where the same documents say something else from today on.
    private mutating func changeNorms(_ norms: NormLibrary, _ version: NormVersion?, into effects: inout [Effect]) {
        state.normVersion = version ?? state.normVersion
        rebuild(site, norms, version, into: &effects)
    }

    private mutating func rebuild(
        _ site: Site, _ norms: NormLibrary, _ version: NormVersion?, into effects: inout [Effect]
    ) {
        let old = self.norms
        frame = newFrame(site, norms)
        state.normsChange = norms.nextChange(after: state.now)
        var rebuilding = Rebuilding(from: state.buildings, oldNorms: old, version: version, context: context())
        state.buildings = rebuilding.run(expectedSince: state.now)
        refill()
        effects += rebuilding.effects
        warnOfEndingActs(into: &effects)
    }

    private func newFrame(_ site: Site, _ norms: NormLibrary) -> Frame {
        Frame(site: site, norms: norms, zone: zones(site.timeZone) ?? .utc, normVersion: state.normVersion?.number)
    }

    /// A law that ends leaves people without it: whoever looks after the documents is told in time.
    private mutating func warnOfEndingActs(into effects: inout [Effect]) {
        guard actsInForceAt == nil else { return }
        let ending = norms.ending(soonAfter: state.now, jurisdictions: frame.jurisdictions)
        let detail = ending.map { "\($0.id): \($0.inForceUntil?.day ?? "")" }.joined(separator: ", ")
        let known = state.buildings[0].trouble(.normsEnding)
        guard known ?? "" != detail else { return }
        if known != nil { take(.normsEnding, false, "", into: &effects) }
        if !ending.isEmpty { take(.normsEnding, true, detail, into: &effects) }
    }

    /// The first moment: which acts are in force is known only now.
    private mutating func begin(at time: Timestamp, into effects: inout [Effect]) {
        state.now = time
        state.normsChange = norms.nextChange(after: time)
        var rebuilding = Rebuilding(from: state.buildings, oldNorms: norms, version: nil, context: context())
        state.buildings = rebuilding.run(expectedSince: nil)
        refill()
        warnOfEndingActs(into: &effects)
    }

    func directoryEntry(_ device: String) -> Reference? { directory[device] }
    var viewContext: Context { context() }

    // MARK: Restoring

    /// Goes on from a saved state. The documents must be those that it was saved with.
    package init(
        restoring saved: Checkpoint, site: Site, norms: NormLibrary,
        zones: @escaping @Sendable (String) -> Zone? = { _ in nil },
        actsInForceAt: Timestamp? = nil
    ) {
        (self.zones, self.actsInForceAt) = (zones, actsInForceAt)
        state = saved.state
        frame = Frame(
            site: site, norms: norms, zone: zones(site.timeZone) ?? .utc, normVersion: saved.state.normVersion?.number)
        refill()
    }

    package var checkpoint: Checkpoint { Checkpoint(state: state) }

    /// Directory and agenda follow from the state.
    private mutating func refill() {
        directory = [:]
        agenda = Agenda()
        for (number, building) in state.buildings.enumerated() {
            for (index, device) in building.devices.enumerated() {
                directory[device.id] = Reference(building: number, device: index)
            }
            for wake in building.waiting(context()) {
                agenda.add(.init(due: wake.due, building: number, wake: wake.wake))
            }
        }
    }
}
