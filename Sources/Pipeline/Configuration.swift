package import Core
internal import Foundation
internal import Ingest
package import Notify

/// The configuration file: what belongs to the installation and not to its places. Every key has a default, and flags win.
package struct Configuration: Sendable {
    package var brokerURL: String?
    package var user: String?
    package var password: String?
    package var caFile: String?
    package var clientID: String?
    package var subscribe: [String] = ["#"]
    package var publishesAlarms = false
    package var commitWithin = Span.seconds(1)
    package var http: String?
    package var publicURL: String?
    package var mail: MailSettings?
    package var keepReadings = Span.days(90)
    /// Keys that are understood and not acted upon by this version.
    package private(set) var unused: [String] = []
    /// Relative paths in the file begin here.
    package let folder: String

    package init() { folder = FileManager.default.currentDirectoryPath }

    /// - Throws: `DocumentProblems`, all at once, with path and remedy.
    package init(path: String) throws {
        folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8)
        else {
            throw DocumentProblems([
                DocumentProblem(
                    file: path, path: "", message: "cannot be read as UTF-8 text",
                    remedy: "check the name and the permissions")
            ])
        }
        let problems = ProblemList()
        do {
            var reader = DocumentReader(try JSONValue(parsing: text, lenient: true), problems: problems)
            read(&reader)
        } catch {
            problems.add(error.path, error.message, remedy: error.remedy)
        }
        guard problems.problems.isEmpty else {
            throw DocumentProblems(
                problems.problems.map {
                    DocumentProblem(file: path, path: $0.path, message: $0.message, remedy: $0.remedy)
                })
        }
    }

    private mutating func read(_ reader: inout DocumentReader) {
        if var broker = reader.object("broker") {
            brokerURL = broker.string("url")
            user = broker.string("user")
            password = secret("passwordFile", in: &broker)
            caFile = broker.string("caFile").map(path)
            clientID = broker.string("clientId")
            subscribe = broker.strings("subscribe") ?? subscribe
            for filter in subscribe where !BrokerConnection.isFilter(filter) {
                broker.problem(
                    "subscribe", "“\(filter)” is no topic filter",
                    remedy: "write it as \"#\", \"zigbee2mqtt/#\" or \"sensors/+/+/#\"")
            }
            broker.finish()
        }
        if var publish = reader.object("publish") {
            publishesAlarms = publish.bool("alarms") ?? false
            if publish.bool("homeAssistant") == true { unused.append("publish.homeAssistant") }
            if publish.bool("commands") == true { unused.append("publish.commands") }
            publish.finish()
        }
        if var commit = reader.object("commit") {
            commitWithin = commit.span("within") ?? commitWithin
            commit.finish()
        }
        if var http = reader.object("http") {
            self.http = http.string("listen")
            publicURL = http.string("publicUrl")
            for key in ["certificate", "key"] where http.string(key) != nil { unused.append("http." + key) }
            http.finish()
        }
        if var mail = reader.object("mail") { readMail(&mail) }
        if var retention = reader.object("retention") {
            keepReadings = retention.span("raw") ?? keepReadings
            retention.finish()
        }
        if var deadMan = reader.object("deadMan") {
            if deadMan.string("url") != nil { unused.append("deadMan") }
            _ = deadMan.span("every")
            deadMan.finish()
        }
        reader.finish()
    }

    private mutating func readMail(_ reader: inout DocumentReader) {
        let server = reader.required(
            "server", reader.string("server"), or: "", example: "\"smtp://mail.example.org:587\"")
        let from = reader.required("from", reader.string("from"), or: "", example: "\"Normwatch <alarm@example.org>\"")
        let user = reader.string("user")
        let password = reader.string("passwordFile").map { SecretReference($0, folder: folder) }
        let encryption = reader.choice("encryption", MailSettings.Encryption.self)
        let authority = reader.string("caFile").map(path)
        reader.finish()
        guard !server.isEmpty, !from.isEmpty else { return }
        do {
            mail = try MailSettings(
                server: server, from: from, user: user, password: password, encryption: encryption, caFile: authority)
        } catch {
            for problem in error.problems { reader.problems.add(problem.path, problem.message, remedy: problem.remedy) }
        }
    }

    private func path(_ text: String) -> String { text.hasPrefix("/") ? text : folder + "/" + text }

    /// The first line of a file with a secret.
    private func secret(_ key: String, in reader: inout DocumentReader) -> String? {
        guard let name = reader.string(key) else { return nil }
        guard let data = FileManager.default.contents(atPath: path(name)),
            let text = String(data: data, encoding: .utf8)
        else {
            reader.problem(
                key, "\(path(name)) cannot be read", remedy: "put the password into that file, readable for the service"
            )
            return nil
        }
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }
}
