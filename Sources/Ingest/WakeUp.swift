internal import CSystem
internal import Foundation

/// Wakes a poll from another thread.
package final class WakeUp: Sendable {
    package let descriptor: Int32

    package init() {
        descriptor = system_eventfd()
        precondition(descriptor >= 0, "an eventfd can always be made")
    }

    deinit { close(descriptor) }

    package func signal() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Makes it silent again.
    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
