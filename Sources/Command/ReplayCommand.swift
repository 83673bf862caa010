import Core
import Foundation
import Pipeline

let replayCommand = CommandSpec(
    "replay", "Runs a recording through the engine in virtual time and prints what would have been raised.",
    operands: "FILE.csv", count: 1...1,
    options: [
        .init("site", "FILE", "places, people and jurisdictions; without it each device is a flat of its own"),
        .init("norms", "DIR", "the folder of norm documents"),
        .init("jurisdiction", "CODES", "whose law, as EU,JP (default: the site's, else EU)"),
        .init("room", "KIND", "kind of all rooms without a site (default: living)"),
        .init("at", "DATE", "judge by the acts in force on this day (default: today)"),
        .init("json", nil, "one JSON line per transition"),
    ],
    example: "normwatch replay recording.csv --jurisdiction EU,JP --json"
) { arguments in
    let recording = try CSVReadings(path: arguments.operands[0])
    let site = try arguments.value("site").map { try Documents.site(at: $0) }
    let norms = try Documents.norms(arguments.value("norms"))
    let room = arguments.value("room") ?? "living"
    guard let kind = RoomKind.canonical(room) else {
        throw UsageError("“\(room)” is no kind of room; use one of: \(RoomKind.all.joined(separator: ", "))")
    }
    var replay = Replay(
        site: site, norms: norms,
        jurisdictions: arguments.value("jurisdiction").map { $0.split(separator: ",").map(String.init) }, room: kind,
        actsInForceAt: try arguments.day("at") ?? .systemNow)
    var output = LineOutput()
    replay.run(recording.rows) { transition in
        output.write(
            arguments.has("json")
                ? transition.json.text : "\(transition.time)  \(transition.event.rawValue)  \(transition.text)")
    }
    output.flush()
    for (reason, count) in recording.passedOver.sorted(by: { $0.key < $1.key }) {
        Main.complain("passed over \(count) lines: \(reason)")
    }
    return .fine
}
