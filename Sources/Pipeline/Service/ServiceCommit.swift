import Core
import Foundation
import Ingest
import Notify
import Store

/// How writing goes.
struct StorageState {
    private(set) var failingSince: Timestamp?
    private(set) var retryAt: Timestamp?
    private(set) var error = ""
    private var pause = 0.05

    mutating func failed(_ error: any Error, at now: Timestamp) {
        failingSince = failingSince ?? now
        self.error = "\(error)"
        retryAt = now + .seconds(pause)
        pause = min(pause * 2, 1)
    }

    mutating func worked() { self = StorageState() }

    /// Long enough that people must not wait for it.
    func isBlocked(at now: Timestamp) -> Bool { failingSince.map { now - $0 >= .seconds(1) } ?? false }
}

/// Batches out.
extension Service {
    /// When what is held must be written; nil: nothing is held.
    var commitDue: Timestamp? {
        if let retryAt = storage.retryAt { return retryAt }
        guard store.hasPending || heldMessages > 0 else { return nil }
        return isUrgent || store.hasPendingTransitions ? clock.now : (batchOpened ?? clock.now) + options.commitWithin
    }

    func commitIfDue() {
        if store.hasPending { batchOpened = batchOpened ?? clock.now }
        let isFull = heldMessages >= Self.batchLimit || store.pendingBytes >= Self.batchBytes
        if let due = commitDue, due <= clock.now || isFull && storage.retryAt == nil {
            commit()
        } else if !store.hasPending && heldMessages == 0 {
            link.connection.flush()
        }
    }

    /// Writes what is held, and only then lets the acknowledgements out.
    func commit() {
        do {
            if store.hasPending {
                try store.commit(now: host.engine.now) { $0.created + Retry.lifetime($0.severity) }
            }
        } catch {
            fail(error)
            return
        }
        heldMessages = 0
        (batchOpened, isUrgent) = (nil, false)
        if storage.failingSince != nil { recover() }
        handOn()
        keepSite()
        for answer in answers { answer() }
        answers = []
        link.connection.flush()
        takeCheckpointIfDue()
        // Under a load that never rests tidying cannot wait for a quiet moment.
        if store.isCrowded { moveSlice() }
        status.update(self)
    }

    private func keepSite() {
        guard let hash = host.siteHash, hash != keptSite else { return }
        keptSite = hash
        if let text = try? store.document(hash) { Rescue.keep(text, in: options.data) }
    }

    /// The disk does not take it: judging goes on, acknowledgements wait, people are told from memory.
    private func fail(_ error: any Error) {
        if storage.failingSince == nil { observer.log(.error, "readings cannot be stored", ["cause": "\(error)"]) }
        storage.failed(error, at: clock.now)
        if let error = error as? SQLiteError, error.isDamage {
            beginAnew(error)
            return handOn()
        }
        guard storage.isBlocked(at: clock.now) else { return }
        host.enter(.storageBlocked, isActive: true, detail: storage.error, at: clock.next())
        handOn()
        for answer in answers { answer() }
        answers = []
    }

    private func recover() {
        observer.log(.info, "readings are stored again")
        storage.worked()
        host.enter(.storageBlocked, isActive: false, detail: "", at: clock.next())
    }

    /// Gives what has happened to those who show and send it.
    private func handOn() {
        let fresh = host.takeFresh()
        guard !fresh.transitions.isEmpty || !fresh.notices.isEmpty else { return }
        observer.transitions(fresh.transitions)
        publisher.publish(fresh.transitions, through: store.journalSequence)
        for notice in fresh.notices { outbox.add(notice, due: notice.created) }
        status.count(.transitions, by: fresh.transitions.count)
    }

    // MARK: Messages to people

    func sendNotices() {
        let due = outbox.take(at: clock.now, brokerIsThere: link.isOpen)
        guard !due.isEmpty else { return }
        for notice in due where notice.channel.kind == .mqtt {
            if !publisher.send(notice) {
                settle(notice.id, .failed(reason: "no connection to the broker", isPermanent: false, retryAfter: nil))
            }
        }
        outbox.giveBack(outboxWorker.hand(due.filter { $0.channel.kind != .mqtt }), at: clock.now)
        if due.contains(where: { $0.channel.kind == .mqtt }) && !store.hasPending { link.connection.flush() }
    }

    func settle(_ notice: String, _ result: DeliveryResult) {
        guard let settled = outbox.settle(notice, result, at: clock.now) else { return }
        store.add(settled)
        switch settled.outcome {
        case .delivered:
            status.count(.delivered)
        case .waiting(_, let error):
            status.count(.deliveryFailed)
            observer.log(
                .warning, "a message was not delivered and will be tried again", ["notice": notice, "cause": error])
        case .dead(let error):
            status.count(.deliveryFailed)
            observer.log(.error, "a message was given up", ["notice": notice, "cause": error])
            host.enter(.noticesFailing, isActive: true, detail: error, at: clock.next())
        }
        if case .delivered = settled.outcome {
            host.enter(.noticesFailing, isActive: false, detail: "", at: clock.next())
        }
    }

    // MARK: Checkpoints and tidying

    private static let checkpointAfter: Int64 = 400_000
    private static let checkpointEvery = Span.hours(1)

    private func takeCheckpointIfDue() {
        let isOld = host.logLength > 0 && clock.now - status.lastCheckpoint >= Self.checkpointEvery
        guard !store.hasPending, host.logLength >= Self.checkpointAfter || isOld, status.beginCheckpoint(at: clock.now)
        else { return }
        let (encode, mailbox) = (host.snapshot(), mailbox)
        startThread { mailbox.post(.checkpoint(encode())) }
    }

    /// Small slices, only while nothing waits.
    func keepHouse() {
        guard !store.hasPending, storage.failingSince == nil else { return }
        do {
            _ = try store.moveToHistory()
            if status.isTidyingDue(at: clock.now) {
                try store.dropHistory(before: clock.now - options.keepReadings)
                try store.dropDelivered(before: clock.now - .days(30))
            }
        } catch {
            observer.log(.warning, "tidying was put off", ["cause": "\(error)"])
        }
    }

    private func moveSlice() {
        do {
            _ = try store.moveToHistory()
        } catch {
            observer.log(.warning, "tidying was put off", ["cause": "\(error)"])
        }
    }

    /// Troubles of ours that only time shows.
    func watchOurselves() {
        let now = clock.now
        if !link.isOpen, let since = status.closedSince, now - since >= .seconds(10) {
            host.enter(.brokerAway, isActive: true, detail: link.reason, at: clock.next())
        }
        status.note(isOpen: link.isOpen, at: now)
        // Without a broker nothing will tell us what was queued; deadlines go on after a while.
        if host.engine.isCatchingUp, !link.isOpen, let since = status.closedSince, now - since >= .seconds(15) {
            host.enterCaughtUp(at: clock.next())
        }
        watchQuiet(now)
    }

    /// Subscribed, devices known, and not a word: a broker may grant a subscription and still let nothing through.
    private func watchQuiet(_ now: Timestamp) {
        guard link.isOpen, let shortest = host.engine.shortestInterval else { return }
        let limit = max(.seconds(30), shortest * 3)
        let isQuiet = now - status.lastMessage >= limit
        if isQuiet { host.enter(.noReadings, isActive: true, detail: "", at: clock.next()) }
        if !isQuiet { host.enter(.noReadings, isActive: false, detail: "", at: clock.next()) }
    }
}
