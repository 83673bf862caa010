package import Foundation

/// What did not come in time, with what is needed to see why.
package struct Late: Error, CustomStringConvertible {
    package let description: String
    package init(description: String) { self.description = description }
}

/// Looks again and again until `look` gives something.
package func wait<Result>(
    for what: String, seconds: Double = 30, hint: () -> String = { "" }, _ look: () throws -> Result?
) async throws -> Result {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
        if let found = try look() { return found }
        guard ContinuousClock.now < deadline else {
            throw Late(description: "waited \(seconds) s in vain for \(what)\n\(hint())")
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// Places of the repository and the build.
package enum Product {
    package static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    package static let binary = program("normwatch")
    package static let simulator = program("normwatch-simulator")
    package static let norms = repository + "/Tests/Fixtures/command/norms"

    /// Beside the program that runs the tests.
    private static func program(_ name: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: name).path
    }
}

extension TemporaryFolder {
    /// Writes a file and gives its path.
    package func file(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: file).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}

/// A program that we started; ended by its id, with this object at the latest.
package final class Child {
    package let id: pid_t
    private var status: Int32?

    /// - Parameters:
    ///   - input: a file for its standard input.
    ///   - output, error: files that it writes.
    package init(_ words: [String], input: String = "/dev/null", output: String, error: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Whoever runs the tests may ignore or block signals; our children take them as a shell's would.
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var id: pid_t = 0
        let code = posix_spawnp(&id, words[0], &actions, &attributes, &arguments, environ)
        guard code == 0 else {
            throw Late(description: "\(words[0]) cannot be started: \(String(cString: strerror(code)))")
        }
        self.id = id
    }

    deinit {
        guard exitCode == nil else { return }
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }

    /// Nil while it runs; 128 and the signal for one that was ended by a signal.
    package var exitCode: Int32? {
        if status == nil {
            var raw: Int32 = 0
            guard waitpid(id, &raw, WNOHANG) == id else { return nil }
            status = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
        }
        return status
    }

    package func signal(_ number: Int32) { if exitCode == nil { kill(id, number) } }
}

/// A call of `normwatch` that has ended.
package struct Ended {
    package let code: Int32
    package let output: String
    package let error: String

    package var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs `normwatch` with these words to its end.
package func normwatch(_ words: String..., input: String? = nil, seconds: Double = 60) async throws -> Ended {
    try await run([Product.binary] + words, input: input, seconds: seconds)
}

package func run(_ words: [String], input: String? = nil, seconds: Double = 60) async throws -> Ended {
    let folder = TemporaryFolder()
    let (output, error) = (try folder.file("output", ""), try folder.file("error", ""))
    let child = try Child(words, input: input ?? "/dev/null", output: output, error: error)
    func text(_ file: String) -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
    let code = try await wait(
        for: "the end of \(words)", seconds: seconds, hint: { text(output) + text(error) }, { child.exitCode })
    return Ended(code: code, output: text(output), error: text(error))
}
