package import Core

/// How the service is, part by part. The service updates it; `/health` shows it.
package struct Health: Hashable, Sendable {
    package enum State: String, CaseIterable, Comparable, Sendable {
        /// Does all it is there for.
        case ready
        /// Works with something missing: say, judges on and cannot store.
        case degraded
        /// Does not work yet.
        case starting
        /// Does not work.
        case failing

        private var rank: Int { Self.allCases.firstIndex(of: self)! }
        package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
    }

    package enum Part: String, CaseIterable, Sendable { case broker, store, outbox, engine }

    package struct Status: Hashable, Sendable {
        package var state: State
        /// In plain words, for whoever looks at it; empty where there is nothing to say.
        package var detail: String
        package init(_ state: State, _ detail: String = "") { (self.state, self.detail) = (state, detail) }
    }

    package private(set) var parts: [Part: Status]
    /// When the whole came to its present state.
    package private(set) var since: Timestamp
    private var lastBeat: Timestamp?

    /// A loop that has not come round for so long does not work, whatever it said last.
    package static let longestSilence = Span.seconds(30)

    package init(at now: Timestamp) {
        parts = Dictionary(uniqueKeysWithValues: Part.allCases.map { ($0, Status(.starting)) })
        since = now
    }

    /// The worst of the parts.
    package var state: State { parts.values.map(\.state).max() ?? .ready }

    package mutating func update(_ part: Part, _ status: Status, at now: Timestamp) {
        let before = state
        parts[part] = status
        if state != before { since = now }
    }

    /// The loop has come round. From the first time on, silence is noticed.
    package mutating func beat(at now: Timestamp) { lastBeat = now }

    /// As it is to be shown at `now`: a loop that hangs cannot say so itself.
    package func seen(at now: Timestamp) -> Self {
        guard let lastBeat, now - lastBeat > Self.longestSilence else { return self }
        var seen = self
        seen.update(.engine, Status(.failing, "no sign of life since \(lastBeat)"), at: lastBeat)
        return seen
    }

    package var json: JSONValue {
        let shown = parts.map { part, status in
            (part.rawValue, ["state": .string(status.state.rawValue), "detail": .string(status.detail)] as JSONValue)
        }
        return [
            "state": .string(state.rawValue), "since": .string(since.description),
            "parts": .object(Dictionary(uniqueKeysWithValues: shown)),
        ]
    }
}

extension Routes {
    /// `GET /health`: 200 when it works, if with something missing; 503 otherwise.
    package mutating func serve(_ health: Locked<Health>, now: @escaping @Sendable () -> Timestamp) {
        on("GET", "/health") { _ in
            let seen = health.withLock { $0 }.seen(at: now())
            return .json(seen.json, status: seen.state <= .degraded ? 200 : 503)
        }
    }
}
