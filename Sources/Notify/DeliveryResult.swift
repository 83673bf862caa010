package import Core

/// How one attempt to send one notice ended.
package enum DeliveryResult: Hashable, Sendable {
    /// The receiving server took it. That is not "seen": only an acknowledgement by a person is.
    case delivered
    /// - reason: in plain words, for journal and people; never holds a secret or more of a URL than its host.
    /// - isPermanent: another attempt would end the same way.
    /// - retryAfter: how long the server asks us to wait.
    case failed(reason: String, isPermanent: Bool, retryAfter: Span?)

    static func temporary(_ reason: String, retryAfter: Span? = nil) -> Self {
        .failed(reason: reason, isPermanent: false, retryAfter: retryAfter)
    }
    static func permanent(_ reason: String) -> Self {
        .failed(reason: reason, isPermanent: true, retryAfter: nil)
    }
}

/// Something that stands in the way of sending, before anything was sent.
struct Obstacle: Error, Hashable, Sendable {
    let reason: String
    /// False where a person may put it right while the notice waits.
    let isPermanent: Bool

    var result: DeliveryResult { .failed(reason: reason, isPermanent: isPermanent, retryAfter: nil) }
}

extension String {
    /// A foreign text as part of a reason: one line, at most 200 characters, nothing that steers a terminal.
    var asRemark: String {
        let printable = unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
        let words = String(printable).split(separator: " ").joined(separator: " ")
        return words.count <= 200 ? words : words.prefix(200) + "…"
    }
}
