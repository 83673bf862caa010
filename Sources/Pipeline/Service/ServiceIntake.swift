import Core
import Decode
import Ingest
import Notify
import Store

/// Messages in.
extension Service {
    func take(_ received: BrokerConnection.Received) {
        heldMessages += 1
        batchOpened = batchOpened ?? received.message.arrival
        let kind = link.sort(received)
        if kind == .repeated {
            status.count(.redelivered)
            return
        }
        if received.packet.id != 0 { store.add(packet: received.packet.id, hash: received.packet.hash) }
        if kind == .mark { return catchUp() }
        status.heard(at: received.message.arrival)
        let message = received.message
        switch message.topic {
        case BrokerLink.droppedTopic: return watchDropped(message)
        case Publisher.commandTopic: return refuseCommand(message)
        default: understand(message)
        }
    }

    private func understand(_ message: Message) {
        let understood = decoder.decode(message)
        if understood.isMetadata { store.add(metadata: message) }
        for note in understood.devices { host.enter(note, at: clock.next()) }
        for availability in understood.availability { host.enter(availability, at: clock.next()) }
        for series in understood.unreadable { host.enter(unreadable: series, at: clock.next()) }
        for reading in understood.readings { enter(reading) }
        guard !understood.rejected.isEmpty else { return }
        for rejection in understood.rejected.dropFirst() { status.rejected(rejection.reason.rawValue) }
        reject(message, understood.rejected[0].reason.rawValue)
    }

    private func enter(_ reading: Reading) {
        do {
            try host.enter(reading, at: clock.next())
        } catch {
            // The history cannot be asked whether it knows this one: judged now, and rather stored twice than lost.
            if let error = error as? SQLiteError, error.isDamage {
                beginAnew(error)
            } else {
                observer.log(.error, "the history cannot be read", ["cause": "\(error)"])
            }
            host.enterUnchecked(reading, at: clock.next())
        }
    }

    private func reject(_ message: Message, _ reason: String) {
        status.rejected(reason)
        store.add(
            RejectedMessage(arrival: message.arrival, topic: message.topic, payload: message.payload, reason: reason))
    }

    /// Commands over MQTT are off; one that the broker has stored would be carried out again at every start.
    private func refuseCommand(_ message: Message) {
        reject(message, message.isRetained ? "retained-command" : "command")
        let detail = message.isRetained ? "stored on \(message.topic)" : "commands over MQTT are off"
        host.enter(.commandRefused, isActive: true, detail: detail, at: clock.next())
        host.enter(.commandRefused, isActive: false, detail: "", at: clock.next())
    }

    // MARK: News of the connection

    func take(_ news: BrokerLink.News) {
        switch news {
        case .opened(let sessionPresent, let awaySince):
            observer.log(.info, "broker connected", ["session.present": "\(sessionPresent)"])
            if let awaySince, host.engine.isListening == false { host.enter(started: awaySince, at: clock.next()) }
            host.enter(listening: true, at: clock.next())
            host.enter(.brokerAway, isActive: false, detail: "", at: clock.next())
            openPublisher()
            isUrgent = true  // our subscriptions leave after a commit, like everything else
        case .closed(let reason):
            observer.log(.warning, "broker connection lost", ["cause": reason])
            host.enter(listening: false, at: clock.next())
            for notice in publisher.takeLost() {
                settle(notice, .failed(reason: "the broker went away", isPermanent: false, retryAfter: nil))
            }
        case .caughtUp: catchUp()
        case .wantsOut: isUrgent = true
        case .refused(let filter):
            observer.log(.error, "subscription refused", ["filter": filter])
            host.enter(.subscriptionRefused, isActive: true, detail: filter, at: clock.next())
        case .publishRefused(let id):
            if case .notice(let notice) = publisher.arrived(id) {
                settle(
                    notice,
                    .failed(reason: "the broker does not let us write there", isPermanent: false, retryAfter: nil))
            } else if publisher.isOn {
                observer.log(.error, "the broker does not let us write under normwatch/: nothing is published any more")
                publisher.isOn = false
            }
        case .published(let id):
            switch publisher.arrived(id) {
            case .journal(let sequence): store.setPublished(sequence)
            case .notice(let notice): settle(notice, .delivered)
            case nil: break
            }
        }
    }

    private func openPublisher() {
        guard publisher.isOn else { return }
        let unconfirmed = (try? store.journal(after: publisher.confirmed, limit: 10_000)) ?? []
        publisher.opened(host.engine.openAlarms, unconfirmed: unconfirmed, now: clock.now)
    }

    private func catchUp() {
        host.enterCaughtUp(at: clock.next())
        observer.log(.info, "backlog read, judging live")
        status.setReady()
    }

    private func watchDropped(_ message: Message) {
        guard let count = Int(String(decoding: message.payload, as: UTF8.self)) else { return }
        switch dropped.take(count, at: clock.now) {
        case .more(let lost):
            host.enter(.brokerDropping, isActive: true, detail: "+\(lost)", at: clock.next())
        case .quiet:
            host.enter(.brokerDropping, isActive: false, detail: "", at: clock.next())
        case nil: break
        }
    }
}

/// Follows the broker's count of dropped messages.
struct DroppedCounter {
    private static let calm = Span.minutes(10)
    private var known: Int?
    private var lastIncrease: Timestamp?

    enum Change {
        case more(Int)
        case quiet
    }

    mutating func take(_ count: Int, at now: Timestamp) -> Change? {
        defer { known = count }
        if let known, count > known {
            lastIncrease = now
            return .more(count - known)
        }
        if let last = lastIncrease, now - last >= Self.calm {
            lastIncrease = nil
            return .quiet
        }
        return nil
    }
}
