import Core

/// One way in which devices speak: topics, documents, metadata.
///
/// A new family is a file beside this one with a type that conforms, and its line in `Families.all`.
protocol Family: Sendable {
    /// What a topic means to this family; nil where it is none of its topics.
    ///
    /// The answer is kept for the topic until some family's `read` says that claims have changed.
    func claim(_ topic: Topic, _ memory: inout Memory) -> Claim?

    /// Whether a document shows by itself that it is of this family, on a topic that nobody claimed but the plain topics.
    func recognises(_ document: JSON, on topic: Topic) -> Bool

    /// Reads a message of a topic that this family claimed with `.payload`, or of a document that it recognised.
    ///
    /// - Returns: true when metadata has changed what topics mean.
    mutating func read(
        _ payload: Payload, on topic: Topic, _ delivery: Delivery, _ memory: inout Memory,
        into understanding: inout Understanding
    ) -> Bool
}

extension Family {
    func recognises(_ document: JSON, on topic: Topic) -> Bool { false }
}

/// What a family makes of a topic.
enum Claim: Sendable {
    /// One quantity of one device: nothing but the payload is needed any more.
    case value(ValuePlan)
    /// Only the family can read it.
    case payload
    /// Whether a device or gateway is there.
    case availability(subject: String)
    case ignored(Ignored)
}

/// A payload in the one form that all families read.
enum Payload: Hashable, Sendable {
    case empty
    case document(JSON)
    case text(Scalar)
}

enum Families {
    /// In the order in which they are asked: the first that claims a topic has it. Plain topics take what is left.
    static func all() -> [any Family] {
        [NativeForm(), Zigbee2MQTT(), UnreadFamilies(), PlainTopics()]
    }
}
