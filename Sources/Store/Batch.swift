package import Core

/// What one transaction writes. Kept until it is written: a failed attempt changes nothing in it.
struct Batch {
    struct Reading {
        let sequence: Int64
        let series: Int64
        let time: Int64
        let arrival: Int64
        let value: Double
        let quality: Int
        let claimed: Int64?
    }
    struct Event {
        let sequence: Int64
        let arrival: Int64
        let body: String
    }
    struct LastKnown {
        let series: Int64
        let value: Double
        let received: Int64
    }

    var newSeries: [(id: Int64, series: Series)] = []
    var readings: [Reading] = []
    var events: [Event] = []
    var transitions: [(transition: Transition, recorded: Timestamp)] = []
    var notices: [Notice] = []
    var results: [OutboxResult] = []
    var devices: [DeviceNote] = []
    var lastKnown: [LastKnown] = []
    var metadata: [(topic: String, payload: [UInt8])] = []
    var documents: [StoredDocument] = []
    var normVersions: [StoredNormVersion] = []
    var rejected: [RejectedMessage] = []
    var rejectedCounts: [String: Int] = [:]
    /// Packet ids and hashes of acknowledged-to-be messages, in order.
    var packets: [UInt8] = []
    var packetCount = 0
    var published: Int64?
    var memory: [String: String] = [:]
    var checkpoint: StoredCheckpoint?
    var bytes = 0

    var isEmpty: Bool {
        readings.isEmpty && events.isEmpty && transitions.isEmpty && notices.isEmpty && results.isEmpty
            && devices.isEmpty && lastKnown.isEmpty
            && metadata.isEmpty && documents.isEmpty && normVersions.isEmpty && rejected.isEmpty && packets.isEmpty
            && published == nil
            && memory.isEmpty && checkpoint == nil
    }
}

/// A message that gave nothing, kept for a look.
package struct RejectedMessage: Hashable, Sendable {
    package let arrival: Timestamp
    package let topic: String
    /// At most the first 4 kB.
    package let payload: [UInt8]
    package let reason: String

    package init(arrival: Timestamp, topic: String, payload: [UInt8], reason: String) {
        (self.arrival, self.topic, self.reason) = (arrival, topic, reason)
        self.payload = Array(payload.prefix(4096))
    }
}

/// A site or norm document that was in force, by the hash of its text.
package struct StoredDocument: Hashable, Sendable {
    package enum Kind: String, Sendable { case site, norms }
    package let hash: String
    package let kind: Kind
    package let since: Timestamp
    package let body: String

    package init(kind: Kind, since: Timestamp, body: String) {
        (self.kind, self.since, self.body) = (kind, since, body)
        hash = Identity.hash([kind.rawValue, body])
    }
}

/// Norms that were put in force: which documents, when, by whom and why.
package struct StoredNormVersion: Hashable, Sendable {
    package let version: NormVersion
    package let since: Timestamp
    /// Of the `StoredDocument`.
    package let hash: String

    package init(version: NormVersion, since: Timestamp, hash: String) {
        (self.version, self.since, self.hash) = (version, since, hash)
    }
}

/// A state of the engine with the documents it stands on, and the number of the last thing that had entered it.
package struct StoredCheckpoint: Sendable {
    package let sequence: Int64
    package let site: String?
    package let norms: String?
    package let body: [UInt8]

    package init(sequence: Int64, site: String?, norms: String?, body: [UInt8]) {
        (self.sequence, self.site, self.norms, self.body) = (sequence, site, norms, body)
    }
}

/// What became of one attempt to deliver a message.
package struct OutboxResult: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case delivered
        /// Tried again at `due`.
        case waiting(due: Timestamp, error: String)
        /// Given up: expired, or refused for good.
        case dead(error: String)
    }
    package let notice: String
    package let alarm: String
    package let attempts: Int
    package let at: Timestamp
    package let outcome: Outcome

    package init(notice: String, alarm: String, attempts: Int, at: Timestamp, outcome: Outcome) {
        (self.notice, self.alarm, self.attempts, self.at, self.outcome) = (notice, alarm, attempts, at, outcome)
    }
}

/// A message that waits to be delivered.
package struct OutboxEntry: Sendable {
    package let notice: Notice
    package var attempts: Int
    package var due: Timestamp
    package let expires: Timestamp

    package init(notice: Notice, attempts: Int = 0, due: Timestamp, expires: Timestamp) {
        (self.notice, self.attempts, self.due, self.expires) = (notice, attempts, due, expires)
    }
}
