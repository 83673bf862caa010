package import Core

/// Turns messages into readings.
///
/// A pure fold: no clock, no I/O; everything comes from the messages, and what is remembered is bounded. Not to be shared between
/// threads; a copy is independent of its original.
package struct MessageDecoder: Sendable {
    private var families = Families.all()
    private var memory = Memory()
    private var routes: [String: Route] = [:]

    /// Bytes.
    private static let largestPayload = 256 * 1024
    /// Bytes; longer ones are no names, and what is remembered by topic has to stay bounded.
    private static let longestTopic = 1024
    private let mostRoutes: Int

    package init() { self.init(mostRoutes: 100_000) }

    /// With room for the meanings of so many topics; when it is full, all are worked out anew.
    init(mostRoutes: Int) { self.mostRoutes = mostRoutes }

    /// Understands one message. Never fails: what cannot be used is told in the result.
    package mutating func decode(_ message: Message) -> Understanding {
        guard message.payload.count <= Self.largestPayload else { return Understanding(rejected: .tooLarge) }
        guard message.topic.utf8.count <= Self.longestTopic else {
            return Understanding(rejected: .tooLarge, field: "topic")
        }
        let route = route(for: message.topic)
        var understanding = Understanding()
        switch route.claim {
        case .ignored(let reason): return Understanding(ignored: reason)
        case nil: return Understanding(rejected: .wildcardInTopic, field: "topic")
        case .availability(let subject): readAvailability(message, subject, into: &understanding)
        case .value, .payload: read(message, route, into: &understanding)
        }
        return understanding
    }

    /// What a topic means, worked out once. A class, so that finding it again copies one pointer.
    private final class Route: Sendable {
        let topic: Topic
        /// Nil for a topic that no message can have.
        let claim: Claim?
        /// Index of the family that claimed it.
        let family: Int

        init(_ topic: Topic, _ claim: Claim?, family: Int = 0) {
            (self.topic, self.claim, self.family) = (topic, claim, family)
        }
    }

    private mutating func route(for text: String) -> Route {
        if let route = routes[text] { return route }
        if routes.count >= mostRoutes { routes.removeAll(keepingCapacity: true) }
        let route = makeRoute(Topic(text))
        routes[text] = route
        return route
    }

    private mutating func makeRoute(_ topic: Topic) -> Route {
        if topic.text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) {
            return Route(topic, nil)
        }
        if let reason = topic.ignored { return Route(topic, .ignored(reason)) }
        for (index, family) in families.enumerated() {
            if let claim = family.claim(topic, &memory) { return Route(topic, claim, family: index) }
        }
        return Route(topic, .ignored(.noQuantity))
    }

    private mutating func read(_ message: Message, _ route: Route, into understanding: inout Understanding) {
        let delivery = Delivery(message)
        let payload: Payload
        do {
            payload = try Payload(message.payload)
        } catch {
            if case .value(let plan) = route.claim {
                plan.readMalformed(error, delivery, &memory, into: &understanding)
            } else {
                understanding.reject("payload", error)
            }
            return
        }
        var reader = route.family
        if let other = recognised(payload, route) {
            reader = other
        } else if case .value(let plan) = route.claim {
            plan.read(payload, delivery, &memory, into: &understanding)
            return
        }
        let hasChanged = families[reader].read(payload, on: route.topic, delivery, &memory, into: &understanding)
        if hasChanged { routes.removeAll(keepingCapacity: true) }
    }

    /// The family that a document on a plain topic shows by itself.
    private func recognised(_ payload: Payload, _ route: Route) -> Int? {
        guard route.family == families.count - 1, case .document(let document) = payload else { return nil }
        return families.firstIndex { $0.recognises(document, on: route.topic) }
    }

    private func readAvailability(_ message: Message, _ subject: String, into understanding: inout Understanding) {
        var word: Scalar?
        switch try? Payload(message.payload) {
        case .empty:
            understanding.ignored = .empty
            return
        case .text(let scalar): word = scalar
        case .document(let document): word = (document["state"] ?? document["status"])?.scalar
        case nil: word = nil
        }
        guard case .word(let text) = word, let isOnline = StateWords.availability(text) else {
            understanding.reject("payload", .unknownWord)
            return
        }
        understanding.availability.append(Availability(subject: subject, isOnline: isOnline))
    }
}

extension Payload {
    /// - Throws: the reason why a document is none.
    init(_ bytes: [UInt8]) throws(Rejection.Reason) {
        if bytes.isEmpty {
            self = .empty
            return
        }
        let (start, end) = bytes.withUnsafeBufferPointer { Scalar.trimmed($0) }
        guard start < end else {
            self = .text(.none)
            return
        }
        switch bytes[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = .document(try JSON(bytes))
        case UInt8(ascii: "\"") where end - start >= 2 && bytes[end - 1] == UInt8(ascii: "\""):
            // A JSON string as the whole payload.
            self = .text(bytes[start + 1..<end - 1].withUnsafeBufferPointer { Scalar(text: $0) })
        default: self = .text(bytes.withUnsafeBufferPointer { Scalar(text: $0) })
        }
    }
}
