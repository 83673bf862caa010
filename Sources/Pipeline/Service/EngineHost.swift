package import Core
internal import Foundation
package import Store

/// The engine with its memory: whatever enters is logged, whatever comes out is gathered for the next transaction.
package final class EngineHost {
    package private(set) var engine: Engine
    private let store: Store
    private(set) var documents: InForce
    private var effects: [Effect] = []
    /// Transitions and messages to people since they were last taken.
    private var fresh: (transitions: [Transition], notices: [Notice]) = ([], [])
    /// What had entered when the last checkpoint was taken.
    private var checkpointed: Int64

    /// Goes on from what the store holds.
    /// - Throws: `SQLiteError`, or `DocumentProblem` for a state that this version cannot read.
    package init(_ store: Store) throws {
        self.store = store
        let saved = try store.checkpoint()
        documents = InForce()
        if let saved {
            if let hash = saved.site { try Self.useSite(hash, store, &documents) }
            if let hash = saved.norms { try Self.useNorms(hash, store, &documents) }
            engine = Engine(
                restoring: try Checkpoint(decoding: saved.body), site: documents.site, norms: documents.norms,
                zones: { TimeZones.zone($0) })
        } else {
            engine = Engine(norms: .empty, zones: { TimeZones.zone($0) })
        }
        checkpointed = saved?.sequence ?? 0
        try replayLog()
    }

    /// Steps through what entered after the checkpoint. What came of it is stored already.
    private func replayLog() throws {
        var forgotten: [Effect] = []
        try store.log(after: checkpointed) { entry, arrival in
            switch entry {
            case .reading(let stored):
                if let reading = stored.reading { engine.step(.reading(reading), at: arrival, into: &forgotten) }
            case .event(let text):
                if let event = try event(LoggedEvent(decoding: text)) {
                    engine.step(event, at: arrival, into: &forgotten)
                }
            }
            forgotten.removeAll(keepingCapacity: true)
        }
        if let now = try store.lastNow(), now > engine.now, engine.now > .distantPast {
            engine.advance(to: now, into: &forgotten)
        }
    }

    private func event(_ logged: LoggedEvent) throws -> Event? {
        switch logged {
        case .unreadable(let series): return .unreadable(series)
        case .lastKnown(let series, let value): return Reading(series, value, isRetained: true).map { .reading($0) }
        case .availability(let availability): return .availability(availability)
        case .device(let note): return .device(note)
        case .listening(let isListening): return .listening(isListening)
        case .started(let since): return .started(downSince: since)
        case .caughtUp: return .caughtUp
        case .command(let command): return .command(command)
        case .trouble(let kind, let isActive, let detail): return .trouble(kind, isActive: isActive, detail: detail)
        case .site(let hash):
            try Self.useSite(hash, store, &documents)
            return .site(documents.site)
        case .norms(let hash):
            try Self.useNorms(hash, store, &documents)
            return .norms(documents.norms)
        }
    }

    // MARK: Documents

    private static func text(_ hash: String, _ store: Store) throws -> String {
        guard let text = try store.document(hash) else {
            throw DocumentProblem(
                path: "documents", message: "the document \(hash) is missing",
                remedy: "restore the data folder from a backup")
        }
        return text
    }

    private static func useSite(_ hash: String, _ store: Store, _ documents: inout InForce) throws {
        documents.site = try Site(parsing: try text(hash, store))
        documents.siteHash = hash
    }

    private static func useNorms(_ hash: String, _ store: Store, _ documents: inout InForce) throws {
        let files = try JSONDecoder().decode([NormFile].self, from: Data(try text(hash, store).utf8))
        documents.norms = try NormLibrary(reading: files)
        documents.normsHash = hash
    }

    /// Puts a site document in force, unless it is.
    package func use(site: Site, text: String, at arrival: Timestamp) {
        let document = StoredDocument(kind: .site, since: arrival, body: text)
        guard document.hash != documents.siteHash else { return }
        store.add(document)
        (documents.site, documents.siteHash) = (site, document.hash)
        enter(.site(site), as: .site(document.hash), at: arrival)
    }

    /// Puts norms in force, unless they are.
    /// - Returns: whether anything changed.
    package func use(norms: NormLibrary, files: [NormFile], at arrival: Timestamp) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(files) else { preconditionFailure("norm files always encode") }
        let document = StoredDocument(kind: .norms, since: arrival, body: String(decoding: data, as: UTF8.self))
        guard document.hash != documents.normsHash else { return false }
        store.add(document)
        (documents.norms, documents.normsHash) = (norms, document.hash)
        enter(.norms(norms), as: .norms(document.hash), at: arrival)
        return true
    }

    package var hasNorms: Bool { documents.normsHash != nil }
    package var site: Site { documents.site }
    package var siteHash: String? { documents.siteHash }

    // MARK: Entering

    /// A reading. One that is stored already is dropped: the engine sees only what a restart would show it again.
    /// - Throws: `SQLiteError` when the history cannot be asked.
    package func enter(_ reading: Reading, at arrival: Timestamp) throws {
        if reading.isRetained && reading.deviceTime == nil {
            enter(.reading(reading), as: .lastKnown(reading.series, reading.value), at: arrival)
        } else if try !store.isKnown(reading) {
            engine.step(.reading(reading), at: arrival, into: &effects)
            gather(at: arrival)
        }
    }

    /// A reading for which nobody can say whether it is stored already.
    package func enterUnchecked(_ reading: Reading, at arrival: Timestamp) {
        engine.step(.reading(reading), at: arrival, into: &effects)
        gather(at: arrival)
    }

    package func enter(unreadable series: Series, at arrival: Timestamp) {
        enter(.unreadable(series), as: .unreadable(series), at: arrival)
    }
    package func enter(_ availability: Availability, at arrival: Timestamp) {
        enter(.availability(availability), as: .availability(availability), at: arrival)
    }
    package func enter(started downSince: Timestamp?, at arrival: Timestamp) {
        enter(.started(downSince: downSince), as: .started(downSince), at: arrival)
    }
    package func enter(listening isListening: Bool, at arrival: Timestamp) {
        enter(.listening(isListening), as: .listening(isListening), at: arrival)
    }
    package func enterCaughtUp(at arrival: Timestamp) { enter(.caughtUp, as: .caughtUp, at: arrival) }

    package func enter(_ note: DeviceNote, at arrival: Timestamp) {
        guard engine.note(of: note.device) != note else { return }
        enter(.device(note), as: .device(note), at: arrival)
    }

    /// Trouble of our own, where it is news.
    package func enter(_ kind: FaultKind, isActive: Bool, detail: String, at arrival: Timestamp) {
        guard engine.hasTrouble(kind) != isActive else { return }
        enter(.trouble(kind, isActive: isActive, detail: detail), as: .trouble(kind, isActive, detail), at: arrival)
    }

    /// What a person asked for, with the answer.
    package func enter(_ command: Command, at arrival: Timestamp) -> CommandReply {
        engine.step(.command(command), at: arrival, into: &effects)
        log(.command(command), at: arrival)
        let reply = effects.lazy.compactMap { if case .reply(let reply) = $0 { reply } else { nil } }.first
        gather(at: arrival)
        return reply ?? .refused("")
    }

    package func advance(to time: Timestamp) {
        guard let due = engine.nextDeadline, due <= time else { return }
        engine.advance(to: time, into: &effects)
        gather(at: time)
    }

    private func enter(_ event: Event, as logged: LoggedEvent, at arrival: Timestamp) {
        engine.step(event, at: arrival, into: &effects)
        log(logged, at: arrival)
        gather(at: arrival)
    }

    private func log(_ event: LoggedEvent, at arrival: Timestamp) { store.add(event: event.encoded, at: arrival) }

    private func gather(at arrival: Timestamp) {
        for effect in effects {
            switch effect {
            case .store(let reading): store.add(reading)
            case .lastKnown(let reading): store.add(lastKnown: reading, at: arrival)
            case .transition(let transition):
                store.add(transition, recorded: arrival)
                fresh.transitions.append(transition)
            case .notice(let notice):
                store.add(notice)
                fresh.notices.append(notice)
            case .device(let note): store.add(note)
            case .reply: break
            }
        }
        effects.removeAll(keepingCapacity: true)
    }

    /// What has happened since the last call.
    package func takeFresh() -> (transitions: [Transition], notices: [Notice]) {
        defer { fresh = ([], []) }
        return fresh
    }

    // MARK: Checkpoints

    /// How much a restart would have to step through.
    package var logLength: Int64 { store.sequence - checkpointed }

    /// The state now, to be encoded elsewhere: a copy that costs nothing until the engine goes on. Call it right after a commit.
    package func snapshot() -> @Sendable () -> StoredCheckpoint {
        let (state, sequence) = (engine.checkpoint, store.sequence)
        let (site, norms) = (documents.siteHash, documents.normsHash)
        checkpointed = sequence
        return { StoredCheckpoint(sequence: sequence, site: site, norms: norms, body: state.encoded()) }
    }
}

extension LoggedEvent {
    fileprivate var encoded: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(self) else { preconditionFailure("events always encode") }
        return String(decoding: data, as: UTF8.self)
    }

    fileprivate init(decoding text: String) throws {
        self = try JSONDecoder().decode(LoggedEvent.self, from: Data(text.utf8))
    }
}
