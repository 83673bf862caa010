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
        let restored = try RestoredEngine(store)
        (engine, documents, checkpointed) = (restored.engine, restored.documents, restored.checkpointed)
    }

    // MARK: Documents

    /// Puts a site document in force, unless it is.
    package func use(site: Site, text: String, at arrival: Timestamp) {
        let document = StoredDocument(kind: .site, since: arrival, body: text)
        guard document.hash != documents.siteHash else { return }
        store.add(document)
        (documents.site, documents.siteHash) = (site, document.hash)
        enter(.site(site), as: .site(document.hash), at: arrival)
    }

    /// Puts norms in force as a new version, unless they are.
    /// - Returns: whether anything changed.
    package func use(
        norms: NormLibrary, files: [NormFile], by author: String, reason: String? = nil, at arrival: Timestamp
    ) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(files) else { preconditionFailure("norm files always encode") }
        let document = StoredDocument(kind: .norms, since: arrival, body: String(decoding: data, as: UTF8.self))
        guard document.hash != documents.normsHash else { return false }
        store.add(document)
        (documents.norms, documents.normsHash) = (norms, document.hash)
        let version = NormVersion(number: (engine.normVersion?.number ?? 0) + 1, author: author, reason: reason)
        store.add(StoredNormVersion(version: version, since: arrival, hash: document.hash))
        enter(.norms(norms, version), as: .norms(document.hash, version), at: arrival)
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
