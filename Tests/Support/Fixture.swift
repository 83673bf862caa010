/// The fixture norms of the field reports, and a few more.
package enum Fixture {
    package static let g50 = act(
        "g50",
        norm(
            "G50", hazard: "poisoning", indicator: "gas", unit: "ppm", species: "co", severity: "danger",
            limit: #"{"shape": "band", "upper": 50, "deadband": 5, "onDelay": "30 s", "offDelay": "60 s"}"#))

    package static let v230 = act(
        "v230",
        norm(
            "V230", hazard: "power-quality", indicator: "voltage", unit: "V", severity: "warning",
            limit:
                #"{"shape": "mean", "windows": [{"length": "10 min", "kind": "block", "lower": 207, "upper": 253, "completeness": 0.8}]}"#
        ))

    package static let outage = act(
        "outage",
        norm(
            "outage", hazard: "power-outage", indicator: "voltage", unit: "V", severity: "warning",
            limit: #"{"shape": "interruption", "belowShare": 0.05, "longerThan": "10 s"}"#))

    package static let door = act(
        "doors",
        norm(
            "open", hazard: "door-left-open", indicator: "door", unit: "bool", severity: "notice",
            limit:
                #"{"shape": "state", "all": [{"indicator": "door", "is": true, "opening": "entrance"}], "onDelay": "5 min"}"#
        ),
        norm(
            "entry", hazard: "intrusion", indicator: "door", unit: "bool", severity: "danger",
            limit:
                #"{"shape": "state", "all": [{"indicator": "door", "is": true}, {"indicator": "armed", "is": true}], "onDelay": "45 s"}"#
        ),
        norm(
            "motion", hazard: "intrusion", indicator: "motion", unit: "bool", severity: "danger",
            limit:
                #"{"shape": "state", "all": [{"indicator": "motion", "is": true}, {"indicator": "armed", "is": true}]}"#
        ))

    package static let vib = act(
        "vib",
        norm(
            "VIB", hazard: "earthquake", indicator: "vibration", unit: "bool", severity: "danger",
            limit: #"{"shape": "state", "all": [{"indicator": "vibration", "is": true}]}"#))

    package static let shaking = act(
        "shaking",
        norm(
            "shaking", hazard: "earthquake", indicator: "vibration", unit: "m/s2",
            limit: """
                {"shape": "peak", "levels": [{"atLeast": 0.25, "total": "0.3 s", "severity": "warning"},
                 {"atLeast": 0.8, "total": "0.3 s", "severity": "danger"}], "corroborate": {"devices": 3, "within": "10 s"}}
                """))

    package static let leak = act(
        "leak",
        norm(
            "leak", hazard: "flooding", indicator: "water_leak", unit: "bool", severity: "danger",
            limit: #"{"shape": "state", "all": [{"indicator": "water_leak", "is": true}]}"#))

    package static let lamp = act(
        "lamp",
        norm(
            "burnt-out", hazard: "lamp-burnout", indicator: "lamp", unit: "bool", severity: "notice",
            limit: """
                {"shape": "state", "all": [{"indicator": "lamp", "is": true}, {"indicator": "light", "below": 75}], "onDelay": "60 s"}
                """))

    package static func act(
        _ id: String, from: String = "2000-01-01", until: String = "null", jurisdiction: String = "EU",
        _ norms: String...
    ) -> String {
        """
        {"act": {"id": "\(id)", "kind": "standard", "jurisdictions": ["\(jurisdiction)"], "issuer": "fixture", "edition": "1",
                 "title": {"en": "Fixture \(id)"}, "inForce": {"from": "\(from)", "until": \(until)},
                 "source": {"title": "fixture", "kind": "house"}},
         "norms": [\(norms.joined(separator: ",\n"))]}
        """
    }

    package static func norm(
        _ id: String, hazard: String, indicator: String, unit: String, species: String? = nil,
        severity: String = "warning", limit: String,
        appliesTo: String = #"{"rooms": ["*"]}"#
    ) -> String {
        """
        {"id": "\(id)", "clause": "clause of \(id)", "hazard": "\(hazard)", "indicator": "\(indicator)", "unit": "\(unit)",
         \(species.map { #""species": "\#($0)","# } ?? "") "severity": "\(severity)", "appliesTo": \(appliesTo), "limit": \(limit),
         "confidence": "read", "why": {"en": "because"}, "whatToDo": {"en": "act", "de": "handeln", "ru": "действовать"}}
        """
    }
}
