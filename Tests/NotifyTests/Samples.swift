@testable import Core
@testable import Notify

let someTime = Timestamp("2026-11-30T08:00:00.25Z")!

/// A notice in whose texts every trap is that mails know.
func sampleNotice(
    _ id: String = "00c0ffee00c0ffee", kind: Person.Channel.Kind = .webhook, to address: String = "",
    secret: String? = nil, severity: Severity = .danger, event: Transition.Kind = .raised,
    subject: String =
        "Gefahr: Gas (CO₂/CH₄), Küche, Uferweg 3, 2. Stock — Опасность: газ на кухне, Береговая улица, дом 3",
    body: String = "Größe: 12 %LEL > 10 %LEL\n.\n..Punkt\n\nЧто делать: откройте окна.\nKeine Schalter = keine Funken. "
) -> Notice {
    Notice(
        id: id, alarm: "a1a2a3a4a5a6a7a8", alarmClass: .alarm, event: event, severity: severity,
        recipient: "resident-12",
        channel: Person.Channel(kind: kind, address: address, secret: secret), subject: subject, body: body,
        created: someTime, transition: #"{"event":"raised","text":"Größe","value":12.5}"#)
}

/// What a worker has told, by notice id.
final class Told: Sendable {
    let begun = Locked<[String]>([])
    let results = Locked<[(id: String, result: DeliveryResult)]>([])

    /// Waits for `count` results.
    func wait(_ count: Int, atMost limit: Span = .seconds(20)) -> [String: DeliveryResult] {
        let found = results.wait(atMost: limit) { $0.count >= count ? $0 : nil } ?? results.withLock { $0 }
        return Dictionary(found.map { ($0.id, $0.result) }) { $1 }
    }
    var count: Int { results.withLock { $0.count } }
}

func worker(_ channels: OutboxWorker.Channels, depth: Int = 1000, telling told: Told) -> OutboxWorker {
    OutboxWorker(
        channels, depth: depth, now: { someTime }, onBegin: { id, _ in told.begun.withLock { $0.append(id) } },
        onResult: { id, result in told.results.withLock { $0.append((id, result)) } })
}

/// Hands over one notice, waits for the answer and stops.
func sendOnce(_ notice: Notice, _ channels: OutboxWorker.Channels) -> DeliveryResult? {
    let told = Told()
    let worker = worker(channels, telling: told)
    defer { worker.stop(within: .zero) }
    _ = worker.hand([notice])
    return told.wait(1)[notice.id]
}

extension DeliveryResult {
    var isPermanent: Bool? { if case .failed(_, let isPermanent, _) = self { isPermanent } else { nil } }
    var reason: String? { if case .failed(let reason, _, _) = self { reason } else { nil } }
    var retryAfter: Span? { if case .failed(_, _, let span) = self { span } else { nil } }
}
