import Core
import Foundation
import Ingest
import Pipeline
import Store

let doctorCommand = CommandSpec(
    "doctor", "Looks at everything around the service, and says what to do about what is wrong.",
    options: [
        dataOption,
        .init("config", "FILE", "the configuration file of the service"),
        .init("broker", "URL", "mqtt[s]://user@host:port; without it the configuration's, else the private one's"),
        .init("norms", "DIR", "the folder of norm documents"),
        .init("json", nil, "one JSON line per thing looked at"),
    ],
    example: "normwatch doctor --config /etc/normwatch/config.json"
) { arguments in
    let signs = Doctor(arguments).examine()
    var output = LineOutput()
    for sign in signs { if arguments.has("json") { output.write(sign.json.text) } else { output.tell(sign.line) } }
    output.flush()
    return signs.contains { $0.state == .bad } ? .finding : .fine
}

/// One thing that was looked at.
struct Sign: Hashable {
    enum State: String { case ok, warn, bad }

    let state: State
    let part: String
    let text: String
    /// What to do; empty where nothing is to be done.
    let remedy: String

    static func ok(_ part: String, _ text: String) -> Sign { Sign(state: .ok, part: part, text: text, remedy: "") }
    static func warn(_ part: String, _ text: String, _ remedy: String) -> Sign {
        Sign(state: .warn, part: part, text: text, remedy: remedy)
    }
    static func bad(_ part: String, _ text: String, _ remedy: String) -> Sign {
        Sign(state: .bad, part: part, text: text, remedy: remedy)
    }

    var line: String {
        "\(Shown.padded(state.rawValue, 4))  \(Shown.padded(part, 14))  \(text)\(remedy.isEmpty ? "" : " -> \(remedy)")"
    }

    var json: JSONValue {
        ["state": .string(state.rawValue), "part": .string(part), "text": .string(text), "remedy": .string(remedy)]
    }
}

/// Looks at one thing after the other; each may fail without keeping the others from being looked at.
struct Doctor {
    let arguments: Arguments
    let folder: DataFolder
    let now = Timestamp.systemNow

    init(_ arguments: Arguments) {
        self.arguments = arguments
        folder = arguments.dataFolder
    }

    func examine() -> [Sign] {
        var signs = [program, clock, timeZones]
        let (configuration, trouble) = readConfiguration()
        signs += trouble
        signs += dataFolder + [service] + database
        let reader = try? Reader(folder)
        let state = reader.flatMap { reader in try? reader.snapshot { try RestoredEngine(reader) } }
        if let reader { signs += stored(reader) }
        if let state { signs += devices(state.engine) }
        if let state, let reader { signs += duties(state, reader) }
        signs += norms(inForce: state)
        signs += broker(configuration)
        signs += people(state?.engine.site ?? .none, configuration)
        return signs
    }

    private var program: Sign { .ok("program", "normwatch \(Version.number)") }

    private func readConfiguration() -> (Configuration, [Sign]) {
        guard let path = arguments.value("config") else { return (Configuration(), []) }
        do {
            let configuration = try Configuration(path: path)
            guard !configuration.unused.isEmpty else { return (configuration, [.ok("configuration", path)]) }
            let keys = configuration.unused.joined(separator: ", ")
            return (
                configuration,
                [.warn("configuration", "\(path) asks for \(keys)", "this version does not do that; do not rely on it")]
            )
        } catch {
            let problems = (error as? DocumentProblems)?.problems ?? []
            return (
                Configuration(),
                problems.map { .bad("configuration", "\($0.file): \($0.path): \($0.message)", $0.remedy) }
            )
        }
    }

    // MARK: Time

    private var clock: Sign {
        let year = CivilTime(now).year
        guard (2026...2100).contains(year) else {
            return .bad(
                "clock", "the machine's clock says \(now)",
                "set it, and keep it right with NTP (systemd-timesyncd, chrony)")
        }
        guard SystemClock.isSynchronised != false else {
            return .warn(
                "clock", "\(now), and nothing keeps it right",
                "switch on NTP (systemd-timesyncd, chrony); a virtual machine's host may do it instead")
        }
        return .ok("clock", "\(now), kept right")
    }

    private var timeZones: Sign {
        guard TimeZones.zone("Europe/Berlin") != nil, TimeZones.zone("Asia/Tokyo") != nil else {
            return .bad("time zones", "the system has no time zone data", "install it (apt-get install tzdata)")
        }
        return .ok("time zones", "known")
    }
}
