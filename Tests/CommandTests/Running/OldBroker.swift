import Core
import Foundation
import Support
import Ingest

/// Answers like a broker that knows MQTT 3.1.1 and nothing newer.
final class OldBroker: Sendable {
    let port: Int
    private let descriptor: Int32

    init() {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                precondition(bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0)
            }
        }
        port = Int(name.sin_port.bigEndian)
        self.descriptor = descriptor
        precondition(listen(descriptor, 8) == 0)
        startThread {
            while case let client = accept(descriptor, nil, nil), client >= 0 {
                var packet = [UInt8](repeating: 0, count: 512)
                // The version is the byte behind the name of the protocol: 5, or 4 for 3.1.1.
                let count = recv(client, &packet, packet.count, 0)
                let isKnown = count > 8 && packet[8] == 4
                _ = Glibc.send(client, [0x20, 2, 0, isKnown ? 0 : 1] as [UInt8], 4, Int32(MSG_NOSIGNAL))
                if isKnown { while recv(client, &packet, packet.count, 0) > 0 {} }
                close(client)
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}
