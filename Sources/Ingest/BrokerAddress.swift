internal import Foundation

/// Where a broker is and how to get in.
package struct BrokerAddress: Hashable, Sendable {
    package var host: String
    package var port: Int
    package var user: String?
    package var password: String?
    package var usesTLS: Bool

    package init(host: String, port: Int, user: String? = nil, password: String? = nil, usesTLS: Bool = false) {
        (self.host, self.port, self.user, self.password, self.usesTLS) = (host, port, user, password, usesTLS)
    }

    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads `mqtt[s]://user:password@host:port`.
    package init(url text: String) throws(Unusable) {
        guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty else {
            throw Unusable(
                description: "“\(text)” is no broker address; write it as mqtt://host:1883 or mqtts://user@host:8883")
        }
        switch url.scheme {
        case "mqtt", "tcp": usesTLS = false
        case "mqtts", "ssl", "tls": usesTLS = true
        default:
            throw Unusable(
                description:
                    "“\(url.scheme ?? "")” is no way to reach a broker; begin the address with mqtt:// or mqtts://")
        }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = url.port ?? (usesTLS ? 8883 : 1883)
        (user, password) = (url.user, url.password)
    }

    /// For people and logs: without the password.
    package var shown: String { "\(usesTLS ? "mqtts" : "mqtt")://\(user.map { $0 + "@" } ?? "")\(host):\(port)" }

    /// With the password, for our own programs.
    package var url: String {
        var url = URLComponents()
        (url.scheme, url.host, url.port, url.user, url.password) = (
            usesTLS ? "mqtts" : "mqtt", host, port, user, password
        )
        return url.string ?? shown
    }
}
