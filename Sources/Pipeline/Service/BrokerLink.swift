import Core
import Foundation
import Ingest

/// Keeps the way to the broker open: connects with back-off, subscribes at every connect, and finds out when the backlog is read.
///
/// Used by the loop's thread. The end of the backlog is found with a message of our own: the broker queues it behind everything that
/// waited for us.
final class BrokerLink {
    enum News {
        /// The broker is heard again.
        case opened(sessionPresent: Bool, awaySince: Timestamp?)
        case closed(reason: String)
        /// All that was queued has been read.
        case caughtUp
        /// Something of ours should leave soon.
        case wantsOut
        case refused(filter: String)
        /// One of our messages has arrived at the broker.
        case published(Int32)
        /// We may not write there.
        case publishRefused(Int32)
    }

    private enum Stage {
        case away(retryAt: Timestamp)
        case connecting
        case subscribing(waitingFor: [Int32: String])
        /// The mark is under way; `quietSince` is when the last message came.
        case catchingUp(quietSince: Timestamp)
        case live
    }

    static let droppedTopic = "$SYS/broker/publish/messages/dropped"
    private static let shortestPause = 0.25
    private static let longestPause = 30.0
    /// Where the broker does not let our mark through, so much quiet is taken for the end of the backlog.
    private static let enoughQuiet = Span.seconds(3)

    let connection: BrokerConnection
    private let filters: [String]
    private let formerFilters: [String]
    private let markTopic: String
    private var mark = ""
    private var markID: Int32?
    /// Whether the broker lets us send the mark.
    private var mayMark = true
    private var stage: Stage
    private var redelivery: Redelivery
    private var awaySince: Timestamp?
    private var pause = BrokerLink.shortestPause
    private(set) var reason = "not connected yet"

    /// - Parameters:
    ///   - packets: messages received before the start, oldest first.
    ///   - formerFilters: what was subscribed at the last start; a kept session still has it.
    init(
        _ connection: BrokerConnection, clientID: String, filters: [String], formerFilters: [String],
        packets: [Redelivery.Packet], window: Int, now: Timestamp
    ) {
        (self.connection, self.filters) = (connection, filters)
        self.formerFilters = formerFilters.filter { !filters.contains($0) }
        markTopic = "normwatch/mark/\(clientID)"
        redelivery = Redelivery(packets: packets, window: window)
        stage = .away(retryAt: now)
    }

    var isOpen: Bool {
        switch stage {
        case .away, .connecting: false
        case .subscribing, .catchingUp, .live: true
        }
    }

    /// Nothing is known to wait for us.
    var isLive: Bool { if case .live = stage { true } else { false } }

    /// When `tend` has something to do by itself.
    var due: Timestamp? {
        switch stage {
        case .away(let retryAt): retryAt
        case .catchingUp(let quietSince): quietSince + Self.enoughQuiet
        case .connecting, .subscribing, .live: nil
        }
    }

    /// Does what time asks for.
    func tend(now: Timestamp, connected: @escaping @Sendable (ConnectionAttempt) -> Void) -> [News] {
        switch stage {
        case .away(let retryAt) where retryAt <= now:
            stage = .connecting
            connection.connect(connected)
            return []
        case .catchingUp(let quietSince) where now - quietSince >= Self.enoughQuiet:
            stage = .live
            return [.caughtUp]
        case .away, .connecting, .subscribing, .catchingUp, .live:
            return []
        }
    }

    /// Turns what happened on the connection into news.
    func takeNews(now: Timestamp) -> [News] {
        connection.takeOccurrences().flatMap { take($0, now) }
    }

    private func take(_ occurrence: BrokerConnection.Occurrence, _ now: Timestamp) -> [News] {
        switch occurrence {
        case .connected(let sessionPresent):
            redelivery.connected(sessionPresent: sessionPresent)
            subscribe(sessionPresent: sessionPresent)
            defer { awaySince = nil }
            return [.opened(sessionPresent: sessionPresent, awaySince: awaySince)]
        case .refused(let reason), .disconnected(let reason):
            return leave(reason, now)
        case .subscribed(let id, let granted):
            return subscribed(id, granted, now)
        case .published(let id):
            return [.published(id)]
        case .publishRefused(let id) where id == markID:
            // Asking again would end the connection again.
            mayMark = false
            return []
        case .publishRefused(let id):
            return [.publishRefused(id)]
        }
    }

    private func leave(_ reason: String, _ now: Timestamp) -> [News] {
        let wasOpen = isOpen
        if case .away = stage { return [] }
        self.reason = reason
        awaySince = awaySince ?? now
        // A quarter of chance, so that many clients of a restarted broker do not come at once.
        stage = .away(retryAt: now + .seconds(pause * Double.random(in: 0.75...1)))
        pause = min(pause * 2, Self.longestPause)
        return wasOpen ? [.closed(reason: reason)] : []
    }

    private func subscribe(sessionPresent: Bool) {
        if sessionPresent { formerFilters.forEach { connection.unsubscribe($0) } }
        var waiting: [Int32: String] = [:]
        for filter in filters {
            if let id = connection.subscribe(filter, withoutOwn: true) { waiting[id] = filter }
        }
        if let id = connection.subscribe(markTopic, withoutOwn: false) { waiting[id] = markTopic }
        if let id = connection.subscribe(Self.droppedTopic, withoutOwn: false) { waiting[id] = Self.droppedTopic }
        stage = .subscribing(waitingFor: waiting)
    }

    private func subscribed(_ id: Int32, _ granted: [Int32], _ now: Timestamp) -> [News] {
        guard case .subscribing(var waiting) = stage, let filter = waiting.removeValue(forKey: id) else { return [] }
        stage = .subscribing(waitingFor: waiting)
        if waiting.isEmpty {
            pause = Self.shortestPause
            findEnd(now: now)
        }
        let isRefused = granted.contains { $0 >= 128 } && filters.contains(filter)
        return (isRefused ? [.refused(filter: filter)] : []) + (waiting.isEmpty ? [.wantsOut] : [])
    }

    /// Asks the broker where the end is of what waits for us.
    func findEnd(now: Timestamp) {
        mark = String(UInt64.random(in: .min ... .max), radix: 36)
        markID = mayMark ? connection.publish(markTopic, Array(mark.utf8)) : nil
        stage = .catchingUp(quietSince: now)
    }

    enum Kind {
        case new
        /// Received and stored before; only our acknowledgement had been lost.
        case repeated
        /// Our own mark: the backlog is read.
        case mark
    }

    /// Sorts a message before anybody reads it.
    func sort(_ received: BrokerConnection.Received) -> Kind {
        if redelivery.isRepeat(received.packet) { return .repeated }
        guard received.message.topic == markTopic else {
            if case .catchingUp = stage { stage = .catchingUp(quietSince: received.message.arrival) }
            return .new
        }
        guard case .catchingUp = stage, received.message.payload.elementsEqual(mark.utf8) else { return .repeated }
        stage = .live
        return .mark
    }
}
