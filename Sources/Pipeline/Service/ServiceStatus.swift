import Core
import Console
import Foundation

/// What the service knows about itself, for `/health`, `/metrics` and its own watch.
final class ServiceStatus {
    enum Counter: String, CaseIterable {
        case messages, redelivered, rejected, transitions, delivered
        case deliveryFailed = "delivery_failed"
    }

    private(set) var counts: [Counter: Int] = [:]
    private(set) var rejectedByReason: [String: Int] = [:]
    private(set) var isReady = false
    private(set) var lastMessage: Timestamp
    /// The broker has been away since then; nil: it is there.
    private(set) var closedSince: Timestamp?
    private(set) var lastCheckpoint: Timestamp
    private(set) var isCheckpointUnderWay = false
    private var lastTidying: Timestamp

    let address: String?

    init(_ http: (address: String, port: Int)?, since now: Timestamp) throws {
        (lastMessage, lastCheckpoint, lastTidying, closedSince) = (now, now, now, now)
        address = nil
    }

    func count(_ counter: Counter, by number: Int = 1) { counts[counter, default: 0] += number }
    func count(_ counter: Counter, reason: String) {
        count(counter)
        rejectedByReason[reason, default: 0] += 1
    }
    func setReady() { isReady = true }
    func note(isOpen: Bool, at now: Timestamp) { closedSince = isOpen ? nil : closedSince ?? now }
    func beginCheckpoint(at now: Timestamp) { (lastCheckpoint, isCheckpointUnderWay) = (now, true) }
    func isTidyingDue(at now: Timestamp) -> Bool {
        guard now - lastTidying >= .hours(1) else { return false }
        lastTidying = now
        return true
    }
    func update(_ service: Service) {}
    func stop() {}
}
