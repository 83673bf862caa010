package import Core

/// When a notice that could not be delivered is tried again. Pure: the caller keeps the count and the clock.
///
/// The pause doubles from 2 s to 5 min; a quarter of it at most is taken off, by the notice's id, so that a hundred notices
/// do not knock at a recovering server in the same second. 20 minutes of failures are 11 or 12 attempts.
package enum Retry {
    package static let firstPause = Span.seconds(2)
    package static let longestPause = Span.minutes(5)
    /// The longest pause that a server may ask for; a mistyped `Retry-After` must not silence a channel for days.
    package static let longestWish = Span.hours(1)

    /// How long a notice is worth sending, counted from its creation.
    package static func lifetime(_ severity: Severity) -> Span {
        switch severity {
        case .emergency, .danger: .hours(72)  // a weekend with a dead mail server loses none
        case .warning: .hours(24)
        case .notice: .hours(6)
        }
    }

    /// The pause after attempt number `attempts` (from 1) of the notice `id`.
    package static func pause(afterAttempts attempts: Int, id: String, retryAfter: Span? = nil) -> Span {
        let doublings = min(max(attempts, 1) - 1, 10)
        let full = min(firstPause * (1 << Int64(doublings)), longestPause)
        let hash = Identity.fnv([id, String(attempts)])
        let jitter = full.microseconds / 4 * Int64(hash % 1024) / 1024
        let own = full - Span(microseconds: jitter)
        return max(own, min(retryAfter ?? .zero, longestWish))
    }

    package enum Next: Hashable, Sendable {
        case again(at: Timestamp)
        /// To the list of undeliverable notices, and to the next channel or person.
        case giveUp(reason: String)
    }

    /// What follows a failed attempt.
    /// - Parameter attempts: how many there were, the failed one included.
    package static func next(
        afterAttempts attempts: Int, of notice: Notice, reason: String, isPermanent: Bool, retryAfter: Span?,
        at now: Timestamp
    ) -> Next {
        guard !isPermanent else { return .giveUp(reason: reason) }
        let end = notice.created + lifetime(notice.severity)
        guard now < end else {
            return .giveUp(
                reason: "not delivered within \(lifetime(notice.severity)), \(attempts) attempts; the last: \(reason)")
        }
        let pause = pause(afterAttempts: attempts, id: notice.id, retryAfter: retryAfter)
        return .again(at: min(now + pause, end))
    }
}
