internal import CMosquitto
package import Core
internal import Foundation

/// How an attempt to reach the broker ended.
package struct ConnectionAttempt: Sendable {
    /// In words; nil: it was reached.
    package let failure: String?
    package init(failure: String?) { self.failure = failure }
}

/// The connection to the broker, driven by the pipeline's loop.
///
/// libmosquitto acknowledges by queueing the PUBACK before it calls us, and in threaded mode the queue is written only by
/// `mosquitto_loop_write`. So messages are read, stored, and only then `flush` lets the acknowledgements out. All methods belong to the
/// loop's thread; while a connection is being made the client belongs to the connecting thread, and comes back with `finishConnecting`.
package final class BrokerConnection {
    package struct Settings: Sendable {
        package var address: BrokerAddress
        package var clientID: String
        package var subscriptions: [String]
        package var authorityFile: String?
        /// Retained message that the broker sends when we are gone.
        package var will: (topic: String, payload: String)?
        /// How long the broker keeps our session, s.
        package var sessionExpiry: UInt32 = 7 * 86_400
        /// How many messages may be unacknowledged.
        package var receiveMaximum: UInt16 = 20_000
        package var keepAlive: Int32 = 60

        package init(address: BrokerAddress, clientID: String, subscriptions: [String]) {
            (self.address, self.clientID, self.subscriptions) = (address, clientID, subscriptions)
        }
    }

    package struct Received: Sendable {
        package let message: Message
        package let packet: Redelivery.Packet
    }

    /// What happened on the connection, in order.
    package enum Occurrence: Sendable {
        case connected(sessionPresent: Bool)
        case refused(reason: String)
        case disconnected(reason: String)
        /// Granted QoS per filter of one subscription; 128 and more is a refusal.
        case subscribed(id: Int32, granted: [Int32])
        case published(id: Int32)
        /// The broker does not let us write there. Mosquitto ends the connection as well.
        case publishRefused(id: Int32)
    }

    /// Filled by the callbacks, which run inside our own calls on the loop's thread.
    fileprivate final class Inbox {
        var messages: [Received] = []
        var bytes = 0
        var occurrences: [Occurrence] = []
        var now: () -> Timestamp
        init(now: @escaping () -> Timestamp) { self.now = now }
    }

    package enum Stage: Sendable { case idle, connecting, open }

    /// How many of our own messages may be unconfirmed; the library's 20 would make a simulator slow.
    private static let sendMaximum: Int32 = 2000

    private let client: OpaquePointer
    private let inbox: Inbox
    private let settings: Settings
    package private(set) var stage = Stage.idle

    private static let prepared: Void = { mosquitto_lib_init() }()

    /// - Parameter now: gives arrival times; called once per message.
    /// - Throws: `BrokerAddress.Unusable` for settings that cannot work.
    package init(_ settings: Settings, now: @escaping () -> Timestamp) throws {
        _ = Self.prepared
        self.settings = settings
        inbox = Inbox(now: now)
        guard let client = mosquitto_new(settings.clientID, false, Unmanaged.passUnretained(inbox).toOpaque()) else {
            throw BrokerAddress.Unusable(
                description: "the client id “\(settings.clientID)” cannot be used; choose another one")
        }
        self.client = client
        mosquitto_threaded_set(client, true)
        mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
        mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, Int32(settings.receiveMaximum))
        mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, Self.sendMaximum)
        mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
        if let user = settings.address.user {
            mosquitto_username_pw_set(client, user, settings.address.password ?? "")
        }
        if settings.address.usesTLS { try useTLS() }
        if let will = settings.will {
            mosquitto_will_set(client, will.topic, Int32(will.payload.utf8.count), will.payload, 1, true)
        }
        setCallbacks(client)
    }

    deinit { mosquitto_destroy(client) }

    private func useTLS() throws {
        let code = mosquitto_tls_set(
            client, settings.authorityFile, settings.authorityFile == nil ? "/etc/ssl/certs" : nil, nil, nil, nil)
        guard code == MOSQ_ERR_SUCCESS.rawValue else {
            throw BrokerAddress.Unusable(
                description:
                    "the certificate file \(settings.authorityFile ?? "/etc/ssl/certs") cannot be used (\(reason(Int32(code)))); name one with broker.caFile"
            )
        }
    }

    // MARK: Connecting

    /// Begins a connection on a thread of its own, since resolving a name and reaching a host can take long. `done` is called there; the
    /// loop then calls `finishConnecting` with what it was given.
    package func connect(_ done: @escaping @Sendable (ConnectionAttempt) -> Void) {
        precondition(stage == .idle, "one connection at a time")
        stage = .connecting
        let attempt = Attempt(client: client, settings: settings)
        startThread { done(attempt.run()) }
    }

    /// Owns the client while it runs; the loop does not touch the client meanwhile.
    private struct Attempt: @unchecked Sendable {
        let client: OpaquePointer
        let settings: Settings

        func run() -> ConnectionAttempt {
            var properties: OpaquePointer?
            defer { mosquitto_property_free_all(&properties) }
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), settings.sessionExpiry)
            let code = mosquitto_connect_bind_v5(
                client, settings.address.host, Int32(settings.address.port), settings.keepAlive, nil, properties)
            // The system's error number belongs to this thread.
            return ConnectionAttempt(failure: code == MOSQ_ERR_SUCCESS.rawValue ? nil : reason(code))
        }
    }

    package func finishConnecting(_ attempt: ConnectionAttempt) {
        if let failure = attempt.failure {
            stage = .idle
            inbox.occurrences.append(.refused(reason: failure))
            return
        }
        stage = .open
        flush()
    }

    package func disconnect() {
        guard stage == .open else { return }
        mosquitto_disconnect_v5(client, 0, nil)
        flush()
        stage = .idle
    }

    // MARK: Messages

    /// The descriptor to poll; nil while there is no connection.
    package var socket: Int32? {
        guard stage == .open else { return nil }
        let descriptor = mosquitto_socket(client)
        return descriptor >= 0 ? descriptor : nil
    }

    package var wantsToWrite: Bool { stage == .open && mosquitto_want_write(client) }

    package var heldBytes: Int { inbox.bytes }

    /// Reads until the socket is dry, or as many messages or bytes are held.
    package func read(limit: Int, bytes: Int) {
        // A call reads one packet. Two that gave nothing mean that nothing whole is left, in the socket or behind TLS; asking the socket
        // before each packet would be one more system call for every message.
        var idle = 0
        while stage == .open, idle < 2, inbox.messages.count < limit, inbox.bytes < bytes {
            let before = inbox.messages.count + inbox.occurrences.count
            let code = mosquitto_loop_read(client, 1)
            guard code == MOSQ_ERR_SUCCESS.rawValue else { return lose(code) }
            idle = before == inbox.messages.count + inbox.occurrences.count ? idle + 1 : 0
        }
    }

    /// The messages read since the last call.
    package func takeMessages() -> [Received] {
        defer {
            inbox.messages.removeAll(keepingCapacity: true)
            inbox.bytes = 0
        }
        return inbox.messages
    }

    package func takeOccurrences() -> [Occurrence] {
        defer { inbox.occurrences.removeAll() }
        return inbox.occurrences
    }

    /// Lets out what is queued: acknowledgements and our own messages.
    package func flush() {
        guard stage == .open, mosquitto_want_write(client) else { return }
        // The library writes each acknowledgement by itself; corked they leave in full segments.
        cork(true)
        let code = mosquitto_loop_write(client, 1)
        cork(false)
        guard code == MOSQ_ERR_SUCCESS.rawValue else { return lose(code) }
    }

    private func cork(_ isOn: Bool) {
        var value: Int32 = isOn ? 1 : 0
        setsockopt(mosquitto_socket(client), Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Keep-alive; once a second is enough.
    package func maintain() {
        guard stage == .open else { return }
        let code = mosquitto_loop_misc(client)
        guard code == MOSQ_ERR_SUCCESS.rawValue else { return lose(code) }
    }

    private func lose(_ code: Int32) {
        stage = .idle
        if case .disconnected? = inbox.occurrences.last { return }
        inbox.occurrences.append(.disconnected(reason: reason(code)))
    }

    // MARK: Sending

    /// Queues a message; it leaves with the next `flush`. Returns its packet id, nil when it cannot be queued.
    package func publish(_ topic: String, _ payload: [UInt8], qos: Int32 = 1, retain: Bool = false) -> Int32? {
        guard stage == .open else { return nil }
        var id: Int32 = 0
        let code = mosquitto_publish_v5(client, &id, topic, Int32(payload.count), payload, qos, retain, nil)
        return code == MOSQ_ERR_SUCCESS.rawValue ? id : nil
    }

    /// Queues a subscription to one filter at QoS 1: at QoS 2 the broker lets go before we have stored anything.
    /// - Parameter withoutOwn: leaves out what we have sent ourselves.
    /// - Returns: its id, or nil for a filter that is none.
    package func subscribe(_ filter: String, withoutOwn: Bool) -> Int32? {
        guard mosquitto_sub_topic_check(filter) == MOSQ_ERR_SUCCESS.rawValue else { return nil }
        var id: Int32 = 0
        let options = withoutOwn ? Int32(MQTT_SUB_OPT_NO_LOCAL.rawValue) : 0
        return mosquitto_subscribe_v5(client, &id, filter, 1, options, nil) == MOSQ_ERR_SUCCESS.rawValue ? id : nil
    }

    package func unsubscribe(_ filter: String) {
        mosquitto_unsubscribe_v5(client, nil, filter, nil)
    }

    package static func isFilter(_ text: String) -> Bool {
        mosquitto_sub_topic_check(text) == MOSQ_ERR_SUCCESS.rawValue
    }
}

private func reason(_ code: Int32) -> String {
    if code == MOSQ_ERR_ERRNO.rawValue { return String(cString: strerror(errno)) }
    return String(cString: mosquitto_strerror(code))
}

// MARK: Callbacks: copy and hand over, nothing else

private func setCallbacks(_ client: OpaquePointer) {
    mosquitto_message_callback_set(client, onMessage)
    mosquitto_connect_v5_callback_set(client, onConnect)
    mosquitto_disconnect_v5_callback_set(client, onDisconnect)
    mosquitto_subscribe_v5_callback_set(client, onSubscribe)
    mosquitto_publish_v5_callback_set(client, onPublish)
}

private func inbox(_ context: UnsafeMutableRawPointer?) -> BrokerConnection.Inbox? {
    context.map { Unmanaged<BrokerConnection.Inbox>.fromOpaque($0).takeUnretainedValue() }
}

private func onMessage(_: OpaquePointer?, context: UnsafeMutableRawPointer?, raw: UnsafePointer<mosquitto_message>?) {
    guard let inbox = inbox(context), let raw = raw?.pointee, let topic = raw.topic else { return }
    let bytes = UnsafeRawBufferPointer(start: raw.payload, count: Int(raw.payloadlen))
    let message = Message(
        topic: String(cString: topic), payload: Array(bytes), isRetained: raw.retain, qos: Int(raw.qos),
        arrival: inbox.now())
    let packet = Redelivery.Packet(
        id: raw.qos == 0 ? 0 : UInt16(truncatingIfNeeded: raw.mid),
        hash: raw.qos == 0 ? 0 : Redelivery.hash(topic: topic, payload: bytes))
    inbox.messages.append(.init(message: message, packet: packet))
    inbox.bytes += bytes.count + message.topic.utf8.count + 64
}

private func onConnect(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, code: Int32, flags: Int32, _: OpaquePointer?
) {
    guard let inbox = inbox(context) else { return }
    if code == 0 {
        inbox.occurrences.append(.connected(sessionPresent: mosquitto_session_present(flags) != 0))
    } else {
        inbox.occurrences.append(.refused(reason: String(cString: mosquitto_reason_string(code))))
    }
}

private func onDisconnect(_: OpaquePointer?, context: UnsafeMutableRawPointer?, code: Int32, _: OpaquePointer?) {
    // A reason of the broker is above 127, one of the library's own below.
    let text = code > 127 ? String(cString: mosquitto_reason_string(code)) : reason(code)
    inbox(context)?.occurrences.append(.disconnected(reason: text))
}

private func onSubscribe(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, id: Int32, count: Int32, granted: UnsafePointer<Int32>?,
    _: OpaquePointer?
) {
    let granted = granted.map { Array(UnsafeBufferPointer(start: $0, count: Int(count))) } ?? []
    inbox(context)?.occurrences.append(.subscribed(id: id, granted: granted))
}

private func onPublish(_: OpaquePointer?, context: UnsafeMutableRawPointer?, id: Int32, code: Int32, _: OpaquePointer?)
{
    inbox(context)?.occurrences.append(code >= 128 ? .publishRefused(id: id) : .published(id: id))
}
