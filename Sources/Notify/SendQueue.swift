internal import Core

/// The notices of one lane: waiting or under way. Bounded, and the worst go first.
final class SendQueue: Sendable {
    struct Job: Sendable {
        let notice: Notice
        /// Jobs with an equal key share one server.
        let server: String
    }

    struct Limits: Sendable {
        /// How many may wait or be under way.
        var depth = 1000
        /// So many more where danger or worse is told of.
        var reserve = 1000
        var underWay = 32
        /// A server that hangs holds up no more than these.
        var perServer = 4
    }

    enum Answer { case taken, alreadyHere, full }

    private struct State: Sendable {
        var waiting: [Job] = []
        /// Notice id to server.
        var underWay: [String: String] = [:]
        var ids: Set<String> = []
        var isClosed = false
        var isCancelled = false
        var hasEnded = false
        var tally = Tally()
    }

    private let limits: Limits
    private let state = Locked(State())

    init(limits: Limits = Limits()) { self.limits = limits }

    func offer(_ job: Job) -> Answer {
        state.withLock { state in
            if state.ids.contains(job.notice.id) { return .alreadyHere }
            let room = limits.depth + (job.notice.severity >= .danger ? limits.reserve : 0)
            guard !state.isClosed, state.ids.count < room else {
                state.tally.refused += 1
                return .full
            }
            state.ids.insert(job.notice.id)
            state.waiting.append(job)
            return .taken
        }
    }

    /// The next to send: the most severe whose server is not busy, of these the oldest. It counts as under way from now.
    func next() -> Job? { state.withLock { Self.take(from: &$0, limits) } }

    /// Waits for the next; nil once nothing more will come.
    func waitForNext() -> Job? {
        let answer: Job?? = state.wait(atMost: nil) { state in
            if state.isCancelled { return .some(nil) }
            if let job = Self.take(from: &state, limits) { return job }
            return state.isClosed && state.ids.isEmpty ? .some(nil) : nil
        }
        return answer ?? nil
    }

    private static func take(from state: inout State, _ limits: Limits) -> Job? {
        guard !state.isCancelled, !state.waiting.isEmpty, state.underWay.count < limits.underWay else { return nil }
        var busy: [String: Int] = [:]
        for server in state.underWay.values { busy[server, default: 0] += 1 }
        var best: Int?
        for (index, job) in state.waiting.enumerated() where busy[job.server, default: 0] < limits.perServer {
            if let best, state.waiting[best].notice.severity >= job.notice.severity { continue }
            best = index
        }
        guard let best else { return nil }
        let job = state.waiting.remove(at: best)
        state.underWay[job.notice.id] = job.server
        return job
    }

    func finish(_ job: Job, _ result: DeliveryResult) {
        state.withLock { state in
            state.underWay[job.notice.id] = nil
            state.ids.remove(job.notice.id)
            if result == .delivered { state.tally.delivered += 1 } else { state.tally.failed += 1 }
        }
    }

    /// Takes nothing more; what is here is still sent.
    func close() { state.withLock { $0.isClosed = true } }
    /// Sends nothing more.
    func cancel() { state.withLock { ($0.isClosed, $0.isCancelled) = (true, true) } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// Closed and empty, or cancelled.
    var isOver: Bool { state.withLock { $0.isCancelled || $0.isClosed && $0.ids.isEmpty } }

    /// The lane's thread has left.
    func end() { state.withLock { $0.hasEnded = true } }
    func waitForEnd(atMost limit: Span) -> Bool { state.wait(atMost: limit) { $0.hasEnded ? true : nil } ?? false }

    var tally: Tally {
        state.withLock { state in
            var tally = state.tally
            (tally.waiting, tally.underWay) = (state.waiting.count, state.underWay.count)
            return tally
        }
    }
}

/// What a lane has done and holds.
package struct Tally: Hashable, Sendable {
    package var waiting = 0
    package var underWay = 0
    package var delivered = 0
    package var failed = 0
    /// Not taken, because the queue was full or the worker stopped.
    package var refused = 0
}
