import Core
import Foundation
import Pipeline
import Store

let byOption = CommandSpec.Option("by", "NAME", "who does it (default: your user name)")

let ackCommand = CommandSpec(
    "ack", "Acknowledges an alarm: somebody has seen it and takes care.",
    operands: "ALARM", count: 1...1, options: [dataOption, byOption],
    example: "normwatch ack a81f03c2d94e7b56 --by anna"
) { arguments in
    let folder = try arguments.existingData()
    return tell(
        try Door.ask(
            folder, .command(.acknowledge(alarm: arguments.operands[0].lowercased(), by: try arguments.person()))))
}

let armCommand = CommandSpec(
    "arm", "Arms or disarms the intrusion alarm of a flat; without a flat, shows how all are armed.",
    operands: "[[BUILDING/]FLAT away|home|night|off]", count: 0...2,
    options: [dataOption, byOption, .init("json", nil, "shows the states as JSON lines")],
    example: "normwatch arm b1/f12 away --by anna"
) { arguments in
    let folder = try arguments.existingData()
    let reader = try Reader(existing: folder)
    let states = try reader.snapshot { try RestoredEngine(reader).engine.armStates }
    guard let request = try ArmRequest(arguments, flats: states.map(\.place)) else {
        var output = LineOutput()
        for (place, mode) in states {
            let json: JSONValue = ["place": place.json, "mode": .string(mode.rawValue)]
            if arguments.has("json") {
                output.write(json.text)
            } else {
                output.tell("\(Shown.padded(place.path, 24))  \(mode.rawValue)")
            }
        }
        if states.isEmpty && !arguments.has("json") { output.tell("no flats are known") }
        output.flush()
        return .fine
    }
    return tell(
        try Door.ask(
            folder,
            .command(
                .arm(
                    building: request.building, flat: request.flat, mode: request.mode, by: try arguments.person()))))
}

/// Which flat is to be armed how.
struct ArmRequest: Hashable {
    let building: String
    let flat: String
    let mode: ArmMode

    /// Nil where only the states are asked for.
    init?(_ arguments: Arguments, flats: [Place]) throws(UsageError) {
        guard let name = arguments.operands.first else { return nil }
        let modes = "away, home, night or off"
        guard arguments.operands.count == 2 else { throw UsageError("say how: normwatch arm \(name) \(modes)") }
        guard let mode = ArmMode(rawValue: arguments.operands[1].lowercased()) else {
            throw UsageError("“\(arguments.operands[1])” is no way to arm; use \(modes)")
        }
        self.mode = mode
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 1 else {
            (building, flat) = (parts[0], parts[1])
            return
        }
        let found = flats.filter { $0.flat == name }
        guard found.count == 1, let place = found.first?.building else {
            let all = (found.isEmpty ? flats : found).map(\.path)
            throw UsageError(
                found.isEmpty
                    ? "there is no flat “\(name)”; known are: \(all.isEmpty ? "none" : all.joined(separator: ", "))"
                    : "“\(name)” is in several buildings; write one of: \(all.joined(separator: ", "))")
        }
        (building, flat) = (place, name)
    }
}

extension Arguments {
    /// For commands that need the data to be there already.
    func existingData() throws -> DataFolder {
        _ = try existingReader()
        return dataFolder
    }

    func person() throws(UsageError) -> String {
        let environment = ProcessInfo.processInfo.environment
        let name = value("by") ?? environment["SUDO_USER"] ?? environment["USER"] ?? NSUserName()
        let tidy = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !tidy.isEmpty else { throw UsageError("say who does it: --by NAME") }
        return tidy
    }
}

/// Shows an answer: what was refused is a finding.
func tell(_ reply: ControlReply) -> ExitCode {
    guard reply.isDone else {
        for line in reply.lines { Main.complain(line) }
        return .finding
    }
    var output = LineOutput()
    for line in reply.lines { output.tell(line) }
    output.flush()
    return .fine
}
