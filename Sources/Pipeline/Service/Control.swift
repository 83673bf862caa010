package import Core
internal import Foundation
package import Store

/// What another process of ours asks the service for: one JSON line each way on `control.sock`.
package enum ControlRequest: Codable, Sendable {
    case command(Command)
    /// A site document; with `dryRun` only the plan is told.
    case site(document: String, dryRun: Bool)
    case reloadNorms(by: String, reason: String)
}

package struct ControlReply: Codable, Sendable {
    package let isDone: Bool
    package let lines: [String]
    package init(isDone: Bool, lines: [String]) { (self.isDone, self.lines) = (isDone, lines) }
}

/// Listens on the data folder's socket. One request at a time, each with a time limit: a caller that stalls holds up nobody but other
/// callers, and those not for long.
final class ControlServer: Sendable {
    private static let limit = 8 << 20

    private let descriptor: Int32
    private let path: String

    /// - Throws: `DataFolder.Trouble` when the socket cannot be made.
    init(path: String, mailbox: Mailbox) throws {
        self.path = path
        unlink(path)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let isBound = withSocketAddress(path) { address, length in bind(descriptor, address, length) == 0 }
        guard isBound, chmod(path, 0o600) == 0, listen(descriptor, 16) == 0 else {
            close(descriptor)
            throw DataFolder.Trouble(
                description:
                    "\(path) cannot be listened on (\(String(cString: strerror(errno)))); name a data folder with a shorter path"
            )
        }
        let listening = descriptor
        startThread {
            while true {
                let client = accept(listening, nil, nil)
                guard client >= 0 else {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    return
                }
                Self.serve(client, mailbox)
                close(client)
            }
        }
    }

    func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
        unlink(path)
    }

    private static func serve(_ client: Int32, _ mailbox: Mailbox) {
        setTimeout(client, seconds: 5)
        let reply: ControlReply
        if let line = readLine(client), let request = try? JSONDecoder().decode(ControlRequest.self, from: Data(line)) {
            let answer = Locked<ControlReply?>(nil)
            mailbox.post(.request(request, reply: { reply in answer.withLock { $0 = reply } }))
            reply =
                answer.wait(atMost: .seconds(30), for: { $0 })
                ?? ControlReply(isDone: false, lines: ["the service does not answer"])
        } else {
            reply = ControlReply(
                isDone: false, lines: ["the request cannot be understood; is the service of another version?"])
        }
        if let data = try? JSONEncoder().encode(reply) { send(client, Array(data) + [UInt8(ascii: "\n")]) }
    }

    fileprivate static func readLine(_ descriptor: Int32) -> [UInt8]? {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while line.count < limit {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return nil }
            line.append(contentsOf: buffer[0..<count])
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return Array(line[..<end]) }
        }
        return nil
    }

    fileprivate static func send(_ descriptor: Int32, _ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    fileprivate static func setTimeout(_ descriptor: Int32, seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }
}

/// The other end.
package enum ControlClient {
    /// - Returns: nil when nobody listens.
    /// - Throws: `DataFolder.Trouble` when a service is there and does not answer, or may not be asked.
    package static func ask(_ folder: DataFolder, _ request: ControlRequest) throws -> ControlReply? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        ControlServer.setTimeout(descriptor, seconds: 60)
        guard withSocketAddress(folder.socket, { connect(descriptor, $0, $1) == 0 }) else {
            if [ENOENT, ECONNREFUSED, ENAMETOOLONG].contains(errno) { return nil }
            throw DataFolder.Trouble(
                description:
                    "\(folder.socket) cannot be used (\(String(cString: strerror(errno)))); call as the user that the service runs as"
            )
        }
        ControlServer.send(descriptor, Array(try JSONEncoder().encode(request)) + [UInt8(ascii: "\n")])
        guard let line = ControlServer.readLine(descriptor) else {
            throw DataFolder.Trouble(description: "the service on \(folder.path) gave no answer")
        }
        return try JSONDecoder().decode(ControlReply.self, from: Data(line))
    }
}

/// A path as the C functions for sockets want it; false for one that is too long.
private func withSocketAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
        errno = ENAMETOOLONG
        return false
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
