internal import Core

/// One attempt that libcurl is to make, as a value.
struct TransferPlan: Hashable, Sendable {
    enum Payload: Hashable, Sendable {
        case post(headers: [String], body: [UInt8])
        case mail(from: String, to: String, message: [UInt8], login: Login?, encryption: MailSettings.Encryption)
    }
    struct Login: Hashable, Sendable {
        var user: String
        var password: [UInt8]
    }

    var url: String
    var payload: Payload
    /// Certificates to trust instead of the system's.
    var caFile: String?
    var connectWithin: Span
    /// From the beginning to the server's last answer.
    var endWithin: Span
}

/// How it ended, as a value, so that the judgement on it can be tested alone.
struct TransferEnd: Hashable, Sendable {
    /// The stage that failed, as far as the treatment differs.
    enum Trouble: Hashable, Sendable {
        case name, connection, time, encryption, login, cancelled, other
    }
    /// nil where libcurl saw nothing wrong.
    var trouble: Trouble?
    /// The last code of the server, or 0.
    var status: Int
    /// libcurl's own words.
    var words = ""
    /// The server's last line that says no; SMTP only.
    var refusal = ""
    /// The server has said that the message is its business now, whatever went wrong afterwards; SMTP only.
    var wasAccepted = false
    var retryAfter: Span?
}

/// Turns notices into attempts, and their ends into results.
protocol TransferSender: Sendable {
    /// Notices with an equal key share one server.
    func server(of notice: Notice) -> String
    /// - Throws: what prevents the attempt.
    func plan(_ notice: Notice, at now: Timestamp) throws(Obstacle) -> TransferPlan
    func result(of end: TransferEnd, server: String) -> DeliveryResult
}

extension TransferEnd {
    /// The troubles that are alike on every channel; nil where the server's code decides.
    func commonResult(server: String) -> DeliveryResult? {
        switch trouble {
        case .name: .temporary("the name \(server) was not found: \(words.asRemark)")
        case .connection: .temporary("no connection to \(server): \(words.asRemark)")
        case .time: .temporary("\(server) did not answer in time")
        case .encryption: .temporary("no safe connection to \(server): \(words.asRemark)")
        case .cancelled: .temporary("broken off because the program stops")
        case .login, .other, nil: nil
        }
    }
}
