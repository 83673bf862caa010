internal import CMosquitto
internal import Core
internal import Foundation

/// What a broker shows of itself to a client that looks in under a name of its own, so that the service's session stays as it is.
package struct BrokerProbe: Sendable {
    package struct Unreachable: Error, CustomStringConvertible {
        package let description: String
    }

    /// Whether it speaks MQTT 5; else 3.1.1, which has neither our window nor an expiry of sessions.
    package private(set) var speaksMQTT5 = true
    /// The highest QoS it takes.
    package private(set) var maximumQoS = 2
    package private(set) var keepsRetained = true
    package private(set) var allowsWildcards = true
    /// How long it keeps a session, where it does not keep it as long as asked, s.
    package private(set) var sessionExpiry: UInt32?
    /// Name and version, where it tells.
    package private(set) var software: String?
    /// Messages that it has dropped since its start, where it tells.
    package private(set) var dropped: Int?

    private static let wantedExpiry: UInt32 = 7 * 86_400

    /// - Throws: `Unreachable` in plain words.
    package static func look(at address: BrokerAddress, authorityFile: String?, within seconds: Int) throws(Unreachable)
        -> BrokerProbe
    {
        // Names and hosts that do not answer hold a connection attempt up for long; it ends with the program.
        let result = Locked<Result<BrokerProbe, Unreachable>?>(nil)
        startThread {
            let seen = Result { () throws(Unreachable) in
                try Attempt(address, authorityFile, isMQTT5: true).run(seconds)
            }
            result.withLock { $0 = seen }
        }
        guard let seen = result.wait(atMost: .seconds(seconds + 2), for: { $0 }) else {
            throw Unreachable(description: "\(address.shown) does not answer within \(seconds) s")
        }
        return try seen.get()
    }

    /// One connection; its callbacks run inside its own calls.
    private final class Attempt {
        var seen = BrokerProbe()
        var isOpen = false
        var refusal: String?
        var refusesVersion = false
        private let client: OpaquePointer
        private let address: BrokerAddress
        private let authorityFile: String?
        private let isMQTT5: Bool

        init(_ address: BrokerAddress, _ authorityFile: String?, isMQTT5: Bool) throws(Unreachable) {
            (self.address, self.authorityFile, self.isMQTT5) = (address, authorityFile, isMQTT5)
            mosquitto_lib_init()
            let name = "normwatch-doctor-" + String(UInt32.random(in: .min ... .max), radix: 36)
            guard let client = mosquitto_new(name, true, nil) else {
                throw Unreachable(description: "no memory for a connection")
            }
            self.client = client
            seen.speaksMQTT5 = isMQTT5
            mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
            mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, isMQTT5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
            mosquitto_connect_v5_callback_set(client, probeConnected)
            mosquitto_message_callback_set(client, probeHeard)
        }

        deinit { mosquitto_destroy(client) }

        func run(_ seconds: Int) throws(Unreachable) -> BrokerProbe {
            if let user = address.user { mosquitto_username_pw_set(client, user, address.password ?? "") }
            if address.usesTLS {
                let folder = authorityFile == nil ? "/etc/ssl/certs" : nil
                try check(
                    mosquitto_tls_set(client, authorityFile, folder, nil, nil, nil), "its certificate cannot be checked"
                )
            }
            var properties: OpaquePointer?
            defer { mosquitto_property_free_all(&properties) }
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), BrokerProbe.wantedExpiry)
            try check(
                mosquitto_connect_bind_v5(
                    client, address.host, Int32(address.port), 60, nil, isMQTT5 ? properties : nil),
                "cannot be reached")
            try turn(seconds: seconds) { self.isOpen || self.refusal != nil }
            if refusesVersion && isMQTT5 {
                return try Attempt(address, authorityFile, isMQTT5: false).run(seconds)
            }
            if let refusal { throw Unreachable(description: "\(address.shown) does not let us in: \(refusal)") }
            guard isOpen else { throw Unreachable(description: "\(address.shown) does not answer within \(seconds) s") }
            mosquitto_subscribe(client, nil, "$SYS/broker/version", 0)
            mosquitto_subscribe(client, nil, "$SYS/broker/publish/messages/dropped", 0)
            try turn(seconds: 1) { self.seen.software != nil && self.seen.dropped != nil }
            leave()
            return seen
        }

        /// With an end to the session: nothing of ours stays behind.
        private func leave() {
            var properties: OpaquePointer?
            defer { mosquitto_property_free_all(&properties) }
            mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), 0)
            mosquitto_disconnect_v5(client, 0, isMQTT5 ? properties : nil)
            mosquitto_loop(client, 100, 1)
        }

        private func turn(seconds: Int, until isDone: () -> Bool) throws(Unreachable) {
            let deadline = Date(timeIntervalSinceNow: Double(seconds))
            while !isDone() && Date() < deadline {
                let code = mosquitto_loop(client, 50, 1)
                if code == MOSQ_ERR_SUCCESS.rawValue || refusal != nil { continue }
                if isOpen { return }
                try check(code, "ends the connection")
            }
        }

        private func check(_ code: Int32, _ what: String) throws(Unreachable) {
            guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
            let reason =
                code == MOSQ_ERR_ERRNO.rawValue
                ? strerror(errno) : UnsafeMutablePointer(mutating: mosquitto_strerror(code))
            throw Unreachable(description: "\(address.shown) \(what): \(reason.map { String(cString: $0) } ?? "")")
        }

        func connected(_ code: Int32, _ properties: OpaquePointer?) {
            guard code == 0 else {
                refusesVersion = code == 1 || code == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue
                refusal = String(cString: code > 5 ? mosquitto_reason_string(code) : mosquitto_connack_string(code))
                return
            }
            isOpen = true
            var byte: UInt8 = 0
            if mosquitto_property_read_byte(properties, Int32(MQTT_PROP_MAXIMUM_QOS.rawValue), &byte, false) != nil {
                seen.maximumQoS = Int(byte)
            }
            if mosquitto_property_read_byte(properties, Int32(MQTT_PROP_RETAIN_AVAILABLE.rawValue), &byte, false) != nil
            {
                seen.keepsRetained = byte != 0
            }
            if mosquitto_property_read_byte(properties, Int32(MQTT_PROP_WILDCARD_SUB_AVAILABLE.rawValue), &byte, false)
                != nil
            {
                seen.allowsWildcards = byte != 0
            }
            var number: UInt32 = 0
            let expiry = Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue)
            if mosquitto_property_read_int32(properties, expiry, &number, false) != nil,
                number < BrokerProbe.wantedExpiry
            {
                seen.sessionExpiry = number
            }
        }

        func heard(_ topic: String, _ text: String) {
            if topic.hasSuffix("/version") { seen.software = text } else { seen.dropped = Int(text) }
        }
    }

    private static let probeConnected:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32, OpaquePointer?) -> Void = {
            _, context, code, _, properties in
            context.map { Unmanaged<Attempt>.fromOpaque($0).takeUnretainedValue().connected(code, properties) }
        }

    private static let probeHeard:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafePointer<mosquitto_message>?) -> Void = {
            _, context, message in
            guard let context, let message = message?.pointee, let topic = message.topic else { return }
            let bytes = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue().heard(
                String(cString: topic), String(decoding: bytes, as: UTF8.self))
        }
}
