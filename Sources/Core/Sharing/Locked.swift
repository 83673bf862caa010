internal import Glibc

/// A value that several threads share, one at a time; with a way to wait until it has changed as wished.
///
/// Over `pthread_mutex_t`, because ThreadSanitizer reports false races on `Synchronization.Mutex`.
///
/// Unchecked `Sendable` is true because `value` is touched only between lock and unlock of `mutex`, and both C objects stay
/// where they were allocated until nobody holds a reference any more.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ value: Value) {
        self.value = value
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)  // a step of the wall clock lengthens no wait
        precondition(pthread_mutex_init(mutex, nil) == 0 && pthread_cond_init(changed, &attributes) == 0)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Reads or changes the value; wakes whoever waits. The body must not block.
    package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
        return try body(&value)
    }

    /// Waits until `body` gives a result; asks it at once and after each change.
    /// - Returns: nil when `limit` has passed without one; nil as limit waits for ever.
    package func wait<Result>(atMost limit: Span?, for body: (inout Value) -> Result?) -> Result? {
        var deadline = timespec()
        if let limit {
            clock_gettime(CLOCK_MONOTONIC, &deadline)
            let total = Int64(deadline.tv_nsec) / 1000 + max(limit.microseconds, 0)
            deadline.tv_sec += Int(total / 1_000_000)
            deadline.tv_nsec = Int(total % 1_000_000) * 1000
        }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) {
                pthread_cond_broadcast(changed)
                return result
            }
            if limit == nil {
                pthread_cond_wait(changed, mutex)
            } else if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT {
                return body(&value)
            }
        }
    }
}
