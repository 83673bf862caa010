package import Core

/// Sends what it is handed, one attempt each, and tells how that ended. It keeps nothing: the outbox is in the database, and
/// its owner decides on repeats (`Retry`).
///
/// Channels do not wait for each other: terminal, webhooks and mail have a thread each, and within one of these a server that
/// hangs holds up at most four notices.
package final class OutboxWorker: Sendable {
    package struct Channels: Sendable {
        package var terminal: Terminal?
        package var webhooks: WebhookSettings
        package var mail: MailSettings?

        package init(terminal: Terminal? = nil, webhooks: WebhookSettings = .init(), mail: MailSettings? = nil) {
            (self.terminal, self.webhooks, self.mail) = (terminal, webhooks, mail)
        }
    }

    private let lanes: [Person.Channel.Kind: Lane]
    private let report: @Sendable (String, DeliveryResult) -> Void

    /// Starts the threads. The closures are called on them, `onResult` also within `hand`, and must return soon.
    /// - Parameters:
    ///   - depth: how many notices may wait in each lane; as many again where danger or worse is told of.
    ///   - now: the wall clock; it goes into signatures and mails.
    ///   - onBegin: an attempt for the notice with this id begins.
    ///   - onResult: how the attempt ended.
    package init(
        _ channels: Channels, depth: Int = 1000, now: @escaping @Sendable () -> Timestamp,
        onBegin: @escaping @Sendable (String, Timestamp) -> Void = { _, _ in },
        onResult: @escaping @Sendable (String, DeliveryResult) -> Void
    ) {
        let reports = Lane.Reports(now: now, begun: onBegin, ended: onResult)
        let limits = SendQueue.Limits(depth: depth, reserve: depth)
        var lanes = [
            Person.Channel.Kind.webhook: Lane(
                sender: Webhook(settings: channels.webhooks), limits: limits, reports: reports)
        ]
        if let terminal = channels.terminal {
            lanes[.terminal] = Lane(terminal: terminal, limits: limits, reports: reports)
        }
        if let mail = channels.mail {
            lanes[.email] = Lane(sender: Mail(settings: mail), limits: limits, reports: reports)
        }
        (self.lanes, report) = (lanes, onResult)
    }

    /// Takes notices over for sending; returns at once. One that is here already is not taken twice.
    /// - Returns: those for which there was no room, to be handed again later. A channel that is not set up, or that this worker
    ///   does not serve, is answered with a result.
    package func hand(_ notices: [Notice]) -> [Notice] {
        var left: [Notice] = []
        var rung: Set<Person.Channel.Kind> = []
        for notice in notices {
            guard let lane = lanes[notice.channel.kind] else {
                report(notice.id, Self.unserved(notice.channel.kind))
                continue
            }
            switch lane.offer(notice) {
            case .taken: rung.insert(notice.channel.kind)
            case .alreadyHere: break
            case .full: left.append(notice)
            }
        }
        for kind in rung { lanes[kind]?.ring() }
        return left
    }

    private static func unserved(_ kind: Person.Channel.Kind) -> DeliveryResult {
        switch kind {
        // Not permanent: the setting may follow, and the notice is worth it.
        case .email: .temporary("no mail server is set up; add \"mail\" to the configuration")
        case .terminal: .temporary("there is no terminal to write to")
        case .mqtt: .permanent("messages over MQTT are not sent by this worker")
        case .webhook, .ntfy, .gotify, .telegram, .command:
            .permanent("this version cannot send by \(kind.rawValue)")
        }
    }

    /// What each lane has done and holds.
    package var tallies: [Person.Channel.Kind: Tally] { lanes.mapValues { $0.queue.tally } }

    /// Notices that wait or are under way.
    package var depth: Int { tallies.values.reduce(0) { $0 + $1.waiting + $1.underWay } }

    /// Takes nothing more, sends what is here for at most `limit`, then breaks off. An attempt that is broken off gets a temporary
    /// failure; a notice whose attempt has not begun gets no result. Returns within `limit` and a second.
    /// - Returns: whether all was sent and all threads have left.
    @discardableResult
    package func stop(within limit: Span) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + .microseconds(limit.microseconds)
        for lane in lanes.values { lane.close() }
        func left(until end: ContinuousClock.Instant) -> Span {
            Span(microseconds: max(0, Int64((end - clock.now) / .microseconds(1))))
        }
        let late = lanes.values.filter { !$0.queue.waitForEnd(atMost: left(until: end)) }
        for lane in late { lane.cancel() }
        let grace = clock.now + .seconds(1)
        for lane in late { _ = lane.queue.waitForEnd(atMost: left(until: grace)) }
        return late.isEmpty
    }

    deinit { for lane in lanes.values { lane.cancel() } }
}
