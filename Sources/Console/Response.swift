package import Core

/// What we answer, as a value.
package struct Response: Hashable, Sendable {
    package var status: Int
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    package static func text(_ text: String, status: Int = 200) -> Self {
        Self(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array((text + "\n").utf8))
    }

    package static func json(_ value: JSONValue, status: Int = 200) -> Self {
        Self(status: status, headers: ["Content-Type": "application/json"], body: Array((value.text + "\n").utf8))
    }

    /// With the headers that every answer has, unless the handler has set its own: nothing is framed, sniffed, cached or
    /// loaded from elsewhere.
    func hardened() -> Self {
        var response = self
        let usual = [
            "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
            "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
            "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
        ]
        response.headers.merge(usual) { own, _ in own }
        return response
    }
}
