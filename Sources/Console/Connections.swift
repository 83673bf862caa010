internal import Core
internal import Glibc

/// The open connections and what each waits for. libmicrohttpd's own limit counts from the last byte, so a client that sends
/// one byte now and then would keep its place for ever; here the whole head and the whole body have a limit.
final class Connections: Sendable {
    enum Stage: Sendable { case head, body, answer }

    private struct Entry: Sendable {
        var stage: Stage
        var since: ContinuousClock.Instant
    }
    private struct State: Sendable {
        /// By socket.
        var entries: [Int32: Entry] = [:]
        var isOver = false
    }

    private let state = Locked(State())
    private let limits: Listener.Limits

    /// Starts the thread that watches.
    init(limits: Listener.Limits) {
        self.limits = limits
        let state = state
        startThread { Self.watch(state, limits) }
    }

    func enter(_ socket: Int32, _ stage: Stage) {
        state.withLock { $0.entries[socket] = Entry(stage: stage, since: .now) }
    }

    /// Must be called before the socket is closed: afterwards its number may be another connection's.
    func leave(_ socket: Int32) { state.withLock { $0.entries[socket] = nil } }

    func end() { state.withLock { $0.isOver = true } }

    /// Waits until no request is half received or half answered.
    func waitUntilIdle(atMost limit: Span) {
        _ = state.wait(atMost: limit) { state in state.entries.values.allSatisfy { $0.stage == .head } ? true : nil }
    }

    private static func watch(_ state: Locked<State>, _ limits: Listener.Limits) {
        while true {
            _ = state.wait(atMost: nil) { $0.isOver || !$0.entries.isEmpty ? true : nil }
            guard state.wait(atMost: .seconds(1), for: { $0.isOver ? true : nil }) == nil else { return }
            let now = ContinuousClock.now
            state.withLock { state in
                for (socket, entry) in state.entries {
                    let limit: Span? =
                        switch entry.stage {
                        case .head: limits.head
                        case .body: limits.body
                        case .answer: nil
                        }
                    guard let limit, now - entry.since > .microseconds(limit.microseconds) else { continue }
                    shutdown(socket, Int32(SHUT_RDWR))  // libmicrohttpd sees the end of the stream and cleans up
                }
            }
        }
    }
}
