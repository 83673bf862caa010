import Core
import Foundation
import Ingest
import Support
import Testing

/// A connection driven by the test, as the loop drives it.
private final class Client {
    let connection: BrokerConnection
    private(set) var occurrences: [BrokerConnection.Occurrence] = []
    private(set) var received: [BrokerConnection.Received] = []

    init(_ address: BrokerAddress, _ id: String) throws {
        connection = try BrokerConnection(
            .init(address: address, clientID: id, subscriptions: []), now: { Story.start })
    }

    func connect() {
        let attempt = Locked<ConnectionAttempt?>(nil)
        connection.connect { result in attempt.withLock { $0 = result } }
        connection.finishConnecting(
            attempt.wait(atMost: .seconds(10), for: { $0 }) ?? ConnectionAttempt(failure: "no answer"))
    }

    /// Reads, and lets out unless told not to, until `isDone` or ten seconds have passed.
    func turn(acknowledge: Bool = true, until isDone: (Client) -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 10)
        while Date() < deadline {
            if acknowledge { connection.flush() }
            if let socket = connection.socket {
                var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                poll(&descriptor, 1, 20)
            } else {
                usleep(5000)
            }
            connection.read(limit: 100_000, bytes: 1 << 24)
            occurrences += connection.takeOccurrences()
            received += connection.takeMessages()
            if isDone(self) { return true }
        }
        return false
    }

    var sessionPresent: Bool? {
        occurrences.lazy.compactMap { if case .connected(let present) = $0 { present } else { nil } }.last
    }
    var confirmed: Int { occurrences.count { if case .published = $0 { true } else { false } } }
    var refusal: String? {
        occurrences.lazy.compactMap { if case .refused(let reason) = $0 { reason } else { nil } }.first
    }
}

@Suite("The broker is told that a message is done only when we say so", .serialized)
struct BrokerTests {
    private let folder = TemporaryFolder()

    private func broker() throws -> PrivateBroker { try PrivateBroker(folder: folder.path + "/broker", listen: nil) }

    @Test("What was read but not let go comes again in order under its old ids; what was let go does not")
    func acknowledgement() throws {
        let broker = try broker()
        defer { broker.stop() }
        let publisher = try Client(broker.address, "publisher")
        publisher.connect()
        #expect(publisher.turn { $0.sessionPresent != nil })
        var first: [Redelivery.Packet] = []
        do {
            let subscriber = try Client(broker.address, "subscriber")
            subscriber.connect()
            #expect(subscriber.turn { $0.sessionPresent != nil })
            _ = subscriber.connection.subscribe("t/#", withoutOwn: true)
            #expect(subscriber.turn { $0.occurrences.contains { if case .subscribed = $0 { true } else { false } } })
            for number in 0..<300 { _ = publisher.connection.publish("t/\(number)", Array("\(number)".utf8)) }
            #expect(publisher.turn { $0.confirmed == 300 })
            #expect(subscriber.turn(acknowledge: false) { $0.received.count >= 300 })
            first = subscriber.received.map(\.packet)
        }
        let again = try Client(broker.address, "subscriber")
        again.connect()
        #expect(again.turn { $0.received.count >= 300 })
        #expect(again.sessionPresent == true)
        #expect(again.received.map(\.packet) == first)
        // What the broker confirms after our acknowledgements proves that it has read them.
        _ = again.connection.publish("other", [1])
        #expect(again.turn { $0.confirmed == 1 })
        again.connection.disconnect()
        let third = try Client(broker.address, "subscriber")
        third.connect()
        _ = publisher.connection.publish("t/new", [1])
        publisher.connection.flush()
        #expect(third.turn { !$0.received.isEmpty })
        #expect(third.received.map(\.message.topic) == ["t/new"])
    }

    @Test("The private broker lets nobody in without a password, and devices do not read what we publish")
    func accounts() throws {
        let broker = try broker()
        defer { broker.stop() }
        var stranger = broker.address
        (stranger.user, stranger.password) = (nil, nil)
        let outside = try Client(stranger, "outside")
        outside.connect()
        #expect(outside.turn { $0.refusal != nil })
        var device = broker.address
        (device.user, device.password) = (broker.devices.user, broker.devices.password)
        let inside = try Client(device, "device")
        inside.connect()
        #expect(inside.turn { $0.sessionPresent == false })
        _ = inside.connection.subscribe("normwatch/#", withoutOwn: false)
        _ = inside.connection.subscribe("sensors/#", withoutOwn: false)
        #expect(inside.turn { $0.occurrences.count >= 3 })
        let own = try Client(broker.address, "own")
        own.connect()
        #expect(own.turn { $0.sessionPresent != nil })
        _ = own.connection.publish("normwatch/event", [1])
        _ = own.connection.publish("sensors/a", [1])
        #expect(own.turn { $0.confirmed == 2 })
        #expect(inside.turn { $0.received.contains { $0.message.topic == "sensors/a" } })
        #expect(!inside.received.contains { $0.message.topic.hasPrefix("normwatch/") })
    }

    @Test("It keeps what is queued for us when it is killed, and is started again")
    func killed() throws {
        let broker = try broker()
        defer { broker.stop() }
        let subscriber = try Client(broker.address, "subscriber")
        subscriber.connect()
        #expect(subscriber.turn { $0.sessionPresent != nil })
        _ = subscriber.connection.subscribe("t", withoutOwn: true)
        #expect(subscriber.turn { $0.occurrences.count >= 2 })
        subscriber.connection.disconnect()
        let publisher = try Client(broker.address, "publisher")
        publisher.connect()
        #expect(publisher.turn { $0.sessionPresent != nil })
        for number in 0..<2000 { _ = publisher.connection.publish("t", Array("\(number)".utf8)) }
        #expect(publisher.turn { $0.confirmed == 2000 })
        // It saves once a second.
        let saved = folder.path + "/broker/mosquitto.db"
        let deadline = Date(timeIntervalSinceNow: 5)
        while (try? FileManager.default.attributesOfItem(atPath: saved)[.size] as? Int) ?? 0 < 20_000, Date() < deadline
        { usleep(20_000) }
        kill(broker.processID, SIGKILL)
        var isAgain = false
        while !isAgain, Date() < deadline + 10 {
            isAgain = try broker.tend()
            usleep(10_000)
        }
        #expect(isAgain)
        let again = try Client(broker.address, "subscriber")
        again.connect()
        #expect(again.turn { $0.received.count >= 2000 })
        #expect(again.sessionPresent == true)
    }

    @Test("A port in use is said so")
    func portInUse() throws {
        let broker = try broker()
        defer { broker.stop() }
        let failure = #expect(throws: PrivateBroker.Failed.self) {
            try PrivateBroker(folder: folder.path + "/second", listen: ("127.0.0.1", broker.address.port))
        }
        #expect(failure?.description.contains("127.0.0.1:\(broker.address.port) is in use") == true)
    }

    @Test("A broker that is not there is a refusal with a reason, not an error")
    func absent() throws {
        let client = try Client(BrokerAddress(host: "127.0.0.1", port: 9), "nobody")
        client.connect()
        #expect(client.turn { $0.refusal != nil })
        #expect(client.refusal?.contains("refused") == true)
    }

    @Test(
        "Addresses are read as people write them",
        arguments: [
            ("mqtt://host", "mqtt://host:1883"), ("mqtts://u@host", "mqtts://u@host:8883"),
            ("mqtt://u:p@10.0.0.1:1884", "mqtt://u@10.0.0.1:1884"),
        ])
    func addresses(_ text: String, _ shown: String) throws {
        #expect(try BrokerAddress(url: text).shown == shown)
    }

    @Test("What is no address is refused with an example", arguments: ["", "host:1883", "http://host", "mqtt://"])
    func noAddress(_ text: String) {
        let error = #expect(throws: BrokerAddress.Unusable.self) { try BrokerAddress(url: text) }
        #expect(error?.description.contains("mqtt://") == true)
    }
}
