import Core

/// A transition as the service tells it, in its JSON form.
struct Observation: Hashable, Sendable {
    let time: Timestamp
    let event: Transition.Kind
    let alarm: String?
    let alarmClass: AlarmClass?
    let subject: Expectation.Subject?
    let severity: Severity?
    /// Building and flat, as far as they are named.
    let place: [String]
    let device: String?
    let act: String?
    let actKind: String?
    let text: String

    /// Nil for what is no transition of this form.
    init?(_ json: JSONValue) {
        func text(_ key: String, of value: JSONValue? = nil) -> String? {
            guard case .string(let text)? = (value ?? json)[key] else { return nil }
            return text
        }
        guard let time = text("time").flatMap({ Timestamp($0) }),
            let event = text("event").flatMap({ Transition.Kind(rawValue: $0) })
        else { return nil }
        (self.time, self.event) = (time, event)
        alarm = text("alarm")
        alarmClass = text("class").flatMap { AlarmClass(rawValue: $0) }
        severity = text("severity").flatMap { Severity(rawValue: $0) }
        if let kind = text("kind").flatMap({ FaultKind(rawValue: $0) }) {
            subject = .fault(kind)
        } else {
            subject = text("hazard").flatMap { Hazard(rawValue: $0) }.map { .hazard($0) }
        }
        place = ["building", "flat"].compactMap { text($0, of: json["place"]) }
        device = text("device")
        (act, actKind) = (text("act", of: json["norm"]), text("kind", of: json["norm"]))
        self.text = text("text") ?? ""
    }

    /// Whether the cited act is meant by an expectation: an id, or `house` for any rule of the house.
    func cites(_ wanted: String) -> Bool { act == wanted || wanted == "house" && actKind == "house" }
}
