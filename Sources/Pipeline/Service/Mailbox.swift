internal import Core
package import Ingest
package import Notify
package import Store

/// The only way into the loop for other threads.
package final class Mailbox: Sendable {
    package enum Letter: Sendable {
        /// An attempt to reach the broker has ended.
        case connected(ConnectionAttempt)
        case request(ControlRequest, reply: @Sendable (ControlReply) -> Void)
        case delivery(notice: String, result: DeliveryResult)
        case checkpoint(StoredCheckpoint)
        case reloadNorms
        case stop
    }

    private let letters = Locked<[Letter]>([])
    package let wakeUp = WakeUp()

    package init() {}

    package func post(_ letter: Letter) {
        letters.withLock { $0.append(letter) }
        wakeUp.signal()
    }

    package func takeAll() -> [Letter] {
        wakeUp.clear()
        return letters.withLock { letters in
            defer { letters.removeAll(keepingCapacity: true) }
            return letters
        }
    }
}
