package import Core
internal import Foundation
package import Ingest

/// Publishes at QoS 1 and waits until the broker has taken everything.
package func publish(
    _ messages: [(topic: String, payload: String)], to address: BrokerAddress, retain: Bool = false,
    seconds: Double = 30
) async throws {
    let name = "test-" + String(UInt32.random(in: .min ... .max), radix: 36)
    let connection = try BrokerConnection(
        .init(address: address, clientID: name, subscriptions: []),
        now: { Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1e6)) })
    let attempt = Locked<ConnectionAttempt?>(nil)
    connection.connect { ended in attempt.withLock { $0 = ended } }
    connection.finishConnecting(try await wait(for: "a connection to \(address.shown)") { attempt.withLock { $0 } })
    defer { connection.disconnect() }
    func turn() throws -> [BrokerConnection.Occurrence] {
        connection.read(limit: 10_000, bytes: 1 << 20)
        connection.flush()
        return connection.takeOccurrences()
    }
    _ = try await wait(for: "the broker's welcome") {
        try turn().contains { if case .connected = $0 { true } else { false } } ? true : nil
    }
    for message in messages { _ = connection.publish(message.topic, Array(message.payload.utf8), retain: retain) }
    var taken = 0
    _ = try await wait(for: "the broker to take \(messages.count) messages", seconds: seconds) {
        taken += try turn().reduce(0) { if case .published = $1 { $0 + 1 } else { $0 } }
        return taken >= messages.count ? true : nil
    }
}

/// Gas readings with times of their own, so that each is one reading however often it comes.
package func gas(_ values: [Double], device: String = "g1", from start: Timestamp) -> [(topic: String, payload: String)]
{
    values.enumerated().map { number, value in
        (
            "sensors/b1/f1/kitchen/\(device)/gas",
            #"{"value":\#(value),"unit":"ppm","species":"co","time":"\#(start + .seconds(Double(number) * 0.001))"}"#
        )
    }
}

/// Sends a request to a port of this machine; all that comes back, empty where nobody answers.
package func loopbackRequest(_ port: Int, _ request: String) -> String {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard withLoopback(port, { connect(descriptor, $0, $1) == 0 }) else { return "" }
    _ = Glibc.send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { all += buffer[..<count] }
    return String(decoding: all, as: UTF8.self)
}

private func withLoopback<Result>(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = in_port_t(port).bigEndian
    name.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

/// A port of this machine that is taken as long as this object is there.
package final class TakenPort {
    private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    package let number: Int

    package init() {
        let descriptor = descriptor
        precondition(withLoopback(0) { bind(descriptor, $0, $1) == 0 } && listen(descriptor, 8) == 0)
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        number = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
            return Int(pointer.pointee.sin_port.bigEndian)
        }
    }

    deinit { close(descriptor) }
}

/// A port that nobody listens on at this moment.
package func freePort() -> Int { TakenPort().number }
