import Core
import Foundation
import Store

/// What is brought over from a database that was put aside, so that a new one begins with places, people, alarms and arm states.
enum Rescue {
    private static func siteCopy(_ data: DataFolder) -> String { data.path + "/site.json" }

    /// Keeps the site document beside the database too: without it nobody would know whom to tell.
    static func keep(_ site: String, in data: DataFolder) {
        try? site.write(toFile: siteCopy(data), atomically: true, encoding: .utf8)
    }

    /// Begins a new database with the state of the engine where it can still be read, else with the site document.
    /// - Returns: what was brought over, for the log.
    static func bring(from aside: String, _ data: DataFolder) -> String {
        do {
            let reader = try Reader(path: aside)
            try bring(try reader.snapshot { try RestoredEngine(reader) }, reader, into: try Store(path: data.database))
            return "the whole state"
        } catch {
            guard let text = try? String(contentsOfFile: siteCopy(data), encoding: .utf8) else { return "nothing" }
            return (try? begin(text, data)) == nil ? "nothing" : "the site document"
        }
    }

    private static func begin(_ text: String, _ data: DataFolder) throws {
        let store = try Store(path: data.database)
        let host = try EngineHost(store)
        let clock = ServiceClock()
        host.enter(started: nil, at: clock.next())
        host.use(site: try Site(parsing: text), text: text, at: clock.next())
        try store.commit(now: host.engine.now) { $0.created }
    }

    private static func bring(_ old: RestoredEngine, _ reader: Reader, into store: Store) throws {
        let now = old.engine.now
        let documents: [(String?, StoredDocument.Kind)] = [
            (old.documents.siteHash, .site), (old.documents.normsHash, .norms),
        ]
        for (hash, kind) in documents {
            guard let hash, let body = try reader.document(hash) else { continue }
            store.add(StoredDocument(kind: kind, since: now, body: body))
        }
        for version in (try? reader.normVersions()) ?? [] {
            guard let body = try? reader.document(version.hash) else { continue }
            store.add(StoredDocument(kind: .norms, since: version.since, body: body))
            store.add(version)
        }
        for (topic, payload) in (try? reader.metadata()) ?? [] {
            store.add(metadata: Message(topic: topic, payload: payload, arrival: now))
        }
        // The lists of alarms begin anew; those that are open stand at their beginning.
        for alarm in old.engine.openAlarms {
            var raised = alarm
            raised.event = .raised
            store.add(raised, recorded: now)
            if alarm.event != .raised { store.add(alarm, recorded: now) }
        }
        store.add(
            StoredCheckpoint(
                sequence: store.sequence, site: old.documents.siteHash, norms: old.documents.normsHash,
                body: old.engine.checkpoint.encoded()))
        try store.commit(now: now) { $0.created }
    }
}
