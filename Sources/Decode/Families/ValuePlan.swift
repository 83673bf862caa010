import Core

/// A topic that names one quantity of one device.
struct ValuePlan: Sendable {
    let source: Source
    let measurand: Measurand
    /// The topic's word for the quantity, where it is needed to tell apart what else a document on this topic holds.
    let word: String?
    /// The last level may also tell whether the device is there: `…/status`.
    var mayBeAvailability = false
    /// The series of a value in the usual unit; one object for all of them.
    private let usual: Series?

    init(source: Source, measurand: Measurand, word: String?, mayBeAvailability: Bool = false) {
        (self.source, self.measurand, self.word, self.mayBeAvailability) = (source, measurand, word, mayBeAvailability)
        usual = measurand.defaultUnit.map { unit in
            Series(
                device: source.device, indicator: measurand.indicator, species: measurand.species,
                channel: measurand.channel,
                unit: unit)
        }
    }

    func read(
        _ payload: Payload, _ delivery: Delivery, _ memory: inout Memory, into understanding: inout Understanding
    ) {
        switch payload {
        case .empty: understanding.ignored = .empty
        case .text(.word(let word)) where mayBeAvailability && StateWords.availability(word) != nil:
            let isOnline = StateWords.availability(word) ?? false
            understanding.availability.append(Availability(subject: source.device, isOnline: isOnline))
        case .text(let scalar):
            understanding.take(scalar, as: measurand, of: source, delivery, usual: usual, field: "payload", &memory)
        case .document(.object(let fields)) where readSimple(fields, delivery, &memory, into: &understanding): break
        case .document(let document):
            var scope = ObjectReader.Scope(source: source, delivery: delivery, context: measurand)
            scope.foreignChannel = word
            ObjectReader.read(document, scope, &memory, into: &understanding)
            if understanding.readings.isEmpty && understanding.rejected.isEmpty {
                understanding.reject("payload", .wrongType)
            }
        }
    }

    /// `{"value": 231.4, "unit": "V", "time": "…"}` without anything else or anything odd, which is what comes in numbers; it costs a
    /// third of the general way and tells the same.
    ///
    /// - Returns: false when the object needs the general way; nothing was taken from it then.
    private func readSimple(
        _ fields: [JSON.Field], _ delivery: Delivery, _ memory: inout Memory,
        into understanding: inout Understanding
    ) -> Bool {
        var value: JSON?
        var key = ""
        var unit: WrittenUnit?
        var delivery = delivery
        for field in fields {
            switch field.key {
            case "value", "v":
                guard value == nil, field.value.isSingle else { return false }
                (value, key) = (field.value, field.key)
            case "unit", "u":
                guard unit == nil, case .text(let text) = field.value, let read = UnitText.read(text) else {
                    return false
                }
                unit = read
            case "time", "ts", "t", "timestamp":
                let isLive = !delivery.isRetained
                guard delivery.time == nil,
                    case .instant(let time)? = DeviceTime(field.value, arrival: delivery.arrival, isLive: isLive),
                    time - delivery.arrival <= DeviceClock.tolerance
                else { return false }
                delivery.time = time
            default: return false
            }
        }
        guard let scalar = value?.scalar else { return false }
        understanding.take(scalar, as: measurand, of: source, delivery, unit: unit, usual: usual, field: key, &memory)
        return true
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
