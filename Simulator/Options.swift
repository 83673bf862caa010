import Core

/// A call that cannot be understood, or a scenario with mistakes; exit code 2.
struct UsageError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Something around us is not as it must be; exit code 3.
struct EnvironmentError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// What the command line asks for.
enum Request: Hashable, Sendable {
    case help
    case list
    case run(Options)

    /// - Throws: `UsageError` that says what is wrong and what would be right.
    init(_ words: [String]) throws(UsageError) {
        if words.contains("--help") || words.contains("-h") || words.first == "help" {
            self = .help
            return
        }
        var options = Options()
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.count > 2 else {
                guard options.scenario.isEmpty else {
                    throw UsageError("one scenario at a time: “\(options.scenario)” or “\(word)”")
                }
                options.scenario = word
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
            if options.takeSwitch(parts[0]) {
                guard parts.count == 1 else { throw UsageError("--\(parts[0]) takes no value") }
                continue
            }
            guard Options.valued.contains(parts[0]) else {
                throw UsageError("normwatch-simulator does not know --\(parts[0]); see normwatch-simulator --help")
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw UsageError("--\(parts[0]) needs a value; see normwatch-simulator --help")
            }
            try options.take(parts[0], value)
        }
        if options.stays && options.broker == nil && options.data == nil {
            throw UsageError("--stay goes on publishing; name a broker with --broker, or a service with --data")
        }
        self = options.scenario.isEmpty || options.scenario == "list" ? .list : .run(options)
    }
}

/// How a scenario is to be run.
struct Options: Hashable, Sendable {
    /// A name, or the path of a document.
    var scenario = ""
    var broker: String?
    var seed: UInt64 = 1
    var speed: Double?
    /// Values for the scenario's parameters.
    var settings: [String: Double] = [:]
    var checks = false
    var stays = false
    var isJSON = false
    var data: String?
    var norms: String?

    static let valued: Set<String> = ["broker", "seed", "speed", "flats", "set", "data", "norms"]

    fileprivate mutating func takeSwitch(_ name: String) -> Bool {
        switch name {
        case "check": checks = true
        case "stay": stays = true
        case "json": isJSON = true
        default: return false
        }
        return true
    }

    fileprivate mutating func take(_ name: String, _ value: String) throws(UsageError) {
        switch name {
        case "broker": broker = value
        case "data": data = value
        case "norms": norms = value
        case "seed":
            guard let number = UInt64(value) else { throw UsageError("--seed “\(value)” is no whole number from 0") }
            seed = number
        case "speed":
            guard let number = Double(value), number > 0, number <= 10_000 else {
                throw UsageError("--speed “\(value)” is no speed; write a number up to 10000")
            }
            speed = number
        case "flats":
            guard let number = Int(value), number > 0 else {
                throw UsageError("--flats “\(value)” is no number of flats; write 1 or more")
            }
            settings["flats"] = Double(number)
        default:
            let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let number = Double(parts[1]), number.isFinite, number > 0 else {
                throw UsageError("--set “\(value)” sets nothing; write it as --set rate=500")
            }
            settings[parts[0]] = number
        }
    }
}

extension Request {
    static let helpText = """
        normwatch-simulator SCENARIO [flags]

        Plays what happens in flats: publishes what real devices would, and checks the alarms that follow. Without --broker it
        runs by itself in virtual time, through the very decoder and engine of the service. Without SCENARIO it lists them.

          --broker URL     publishes over MQTT: mqtt[s]://user:password@host:port
          --check          compares the alarms with those that the scenario states; exit code 1 when they differ
          --seed N         another run of the same kind (default: 1)
          --flats N        how many flats, where the scenario lets choose
          --set NAME=N     another parameter of the scenario: rate, count
          --speed X        how much faster time runs; a service that was started with run --speed sets it for both
          --data DIR       data folder of the service, for people's actions and the site document
          --norms DIR      norm documents, for runs without a broker
          --stay           after the scenario ordinary life goes on until the simulator is stopped
          --json           one JSON line for each result or transition

        Example:
          normwatch-simulator six-emergencies --check --seed 7

        With a service:
          normwatch run --data /tmp/demo --speed 20 &
          normwatch-simulator six-emergencies --check --data /tmp/demo

        Exit codes: 0 fine, 1 a check failed, 2 wrong usage, 3 something around it fails.
        """
}
