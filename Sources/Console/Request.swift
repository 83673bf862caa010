/// What a client asks, as a value: handlers and their tests need no socket.
package struct Request: Hashable, Sendable {
    package var method: String
    /// Without escapes; begins with a slash.
    package var path: String
    /// In the order sent; a key may stand several times.
    package var query: [Pair]
    /// Names in small letters; of several with one name the last.
    package var headers: [String: String]
    package var body: [UInt8]
    /// The numeric address of the other end of the connection.
    package var peer: String

    package struct Pair: Hashable, Sendable {
        package let key: String
        package let value: String
        package init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
    }

    package init(
        _ method: String, _ path: String, query: [Pair] = [], headers: [String: String] = [:], body: [UInt8] = [],
        peer: String = "127.0.0.1"
    ) {
        (self.method, self.path, self.query, self.headers) = (method, path, query, headers)
        (self.body, self.peer) = (body, peer)
    }

    /// The client runs on this machine. One that was forwarded to us does not, although the proxy does.
    package var isFromThisMachine: Bool {
        let isLoopback = peer == "::1" || peer.hasPrefix("127.") || peer.hasPrefix("::ffff:127.")
        return isLoopback
            && !["forwarded", "x-forwarded-for", "x-real-ip", "via"].contains { headers[$0] != nil }
    }

    /// Text without its percent escapes; nil where an escape is broken, or names NUL or no UTF-8.
    static func unescaped(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
