internal import Foundation
package import Ingest

/// A mosquitto of the test's own that lets everybody in.
package final class Mosquitto {
    package let address: BrokerAddress
    private let child: Child

    package init(_ folder: TemporaryFolder, port: Int, _ lines: String..., anonymous: Bool = true, text: String = "")
        throws
    {
        let anybody = anonymous ? ["allow_anonymous true"] : []
        let text = (["listener \(port) 127.0.0.1"] + anybody + lines).joined(separator: "\n") + "\n" + text
        let file = try folder.file("mosquitto-\(port).conf", text)
        address = BrokerAddress(host: "127.0.0.1", port: port)
        child = try Child(
            ["/usr/sbin/mosquitto", "-c", file], output: folder.path + "/mosquitto.out",
            error: folder.path + "/mosquitto.err")
    }

    package func stop() { child.signal(SIGTERM) }
}
