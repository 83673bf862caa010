package import Core

/// How webhooks are sent; the addresses and their secrets are in the site document.
package struct WebhookSettings: Hashable, Sendable {
    /// Where the relative paths of `secretFile` begin.
    package var secretsFolder: String
    /// Certificates to trust instead of the system's, for a receiver with a certificate of its own.
    package var caFile: String?
    package var connectWithin: Span
    package var endWithin: Span

    package init(
        secretsFolder: String = "", caFile: String? = nil, connectWithin: Span = .seconds(10),
        endWithin: Span = .seconds(20)
    ) {
        (self.secretsFolder, self.caFile) = (secretsFolder, caFile)
        (self.connectWithin, self.endWithin) = (connectWithin, endWithin)
    }
}

/// The mail server of the installation.
package struct MailSettings: Hashable, Sendable {
    /// What is asked of a `smtp://` server; `smtps://` is encrypted from its first byte.
    package enum Encryption: String, CaseIterable, Sendable {
        /// STARTTLS, or nothing is sent.
        case required
        /// STARTTLS where the server offers it: whoever sits between can take the offer away.
        case offered
        case never
    }

    /// `smtp://host[:port]` or `smtps://host[:port]`.
    package let server: String
    package let from: MailAddress
    package let user: String?
    package let password: SecretReference?
    package let encryption: Encryption
    package let caFile: String?
    package var connectWithin = Span.seconds(15)
    /// Some servers look into a mail for half a minute before they take it.
    package var endWithin = Span.seconds(60)

    /// - Parameter encryption: nil is `required`, and `never` for a server on this machine.
    /// - Throws: all that is wrong, with paths below `mail`.
    package init(
        server: String, from: String, user: String? = nil, password: SecretReference? = nil,
        encryption: Encryption? = nil, caFile: String? = nil
    ) throws(DocumentProblems) {
        var problems: [DocumentProblem] = []
        let address = WebAddress(server)
        if address == nil || !["smtp", "smtps"].contains(address?.scheme) {
            problems.append(
                DocumentProblem(
                    path: "mail.server", message: "is no mail server's address",
                    remedy: "write it as \"smtp://mail.example.org:587\" or \"smtps://mail.example.org\""))
        } else if address?.hasCredentials == true {
            problems.append(
                DocumentProblem(
                    path: "mail.server", message: "holds a user or password",
                    remedy: "move them to \"user\" and \"passwordFile\""))
        }
        let sender: MailAddress?
        do {
            sender = try MailAddress(from)
        } catch {
            sender = nil
            problems.append(
                DocumentProblem(
                    path: "mail.from", message: error.reason,
                    remedy: "write it as \"alarm@example.org\" or \"Normwatch <alarm@example.org>\""))
        }
        if (user == nil) != (password == nil) {
            problems.append(
                DocumentProblem(
                    path: "mail.user", message: "user and password belong together",
                    remedy: "give both \"user\" and \"passwordFile\", or neither"))
        }
        if let user, user.unicodeScalars.contains(where: { $0.value < 32 }) {
            problems.append(
                DocumentProblem(path: "mail.user", message: "has a line break", remedy: "write it in one line"))
        }
        guard problems.isEmpty, let sender, let address else { throw DocumentProblems(problems) }
        (self.server, self.from, self.user, self.password) = (server, sender, user, password)
        self.encryption = encryption ?? (address.isLoopback ? .never : .required)
        self.caFile = caFile
    }
}
