import Core
import Store

/// What people ask for, from another process.
extension Service {
    func answer(_ request: ControlRequest, _ reply: @escaping @Sendable (ControlReply) -> Void) {
        switch request {
        case .command(let command):
            isUrgent = true
            switch host.enter(command, at: clock.next()) {
            case .done(let text): answers.append { reply(ControlReply(isDone: true, lines: [text])) }
            case .refused(let text): answers.append { reply(ControlReply(isDone: false, lines: [text])) }
            }
        case .site(let document, let dryRun): applySite(document, dryRun, reply)
        case .reloadNorms:
            reply(reloadNorms())
        }
    }

    private func applySite(_ document: String, _ dryRun: Bool, _ reply: @escaping @Sendable (ControlReply) -> Void) {
        do {
            let site = try Site(parsing: document)
            let plan = SiteChange(from: host.site, to: site).lines
            guard !dryRun, StoredDocument(kind: .site, since: clock.now, body: document).hash != host.siteHash else {
                reply(ControlReply(isDone: true, lines: plan))
                return
            }
            host.use(site: site, text: document, at: clock.next())
            isUrgent = true
            observer.log(.info, "site applied", ["site": site.id])
            answers.append { reply(ControlReply(isDone: true, lines: plan)) }
        } catch {
            reply(ControlReply(isDone: false, lines: error.problems.map(\.description)))
        }
    }

    /// Reads the folder of norms again; a set with errors changes nothing.
    @discardableResult
    func reloadNorms() -> ControlReply {
        do {
            let files = try NormFolder.documents(in: options.normFolder)
            let norms = try NormLibrary(reading: files)
            let isNew = host.use(norms: norms, files: files, at: clock.next())
            host.enter(.normsRejected, isActive: false, detail: "", at: clock.next())
            observer.log(.info, "norms read", ["changed": "\(isNew)", "norms": "\(norms.norms.count)"])
            return ControlReply(isDone: true, lines: [isNew ? "the changed norms are in force" : "nothing has changed"])
        } catch {
            observer.log(.error, "norms have errors, those in force stay", ["errors": "\(error)"])
            host.enter(.normsRejected, isActive: true, detail: "\(error)", at: clock.next())
            return ControlReply(isDone: false, lines: ["\(error)"])
        }
    }
}
