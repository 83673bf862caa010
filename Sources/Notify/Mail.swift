internal import Core

/// Sends a notice as a mail through the installation's own server.
struct Mail: TransferSender {
    var settings: MailSettings

    func server(of notice: Notice) -> String { WebAddress(settings.server)?.place ?? "" }

    func plan(_ notice: Notice, at now: Timestamp) throws(Obstacle) -> TransferPlan {
        let to = try MailAddress(notice.channel.address)
        let message = MailMessage(from: settings.from, to: to, notice: notice, date: now)
        var login: TransferPlan.Login?
        if let user = settings.user, let password = settings.password {
            login = TransferPlan.Login(user: user, password: try password.read())
        }
        return TransferPlan(
            url: settings.server,
            payload: .mail(
                from: settings.from.address, to: to.address, message: try message.bytes(), login: login,
                encryption: settings.encryption),
            caFile: settings.caFile, connectWithin: settings.connectWithin, endWithin: settings.endWithin)
    }

    /// Refusals of ourselves, not of the message: it goes out once somebody has put the login right.
    private static let loginCodes: Set<Int> = [530, 534, 535, 538]

    func result(of end: TransferEnd, server: String) -> DeliveryResult {
        if end.trouble == nil || end.wasAccepted { return .delivered }
        if let result = end.commonResult(server: server) { return result }
        let said = (end.refusal.isEmpty ? end.words : end.refusal).asRemark
        if end.trouble == .login || Self.loginCodes.contains(end.status) {
            return .temporary("the mail server \(server) does not let us in: \(said)")
        }
        switch end.status / 100 {
        case 5: return .permanent("the mail server \(server) refuses: \(said)")
        case 4: return .temporary("the mail server \(server) puts us off: \(said)")
        default: return .temporary("the mail server \(server) broke off: \(end.words.asRemark)")
        }
    }
}
