import Core

/// What stands behind the name of a command, understood.
struct Arguments: Hashable, Sendable {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    /// - Throws: `UsageError` that says what is wrong and what would be right.
    init(_ words: [String], for command: CommandSpec) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word.count > 1 else {
                operands.append(word)
                continue
            }
            guard word.hasPrefix("--") else {
                throw UsageError(
                    "“\(word)” is no flag; flags begin with two dashes, see normwatch \(command.name) --help")
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            let option = try Self.option(parts[0], of: command)
            guard let placeholder = option.value else {
                guard parts.count == 1 else { throw UsageError("--\(option.name) takes no value") }
                values[option.name, default: []].append("true")
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw UsageError("--\(option.name) needs a value: --\(option.name) \(placeholder)")
            }
            values[option.name, default: []].append(value)
        }
        guard command.operandCount.contains(operands.count) else { throw Self.wrongCount(operands, command) }
    }

    private static func option(_ name: String, of command: CommandSpec) throws(UsageError) -> CommandSpec.Option {
        if let option = command.options.first(where: { $0.name == name }) { return option }
        let names = command.options.map(\.name)
        let known = names.isEmpty ? "no flags" : names.map { "--\($0)" }.joined(separator: " ")
        let hint = Spelling.nearest(to: name, among: names).map { "did you mean --\($0)?" } ?? "it knows: \(known)"
        throw UsageError("normwatch \(command.name) does not know --\(name); \(hint)")
    }

    private static func wrongCount(_ operands: [String], _ command: CommandSpec) -> UsageError {
        let usage = "normwatch \(command.name)\(command.operands.isEmpty ? "" : " " + command.operands)"
        let what =
            operands.count > command.operandCount.upperBound
            ? "“\(operands[command.operandCount.upperBound])” is too much" : "something is missing"
        return UsageError("\(what); write it as: \(usage), or see normwatch \(command.name) --help")
    }

    func has(_ name: String) -> Bool { values[name] != nil }
    func value(_ name: String) -> String? { values[name]?.last }
    func all(_ name: String) -> [String] { values[name] ?? [] }

    // MARK: Values with a meaning

    /// A day as YYYY-MM-DD, or an instant; nil where the flag is not given.
    func day(_ name: String) throws(UsageError) -> Timestamp? {
        guard let text = value(name) else { return nil }
        guard let instant = Timestamp(text) ?? Timestamp(text + "T00:00:00Z") else {
            throw UsageError("--\(name) “\(text)” is no time; write it as 2026-11-30 or 2026-11-30T08:00:00Z")
        }
        return instant
    }

    /// A day, an instant, or how long ago: `90 min`; nil where the flag is not given.
    func moment(_ name: String, now: Timestamp) throws(UsageError) -> Timestamp? {
        guard let text = value(name) else { return nil }
        if let span = Span(text) { return now - span }
        guard let instant = Timestamp(text) ?? Timestamp(text + "T00:00:00Z") else {
            throw UsageError(
                "--\(name) “\(text)” is no time; write it as 2026-11-30, 2026-11-30T08:00:00Z, or how long ago: 90min")
        }
        return instant
    }

    /// A whole number from 1; nil where the flag is not given.
    func count(_ name: String) throws(UsageError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), number > 0 else {
            throw UsageError("--\(name) “\(text)” is no number of things; write it as --\(name) 20")
        }
        return number
    }

    func indicator(_ name: String) throws(UsageError) -> Indicator? {
        guard let text = value(name) else { return nil }
        guard let indicator = Indicator(rawValue: text) else {
            let known = Indicator.allCases.map(\.rawValue)
            let hint =
                Spelling.nearest(to: text, among: known).map { "did you mean \($0)?" }
                ?? "use one of: \(known.joined(separator: ", "))"
            throw UsageError("--\(name) “\(text)” is no indicator; \(hint)")
        }
        return indicator
    }
}
