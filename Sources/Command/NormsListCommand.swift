import Core
import Foundation
import Pipeline

let normsListCommand = CommandSpec(
    "norms list", "Lists the norms in force.",
    options: [
        .init("at", "DATE", "in force on this day (default: today)"),
        .init("jurisdiction", "CODES", "only whose law, as EU,DE; the house's rules always apply (default: all)"),
        .init("hazard", "HAZARD", "only against this, as poisoning"),
        .init("norms", "DIR", "the folder of norm documents"),
        .init("json", nil, "one JSON document"),
    ],
    example: "normwatch norms list --jurisdiction EU,DE --hazard poisoning"
) { arguments in
    let instant = try arguments.day("at") ?? .systemNow
    let jurisdictions = arguments.value("jurisdiction").map { $0.split(separator: ",").map(String.init) + ["house"] }
    let hazard = try arguments.hazard("hazard")
    let norms = try Norms.library(arguments).norms.filter { cited in
        cited.act.isInForce(at: instant) && hazard.map { $0 == cited.norm.hazard } ?? true
            && jurisdictions.map { wanted in cited.act.jurisdictions.contains { wanted.contains($0) } } ?? true
    }
    var output = LineOutput()
    if arguments.has("json") {
        output.write(JSONValue.array(norms.map { $0.json(at: instant) }).prettyText)
    } else {
        for hazard in Hazard.allCases {
            let group = norms.filter { $0.norm.hazard == hazard }
            if group.isEmpty { continue }
            output.write(hazard.rawValue)
            for cited in group { output.write("  \(cited.line)") }
        }
        output.write(
            "\(norms.count) norms in force; ? not read from the act itself; (report) judged in reports, (off) not used")
    }
    output.flush()
    return .fine
}

extension Arguments {
    fileprivate func hazard(_ name: String) throws(UsageError) -> Hazard? {
        guard let text = value(name) else { return nil }
        guard let hazard = Hazard(rawValue: text) else {
            let known = Hazard.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--\(name) “\(text)” is no hazard; use one of: \(known)")
        }
        return hazard
    }
}

extension CitedNorm {
    /// How sure the number is and what the norm is used for, in a few signs.
    fileprivate var marks: String {
        [
            isProvisional ? "?" : nil, norm.isOn ? nil : "(off)",
            norm.track == .compliance ? "(report)" : nil,
        ].compactMap { $0 }.joined(separator: " ")
    }

    fileprivate var line: String {
        var parts = [key, act.jurisdictions.joined(separator: ","), norm.limitInWords.joined(separator: "; ")]
        let place = norm.appliesTo.inWords
        if !place.isEmpty { parts.append(place) }
        return (parts + [marks]).filter { !$0.isEmpty }.joined(separator: " | ")
    }

    /// What lists and other programs need; the whole document is in its file.
    func json(at instant: Timestamp) -> JSONValue {
        [
            "act": .string(act.id), "edition": .string(act.edition), "kind": .string(act.kind.rawValue),
            "title": .string(act.title[.en]), "jurisdictions": .array(act.jurisdictions.map { .string($0) }),
            "inForce": [
                "from": JSONValue(act.inForceFrom?.day), "until": JSONValue(act.inForceUntil?.day),
                "now": .bool(act.isInForce(at: instant)),
            ],
            "source": [
                "title": .string(act.source.title), "url": JSONValue(act.source.url),
                "kind": .string(act.source.kind.rawValue),
            ],
            "id": .string(norm.id), "clause": .string(norm.clause), "hazard": .string(norm.hazard.rawValue),
            "track": .string(norm.track.rawValue), "indicator": .string(norm.indicator.rawValue),
            "species": .array(norm.species.map { .string($0) }), "unit": .string(norm.unit.rawValue),
            "shape": .string(norm.limit.shape), "limit": .array(norm.limitInWords.map { .string($0) }),
            "appliesTo": .string(norm.appliesTo.inWords), "confidence": .string(norm.confidence.rawValue),
            "provisional": .bool(isProvisional), "on": .bool(norm.isOn),
        ]
    }
}
