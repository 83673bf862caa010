/// All commands, in the order of the overview.
enum CommandList {
    static let groups: [(title: String, commands: [CommandSpec])] = [
        ("The service", [runCommand]),
        (
            "What is and was",
            [alarmsCommand, journalCommand, devicesCommand, historyCommand, exportCommand, reportCommand]
        ),
        ("What people do", [ackCommand, armCommand, siteApplyCommand, siteExportCommand]),
        (
            "Norms",
            [
                normsListCommand, normsShowCommand, normsCheckCommand, normsTestCommand, normsDiffCommand,
                normsVersionsCommand, normsReloadCommand, normsExportCommand,
            ]
        ),
        ("Trying out", [decodeCommand, replayCommand, whatIfCommand]),
        ("Administration", [doctorCommand, checkCommand]),
    ]

    static let all = groups.flatMap(\.commands)

    static var overview: String {
        var lines = [
            "normwatch <command> [flags]", "",
            "Sensor monitoring and safety alerting for flats and buildings, by the law.", "",
        ]
        for (title, commands) in groups { lines += [title] + commands.map(line) + [""] }
        lines += [
            "normwatch <command> --help shows its flags and an example; normwatch --version says which this is.",
            "Exit codes: 0 fine, 1 a finding, 2 wrong usage, 3 something around it fails.",
            "No certified alarm system, and no substitute for the detectors the law requires.",
        ]
        return lines.joined(separator: "\n")
    }

    /// The commands that begin with `word`.
    static func overview(of word: String) -> String {
        (["normwatch \(word) <command> [flags]", ""] + all.filter { $0.name.hasPrefix(word + " ") }.map(line) + [
            "", "normwatch \(word) <command> --help shows its flags and an example.",
        ]).joined(separator: "\n")
    }

    private static func line(_ command: CommandSpec) -> String {
        "  \(command.name)" + String(repeating: " ", count: max(2, 16 - command.name.count)) + command.summary
    }
}
