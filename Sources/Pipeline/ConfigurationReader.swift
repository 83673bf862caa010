internal import Core
internal import Foundation
internal import Ingest
internal import Notify

/// The keys of the configuration file.
extension Configuration {
    mutating func read(_ reader: inout DocumentReader) {
        if var broker = reader.object("broker") { readBroker(&broker) }
        if var publish = reader.object("publish") { readPublish(&publish) }
        if var commit = reader.object("commit") {
            commitWithin = commit.span("within") ?? commitWithin
            if commitWithin > .minutes(1) {
                commit.problem(
                    "within", "is too long: so much may be lost in a power cut", remedy: "write at most \"60 s\"")
            }
            commit.finish()
        }
        if var http = reader.object("http") { readHTTP(&http) }
        if var mail = reader.object("mail") { readMail(&mail) }
        if var retention = reader.object("retention") {
            keepReadings = retention.span("raw") ?? keepReadings
            if keepReadings < .days(1) {
                retention.problem("raw", "is too short: norms look back a day", remedy: "write at least \"1 d\"")
            }
            retention.finish()
        }
        if var deadMan = reader.object("deadMan") { readDeadMan(&deadMan) }
        reader.finish()
    }

    private mutating func readBroker(_ broker: inout DocumentReader) {
        brokerURL = broker.string("url")
        user = broker.string("user")
        password = secret("passwordFile", in: &broker)
        caFile = file("caFile", in: &broker)
        clientID = broker.string("clientId")
        subscribe = broker.strings("subscribe") ?? subscribe
        if let brokerURL { checkBroker(brokerURL, broker) }
        if clientID == "" { broker.problem("clientId", "is empty", remedy: "write a name, or leave it out") }
        if subscribe.isEmpty {
            broker.problem("subscribe", "is empty: nothing would be heard", remedy: "write [\"#\"] for everything")
        }
        for filter in subscribe where !BrokerConnection.isFilter(filter) {
            broker.problem(
                "subscribe", "“\(filter)” is no topic filter",
                remedy: "write it as \"#\", \"zigbee2mqtt/#\" or \"sensors/+/+/#\"")
        }
        broker.finish()
    }

    private func checkBroker(_ url: String, _ broker: DocumentReader) {
        do {
            let address = try BrokerAddress(url: url)
            if address.password != nil {
                broker.problem(
                    "url", "holds a password", remedy: "put it into a file and name that under \"passwordFile\"")
            } else if password != nil, user == nil, address.user == nil {
                broker.problem("user", "is missing", remedy: "add the user that the password is for")
            }
        } catch {
            broker.problem(
                "url", "is no broker's address", remedy: "write it as \"mqtt://host:1883\" or \"mqtts://host:8883\"")
        }
    }

    private mutating func readPublish(_ publish: inout DocumentReader) {
        publishesAlarms = publish.bool("alarms") ?? false
        if publish.bool("homeAssistant") == true { unused.append("publish.homeAssistant") }
        if publish.bool("commands") == true { unused.append("publish.commands") }
        publish.finish()
    }

    private mutating func readHTTP(_ http: inout DocumentReader) {
        if let text = http.string("listen") {
            self.http = HostPort(text)
            if self.http == nil {
                http.problem(
                    "listen", "“\(text)” is no address", remedy: "write it as \"127.0.0.1:8080\" or \"[::1]:8080\"")
            }
        }
        publicURL = webAddress("publicUrl", in: &http)
        if publicURL != nil { unused.append("http.publicUrl") }
        let (certificate, key) = (file("certificate", in: &http), file("key", in: &http))
        if (certificate == nil) != (key == nil) {
            http.problem("key", "certificate and key belong together", remedy: "give both, or neither")
        }
        if certificate != nil { unused.append("http.certificate") }
        http.finish()
    }

    private mutating func readMail(_ reader: inout DocumentReader) {
        let server = reader.required(
            "server", reader.string("server"), or: "", example: "\"smtp://mail.example.org:587\"")
        let from = reader.required("from", reader.string("from"), or: "", example: "\"Normwatch <alarm@example.org>\"")
        let user = reader.string("user")
        let password = reader.string("passwordFile").map { SecretReference($0, folder: folder) }
        let encryption = reader.choice("encryption", MailSettings.Encryption.self)
        let authority = file("caFile", in: &reader)
        reader.finish()
        guard !server.isEmpty, !from.isEmpty else { return }
        do {
            mail = try MailSettings(
                server: server, from: from, user: user, password: password, encryption: encryption, caFile: authority)
        } catch {
            for problem in error.problems { reader.problems.add(problem.path, problem.message, remedy: problem.remedy) }
        }
    }

    private mutating func readDeadMan(_ reader: inout DocumentReader) {
        if webAddress("url", in: &reader) != nil { unused.append("deadMan") }
        if let every = reader.span("every"), every < .seconds(10) {
            reader.problem("every", "is too short", remedy: "write at least \"10 s\"")
        }
        reader.finish()
    }

    // MARK: Values with a meaning

    private func path(_ text: String) -> String { text.hasPrefix("/") ? text : folder + "/" + text }

    private func webAddress(_ key: String, in reader: inout DocumentReader) -> String? {
        guard let text = reader.string(key) else { return nil }
        let url = URLComponents(string: text)
        if !["http", "https"].contains(url?.scheme) || url?.host?.isEmpty ?? true {
            reader.problem(key, "“\(text)” is no web address", remedy: "begin it with https://")
        }
        return text
    }

    /// A file that must be readable; its path.
    private func file(_ key: String, in reader: inout DocumentReader) -> String? {
        guard let name = reader.string(key).map(path) else { return nil }
        if access(name, R_OK) != 0 {
            reader.problem(
                key, "\(name) cannot be read (\(String(cString: strerror(errno))))",
                remedy: "check the name and the permissions")
        }
        return name
    }

    /// The first line of a file with a secret.
    private func secret(_ key: String, in reader: inout DocumentReader) -> String? {
        guard let name = reader.string(key).map(path) else { return nil }
        let text = FileManager.default.contents(atPath: name).flatMap { String(data: $0, encoding: .utf8) }
        if let line = text?.split(whereSeparator: \.isNewline).first { return String(line) }
        reader.problem(
            key, text == nil ? "\(name) cannot be read" : "\(name) is empty",
            remedy: "put the password into that file, readable for the service")
        return nil
    }
}
