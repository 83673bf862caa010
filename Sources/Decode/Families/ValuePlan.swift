import Core

/// A topic that names one quantity of one device.
struct ValuePlan: Hashable, Sendable {
    let source: Source
    let measurand: Measurand
    /// The topic's word for the quantity, where it is needed to tell apart what else a document on this topic holds.
    let word: String?
    /// The last level may also tell whether the device is there: `…/status`.
    var mayBeAvailability = false

    func read(
        _ payload: Payload, _ delivery: Delivery, _ memory: inout Memory, into understanding: inout Understanding
    ) {
        switch payload {
        case .empty: understanding.ignored = .empty
        case .text(.word(let word)) where mayBeAvailability && StateWords.availability(word) != nil:
            let isOnline = StateWords.availability(word) ?? false
            understanding.availability.append(Availability(subject: source.device, isOnline: isOnline))
        case .text(let scalar):
            understanding.take(scalar, as: measurand, of: source, delivery, field: "payload", &memory)
        case .document(let document):
            var scope = ObjectReader.Scope(source: source, delivery: delivery, context: measurand)
            scope.foreignChannel = word
            ObjectReader.read(document, scope, &memory, into: &understanding)
        }
    }

    /// The topic names what was sent, and it was no document: as unreadable as `nan`.
    func readMalformed(
        _ reason: Rejection.Reason, _ delivery: Delivery, _ memory: inout Memory,
        into understanding: inout Understanding
    ) {
        understanding.take(.none, as: measurand, of: source, delivery, field: "payload", &memory)
        understanding.rejected = [Rejection(field: "payload", reason: reason)]
    }
}
