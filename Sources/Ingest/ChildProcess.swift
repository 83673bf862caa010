internal import CSystem
internal import Foundation

/// A program that we started and that does not outlive us.
package final class ChildProcess {
    package let id: Int32
    /// What it prints, nonblocking.
    package let output: Int32
    private var status: Int32?
    private var rest: [UInt8] = []

    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Throws: `Failed` when the program cannot be executed.
    package init(_ path: String, _ arguments: [String]) throws(Failed) {
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var output: Int32 = -1
        let id = system_spawn(path, words, &output)
        guard id > 0 else { throw Failed(description: "\(path) cannot be started: \(String(cString: strerror(-id)))") }
        (self.id, self.output) = (id, output)
    }

    deinit { close(output) }

    /// Whole lines printed since the last call.
    package func takeLines() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { break }
            rest.append(contentsOf: buffer[0..<count])
        }
        var lines: [String] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeSubrange(...end)
        }
        return lines
    }

    /// Whether it still runs; reaps it once it has ended.
    package var isRunning: Bool {
        guard status == nil else { return false }
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return true }
        self.status = status
        return false
    }

    /// Asks it to end, and ends it after `patience` seconds.
    package func stop(patience: Double) {
        guard isRunning else { return }
        kill(id, SIGTERM)
        let deadline = Date(timeIntervalSinceNow: patience)
        while isRunning {
            if Date() > deadline { kill(id, SIGKILL) }
            usleep(2000)
        }
    }
}
