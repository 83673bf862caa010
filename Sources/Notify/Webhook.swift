internal import Core

/// Posts a notice as JSON to an address that the administrator chose.
struct Webhook: TransferSender {
    var settings: WebhookSettings

    func server(of notice: Notice) -> String { WebAddress(notice.channel.address)?.place ?? "" }

    func plan(_ notice: Notice, at now: Timestamp) throws(Obstacle) -> TransferPlan {
        guard let address = WebAddress(notice.channel.address), ["http", "https"].contains(address.scheme) else {
            throw Obstacle(reason: "the webhook's url is no web address", isPermanent: true)
        }
        let body = Array(Self.document(notice).text.utf8)
        let timestamp = String(now.microseconds / 1_000_000)
        var headers = [
            "Content-Type: application/json", "User-Agent: Normwatch", "Expect:", "Normwatch-Id: \(notice.id)",
            "Idempotency-Key: \(notice.id)", "Normwatch-Timestamp: \(timestamp)",
        ]
        if let reference = notice.channel.secret {
            // Never unsigned instead: the receiver would drop it, or worse, learn to take unsigned messages.
            let secret = try SecretReference(reference, folder: settings.secretsFolder).read()
            headers.append(
                "Normwatch-Signature: " + Signature.make(timestamp: timestamp, body: body, secret: secret))
        }
        guard !headers.contains(where: { $0.contains { $0.isNewline } }) else {
            throw Obstacle(reason: "a header of the webhook would have a line break", isPermanent: true)
        }
        return TransferPlan(
            url: notice.channel.address, payload: .post(headers: headers, body: body), caFile: settings.caFile,
            connectWithin: settings.connectWithin, endWithin: settings.endWithin)
    }

    /// The same bytes at each attempt.
    static func document(_ notice: Notice) -> JSONValue {
        [
            "id": .string(notice.id), "alarm": .string(notice.alarm), "class": .string(notice.alarmClass.rawValue),
            "event": .string(notice.event.rawValue), "severity": .string(notice.severity.rawValue),
            "recipient": .string(notice.recipient), "subject": .string(notice.subject), "body": .string(notice.body),
            "created": .string(notice.created.description),
            "transition": (try? JSONValue(parsing: notice.transition)) ?? .string(notice.transition),
        ]
    }

    func result(of end: TransferEnd, server: String) -> DeliveryResult {
        // A 2xx is a yes, even when the rest of the answer breaks off.
        if (200...299).contains(end.status) { return .delivered }
        if end.status < 200 || end.trouble == .cancelled {
            return end.commonResult(server: server)
                ?? .temporary("\(server) gave no proper answer: \(end.words.asRemark)")
        }
        let answer = "\(server) answered \(end.status)"
        switch end.status {
        case 301, 308: return .permanent("\(answer): it has moved; put the new address into the site document")
        // A captive portal or a maintenance page answers so; neither stays.
        case 300...399: return .temporary("\(answer): it points elsewhere, which is not followed")
        // 401: our secret is not theirs; the message is fine and goes out once somebody has put that right.
        case 401: return .temporary("\(answer): it does not accept our signature or login")
        case 408, 425, 429: return .temporary(answer, retryAfter: end.retryAfter)
        case 400...499: return .permanent("\(answer): it refuses the message")
        default: return .temporary(answer, retryAfter: end.retryAfter)
        }
    }
}
