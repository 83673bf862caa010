import Core

/// What a key or a topic level means. Answers are kept, for the same names come again and again.
struct Glossary: Sendable {
    private var known: [String: Entry] = [:]
    private static let most = 20_000

    /// A class, so that finding it again copies one pointer.
    final class Entry: Sendable {
        let meaning: Meaning
        /// What the name means as a key that says something about its neighbours.
        let role: KeyRole?

        init(_ name: String) {
            meaning = Naming.meaning(of: name)
            role = KeyRole(name)
        }
    }

    enum Meaning: Hashable, Sendable {
        /// It names one of our quantities.
        case quantity(Measurand, Extent)
        /// It stands for the value of what is named around it, perhaps in a unit: `value`, `state`, `ppm`.
        case value(WrittenUnit?)
        /// Only a number, a phase or an axis.
        case position(String)
        /// Another quantity: power, pressure. What stands beside it may still be ours.
        case other
        /// A setting, a statistic, a time: nothing below it is a measurement.
        case excluded
        /// Nothing that we know: a name, a place, a wrapper.
        case nothing
    }

    /// How much of the name is the quantity.
    enum Extent: Sendable {
        /// All of it, but for phase or axis.
        case whole
        /// It also says which one, as in `front_door` or `temp2`: as a topic level it is a device's name.
        case qualified
        /// Only how an opening stands, `open`; of a valve or a circuit it would be no door.
        case stateAlone
    }

    /// Names that it knows at present.
    var count: Int { known.count }

    mutating func meaning(of name: String) -> Meaning { entry(name).meaning }

    mutating func entry(_ name: String) -> Entry {
        if let entry = known[name] { return entry }
        let entry = Entry(name)
        // A key longer than any name is not worth keeping.
        guard name.utf8.count <= 64 else { return entry }
        if known.count >= Self.most { known.removeAll(keepingCapacity: true) }
        known[name] = entry
        return entry
    }
}

/// Splits names into words: at signs and blanks, at capitals, and at digits where that gives words that we know.
enum Words {
    static func split(_ name: String) -> [String] {
        guard name.utf8.count <= 128 else { return [] }
        var words: [String] = []
        for segment in name.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "%" || $0 == "°") }) {
            let folded = segment.lowercased()
            if Lexicon.knows(folded) {
                words.append(folded)
                continue
            }
            for part in splitAtCapitals(String(segment)) { words += splitCompound(part.lowercased()) }
        }
        return words
    }

    /// `doorOpen` and `TempC`; a run of capitals is one word, as in `PM25` and `CO2Level`.
    private static func splitAtCapitals(_ text: String) -> [String] {
        var parts: [String] = []
        var current = ""
        let characters = Array(text)
        for (index, character) in characters.enumerated() {
            if character.isUppercase, !current.isEmpty {
                let before = characters[index - 1]
                let opensWord = index + 1 < characters.count && characters[index + 1].isLowercase
                if !before.isUppercase || opensWord {
                    parts.append(current)
                    current = ""
                }
            }
            current.append(character)
        }
        if !current.isEmpty { parts.append(current) }
        return parts
    }

    /// `temp1`, `co2ppm`, `waterleak`: one word, two words that we know, or a word and its number.
    private static func splitCompound(_ word: String) -> [String] {
        if Lexicon.knows(word) || word.count > 32 { return [word] }
        let characters = Array(word)
        for length in stride(from: characters.count - 1, through: 2, by: -1) {
            let head = String(characters[..<length])
            let tail = String(characters[length...])
            guard Lexicon.knows(head), Lexicon.role(of: head) != .excluded else { continue }
            if tail.allSatisfy(\.isNumber) && !characters[length - 1].isNumber { return [head, tail] }
            // Short words are found in many others: `in` and `door` in `indoor`.
            guard length >= 3, Lexicon.knows(tail) else { continue }
            if tail.count >= 3 { return [head, tail] }
            if tail.count == 2, case .unit? = Lexicon.role(of: tail) { return [head, tail] }
        }
        return [word]
    }
}
