internal import CSodium

/// Proves to a webhook's receiver who sent a message, and when.
enum Signature {
    /// `v1=` and the hexadecimal HMAC-SHA256 of `timestamp.body`.
    static func make(timestamp: String, body: [UInt8], secret: [UInt8]) -> String {
        precondition(isReady, "libsodium cannot start")
        var state = crypto_auth_hmacsha256_state()
        var mac = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_bytes()))
        let signed = Array((timestamp + ".").utf8) + body
        crypto_auth_hmacsha256_init(&state, secret, secret.count)
        crypto_auth_hmacsha256_update(&state, signed, UInt64(signed.count))
        crypto_auth_hmacsha256_final(&state, &mac)
        return "v1=" + mac.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static let isReady = sodium_init() >= 0
}
