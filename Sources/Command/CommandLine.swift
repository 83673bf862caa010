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
}

enum ExitCode: Int32, Sendable {
    case fine = 0
    case finding = 1
    case usage = 2
    case environment = 3
}

/// A call that cannot be understood; exit code 2.
struct UsageError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Something around us is not as it must be; exit code 3.
struct EnvironmentError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A command line that was understood.
struct Arguments: Hashable, Sendable {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    /// - Throws: `UsageError` that says what is wrong and what would be right.
    init(_ words: [String], for command: CommandSpec) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.count > 2 else {
                operands.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
            guard let option = command.options.first(where: { $0.name == parts[0] }) else {
                let known = command.options.map { "--\($0.name)" }.joined(separator: " ")
                throw UsageError(
                    "normwatch \(command.name) does not know --\(parts[0]); it knows: \(known.isEmpty ? "no flags" : known)"
                )
            }
            if option.value == nil {
                guard parts.count == 1 else { throw UsageError("--\(option.name) takes no value") }
                values[option.name, default: []].append("true")
            } else if parts.count == 2 {
                values[option.name, default: []].append(parts[1])
            } else if let value = rest.popFirst() {
                values[option.name, default: []].append(value)
            } else {
                throw UsageError("--\(option.name) needs a value: --\(option.name) \(option.value ?? "")")
            }
        }
        guard command.operandCount.contains(operands.count) else {
            throw UsageError(
                "usage: normwatch \(command.name) \(command.operands); see normwatch \(command.name) --help")
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }
    func value(_ name: String) -> String? { values[name]?.last }
    func all(_ name: String) -> [String] { values[name] ?? [] }
}

extension CommandSpec {
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
