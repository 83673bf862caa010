import Core
import Pipeline
import Store

private let what: [CommandSpec.Option] = [
    .init("device", "DEVICE", "only of this device"),
    .init("indicator", "INDICATOR", "only of this kind, as gas or temperature"),
]

let exportCommand = CommandSpec(
    "export", "Prints stored readings as CSV.",
    options: [dataOption] + what + [
        .init("from", "TIME", "sampled then or later: 2026-11-30, 2026-11-30T08:00:00Z, or how long ago: 90min"),
        .init("to", "TIME", "sampled before then"),
    ],
    example: "normwatch export --indicator gas --from 2026-11-01 --to 2026-12-01 > november.csv"
) { arguments in
    let filter = try Reader.Filter(arguments, now: .systemNow)
    let reader = try arguments.existingReader()
    var output = LineOutput()
    output.write("time,device,indicator,species,channel,value,unit,quality")
    try reader.readings(filter) { output.write(CSVLine($0).text) }
    output.flush()
    return .fine
}

let historyCommand = CommandSpec(
    "history", "Shows the last readings, or those of a span.",
    options: [dataOption] + what + [
        .init("from", "TIME", "sampled then or later: 2026-11-30, 2026-11-30T08:00:00Z, or how long ago: 90min"),
        .init("to", "TIME", "sampled before then"),
        .init("last", "N", "so many at most, the newest (default: 20; all of a span that begins with --from)"),
        .init("json", nil, "one JSON line per reading"),
    ],
    example: "normwatch history --device zigbee2mqtt/kitchen_gas --last 50"
) { arguments in
    let filter = try Reader.Filter(arguments, now: .systemNow)
    let last = try arguments.count("last") ?? (filter.from == nil ? 20 : 100_000)
    let rows = try arguments.existingReader().newest(last, filter)
    var output = LineOutput()
    for row in rows { if arguments.has("json") { output.write(row.json.text) } else { output.tell(row.line) } }
    output.flush()
    if rows.isEmpty && !arguments.has("json") { Main.complain("no such readings are stored") }
    if rows.count == 100_000 { Main.complain("there may be more; normwatch export prints all") }
    return .fine
}

extension Reader.Filter {
    init(_ arguments: Arguments, now: Timestamp) throws(UsageError) {
        self.init(
            device: arguments.value("device"), indicator: try arguments.indicator("indicator"),
            from: try arguments.moment("from", now: now), to: try arguments.moment("to", now: now))
        if let from, let to, from >= to { throw UsageError("--from lies not before --to; nothing can be between them") }
    }
}

/// A reading as a line of CSV (RFC 4180): numbers as short as they can be and still be the same number when read again.
struct CSVLine {
    let text: String

    init(_ row: Reader.Row) {
        let series = row.series
        text = [
            row.time.description, Self.field(series.device), series.indicator.rawValue,
            Self.field(series.species ?? ""),
            Self.field(series.channel ?? ""), Self.number(row.value), series.unit.rawValue,
            row.quality.words.joined(separator: " "),
        ].joined(separator: ",")
    }

    static func field(_ text: String) -> String {
        // By bytes: a carriage return and a line feed together are one character.
        guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
        // By scalars: a quotation mark with an accent upon it is one character, and a quotation mark all the same.
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars { quoted.append(contentsOf: scalar == "\"" ? [scalar, scalar] : [scalar]) }
        quoted.append("\"")
        return String(quoted)
    }

    static func number(_ value: Double) -> String {
        Int64(exactly: value).map { abs($0) < 1 << 53 ? String($0) : String(value) } ?? String(value)
    }
}

extension Reader.Row {
    var json: JSONValue {
        [
            "time": .string(time.description), "device": .string(series.device),
            "indicator": .string(series.indicator.rawValue), "species": JSONValue(series.species),
            "channel": JSONValue(series.channel), "value": .number(value), "unit": .string(series.unit.rawValue),
            "quality": .array(quality.words.map { .string($0) }),
        ]
    }

    fileprivate var line: String {
        let remarks = quality.subtracting(.arrivalTime).words
        let note = remarks.isEmpty ? "" : "  (\(remarks.joined(separator: ", ")))"
        return "\(time)  \(Shown.padded(series.device, 32))  \(Shown.padded(Shown.name(series), 20))  "
            + Shown.value(value, series.unit) + note
    }
}
