internal import Core
internal import Glibc

/// Writes notices where somebody reads along: the service's own output, or a test's list.
package struct Terminal: Sendable {
    private let write: @Sendable (String) throws -> Void

    package init(write: @escaping @Sendable (String) throws -> Void) { self.write = write }

    /// Writes to a file, pipe or terminal. It stays the caller's: it is not closed.
    package init(fileDescriptor: Int32) {
        self.init { text in try Self.write(Array(text.utf8), to: fileDescriptor) }
    }

    func send(_ notice: Notice) -> DeliveryResult {
        do {
            try write(Self.text(notice))
            return .delivered
        } catch {
            return .temporary("the terminal cannot be written to: \(String(describing: error).asRemark)")
        }
    }

    /// Time and subject, and the body indented below.
    static func text(_ notice: Notice) -> String {
        let body = notice.body.split { $0.isNewline }.map { "    " + $0 + "\n" }.joined()
        let text = "\(notice.created) \(notice.subject)\n\(body)"
        // Names come from devices and documents; an escape sequence among them would steer the reader's terminal.
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0 != "\n" && $0.properties.generalCategory == .control ? " " : $0 }))
    }

    private struct WriteError: Error, CustomStringConvertible { let description: String }

    /// A reader that has stopped reading costs 10 s, not the thread.
    private static func write(_ bytes: [UInt8], to file: Int32) throws(WriteError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var wish = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
            let ready = poll(&wish, 1, 10_000)
            if ready == 0 { throw WriteError(description: "nobody reads") }
            // A pipe that is ready takes 4,096 bytes without blocking.
            let count = rest.prefix(4096).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw WriteError(description: String(cString: strerror(errno)))
            }
            rest = rest.dropFirst(count)
        }
    }
}
