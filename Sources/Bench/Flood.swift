import Core
import Foundation
import Ingest

/// Publishes as fast as the broker takes it, at QoS 1, and counts what it has confirmed.
///
/// The packets are written out beforehand and go straight to the socket: what a publisher of the usual kind costs would be taken from
/// the receiver on a small machine, and make all receivers look alike.
final class Flood {
    private static let window = 2000
    private static let piece = 65_536

    private let descriptor: Int32
    private var stream: [UInt8] = []
    /// Where each packet ends in the stream.
    private var ends: [Int] = []
    private var written = 0
    private var confirmedBytes = 0

    /// - Throws: `BenchFailure` when the broker does not let us in.
    init(_ address: BrokerAddress, clientID: String) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(UInt16(address.port)).bigEndian
        inet_pton(AF_INET, address.host, &name.sin_addr)
        let isConnected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let hello = Self.packet(
            0x10,
            Self.text("MQTT") + [4, 0xc2, 0, 0] + Self.text(clientID) + Self.text(address.user ?? "")
                + Self.text(address.password ?? ""))
        var answer = [UInt8](repeating: 0xff, count: 4)
        guard isConnected, send(descriptor, hello, hello.count, 0) == hello.count,
            recv(descriptor, &answer, 4, Int32(MSG_WAITALL)) == 4, answer[3] == 0
        else { throw BenchFailure("the broker does not let us in: \(answer)") }
    }

    deinit { close(descriptor) }

    private static func text(_ string: String) -> [UInt8] {
        let bytes = Array(string.utf8)
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes
    }

    private static func packet(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        var head = [kind]
        var length = body.count
        repeat {
            head.append(UInt8(length & 0x7f) | (length > 0x7f ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return head + body
    }

    private var confirmed: Int { confirmedBytes / 4 }

    /// Writes a message out; it leaves with one of the next turns.
    func publish(_ topic: String, _ payload: String) {
        let id = ends.count % 65_535 + 1
        let body = Self.text(topic) + [UInt8(id >> 8), UInt8(id & 0xff)] + Array(payload.utf8)
        stream += Self.packet(0x32, body)
        ends.append(stream.count)
    }

    /// Lets messages out and confirmations in, after waiting for as long.
    func turn(milliseconds: Int32) throws {
        let limit = ends.isEmpty ? 0 : ends[min(confirmed + Self.window, ends.count) - 1]
        let events = Int16(POLLIN) | (written < limit ? Int16(POLLOUT) : 0)
        var waiting = pollfd(fd: descriptor, events: events, revents: 0)
        poll(&waiting, 1, milliseconds)
        if waiting.revents & Int16(POLLOUT) != 0 {
            let count = stream.withUnsafeBytes {
                send(
                    descriptor, $0.baseAddress! + written, min(limit - written, Self.piece),
                    Int32(MSG_DONTWAIT))
            }
            written += max(count, 0)
        }
        if waiting.revents & Int16(POLLIN) != 0 {
            var buffer = [UInt8](repeating: 0, count: Self.piece)
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { throw BenchFailure("the broker went away") }
            confirmedBytes += count
        }
    }

    /// Waits until everything is confirmed.
    func finish() throws {
        while confirmed < ends.count { try turn(milliseconds: 100) }
    }
}

/// Readings of an ordinary house with many flats: four kinds of sensor, native topics, device time.
struct HouseReadings {
    let channels: Int
    private static let kinds: [(indicator: Indicator, unit: Core.Unit, base: Double, step: Double)] = [
        (.temperature, .celsius, 20, 0.1), (.humidity, .percent, 40, 0.2), (.light, .lux, 300, 1),
        (.voltage, .volt, 228, 0.1),
    ]

    func topic(_ number: Int) -> String {
        let channel = number % channels
        return "sensors/b1/f\(channel / 4)/hall/d\(channel)/\(Self.kinds[channel % 4].indicator.rawValue)"
    }

    func payload(_ number: Int, time: Timestamp) -> String {
        let kind = Self.kinds[number % channels % 4]
        let steps = Double(number / channels % 40)
        let value: Double = ((kind.base + steps * kind.step) * 10).rounded() / 10
        return #"{"value":\#(value),"unit":"\#(kind.unit.rawValue)","time":"\#(time)"}"#
    }
}
