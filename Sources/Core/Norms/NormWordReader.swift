/// Readings of members that all parts of a norm document share.
extension DocumentReader {
    /// A needed text that says something.
    mutating func text(_ key: String, example: String) -> String {
        let text = required(key, string(key), or: "…", example: example)
        if text.allSatisfy(\.isWhitespace) {
            problem(key, "is empty", remedy: "write it, as in \"\(key)\": \(example)")
        }
        return text
    }

    /// A needed id: letters, digits, dashes, dots and underscores, so that it can stand in an address and on a command line.
    mutating func identifier(_ key: String, example: String) -> String {
        let id = required(key, string(key), or: "…", example: example)
        guard id != "…" else { return "" }
        if id.isEmpty || !id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }) {
            problem(key, "“\(id)” is no id", remedy: "write it in letters, digits, -, . and _, as in \(example)")
        }
        return id
    }

    /// A needed text in at least one language.
    mutating func words(_ key: String, example: String) -> LocalText {
        let words = required(key, LocalText(key, in: &self), or: LocalText(["en": "…"]), example: example)
        if words.texts.isEmpty {
            problem(key, "has no text", remedy: "write it in at least one language, as in \(example)")
        }
        for (language, text) in words.texts.sorted(by: { $0.key < $1.key }) where text.allSatisfy(\.isWhitespace) {
            problem("\(key).\(language)", "is empty", remedy: "write the text, or leave the language out")
        }
        return words
    }

    /// One text, or a list of them.
    mutating func texts(_ key: String) -> [String]? {
        if case .string(let one)? = value(key) { return [one] }
        return strings(key)
    }

    /// A choice that people also write in other words.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, or words: [String: Choice]) -> Choice?
    where Choice.RawValue == String {
        if case .string(let text)? = value(key), let choice = words[text.lowercased()] { return choice }
        return choice(key, Choice.self)
    }

    /// A whole number from `least` on.
    mutating func count(_ key: String, from least: Int) -> Int? {
        guard let number = number(key) else { return nil }
        guard let whole = Int(exactly: number), whole >= least, whole <= 1_000_000 else {
            problem(key, "is no number of things", remedy: "write a whole number from \(least)")
            return nil
        }
        return whole
    }

    /// A unit in one of its usual spellings. Only units that need no factor: a limit stays readable as the act wrote it.
    mutating func unit(_ key: String) -> Unit? {
        guard let text = string(key) else { return nil }
        guard let written = WrittenUnit(text) else {
            problem(
                key, "“\(text)” is no unit known here",
                remedy: "use one of: \(Unit.allCases.filter { $0 != .raw }.map(\.rawValue).joined(separator: ", "))")
            return nil
        }
        guard written.factor == 1, written.offset == 0 else {
            problem(key, "“\(text)” would have to be converted", remedy: "write the limit in \(written.unit.rawValue)")
            return nil
        }
        if written.unit == .raw {
            problem(key, "“\(text)” is a count that no law speaks of", remedy: "write the unit that the limit has")
            return nil
        }
        return written.unit
    }
}
