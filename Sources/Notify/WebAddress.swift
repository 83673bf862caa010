internal import CCurl

/// The parts of a URL that we look at, as libcurl itself reads them.
struct WebAddress: Hashable, Sendable {
    let scheme: String
    let host: String
    /// As written; nil where the scheme's usual port is meant.
    let port: Int?
    /// A user or password stands in the URL.
    let hasCredentials: Bool

    /// nil for what is no URL, control characters included.
    init?(_ text: String) {
        guard let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
        func part(_ which: CURLUPart) -> String? {
            var found: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, which, &found, 0) == CURLUE_OK, let found else { return nil }
            defer { curl_free(found) }
            return String(cString: found)
        }
        guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST), !host.isEmpty else { return nil }
        (self.scheme, self.host) = (scheme, host)
        port = part(CURLUPART_PORT).flatMap { Int($0) }
        hasCredentials = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
    }

    /// What a slow server shares among its notices, and what reasons name.
    var place: String { port.map { "\(host):\($0)" } ?? host }

    var isLoopback: Bool { host == "localhost" || host == "[::1]" || host.hasPrefix("127.") }
}
