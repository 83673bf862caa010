internal import Core
internal import Foundation

/// Turns the signals that end and reload a service into calls.
package enum Signals {
    /// Call it before any thread is started: they inherit what is blocked.
    /// - Parameter handler: called on a thread of its own with SIGTERM, SIGINT or SIGHUP.
    package static func handle(_ handler: @escaping @Sendable (Int32) -> Void) {
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&wanted, signal) }
        pthread_sigmask(SIG_BLOCK, &wanted, nil)
        signal(SIGPIPE, SIG_IGN)
        startThread {
            var waited = sigset_t()
            sigemptyset(&waited)
            for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&waited, signal) }
            var signal: Int32 = 0
            while sigwait(&waited, &signal) == 0 { handler(signal) }
        }
    }
}
