import Core

/// What the words behind `normwatch` ask for.
enum Call {
    case overview
    case version
    case help(CommandSpec)
    /// The first word of commands that have two, as `norms`.
    case group(String, isAsked: Bool)
    case command(CommandSpec, Arguments)

    /// - Throws: `UsageError` with what was probably meant.
    init(_ words: [String], among commands: [CommandSpec]) throws(UsageError) {
        guard let first = words.first else {
            self = .overview
            return
        }
        switch first {
        case "--help", "-h": self = .overview
        case "--version", "version": self = .version
        case "help" where words.count == 1: self = .overview
        case "help": self = try Self(Array(words.dropFirst()) + ["--help"], among: commands)
        default: self = try Self.find(words, commands)
        }
    }

    private static func find(_ words: [String], _ commands: [CommandSpec]) throws(UsageError) -> Call {
        // Commands of two words, as `norms check`, go before those of one.
        for length in [2, 1] where words.count >= length {
            let name = words.prefix(length).joined(separator: " ")
            guard let command = commands.first(where: { $0.name == name }) else { continue }
            let rest = Array(words.dropFirst(length))
            if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
                return .help(command)
            }
            return .command(command, try Arguments(rest, for: command))
        }
        let group = words[0]
        let inGroup = commands.filter { $0.name.hasPrefix(group + " ") }
        guard !inGroup.isEmpty else { throw unknown(group, commands) }
        guard words.count > 1, !words[1].hasPrefix("-") else {
            return .group(group, isAsked: words.contains("--help") || words.contains("-h"))
        }
        let second = words[1]
        let known = inGroup.map { String($0.name.dropFirst(group.count + 1)) }
        let hint =
            Spelling.nearest(to: second, among: known).map { "did you mean normwatch \(group) \($0)?" }
            ?? "it knows: \(known.joined(separator: ", "))"
        throw UsageError("normwatch \(group) does not know “\(second)”; \(hint)")
    }

    private static func unknown(_ word: String, _ commands: [CommandSpec]) -> UsageError {
        guard !word.hasPrefix("-") else {
            return UsageError(
                "the command comes first, flags behind it, as in normwatch run \(word); see normwatch --help")
        }
        let first = commands.map { String($0.name.prefix { $0 != " " }) }
        let hint =
            Spelling.nearest(to: word, among: first).map { "did you mean normwatch \($0)?" }
            ?? "normwatch --help lists them"
        return UsageError("normwatch does not know the command “\(word)”; \(hint)")
    }
}
