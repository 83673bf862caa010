import Core
import Store

/// What people ask for, from another process.
extension Service {
    func answer(_ request: ControlRequest, _ reply: @escaping @Sendable (ControlReply) -> Void) {
        switch request {
        case .command(let command):
            isUrgent = true
            let answer = host.answer(command, at: clock.next())
            answers.append { reply(answer) }
        case .site(let document, let dryRun):
            let (answer, isNew) = host.answer(site: document, dryRun: dryRun, at: clock.next())
            guard isNew else { return reply(answer) }
            isUrgent = true
            observer.log(.info, "site applied", ["site": host.site.id])
            answers.append { reply(answer) }
        case .reloadNorms(let person, let reason):
            let answer = reloadNorms(by: person, reason: reason)
            isUrgent = true
            answers.append { reply(answer) }
        }
    }

    /// Reads the folder of norms again; a set with errors changes nothing.
    func reloadNorms(by author: String, reason: String?) -> ControlReply {
        do {
            let files = try NormFolder.documents(in: options.normFolder)
            let norms = try NormLibrary(reading: files)
            let isNew = host.use(norms: norms, files: files, by: author, reason: reason, at: clock.next())
            host.enter(.normsRejected, isActive: false, detail: "", at: clock.next())
            observer.log(.info, "norms read", ["changed": "\(isNew)", "norms": "\(norms.norms.count)", "by": author])
            let number = host.engine.normVersion?.number ?? 0
            return ControlReply(
                isDone: true,
                lines: [isNew ? "the changed norms are in force as version \(number)" : "nothing has changed"])
        } catch {
            observer.log(.error, "norms have errors, those in force stay", ["errors": "\(error)"])
            host.enter(.normsRejected, isActive: true, detail: "\(error)", at: clock.next())
            return ControlReply(isDone: false, lines: ["the norms in force stay: \(error)"])
        }
    }
}
