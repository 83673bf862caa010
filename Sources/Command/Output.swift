import Foundation

/// Standard output and standard error, byte by byte. `FileHandle` would end the program with a crash when nobody reads any more.
struct StandardStream {
    static let output = StandardStream(descriptor: 1)
    static let error = StandardStream(descriptor: 2)

    let descriptor: Int32

    /// - Returns: 0, or the number of the error.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wish, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}

/// Lines to standard output in large pieces; a line at a time would cost more than the work.
struct LineOutput {
    private var bytes: [UInt8] = []

    mutating func write(_ line: String) {
        bytes.append(contentsOf: line.utf8)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count > 1 << 16 { flush() }
    }

    /// A line for people. Names in it come from devices; an escape sequence among them would steer the reader's terminal.
    mutating func tell(_ line: String) {
        let isTame = line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        write(isTame ? line : String(String.UnicodeScalarView(line.unicodeScalars.map(Self.tamed))))
    }

    private static func tamed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
    }

    mutating func flush() {
        let code = StandardStream.output.write(bytes)
        bytes.removeAll(keepingCapacity: true)
        guard code != 0 else { return }
        if code == EPIPE { Self.endQuietly() }
        Main.complain("the output cannot be written: \(String(cString: strerror(code)))")
        exit(ExitCode.environment.rawValue)
    }

    /// Waits for `seconds`, but ends as soon as nobody reads any more.
    func pause(seconds: Double) {
        var reader = pollfd(fd: 1, events: 0, revents: 0)
        guard poll(&reader, 1, Int32(seconds * 1000)) > 0 else { return }
        if reader.revents & Int16(POLLERR) != 0 { Self.endQuietly() }
        usleep(UInt32(seconds * 1e6))
    }

    /// Whoever read has gone, as `head` does. We end as any program would, also where SIGPIPE is ignored.
    private static func endQuietly() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(128 + SIGPIPE)
    }
}
