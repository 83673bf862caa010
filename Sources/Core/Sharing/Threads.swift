internal import Glibc

/// Runs `body` on a thread of its own that gets no signals.
package func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Start(body)).toOpaque()
    let code = withoutSignals {
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context)
    }
    precondition(code == 0, "no thread can be started: \(String(cString: strerror(code)))")
    pthread_detach(thread)
}

/// Threads that `body` starts get no signals: those are the main thread's business, and a reader that has gone away is an
/// error of the write, not the end of the program (SIGPIPE).
package func withoutSignals<Result>(_ body: () -> Result) -> Result {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)  // a new thread inherits it, so there is no moment without
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
}
