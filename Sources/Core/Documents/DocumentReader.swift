/// What is wrong in a document, where, and what to do about it.
package struct DocumentProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file it was found in; empty while a document is read without one.
    package var file = ""
    /// As a person would point to it: `norms[0].limit.upper`.
    package let path: String
    package let message: String
    package let remedy: String

    package init(file: String = "", path: String, message: String, remedy: String) {
        (self.file, self.path, self.message, self.remedy) = (file, path, message, remedy)
    }

    package var description: String {
        let place = [file, path].filter { !$0.isEmpty }.joined(separator: ": ")
        return (place.isEmpty ? "" : place + ": ") + message + "; " + remedy
    }
}

/// Everything that is wrong with a document, at once.
package struct DocumentProblems: Error, Sendable, CustomStringConvertible {
    package let problems: [DocumentProblem]
    package init(_ problems: [DocumentProblem]) { self.problems = problems }
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects problems while a document is read, so that all can be reported together.
package final class ProblemList {
    package private(set) var problems: [DocumentProblem] = []
    package init() {}

    package func add(_ path: String, _ message: String, remedy: String) {
        problems.append(DocumentProblem(path: path, message: message, remedy: remedy))
    }

    /// Keys that stand twice in one object.
    package func addDuplicates(in text: String) {
        for path in DuplicateKeys.paths(in: text) {
            add(path, "is there twice", remedy: "keep one of them: a reader takes only one, and not always the same")
        }
    }
}

/// One object of a document: each key is asked for by name, and `finish` reports those that nobody asked for. A misspelt key
/// in a legal norm is an error, never a silently missing limit.
package struct DocumentReader {
    package let path: String
    package let problems: ProblemList
    private let members: [String: JSONValue]
    private var known: Set<String> = []

    package init(_ value: JSONValue, path: String = "", problems: ProblemList) {
        (self.path, self.problems) = (path, problems)
        if case .object(let members) = value {
            self.members = members
        } else {
            members = [:]
            problems.add(path, "must be an object", remedy: "write { … } here")
        }
    }

    package func sub(_ key: String) -> String { path.isEmpty ? key : path + "." + key }

    package func problem(_ key: String, _ message: String, remedy: String) {
        problems.add(key.isEmpty ? path : sub(key), message, remedy: remedy)
    }

    /// The member, or nil where it is absent or null.
    package mutating func value(_ key: String) -> JSONValue? {
        known.insert(key)
        guard let value = members[key], value != .null else { return nil }
        return value
    }

    package mutating func string(_ key: String) -> String? {
        switch value(key) {
        case nil: return nil
        case .string(let text): return text
        default:
            problem(key, "must be a text", remedy: "put it in quotation marks")
            return nil
        }
    }

    package mutating func number(_ key: String) -> Double? {
        switch value(key) {
        case nil: return nil
        case .number(let number) where number.isFinite: return number
        default:
            problem(key, "must be a number", remedy: "write it without quotation marks and unit")
            return nil
        }
    }

    package mutating func bool(_ key: String) -> Bool? {
        switch value(key) {
        case nil: return nil
        case .bool(let flag): return flag
        default:
            problem(key, "must be true or false", remedy: "write true or false without quotation marks")
            return nil
        }
    }

    package mutating func span(_ key: String) -> Span? {
        guard let text = string(key) else { return nil }
        guard let span = Span(text) else {
            problem(key, "“\(text)” is no duration", remedy: "write a number and s, min, h or d, as in \"90 min\"")
            return nil
        }
        return span
    }

    /// A calendar date `YYYY-MM-DD`, as the first instant of that day in UTC.
    package mutating func date(_ key: String) -> Timestamp? {
        guard let text = string(key) else { return nil }
        guard text.count == 10, let instant = Timestamp(text + "T00:00:00Z") else {
            problem(key, "“\(text)” is no date", remedy: "write it as YYYY-MM-DD")
            return nil
        }
        return instant
    }

    package mutating func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, _: Choice.Type) -> Choice?
    where Choice.RawValue == String {
        guard let text = string(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            problem(key, "“\(text)” is not known here", remedy: "use one of: \(allowed)")
            return nil
        }
        return choice
    }

    package mutating func strings(_ key: String) -> [String]? {
        array(key)?.compactMap { item, path in
            if case .string(let text) = item { return text }
            problems.add(path, "must be a text", remedy: "put it in quotation marks")
            return nil
        }
    }

    package mutating func array(_ key: String) -> [(JSONValue, path: String)]? {
        switch value(key) {
        case nil: return nil
        case .array(let items):
            return items.enumerated().map { index, item in (item, "\(sub(key))[\(index)]") }
        default:
            problem(key, "must be a list", remedy: "write [ … ] here")
            return nil
        }
    }

    package mutating func object(_ key: String) -> DocumentReader? {
        value(key).map { DocumentReader($0, path: sub(key), problems: problems) }
    }

    package mutating func objects(_ key: String) -> [DocumentReader] {
        (array(key) ?? []).map { DocumentReader($0.0, path: $0.path, problems: problems) }
    }

    /// Says that a needed member is missing, and gives a stand-in so that reading can go on to the next problem.
    package func required<Value>(_ key: String, _ value: Value?, or standIn: Value, example: String) -> Value {
        if let value { return value }
        // A wrong value has been reported already; only a missing one is news.
        if members[key] == nil || members[key] == .null {
            problem(key, "is missing", remedy: "add it, as in \"\(key)\": \(example)")
        }
        return standIn
    }

    /// Reports the keys that nobody asked for, with the nearest known one.
    package func finish() {
        for key in members.keys.sorted() where !known.contains(key) {
            let hint = Spelling.nearest(to: key, among: known.sorted()).map { "did you mean “\($0)”?" }
            problem(key, "is not a known key", remedy: hint ?? "known here: \(known.sorted().joined(separator: ", "))")
        }
    }
}
