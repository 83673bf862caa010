/// Turns good and bad moments into an excess that began, lasted and ended: on-delay, off-delay and the zone between.
package struct Hold: Hashable, Codable, Sendable {
    package enum Moment: Sendable {
        case good
        case bad
        /// Inside the limit, but not far enough to count as good again.
        case between
    }
    package enum Phase: Hashable, Codable, Sendable {
        case idle
        /// Bad, but not yet for long enough.
        case pending(since: Timestamp)
        case active(since: Timestamp)
        /// Good again, but not yet for long enough.
        case ending(since: Timestamp, goodSince: Timestamp)
    }

    package private(set) var phase = Phase.idle

    package init() {}

    /// The first bad moment of the excess that now stands.
    package var activeSince: Timestamp? {
        switch phase {
        case .idle, .pending: nil
        case .active(let since), .ending(let since, _): since
        }
    }

    package mutating func take(_ moment: Moment, at time: Timestamp, onDelay: Span, offDelay: Span) {
        switch (phase, moment) {
        case (.idle, .bad):
            phase = onDelay <= .zero ? .active(since: time) : .pending(since: time)
        case (.pending(let since), .bad):
            if time - since >= onDelay { phase = .active(since: since) }
        case (.pending, .good), (.pending, .between):
            phase = .idle
        case (.active(let since), .good):
            phase = offDelay <= .zero ? .idle : .ending(since: since, goodSince: time)
        case (.ending(let since, _), .bad), (.ending(let since, _), .between):
            phase = .active(since: since)
        case (.ending(_, let goodSince), .good):
            if time - goodSince >= offDelay { phase = .idle }
        case (.idle, .good), (.idle, .between), (.active, .bad), (.active, .between):
            break
        }
    }

    /// When the phase changes by the passing of time alone, for conditions that hold until the next event.
    package func due(onDelay: Span, offDelay: Span) -> Timestamp? {
        switch phase {
        case .idle, .active: nil
        case .pending(let since): since + onDelay
        case .ending(_, let goodSince): goodSince + offDelay
        }
    }
}
