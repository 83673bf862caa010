import Core
import Foundation
import Pipeline
import Store

let whatIfCommand = CommandSpec(
    "whatif", "Shows which alarms other norms would have raised from the same readings.",
    operands: "[FILE.csv]", count: 0...1,
    options: [
        .init("with", "PATH", "a norm document, or a folder of them, in the place of those of the same acts"),
        .init("norms", "DIR", "to compare with (default: the usual folder; for stored readings what is in force)"),
        .init("site", "FILE", "places for a recording; without it each device is a flat of its own"),
        .init("jurisdiction", "CODES", "whose law, as EU,JP (default: the site's, else EU)"),
        .init("at", "DATE", "judge by the acts in force on this day (default: today)"),
        .init("from", "TIME", "of the stored readings only those sampled then or later"),
        .init("to", "TIME", "of the stored readings only those sampled before then"),
        dataOption, .init("json", nil, "one JSON document"),
    ],
    example: "normwatch whatif recording.csv --with en-50160-draft.json"
) { arguments in
    guard let path = arguments.value("with") else {
        throw UsageError("--with is missing; name the norm document that is to be tried")
    }
    let past = try Past(arguments)
    let tried = try NormLibrary(reading: Norms.files(at: path))
    let replaced = past.norms.acts.filter { one in !tried.acts.contains { $0.act.id == one.act.id } }
    let answer = WhatIf(
        before: try past.transitions(past.norms, arguments),
        after: try past.transitions(NormLibrary(replaced + tried.acts), arguments))
    var output = LineOutput()
    if arguments.has("json") {
        output.write(answer.json.prettyText)
    } else {
        for line in answer.lines { output.write(line) }
    }
    output.flush()
    for (reason, count) in past.passedOver.sorted(by: { $0.key < $1.key }) {
        Main.complain("passed over \(count) lines: \(reason)")
    }
    return .fine
}

/// Readings with the places and norms that they were judged by.
private struct Past {
    let rows: [CSVReadings.Row]
    let norms: NormLibrary
    let site: Site?
    var notes: [DeviceNote] = []
    var passedOver: [String: Int] = [:]

    init(_ arguments: Arguments) throws {
        guard let file = arguments.operands.first else {
            let reader = try arguments.existingReader()
            let restored = try RestoredEngine(reader)
            site = restored.documents.site
            norms = try arguments.value("norms").map { try Documents.norms($0) } ?? restored.documents.norms
            var stored: [CSVReadings.Row] = []
            var devices: Set<String> = []
            try reader.readings(try Reader.Filter(arguments, now: .systemNow)) { row in
                guard let reading = Reading(row.series, row.value, deviceTime: row.time) else { return }
                stored.append(.init(time: row.time, reading: reading))
                devices.insert(row.series.device)
            }
            rows = stored
            notes = devices.sorted().compactMap { restored.engine.note(of: $0) }
            guard !rows.isEmpty else { throw EnvironmentError("no such readings are stored; look at --from and --to") }
            return
        }
        let recording = try CSVReadings(path: file)
        (rows, passedOver) = (recording.rows, recording.passedOver)
        norms = try Documents.norms(arguments.value("norms"))
        site = try arguments.value("site").map { try Documents.site(at: $0) }
    }

    func transitions(_ norms: NormLibrary, _ arguments: Arguments) throws -> [Transition] {
        var replay = Replay(
            site: site, norms: norms,
            jurisdictions: arguments.value("jurisdiction").map { $0.split(separator: ",").map(String.init) },
            room: "living", actsInForceAt: try arguments.day("at") ?? .systemNow)
        var transitions: [Transition] = []
        replay.run(rows, notes: notes) { transitions.append($0) }
        return transitions
    }
}

extension WhatIf {
    fileprivate var lines: [String] {
        var lines: [String] = []
        for alarm in more { lines.append("+ \(alarm.words)") }
        for alarm in fewer { lines.append("- \(alarm.words)") }
        for moved in earlier + later {
            let word = moved.by < .zero ? "earlier" : "later"
            lines.append("~ \(moved.after.words), \(moved.by.magnitude) \(word)")
        }
        for moved in other {
            lines.append("~ \(moved.after.words), not \(moved.before.worst?.rawValue ?? "judged")")
        }
        lines.append(
            "\(more.count) more, \(fewer.count) fewer, \(earlier.count) earlier, \(later.count) later, "
                + "\(other.count) of another severity, \(same) the same")
        return lines
    }

    fileprivate var json: JSONValue {
        func pairs(_ moved: [Moved]) -> JSONValue {
            .array(moved.map { ["before": $0.before.json, "now": $0.after.json, "seconds": .number($0.by.seconds)] })
        }
        return [
            "more": .array(more.map(\.json)), "fewer": .array(fewer.map(\.json)), "earlier": pairs(earlier),
            "later": pairs(later), "otherSeverity": pairs(other), "same": JSONValue(same),
        ]
    }
}

extension WhatIf.Alarm {
    fileprivate var words: String {
        let spot = [place.building, place.flat].compactMap { $0 }.joined(separator: "/")
        let what = [hazard.rawValue, worst?.rawValue, norm.map { "by \($0)" }].compactMap { $0 }
        return "\(raised)  \(spot)  \(what.joined(separator: " "))"
    }

    fileprivate var json: JSONValue {
        [
            "building": JSONValue(place.building), "flat": JSONValue(place.flat), "hazard": .string(hazard.rawValue),
            "raised": .string(raised.description), "ended": JSONValue(ended?.description),
            "severity": JSONValue(worst?.rawValue), "norm": JSONValue(norm),
        ]
    }
}
