import Core
import Foundation

/// A receiver of messages: a Python program on a free loopback port that says in JSON lines what it got.
///
/// Unchecked `Sendable` is true because `process` and `input` are used by the test alone and `lines` has its own lock.
final class Sink: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    private let lines = Locked<[JSONValue]>([])
    let ready: JSONValue
    var port: Int { Int(ready["port"]?.number ?? 0) }

    struct Silent: Error { let awaited: String, heard: [JSONValue] }

    static var folder: String { repository + "/Tests/Fixtures/sinks" }
    static var repository: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .path()
    }

    init(_ program: String, _ arguments: [String] = []) throws {
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-B", Self.folder + "/" + program] + arguments
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let lines = lines
        let file = output.fileHandleForReading
        startThread {
            var rest: [UInt8] = []
            while case let fresh = file.availableData, !fresh.isEmpty {
                rest += fresh
                while let end = rest.firstIndex(of: 10) {
                    let line = String(decoding: rest[..<end], as: UTF8.self)
                    rest.removeSubrange(...end)
                    if let value = try? JSONValue(parsing: line) { lines.withLock { $0.append(value) } }
                }
            }
        }
        guard let line = lines.wait(atMost: .seconds(20), for: { $0.first }), let ready = line["ready"] else {
            kill(process.processIdentifier, SIGKILL)
            throw Silent(awaited: "ready", heard: [])
        }
        self.ready = ready
    }

    /// Replaces the behaviour and waits until the sink knows.
    func behave(_ behaviour: JSONValue) throws {
        let before = heard("obeyed").count
        input.fileHandleForWriting.write(Data((behaviour.text + "\n").utf8))
        _ = try wait("obeyed", count: before + 1)
    }

    /// The lines with this key so far.
    func heard(_ key: String) -> [JSONValue] { lines.withLock { $0 }.filter { $0[key] != nil } }

    /// Waits until there are `count` lines with this key.
    func wait(_ key: String, count: Int = 1, atMost limit: Span = .seconds(20)) throws -> [JSONValue] {
        let found = lines.wait(atMost: limit) { lines in
            let found = lines.filter { $0[key] != nil }
            return found.count >= count ? found : nil
        }
        guard let found else { throw Silent(awaited: key, heard: lines.withLock { $0 }) }
        return found
    }

    /// Ends the process; its input's end would do so too. Not by SIGTERM: Dispatch's threads hold that back, and a child
    /// inherits it so.
    func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit { stop() }
}

extension JSONValue {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
}
