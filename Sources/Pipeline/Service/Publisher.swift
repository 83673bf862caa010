import Core
import Foundation
import Ingest

/// What goes out on the broker: transitions as they come, and the state of each alarm as a retained message.
///
/// The journal is the queue: a transition counts as published when the broker has confirmed it, and what was not confirmed is read from
/// the journal again.
final class Publisher {
    static let statusTopic = "normwatch/status"
    static let commandTopic = "normwatch/command"
    static let offline = JSONValue.object(["state": "offline", "version": .string(Version.number), "since": nil]).text

    enum Arrival {
        case journal(Int64)
        case notice(String)
    }

    private let connection: BrokerConnection
    /// Off too once the broker has refused: it ends the connection each time.
    var isOn: Bool
    private let speed: Double?
    private var underWay: [Int32: Arrival] = [:]
    /// The broker has confirmed transitions through here.
    private(set) var confirmed: Int64

    /// - Parameters:
    ///   - speed: shown in the status, so that a simulator can run by the same clock.
    ///   - published: number of the last transition that the broker has confirmed.
    init(_ connection: BrokerConnection, isOn: Bool, speed: Double?, published: Int64) {
        (self.connection, self.isOn, self.speed, confirmed) = (connection, isOn, speed, published)
    }

    // MARK: Connection

    /// Says that we are here and what stands, and sends what was not confirmed before.
    func opened(_ open: [Transition], unconfirmed: [(sequence: Int64, body: String)], now: Timestamp) {
        guard isOn else { return }
        var status: [String: JSONValue] = [
            "state": "online", "version": .string(Version.number), "since": .string(now.description),
        ]
        if let speed {
            status["clock"] = [
                "speed": .number(speed), "now": .string(now.description),
                "real": .string(Timestamp.systemNow.description),
            ]
        }
        _ = connection.publish(Self.statusTopic, Array(JSONValue.object(status).text.utf8), retain: true)
        for transition in open { retain(transition) }
        for row in unconfirmed { publish(row.body, number: row.sequence) }
    }

    /// Messages to people whose confirmation will not come any more.
    func takeLost() -> [String] {
        defer { underWay = [:] }
        return underWay.values.compactMap { if case .notice(let id) = $0 { id } else { nil } }
    }

    func sayGoodbye() {
        guard isOn else { return }
        _ = connection.publish(Self.statusTopic, Array(Self.offline.utf8), retain: true)
    }

    func arrived(_ id: Int32) -> Arrival? {
        let arrival = underWay.removeValue(forKey: id)
        if case .journal(let number) = arrival { confirmed = max(confirmed, number) }
        return arrival
    }

    // MARK: Transitions

    /// - Parameter last: number of the last of them in the journal.
    func publish(_ transitions: [Transition], through last: Int64) {
        guard isOn, connection.stage == .open else { return }
        for (offset, transition) in transitions.enumerated() {
            publish(transition.json.text, number: last - Int64(transitions.count - 1 - offset))
            retain(transition)
        }
    }

    /// A transition from the journal.
    func publish(_ body: String, number: Int64) {
        guard let id = connection.publish("normwatch/event", Array(body.utf8)) else { return }
        underWay[id] = .journal(number)
    }

    private func retain(_ transition: Transition) {
        guard let topic = Self.topic(of: transition) else { return }
        let payload = transition.event == .cleared ? [] : Array(transition.json.text.utf8)
        _ = connection.publish(topic, payload, retain: true)
    }

    /// Where the state of the transition's alarm stands; nil for what is no alarm.
    static func topic(of transition: Transition) -> String? {
        let place = "\(level(transition.place.building))/\(level(transition.place.flat))"
        if let kind = transition.fault {
            return "normwatch/fault/\(place)/\(level(transition.device))/\(kind.rawValue)"
        }
        return transition.hazard.map { "normwatch/alarm/\(place)/\($0.rawValue)" }
    }

    /// One level of a topic: device ids are topics themselves.
    private static func level(_ text: String?) -> String {
        guard let text, !text.isEmpty else { return "_" }
        return String(text.map { $0 == "/" ? ":" : "+#".contains($0) ? "-" : $0 })
    }

    // MARK: Messages to people

    /// A message to a person who reads it on the broker.
    /// - Returns: false when there is no connection.
    func send(_ notice: Notice) -> Bool {
        let body: JSONValue = [
            "id": .string(notice.id), "alarm": .string(notice.alarm), "severity": .string(notice.severity.rawValue),
            "subject": .string(notice.subject), "text": .string(notice.body),
        ]
        guard let id = connection.publish(notice.channel.address, Array(body.text.utf8)) else { return false }
        underWay[id] = .notice(notice.id)
        return true
    }
}
