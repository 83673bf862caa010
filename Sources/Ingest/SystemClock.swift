internal import CSystem

/// What the kernel knows about the machine's clock.
package enum SystemClock {
    /// Whether something keeps it right; nil where the kernel does not say.
    package static var isSynchronised: Bool? {
        switch system_clock_synchronised() {
        case 0: false
        case 1: true
        default: nil
        }
    }
}
