internal import CMicroHTTPD  // the socket types belong to this module or to Glibc, depending on the build
internal import Glibc

/// Why the console cannot listen, in plain words.
package struct ListenerError: Error, Hashable, CustomStringConvertible {
    package let description: String
}

/// A TCP socket that listens; whoever takes `descriptor` closes it.
struct ListeningSocket {
    let descriptor: Int32
    /// The one that the system chose where 0 was asked for.
    let port: Int

    /// - Parameters:
    ///   - address: numeric (`127.0.0.1`, `::1`, `0.0.0.0`, `::`), or `localhost`.
    ///   - port: 0 is any that is free.
    init(address: String, port: Int) throws(ListenerError) {
        guard (0...65_535).contains(port) else {
            throw ListenerError(description: "\(port) is no port; use 1 to 65535, or 0 for any that is free")
        }
        var hints = addrinfo()
        (hints.ai_socktype, hints.ai_flags) = (Int32(SOCK_STREAM.rawValue), AI_NUMERICHOST | AI_NUMERICSERV)
        var found: UnsafeMutablePointer<addrinfo>?
        let name = address == "localhost" ? "127.0.0.1" : address
        guard getaddrinfo(name, String(port), &hints, &found) == 0, let info = found?.pointee else {
            throw ListenerError(
                description: "“\(address)” is no address to listen on; use 127.0.0.1 for this machine only, "
                    + "0.0.0.0 or :: for everybody, or one of this machine's own addresses")
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard descriptor >= 0, bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, 128) == 0 else {
            let reason = errno
            close(descriptor)
            throw Self.error(reason, address, port)
        }
        self.descriptor = descriptor
        self.port = port == 0 ? Self.port(of: descriptor) : port
    }

    private static func error(_ reason: Int32, _ address: String, _ port: Int) -> ListenerError {
        let remedy =
            switch reason {
            case EADDRINUSE: "another program listens there already; stop it, or choose another port"
            case EADDRNOTAVAIL: "this machine does not have that address"
            case EACCES: "ports below 1024 need a privilege; choose a higher one"
            default: String(cString: strerror(reason))
            }
        let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        return ListenerError(description: "cannot listen on \(place): \(remedy)")
    }

    private static func port(of descriptor: Int32) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
            // The port stands in the same place for both families.
            return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Int($0.pointee.sin_port.bigEndian) }
        }
    }

    /// The numeric form of a peer's address; empty for none.
    static func text(_ address: UnsafePointer<sockaddr>?) -> String {
        guard let address else { return "" }
        let isIPv6 = address.pointee.sa_family == sa_family_t(AF_INET6)
        let length = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        var text = [CChar](repeating: 0, count: 64)
        guard getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return ""
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
