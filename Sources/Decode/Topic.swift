/// A topic name in its levels, as they were written.
struct Topic: Hashable, Sendable {
    let text: String
    let levels: [String]

    init(_ text: String) {
        self.text = text
        levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    /// A level for matching words: without blanks around it and in lower case.
    func word(_ index: Int) -> String {
        guard levels.indices.contains(index) else { return "" }
        return levels[index].lowercased().filter { $0 != " " && $0 != "\t" }
    }

    var lastWord: String { word(levels.count - 1) }

    /// The topic up to and without level `end`; the whole topic where nothing would be left.
    func prefix(_ end: Int) -> String {
        let prefix = levels.prefix(max(end, 0)).joined(separator: "/")
        return prefix.allSatisfy { $0 == "/" || $0 == " " } ? text : prefix
    }

    /// The topic without level `index`.
    func without(_ index: Int) -> String {
        var rest = levels
        rest.remove(at: index)
        return rest.joined(separator: "/")
    }

    /// Why nothing that is published here is a measurement, whatever the family; nil where it may be one.
    var ignored: Ignored? {
        if text.hasPrefix("$") { return .broker }
        if levels.first == "normwatch" { return .own }
        let isNotice = lastWord == "rpc" && word(levels.count - 2) == "events"
        if Self.commands.contains(lastWord) && !isNotice { return .command }
        if levels.count > 1, Self.settings.contains(lastWord), levels.first != "homeassistant" { return .setting }
        for index in levels.indices {
            let word = word(index)
            if Self.logs.contains(word) { return .log }
            // A device may be called so; a level on the way to it is not.
            if index > 0 || word == "cmnd", Self.commandPaths.contains(word) { return .command }
            if index > 0, Self.settings.contains(word), levels.first != "homeassistant" { return .setting }
        }
        return nil
    }

    private static let commands: Set = ["set", "get", "command", "commands", "cmnd", "cmd", "on", "rpc"]
    private static let commandPaths: Set = ["cmnd", "command", "commands", "down", "set", "get"]
    private static let settings: Set = ["config", "configuration", "settings", "setpoint", "setpoints", "thresholds"]
    private static let logs: Set = ["log", "logs", "logging", "debug", "$log"]
}
