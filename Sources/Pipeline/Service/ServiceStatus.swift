import Console
import Core
import Foundation

/// What the service knows about itself, for `/health`, `/metrics` and its own watch. Counted on the loop's thread, shown once a second.
final class ServiceStatus {
    enum Counter: Int, CaseIterable {
        case messages, redelivered, rejected, transitions, delivered, deliveryFailed
    }

    private var counts = [Int](repeating: 0, count: Counter.allCases.count)
    private var rejectedByReason: [String: Int] = [:]
    private var isReady = false
    private(set) var lastMessage: Timestamp
    /// The broker has been away since then; nil: it is there.
    private(set) var closedSince: Timestamp?
    private(set) var lastCheckpoint: Timestamp
    private var isCheckpointUnderWay = false
    private var lastTidying: Timestamp

    private let health: Locked<Health>
    private let shown: Shown
    private let listener: Listener?
    /// Where `/health` is; nil: nowhere.
    let address: String?

    /// - Throws: `ListenerError` in plain words, for a port in use or an address that is none.
    init(_ http: (address: String, port: Int)?, since now: Timestamp) throws {
        (lastMessage, lastCheckpoint, lastTidying, closedSince) = (now, now, now, now)
        health = Locked(Health(at: .systemNow))
        let metrics = Metrics()
        shown = Shown(metrics)
        guard let http else {
            (listener, address) = (nil, nil)
            return
        }
        var routes = Routes()
        routes.serve(health, now: { .systemNow })
        routes.serve(metrics)
        let listener = try Listener(address: http.address, port: http.port, routes: routes)
        self.listener = listener
        address = "http://\(http.address.contains(":") ? "[\(http.address)]" : http.address):\(listener.port)"
    }

    func stop() { listener?.stop() }

    // MARK: Counting

    func count(_ counter: Counter, by number: Int = 1) { counts[counter.rawValue] += number }

    func heard(at now: Timestamp) {
        count(.messages)
        lastMessage = now
    }

    func rejected(_ reason: String) {
        count(.rejected)
        rejectedByReason[reason, default: 0] += 1
    }

    func setReady() { isReady = true }

    func note(isOpen: Bool, at now: Timestamp) { closedSince = isOpen ? nil : closedSince ?? now }

    // MARK: Work that is done now and then

    /// Whether a checkpoint may begin: one at a time.
    func beginCheckpoint(at now: Timestamp) -> Bool {
        guard !isCheckpointUnderWay else { return false }
        (lastCheckpoint, isCheckpointUnderWay) = (now, true)
        return true
    }

    func endCheckpoint() { isCheckpointUnderWay = false }

    func isTidyingDue(at now: Timestamp) -> Bool {
        guard now - lastTidying >= .hours(1) else { return false }
        lastTidying = now
        return true
    }

    // MARK: Showing

    func update(_ service: Service) {
        let now = Timestamp.systemNow
        let parts = parts(service)
        health.withLock { health in
            health.beat(at: now)
            for (part, status) in parts { health.update(part, status, at: now) }
        }
        for (counter, gauge) in shown.counters { gauge.reach(Double(counts[counter.rawValue])) }
        for (reason, count) in rejectedByReason { shown.rejected.reach(Double(count), reason) }
        shown.outbox.set(Double(service.outbox.count))
        shown.devices.set(Double(service.host.engine.deviceCount))
        shown.channels.set(Double(service.host.engine.channelCount))
        shown.held.set(Double(service.heldMessages))
        shown.connected.set(service.link.isOpen ? 1 : 0)
    }

    private func parts(_ service: Service) -> [(Health.Part, Health.Status)] {
        let broker: Health.Status = service.link.isOpen ? .init(.ready) : .init(.failing, service.link.reason)
        let store: Health.Status =
            if let since = service.storage.failingSince {
                .init(.degraded, "not written since \(since): \(service.storage.error)")
            } else if service.host.engine.hasTrouble(.storageDamaged) {
                .init(.degraded, "the database was damaged and put aside; a new one was begun")
            } else if let span = service.lostSpan {
                .init(.degraded, "the end of the database was lost: \(span)")
            } else {
                .init(.ready)
            }
        let outbox: Health.Status =
            service.host.engine.hasTrouble(.noticesFailing)
            ? .init(.degraded, "a message could not be delivered") : .init(.ready)
        let engine: Health.Status =
            if !isReady {
                .init(.starting, "reading what was queued")
            } else if service.host.engine.hasTrouble(.normsRejected) {
                .init(.degraded, "the changed norms have errors; the old ones are in force")
            } else {
                .init(.ready)
            }
        return [(.broker, broker), (.store, store), (.outbox, outbox), (.engine, engine)]
    }

    private struct Shown {
        let counters: [(Counter, Console.Counter)]
        let rejected: Console.Counter
        let outbox, devices, channels, held, connected: Gauge

        init(_ metrics: Metrics) {
            counters = [
                (.messages, metrics.counter("normwatch_messages", "Messages received from the broker.")),
                (.redelivered, metrics.counter("normwatch_redelivered", "Messages that the broker delivered again.")),
                (.transitions, metrics.counter("normwatch_transitions", "Changes in the life of alarms.")),
                (
                    .delivered,
                    metrics.counter("normwatch_notices_delivered", "Messages to people that a channel has taken.")
                ),
                (
                    .deliveryFailed,
                    metrics.counter("normwatch_notice_failures", "Attempts to deliver a message that failed.")
                ),
            ]
            rejected = metrics.counter(
                "normwatch_rejected", "Messages that gave no reading, by reason.", labels: ["reason"])
            outbox = metrics.gauge("normwatch_outbox", "Messages to people that wait.")
            devices = metrics.gauge("normwatch_devices", "Devices known.")
            channels = metrics.gauge("normwatch_channels", "Series known.")
            held = metrics.gauge("normwatch_held_messages", "Messages received and not yet written.")
            connected = metrics.gauge("normwatch_broker_connected", "1 while the broker is heard.")
        }
    }
}
