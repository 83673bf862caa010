internal import Core

/// A notice as a mail: headers and body as they go over the wire.
struct MailMessage {
    let from: MailAddress
    let to: MailAddress
    let notice: Notice
    let date: Timestamp

    /// The whole message with CRLF line ends.
    /// - Throws: when a header would have a line break; the caller's text has none.
    func bytes() throws(Obstacle) -> [UInt8] {
        var text = ""
        for (name, value) in headers {
            // Folds are ours; any other line break would begin a header that somebody else has written.
            guard !value.replacing("\r\n =?", with: "").unicodeScalars.contains(where: { $0.value < 32 }) else {
                throw Obstacle(reason: "the mail's header \(name) would have a line break", isPermanent: true)
            }
            text += "\(name): \(value)\r\n"
        }
        return Array((text + "\r\n" + MailText.quotedPrintable(notice.body)).utf8)
    }

    private var headers: [(String, String)] {
        var headers = [
            ("From", from.header), ("To", to.header), ("Subject", MailText.headerValue(subject)),
            ("Date", Self.date(date)),
            // The same at each attempt: servers and mail programs drop a repeat.
            ("Message-ID", "<\(notice.id)@\(from.domain)>"),
            // All that is said of one alarm stands together.
            ("References", "<alarm.\(notice.alarm)@\(from.domain)>"),
            ("Auto-Submitted", "auto-generated"), ("Normwatch-Id", notice.id), ("Normwatch-Alarm", notice.alarm),
            ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "quoted-printable"),
        ]
        if notice.severity >= .danger && notice.event != .ended {
            headers += [("Importance", "high"), ("X-Priority", "1")]
        }
        return headers
    }

    /// In one line: a line break in the name of a room must not keep an alarm from being sent.
    private var subject: String {
        let scalars = notice.subject.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.isWhitespace ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
    }

    /// `Mon, 30 Nov 2026 08:00:00 +0000` (RFC 5322).
    static func date(_ instant: Timestamp) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let civil = CivilTime(instant)
        let day = Int(instant.microseconds / 86_400_000_000)  // 1970 began on a Thursday; we send nothing earlier
        let time = [civil.hour, civil.minute, civil.second].map { $0.padded(2) }.joined(separator: ":")
        return "\(days[max(day, 0) % 7]), \(civil.day) \(months[civil.month - 1]) \(civil.year) \(time) +0000"
    }
}
