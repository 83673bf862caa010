import Core
import Store

let alarmsCommand = CommandSpec(
    "alarms", "Lists alarms that are not over, or whose end nobody has acknowledged.",
    options: [
        dataOption, .init("all", nil, "also those that are over"), .init("json", nil, "one JSON line per alarm"),
    ],
    example: "normwatch alarms --json"
) { arguments in
    let rows = try arguments.existingReader().alarms(all: arguments.has("all"))
    var output = LineOutput()
    for row in rows {
        let last = try JSONValue(parsing: row.last)
        if arguments.has("json") {
            output.write(row.json(last).text)
        } else {
            for line in row.lines(last) { output.tell(line) }
        }
    }
    if rows.isEmpty && !arguments.has("json") { output.write("no alarms") }
    output.flush()
    return .fine
}

extension Reader.AlarmRow {
    fileprivate var state: String {
        if cleared != nil { return "cleared" }
        if ended != nil { return "ended" }
        return acknowledged != nil ? "acknowledged" : "active"
    }

    /// The five times and `ended`, and the last transition whole.
    func json(_ last: JSONValue) -> JSONValue {
        [
            "alarm": .string(id), "state": .string(state), "class": last["class"] ?? .null,
            "hazard": last["hazard"] ?? .null, "kind": last["kind"] ?? .null, "severity": .string(severity),
            "place": last["place"] ?? .null, "since": .string(since.description), "raised": .string(raised.description),
            "notified": JSONValue(notified?.description), "acknowledged": JSONValue(acknowledged?.description),
            "acknowledgedBy": JSONValue(acknowledgedBy), "ended": JSONValue(ended?.description),
            "cleared": JSONValue(cleared?.description), "last": last,
        ]
    }

    fileprivate func lines(_ last: JSONValue) -> [String] {
        func text(_ key: String) -> String? { if case .string(let text)? = last[key] { text } else { nil } }
        let what = text("hazard") ?? text("kind") ?? ""
        let times = [
            "since \(since)", "raised \(raised)", notified.map { "notified \($0)" } ?? "nobody notified",
            acknowledged.map { "acknowledged \($0)\(acknowledgedBy.map { " by \($0)" } ?? "")" }
                ?? "not acknowledged",
            ended.map { "ended \($0)" }, cleared.map { "cleared \($0)" },
        ].compactMap { $0 }
        return [
            "\(id)  \(severity)  \(what)  \(state)", "  \(text("text") ?? "")", "  " + times.joined(separator: ", "),
        ]
    }
}
