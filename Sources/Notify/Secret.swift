internal import Glibc

/// Where a secret is kept: a file, or a variable of the environment. The secret itself is read for each use, so that it can be
/// changed without a restart, and stays out of every text that we write.
package enum SecretReference: Hashable, Sendable {
    case file(String)
    case environment(String)

    /// A path, or `env:NAME`. Relative paths begin at `folder`.
    package init(_ text: String, folder: String = "") {
        if text.hasPrefix("env:") {
            self = .environment(String(text.dropFirst(4)))
        } else {
            self = .file(text.hasPrefix("/") || folder.isEmpty ? text : folder + "/" + text)
        }
    }

    /// Why it cannot be used now, in plain words; nil: it can.
    package var trouble: String? {
        do {
            _ = try read()
            return nil
        } catch {
            return error.reason
        }
    }

    /// The bytes without the line break that editors leave at the end.
    /// - Throws: when it cannot be read, is empty, or is over 4 KiB. Not permanent: somebody can put it right.
    func read() throws(Obstacle) -> [UInt8] {
        var bytes: [UInt8]
        switch self {
        case .file(let path): bytes = try Self.contents(path)
        case .environment(let name):
            guard let value = getenv(name) else { throw obstacle("is not set") }
            bytes = Array(String(cString: value).utf8)
        }
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw obstacle("is empty") }
        return bytes
    }

    private static func contents(_ path: String) throws(Obstacle) -> [UInt8] {
        let reference = Self.file(path)
        // Not blocking: a pipe that nobody writes to must not hold up the channel.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw reference.obstacle(String(cString: strerror(errno))) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4097)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw reference.obstacle(String(cString: strerror(errno))) }
        guard count < bytes.count else { throw reference.obstacle("is too long for a secret") }
        return Array(bytes.prefix(count))
    }

    private func obstacle(_ what: String) -> Obstacle {
        let name =
            switch self {
            case .file(let path): "the secret in \(path)"
            case .environment(let name): "the secret in the variable \(name)"
            }
        return Obstacle(reason: "\(name) cannot be used: \(what)", isPermanent: false)
    }
}
