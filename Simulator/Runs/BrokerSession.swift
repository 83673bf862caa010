import Core
import Foundation
import Ingest
import Pipeline

/// A connection that publishes much, waits for every acknowledgement, and comes back by itself.
final class BrokerSession {
    /// Unacknowledged messages beyond which nothing more is sent.
    static let window = 20_000
    private static let pause = 0.5

    private let connection: BrokerConnection
    private let address: BrokerAddress
    private let filters: [String]
    private let wakeUp: WakeUp
    private let attempt = Locked<ConnectionAttempt?>(nil)
    private var retryAt = 0.0
    private var maintainAt = 0.0
    private(set) var isOpen = false
    private var awaySince = SharedClock.ticks()
    private(set) var sent = 0
    private(set) var confirmed = 0
    /// Messages that the broker does not let us write.
    private(set) var refused = 0
    private var isRefused = false
    /// Why there is no connection.
    private(set) var reason = "not connected yet"

    /// - Parameters:
    ///   - filters: what to listen to.
    ///   - wakeUp: ends a wait; others may signal it too.
    init(_ address: BrokerAddress, filters: [String], wakeUp: WakeUp) throws {
        (self.address, self.filters, self.wakeUp) = (address, filters, wakeUp)
        var settings = BrokerConnection.Settings(
            address: address, clientID: "normwatch-simulator-" + String(UInt64.random(in: .min ... .max), radix: 36),
            subscriptions: filters)
        settings.sessionExpiry = 300
        connection = try BrokerConnection(settings, now: { .systemNow })
    }

    var unconfirmed: Int { sent - confirmed }
    /// Real seconds without a connection.
    var awayFor: Double { isOpen ? 0 : SharedClock.ticks() - awaySince }
    var hasRoom: Bool { isOpen && unconfirmed < Self.window }

    /// - Returns: whether it was taken; it is delivered then, whatever happens to the connection.
    func publish(_ publication: Publication) -> Bool {
        guard isOpen,
            connection.publish(publication.topic, publication.payload, retain: publication.isRetained) != nil
        else { return false }
        sent += 1
        return true
    }

    /// One turn: lets out what is queued, waits for at most so many seconds, takes in what came.
    func turn(atMost seconds: Double) -> [Message] {
        connectIfDue()
        if isOpen { connection.flush() }
        wait(seconds)
        if let code = attempt.withLock({ code -> ConnectionAttempt? in
            defer { code = nil }
            return code
        }) {
            connection.finishConnecting(code)
        }
        connection.read(limit: 4096, bytes: 16 << 20)
        if SharedClock.ticks() >= maintainAt {
            connection.maintain()
            maintainAt = SharedClock.ticks() + 1
        }
        for occurrence in connection.takeOccurrences() { note(occurrence) }
        return connection.takeMessages().map(\.message)
    }

    private func wait(_ seconds: Double) {
        var descriptors = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
        if let socket = connection.socket {
            let writing = connection.wantsToWrite ? Int16(POLLOUT) : 0
            descriptors.append(pollfd(fd: socket, events: Int16(POLLIN) | writing, revents: 0))
        }
        poll(&descriptors, nfds_t(descriptors.count), Int32(max(0, min(seconds, 0.5) * 1000).rounded(.up)))
        wakeUp.clear()
    }

    private func connectIfDue() {
        guard connection.stage == .idle, SharedClock.ticks() >= retryAt else { return }
        retryAt = SharedClock.ticks() + Self.pause
        isRefused = false
        let (attempt, wakeUp) = (attempt, wakeUp)
        connection.connect { code in
            attempt.withLock { $0 = code }
            wakeUp.signal()
        }
    }

    private func note(_ occurrence: BrokerConnection.Occurrence) {
        switch occurrence {
        case .connected:
            isOpen = true
            for filter in filters { _ = connection.subscribe(filter, withoutOwn: true) }
        case .refused(let reason):
            (self.reason, isRefused) = (reason, true)
        case .disconnected(let reason):
            if isOpen { awaySince = SharedClock.ticks() }
            // The end of a connection that was refused says less than the refusal.
            if !isRefused { self.reason = reason }
            isOpen = false
        case .published: confirmed += 1
        case .publishRefused: refused += 1
        case .subscribed: break
        }
    }

    func close() {
        connection.flush()
        connection.disconnect()
    }

    /// For people, without the password.
    var shown: String { address.shown }
}
