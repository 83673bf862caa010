/// One command of the program as the command line knows it.
struct CommandSpec: Sendable {
    struct Option: Sendable {
        let name: String
        /// What stands for its value in the help; nil for a switch.
        let value: String?
        let help: String

        init(_ name: String, _ value: String? = nil, _ help: String) {
            (self.name, self.value, self.help) = (name, value, help)
        }
    }

    let name: String
    let summary: String
    /// What stands behind the name: "FILE.csv", "[ALARM]".
    let operands: String
    let operandCount: ClosedRange<Int>
    let options: [Option]
    let example: String
    let run: @Sendable (Arguments) throws -> ExitCode

    init(
        _ name: String, _ summary: String, operands: String = "", count: ClosedRange<Int> = 0...0,
        options: [Option] = [], example: String,
        run: @escaping @Sendable (Arguments) throws -> ExitCode
    ) {
        (self.name, self.summary, self.operands, operandCount) = (name, summary, operands, count)
        (self.options, self.example, self.run) = (options, example, run)
    }

    var help: String {
        var lines = [
            "normwatch \(name)\(operands.isEmpty ? "" : " " + operands)\(options.isEmpty ? "" : " [flags]")", "",
            summary, "",
        ]
        for option in options {
            let left = "  --\(option.name)\(option.value.map { " " + $0 } ?? "")"
            lines.append(left + String(repeating: " ", count: max(2, 30 - left.count)) + option.help)
        }
        if !options.isEmpty { lines.append("") }
        lines += ["Example:", "  " + example]
        return lines.joined(separator: "\n")
    }
}

enum ExitCode: Int32, Sendable {
    case fine = 0
    case finding = 1
    case usage = 2
    case environment = 3
}

/// A call that cannot be understood; exit code 2.
struct UsageError: Error, Hashable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Something around us is not as it must be; exit code 3.
struct EnvironmentError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
