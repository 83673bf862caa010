package import Core
internal import Foundation
package import Store

/// The engine as a start finds it: the last checkpoint, and everything that has entered since. Nothing is written, so a reader beside a
/// running service gets the same.
package struct RestoredEngine {
    package private(set) var engine: Engine
    package private(set) var documents = InForce()
    /// What had entered when the checkpoint was taken.
    let checkpointed: Int64

    /// The rows can be read, and what stands in them is no state.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Throws: `SQLiteError`; `Unreadable` for a damaged state; `DocumentProblem` or `DocumentProblems` for one that only another version
    ///   of the program can read.
    package init(_ saved: some SavedState) throws {
        do {
            try self.init(reading: saved)
        } catch let problem as DocumentProblem where problem.remedy != Checkpoint.newerRemedy {
            throw Unreadable(description: problem.description)
        } catch let error as DecodingError {
            throw Unreadable(description: "an event cannot be read: \(error)")
        }
    }

    private init(reading saved: some SavedState) throws {
        let checkpoint = try saved.checkpoint()
        if let checkpoint {
            if let hash = checkpoint.site { try documents.useSite(hash, saved) }
            if let hash = checkpoint.norms { try documents.useNorms(hash, saved) }
            engine = Engine(
                restoring: try Checkpoint(decoding: checkpoint.body), site: documents.site, norms: documents.norms,
                zones: { TimeZones.zone($0) })
        } else {
            engine = Engine(norms: .empty, zones: { TimeZones.zone($0) })
        }
        checkpointed = checkpoint?.sequence ?? 0
        try replayLog(saved)
    }

    /// Steps through what entered after the checkpoint. What came of it is stored already.
    private mutating func replayLog(_ saved: some SavedState) throws {
        var forgotten: [Effect] = []
        try saved.log(after: checkpointed) { entry, arrival in
            switch entry {
            case .reading(let stored):
                if let reading = stored.reading { engine.step(.reading(reading), at: arrival, into: &forgotten) }
            case .event(let text):
                if let event = try event(LoggedEvent(decoding: text), saved) {
                    engine.step(event, at: arrival, into: &forgotten)
                }
            }
            forgotten.removeAll(keepingCapacity: true)
        }
        if let now = try saved.lastNow(), now > engine.now, engine.now > .distantPast {
            engine.advance(to: now, into: &forgotten)
        }
    }

    private mutating func event(_ logged: LoggedEvent, _ saved: some SavedState) throws -> Event? {
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
            try documents.useSite(hash, saved)
            return .site(documents.site)
        case .norms(let hash, let version):
            try documents.useNorms(hash, saved)
            return .norms(documents.norms, version)
        }
    }
}

extension InForce {
    fileprivate mutating func useSite(_ hash: String, _ saved: some SavedState) throws {
        site = try Site(parsing: try Self.text(hash, saved))
        siteHash = hash
    }

    fileprivate mutating func useNorms(_ hash: String, _ saved: some SavedState) throws {
        norms = try NormLibrary(reading: try NormFolder.stored(hash, saved))
        normsHash = hash
    }

    fileprivate static func text(_ hash: String, _ saved: some SavedState) throws -> String {
        guard let text = try saved.document(hash) else {
            throw DocumentProblem(
                path: "documents", message: "the document \(hash) is missing",
                remedy: "restore the data folder from a backup")
        }
        return text
    }
}

extension NormFolder {
    /// Documents as they were when they were put in force.
    package static func stored(_ hash: String, _ saved: some SavedState) throws -> [NormFile] {
        try JSONDecoder().decode([NormFile].self, from: Data(try InForce.text(hash, saved).utf8))
    }
}
