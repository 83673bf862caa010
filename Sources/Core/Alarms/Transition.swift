/// A change in the life of an alarm; the journal is a list of these and is never rewritten.
package struct Transition: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case raised, severity, acknowledged, ended, cleared, suppressed, unsuppressed, comment
        case normChanged = "norm-changed"
        case armed, disarmed
    }
    /// The norm as it is cited.
    package struct Citation: Hashable, Codable, Sendable {
        package var act: String
        package var kind: String
        package var clause: String
        package var id: String
        package var edition: String
        package var isProvisional: Bool
    }

    package var time: Timestamp
    package var event: Kind
    package var alarm: String?
    package var alarmClass: AlarmClass?
    package var hazard: Hazard?
    package var fault: FaultKind?
    package var severity: Severity?
    package var place: Place
    package var device: String?
    package var indicator: Indicator?
    package var species: String?
    package var value: Double?
    package var unit: Unit?
    package var limit: Double?
    package var norm: Citation?
    /// Which version of the norms in force judged.
    package var normVersion: Int?
    package var since: Timestamp?
    /// Who did it, for what people do.
    package var by: String?
    package var text: String
}

extension Transition {
    /// The form of the contract: all keys present, absent parts null.
    package var json: JSONValue {
        [
            "time": .string(time.description), "event": .string(event.rawValue), "alarm": JSONValue(alarm),
            "class": JSONValue(alarmClass?.rawValue), "hazard": JSONValue(hazard?.rawValue),
            "kind": JSONValue(fault?.rawValue),
            "severity": JSONValue(severity?.rawValue), "place": place.json, "device": JSONValue(device),
            "indicator": JSONValue(indicator?.rawValue), "species": JSONValue(species), "value": JSONValue(value),
            "unit": JSONValue(unit?.rawValue), "limit": JSONValue(limit),
            "norm": norm?.json(version: normVersion) ?? .null,
            "since": JSONValue(since?.description), "by": JSONValue(by), "text": .string(text),
        ]
    }
}

extension Transition.Citation {
    func json(version: Int?) -> JSONValue {
        [
            "act": .string(act), "kind": .string(kind), "clause": .string(clause), "id": .string(id),
            "edition": .string(edition), "provisional": .bool(isProvisional),
            "version": version.map { JSONValue($0) } ?? .null,
        ]
    }
}

extension Place {
    package var json: JSONValue {
        ["building": JSONValue(building), "flat": JSONValue(flat), "room": JSONValue(room)]
    }
}
