package import Core
internal import Foundation

/// Text for a file, pipe or terminal, written by a thread of its own: a reader that is slow, stuck or gone holds up nobody, and neither does
/// a full disk.
package final class LineSink: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isWriting = false
        var dropped = 0
        /// Nobody will read any more.
        var isClosed = false
        var isEnding = false
    }

    private let state = Locked(State())
    private let descriptor: Int32
    private let limit: Int

    /// - Parameter limit: so many bytes wait; what comes beyond them is dropped and counted.
    package init(descriptor: Int32, limit: Int = 4 << 20) {
        (self.descriptor, self.limit) = (descriptor, limit)
        let state = state
        startThread {
            while let bytes = Self.take(state) {
                let worked = Self.write(bytes, to: descriptor)
                state.withLock {
                    $0.isWriting = false
                    if !worked { $0.isClosed = true }
                }
            }
        }
    }

    deinit { state.withLock { $0.isEnding = true } }

    package static let standardOutput = LineSink(descriptor: 1)
    package static let standardError = LineSink(descriptor: 2)

    package func write(_ text: String) {
        state.withLock { state in
            guard !state.isClosed else { return }
            guard state.waiting.count + text.utf8.count <= limit else {
                state.dropped += 1
                return
            }
            if state.dropped > 0 {
                state.waiting.append(contentsOf: "{\"message\":\"nobody read\",\"dropped\":\(state.dropped)}\n".utf8)
                state.dropped = 0
            }
            state.waiting.append(contentsOf: text.utf8)
        }
    }

    /// Waits until all is written, but not longer than `limit`.
    package func flush(atMost limit: Span) {
        _ = state.wait(atMost: limit) { $0.isClosed || $0.waiting.isEmpty && !$0.isWriting ? true : nil }
    }

    /// Blocks until there is something to write; nil at the end.
    private static func take(_ state: Locked<State>) -> [UInt8]? {
        state.wait(atMost: nil) { state -> [UInt8]?? in
            if state.waiting.isEmpty { return state.isEnding ? .some(nil) : nil }
            defer { state.waiting = [] }
            state.isWriting = true
            return state.waiting
        } ?? nil
    }

    /// - Returns: false when nobody will ever read again. A full disk only loses this piece.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wish, 1, -1)
            } else if errno != EINTR {
                return errno != EPIPE && errno != EBADF
            }
        }
        return true
    }
}
