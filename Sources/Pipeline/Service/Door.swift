import Core
import Foundation
import Notify
package import Store

/// What people ask for from outside, answered by the engine. The service and a command without one go through here.
extension EngineHost {
    func answer(_ command: Command, at arrival: Timestamp) -> ControlReply {
        switch enter(command, at: arrival) {
        case .done(let text): ControlReply(isDone: true, lines: [text])
        case .refused(let text): ControlReply(isDone: false, lines: [text])
        }
    }

    /// - Returns: what changes, or what is wrong; and whether the document is new and has to be written.
    func answer(site document: String, dryRun: Bool, at arrival: Timestamp) -> (reply: ControlReply, isNew: Bool) {
        do {
            let plan = try SitePlan(document, from: site)
            let isNew = !dryRun && StoredDocument(kind: .site, since: arrival, body: document).hash != siteHash
            if isNew { use(site: plan.site, text: document, at: arrival) }
            return (ControlReply(isDone: true, lines: plan.lines), isNew)
        } catch {
            return (ControlReply(isDone: false, lines: error.problems.map(\.description)), false)
        }
    }
}

/// A site document that may be put in force, and what it changes.
private struct SitePlan {
    let site: Site
    let lines: [String]

    /// - Throws: everything that is wrong with it.
    init(_ document: String, from old: Site) throws(DocumentProblems) {
        site = try Site(checking: document)
        if let refusal = SiteChange.refusal(from: old, to: site) { throw DocumentProblems([refusal]) }
        lines = SiteChange(from: old, to: site).lines
    }
}

/// Brings a request to the engine of a data folder: to the running service, or, where none runs, to the engine itself while nobody else
/// may have the folder.
package enum Door {
    /// A service that starts or stops has the folder and does not answer for a moment.
    private static let patience = 15.0

    /// - Throws: in plain words, when nobody can answer.
    package static func ask(_ folder: DataFolder, _ request: ControlRequest) throws -> ControlReply {
        let deadline = Date(timeIntervalSinceNow: patience)
        while true {
            if let reply = try ControlClient.ask(folder, request) { return reply }
            if !FolderLock.isHeld(folder) { return try answerAlone(folder, request) }
            guard Date() < deadline else {
                throw DataFolder.Trouble(
                    description:
                        "a service has the data folder \(folder.path) and does not answer; look at its log, and try again"
                )
            }
            usleep(100_000)
        }
    }

    private static func answerAlone(_ folder: DataFolder, _ request: ControlRequest) throws -> ControlReply {
        if case .site(let document, dryRun: true) = request { return try plan(folder, document) }
        if case .site = request {
            try folder.prepare()
        } else if !FileManager.default.fileExists(atPath: folder.database) {
            throw DataFolder.Trouble(
                description: "there is no Normwatch data in \(folder.path); name the folder with --data")
        }
        let lock = try FolderLock(folder, patience: 3)
        return try withExtendedLifetime(lock) {
            let store = try Store(path: folder.database)
            let host = try EngineHost(store)
            let clock = ServiceClock(notBefore: host.engine.now)
            // What falls due has to wait for what was sent meanwhile, as at a start: silence counts only while we listen.
            host.enter(started: lock.lastAlive, at: clock.next())
            let (reply, isNew) = answer(request, host, at: clock.next())
            if isNew { try commit(store, host) }
            if isNew, case .site(let document, _) = request { Rescue.keep(document, in: folder) }
            return reply
        }
    }

    private static func answer(_ request: ControlRequest, _ host: EngineHost, at arrival: Timestamp) -> (
        ControlReply, isNew: Bool
    ) {
        switch request {
        case .command(let command):
            let reply = host.answer(command, at: arrival)
            return (reply, reply.isDone)
        case .site(let document, let dryRun):
            return host.answer(site: document, dryRun: dryRun, at: arrival)
        case .reloadNorms:
            return (ControlReply(isDone: false, lines: ["no service runs; it reads the norms when it starts"]), false)
        }
    }

    /// Nothing is touched, so nothing has to be held.
    private static func plan(_ folder: DataFolder, _ document: String) throws -> ControlReply {
        var site = Site.none
        if FileManager.default.fileExists(atPath: folder.database) {
            let reader = try Reader(folder)
            site = try reader.snapshot { try RestoredEngine(reader).documents.site }
        }
        do {
            return ControlReply(isDone: true, lines: try SitePlan(document, from: site).lines)
        } catch {
            return ControlReply(isDone: false, lines: error.problems.map(\.description))
        }
    }

    private static func commit(_ store: Store, _ host: EngineHost) throws {
        let deadline = Date(timeIntervalSinceNow: patience)
        while true {
            do {
                return try store.commit(now: host.engine.now) { $0.created + Retry.lifetime($0.severity) }
            } catch let error as SQLiteError where error.isBusy && Date() < deadline {
                usleep(50_000)
            }
        }
    }
}
