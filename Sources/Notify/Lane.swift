internal import Core

/// A thread of its own for one kind of channel, so that no channel waits for another.
final class Lane: Sendable {
    /// What the lane tells, from its own thread.
    struct Reports: Sendable {
        var now: @Sendable () -> Timestamp
        /// An attempt begins.
        var begun: @Sendable (_ notice: String, Timestamp) -> Void
        var ended: @Sendable (_ notice: String, DeliveryResult) -> Void
    }

    let queue: SendQueue
    private let server: @Sendable (Notice) -> String
    private let wake: @Sendable () -> Void

    /// Sends one after the other.
    init(terminal: Terminal, limits: SendQueue.Limits, reports: Reports) {
        let queue = SendQueue(limits: limits)
        (self.queue, server, wake) = (queue, { _ in "" }, {})
        startThread {
            while let job = queue.waitForNext() {
                reports.begun(job.notice.id, reports.now())
                let result = terminal.send(job.notice)
                queue.finish(job, result)
                reports.ended(job.notice.id, result)
            }
            queue.end()
        }
    }

    /// Sends several at once.
    init(sender: any TransferSender, limits: SendQueue.Limits, reports: Reports) {
        let queue = SendQueue(limits: limits)
        let transfers = TransferSet()
        (self.queue, server, wake) = (queue, { sender.server(of: $0) }, { transfers.wake() })
        startThread {
            TransferLoop(queue: queue, transfers: transfers, sender: sender, reports: reports).run()
            queue.end()
        }
    }

    func offer(_ notice: Notice) -> SendQueue.Answer { queue.offer(.init(notice: notice, server: server(notice))) }

    /// After one or more offers.
    func ring() { wake() }

    func close() {
        queue.close()
        wake()
    }

    func cancel() {
        queue.cancel()
        wake()
    }
}

/// Begins attempts, lets libcurl work, tells of the ends.
private struct TransferLoop {
    let queue: SendQueue
    let transfers: TransferSet
    let sender: any TransferSender
    let reports: Lane.Reports

    func run() {
        while !queue.isOver {
            while let job = queue.next() { begin(job) }
            if !perform() && !queue.isOver { transfers.wait(atMost: .seconds(5)) }
        }
        // Cancelled: each transfer is asked whether it goes on and says no. Taking it away instead would make libcurl end the
        // mail it is in the middle of, as if it were whole.
        _ = perform()
        for job in transfers.dropAll() { finish(job, TransferEnd(trouble: .cancelled, status: 0)) }
    }

    /// - Returns: whether an attempt has ended.
    private func perform() -> Bool {
        let ended = transfers.perform()
        for (job, end) in ended { finish(job, end) }
        return !ended.isEmpty
    }

    private func begin(_ job: SendQueue.Job) {
        let now = reports.now()
        reports.begun(job.notice.id, now)
        do throws(Obstacle) {
            let queue = queue
            let plan = try sender.plan(job.notice, at: now)
            try transfers.add(Transfer(plan, for: job) { queue.isCancelled })
        } catch {
            finish(job, error.result)
        }
    }

    private func finish(_ job: SendQueue.Job, _ end: TransferEnd) {
        finish(job, sender.result(of: end, server: job.server))
    }

    private func finish(_ job: SendQueue.Job, _ result: DeliveryResult) {
        queue.finish(job, result)
        reports.ended(job.notice.id, result)
    }
}
