import Core
import Foundation
import Ingest
import Pipeline

/// The broker, ours or another.
extension Doctor {
    private var mosquitto: Sign? {
        PrivateBroker.binary.map { .ok("mosquitto", $0) }
    }

    func broker(_ configuration: Configuration) -> [Sign] {
        let part = "broker"
        let given = arguments.value("broker") ?? configuration.brokerURL
        let missing = Sign.bad(
            "mosquitto", "is not installed, and no other broker is named",
            "apt-get install mosquitto, or name a broker with --broker")
        guard let url = given ?? addresses?.broker else {
            return [mosquitto ?? missing, .ok(part, "none is named: the service starts a private one")]
        }
        do {
            var address = try BrokerAddress(url: url)
            if given != nil {
                address.user = configuration.user ?? address.user
                address.password =
                    address.password ?? ProcessInfo.processInfo.environment["NORMWATCH_BROKER_PASSWORD"]
                    ?? configuration.password
            }
            if given == nil, address.user != nil, address.password == nil {
                return [
                    .warn(
                        part, "the service uses \(address.shown)",
                        "name the configuration file with --config, so that doctor can log in too")
                ]
            }
            let isPrivate = given == nil && address.password != nil
            let probe = try BrokerProbe.look(at: address, authorityFile: configuration.caFile, within: 10)
            return (isPrivate ? [mosquitto ?? missing] : []) + judge(probe, address, isPrivate: isPrivate)
        } catch {
            return [
                .bad(part, "\(error)", "check address, user, password and certificate, and whether the broker runs")
            ]
        }
    }

    private func judge(_ probe: BrokerProbe, _ address: BrokerAddress, isPrivate: Bool) -> [Sign] {
        let part = "broker"
        let name = "\(address.shown)\(probe.software.map { ", \($0)" } ?? "")"
        guard probe.speaksMQTT5 else {
            return [
                .bad(
                    part, "\(name) speaks MQTT 3.1.1 only",
                    "use a broker that speaks MQTT 5 (mosquitto from 1.6 on); this version needs it")
            ]
        }
        var signs: [Sign] = [.ok(part, "\(name), MQTT 5\(isPrivate ? ", private" : "")")]
        func warn(_ text: String, _ remedy: String) { signs.append(.warn(part, text, remedy)) }
        if probe.maximumQoS < 1 {
            warn("it takes QoS 0 only", "allow QoS 1, else readings are lost whenever the service is away")
        }
        if !probe.keepsRetained {
            warn(
                "it keeps no retained messages", "allow them, else devices are unknown after a restart until they speak"
            )
        }
        if !probe.allowsWildcards { warn("it allows no wildcards", "name every topic under broker.subscribe") }
        if let expiry = probe.sessionExpiry {
            warn(
                "it keeps our session for \(expiry) s only",
                "raise its limit to 7 days, else readings are lost when the service is away for longer")
        }
        if let dropped = probe.dropped, dropped > 0 {
            warn(
                "it has dropped \(dropped) messages since its start",
                "raise max_queued_messages and max_inflight_messages; docs/operating.md has a sample")
        }
        if !isPrivate && probe.dropped == nil {
            warn("it does not show how many messages it drops", "let our user read $SYS/#, so that a loss is noticed")
        }
        if !address.usesTLS && !isPrivate && !["127.0.0.1", "::1", "localhost"].contains(address.host) {
            warn("the connection is not encrypted", "use mqtts://")
        }
        return signs
    }
}
