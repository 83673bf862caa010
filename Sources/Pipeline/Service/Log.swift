internal import Core

/// One JSON line per event on standard error. Secrets and payloads stay out.
package struct Log: Sendable {
    package enum Level: String, Comparable, Sendable, CaseIterable {
        case debug, info, warning, error

        package static func < (a: Self, b: Self) -> Bool {
            (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
        }
    }

    private let write: @Sendable (String) -> Void
    private let least: Level

    package init(least: Level = .info, write: @escaping @Sendable (String) -> Void) {
        (self.least, self.write) = (least, write)
    }

    package static func standardError(least: Level = .info) -> Log {
        Log(least: least) { LineSink.standardError.write($0 + "\n") }
    }

    package func callAsFunction(_ level: Level, _ message: StaticString, _ fields: KeyValuePairs<String, String> = [:])
    {
        guard level >= least else { return }
        var members: [String: JSONValue] = [
            "time": .string(Timestamp.systemNow.description), "level": .string(level.rawValue),
            "message": .string("\(message)"),
        ]
        for (name, value) in fields { members[name] = .string(value) }
        write(JSONValue.object(members).text)
    }
}
