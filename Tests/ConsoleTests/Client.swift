import Core
import Glibc

/// A client that sends exactly the bytes it is given: a library would not send what we must be safe from.
final class Client: Sendable {
    private let descriptor: Int32

    init(port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        (self.descriptor, isConnected) = (descriptor, code == 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)  // a test that waits for nothing ends
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    let isConnected: Bool

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// What comes until the other side closes, or until `end` has come.
    func receive(until end: String? = nil) -> String {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end, String(decoding: all, as: UTF8.self).contains(end) { break }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { break }
            all += buffer[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// One request on a connection of its own; the whole answer.
    static func ask(_ port: Int, _ head: String, body: String = "") -> String {
        let client = Client(port: port)
        client.send(head + "\r\nHost: localhost\r\nConnection: close\r\n\r\n" + body)
        return client.receive()
    }
}
