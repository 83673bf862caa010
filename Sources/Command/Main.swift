import Foundation
import Pipeline

@main
enum Main {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    static func run(_ words: [String]) -> ExitCode {
        guard let (command, rest) = command(for: words) else {
            if words.isEmpty || ["help", "--help", "-h"].contains(words[0]) {
                print(overview)
                return .fine
            }
            if words[0] == "--version" {
                print("normwatch \(Version.number)")
                return .fine
            }
            complain("normwatch does not know the command “\(words[0])”; normwatch --help lists them")
            return .usage
        }
        if rest.contains("--help") || rest.contains("-h") {
            print(command.help)
            return .fine
        }
        do {
            return try command.run(try Arguments(rest, for: command))
        } catch let error as UsageError {
            complain(error.description)
            return .usage
        } catch {
            complain("\(error)")
            return .environment
        }
    }

    /// Commands of two words, as `norms check`, go before those of one.
    private static func command(for words: [String]) -> (CommandSpec, [String])? {
        for length in [2, 1] where words.count >= length {
            let name = words.prefix(length).joined(separator: " ")
            if let command = commands.first(where: { $0.name == name }) {
                return (command, Array(words.dropFirst(length)))
            }
        }
        return nil
    }

    private static var overview: String {
        var lines = [
            "normwatch <command> [flags]", "",
            "Sensor monitoring and safety alerting for flats and buildings, by the law.", "",
        ]
        for command in commands {
            lines.append(
                "  \(command.name)" + String(repeating: " ", count: max(2, 16 - command.name.count)) + command.summary)
        }
        lines += [
            "", "normwatch <command> --help shows its flags and an example.",
            "Exit codes: 0 fine, 1 a finding, 2 wrong usage, 3 something around it fails.",
            "No certified alarm system, and no substitute for the detectors the law requires.",
        ]
        return lines.joined(separator: "\n")
    }

    static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}

/// All commands, in the order of the overview.
let commands: [CommandSpec] = [
    runCommand, decodeCommand, replayCommand, normsCheckCommand, normsListCommand, normsShowCommand, normsTestCommand,
]
