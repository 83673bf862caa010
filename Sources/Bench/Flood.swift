import Core
import Foundation
import Ingest

/// Publishes as fast as the broker takes it, at QoS 1, and counts what it has confirmed.
final class Flood {
    private static let window = 2000

    private let connection: BrokerConnection
    private(set) var sent = 0
    private(set) var confirmed = 0

    init(_ address: BrokerAddress, clientID: String) throws {
        connection = try BrokerConnection(
            .init(address: address, clientID: clientID, subscriptions: []), now: { .distantPast })
        let code = Locked<ConnectionAttempt?>(nil)
        connection.connect { result in code.withLock { $0 = result } }
        guard let result = code.wait(atMost: .seconds(10), for: { $0 }) else {
            throw BenchFailure("the broker does not answer")
        }
        connection.finishConnecting(result)
        var isOpen = false
        while !isOpen {
            turn(milliseconds: 100)
            for occurrence in pending {
                if case .connected = occurrence { isOpen = true }
                if case .refused(let reason) = occurrence { throw BenchFailure("the broker refuses: \(reason)") }
            }
            pending = []
        }
    }

    private var pending: [BrokerConnection.Occurrence] = []

    /// Lets messages out and confirmations in.
    func turn(milliseconds: Int32) {
        connection.flush()
        guard let socket = connection.socket else { return }
        var descriptor = pollfd(
            fd: socket, events: Int16(POLLIN) | (connection.wantsToWrite ? Int16(POLLOUT) : 0), revents: 0)
        if poll(&descriptor, 1, milliseconds) > 0, descriptor.revents & Int16(POLLIN) != 0 {
            connection.read(limit: 10_000, bytes: 1 << 20)
        }
        for occurrence in connection.takeOccurrences() {
            if case .published = occurrence { confirmed += 1 } else { pending.append(occurrence) }
        }
    }

    /// Queues one message; waits while too many are unconfirmed.
    func publish(_ topic: String, _ payload: String) throws {
        while sent - confirmed >= Self.window { turn(milliseconds: 100) }
        guard connection.publish(topic, Array(payload.utf8)) != nil else { throw BenchFailure("the broker went away") }
        sent += 1
        if sent % 64 == 0 { turn(milliseconds: 0) }
    }

    /// Waits until everything is confirmed.
    func finish() {
        while confirmed < sent { turn(milliseconds: 100) }
        connection.maintain()
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
