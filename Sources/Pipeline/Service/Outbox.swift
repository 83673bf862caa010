import Core
import Notify
import Store

/// Messages that are still to be delivered, and when each is tried next. Pure; the store has the same in its table.
///
/// Of one alarm, to one person on one channel, the next message waits until the one before it has been delivered or given up: nobody
/// reads that it is over before reading that it began.
struct Outbox {
    private struct Entry {
        let notice: Notice
        var attempts: Int
        var due: Timestamp
        var isUnderWay = false
    }
    private struct Lane: Hashable {
        let alarm: String
        let recipient: String
        let channel: Person.Channel
    }

    private var lanes: [Lane: [Entry]] = [:]
    private var lane: [String: Lane] = [:]
    /// When something may be due; nil: nothing waits.
    private(set) var nextDue: Timestamp?

    var count: Int { lane.count }

    mutating func add(_ notice: Notice, attempts: Int = 0, due: Timestamp) {
        guard lane[notice.id] == nil else { return }
        let key = Lane(alarm: notice.alarm, recipient: notice.recipient, channel: notice.channel)
        lanes[key, default: []].append(Entry(notice: notice, attempts: attempts, due: due))
        lane[notice.id] = key
        nextDue = min(nextDue ?? due, due)
    }

    /// The messages to be sent now, the oldest of each lane, most urgent first.
    /// - Parameter brokerIsThere: messages over MQTT wait for it.
    mutating func take(at now: Timestamp, brokerIsThere: Bool) -> [Notice] {
        guard let nextDue, nextDue <= now else { return [] }
        var taken: [Notice] = []
        for key in lanes.keys {
            guard let first = lanes[key]?.first, !first.isUnderWay, first.due <= now else { continue }
            guard brokerIsThere || first.notice.channel.kind != .mqtt else {
                lanes[key]?[0].due = now + .seconds(1)
                continue
            }
            lanes[key]?[0].isUnderWay = true
            taken.append(first.notice)
        }
        findNextDue()
        return taken.sorted { ($1.severity, $0.created, $0.id) < ($0.severity, $1.created, $1.id) }
    }

    /// What the worker had no room for is tried again a little later.
    mutating func giveBack(_ notices: [Notice], at now: Timestamp) {
        for notice in notices {
            guard let key = lane[notice.id] else { continue }
            lanes[key]?[0].isUnderWay = false
            lanes[key]?[0].due = now + .seconds(1)
        }
        findNextDue()
    }

    /// How an attempt ended, for the store; nil for a message that is not known any more.
    mutating func settle(_ id: String, _ result: DeliveryResult, at now: Timestamp) -> OutboxResult? {
        guard let key = lane[id], let entry = lanes[key]?.first, entry.notice.id == id else { return nil }
        let attempts = entry.attempts + 1
        defer { findNextDue() }
        let outcome: OutboxResult.Outcome
        switch result {
        case .delivered:
            outcome = .delivered
            remove(id, key)
        case .failed(let reason, let isPermanent, let retryAfter):
            switch Retry.next(
                afterAttempts: attempts, of: entry.notice, reason: reason, isPermanent: isPermanent,
                retryAfter: retryAfter, at: now)
            {
            case .again(let due):
                outcome = .waiting(due: due, error: reason)
                lanes[key]?[0].attempts = attempts
                lanes[key]?[0].due = due
                lanes[key]?[0].isUnderWay = false
            case .giveUp(let reason):
                outcome = .dead(error: reason)
                remove(id, key)
            }
        }
        return OutboxResult(notice: id, alarm: entry.notice.alarm, attempts: attempts, at: now, outcome: outcome)
    }

    private mutating func remove(_ id: String, _ key: Lane) {
        lanes[key]?.removeFirst()
        if lanes[key]?.isEmpty == true { lanes[key] = nil }
        lane[id] = nil
    }

    private mutating func findNextDue() {
        nextDue = lanes.values.compactMap { $0.first.flatMap { $0.isUnderWay ? nil : $0.due } }.min()
    }
}
