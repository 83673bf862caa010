import Core
import Foundation
import Notify
import Pipeline
import Support
import Testing

@Suite("The configuration file")
struct ConfigurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = TemporaryFolder() }

    private func read(_ text: String) throws -> Configuration {
        try Configuration(path: try folder.file("config.json", text))
    }

    /// Every problem as “path: message; remedy”.
    private func problems(_ text: String) throws -> [String] {
        do {
            _ = try read(text)
            return []
        } catch let problems as DocumentProblems {
            #expect(problems.problems.allSatisfy { $0.file.hasSuffix("config.json") && !$0.remedy.isEmpty })
            return problems.problems.map { "\($0.path): \($0.message); \($0.remedy)" }
        }
    }

    @Test("Every key of the contract is known, and comments are allowed")
    func everyKey() throws {
        for name in ["secrets/mqtt", "secrets/mail"] { _ = try folder.file(name, "se cret\nsecond line\n") }
        for name in ["ca.pem", "cert.pem", "key.pem"] { _ = try folder.file(name, "") }
        let configuration = try read(
            """
            // What belongs to the installation.
            {"broker": {"url": "mqtts://broker.example:8883", "user": "normwatch", "passwordFile": "secrets/mqtt",
                        "caFile": "ca.pem", "clientId": "normwatch", "subscribe": ["zigbee2mqtt/#", "sensors/#"]},
             "publish": {"alarms": true, "homeAssistant": true, "commands": true}, "commit": {"within": "2 s"},
             "http": {"listen": "127.0.0.1:8080", "publicUrl": "https://alarm.example", "certificate": "cert.pem", "key": "key.pem"},
             "mail": {"server": "smtp://mail.example:587", "from": "alarm@example.org", "user": "alarm", "passwordFile": "secrets/mail"},
             "retention": {"raw": "30 d"}, "deadMan": {"url": "https://watch.example/1", "every": "60 s"}, /* the end */}
            """)
        #expect(configuration.brokerURL == "mqtts://broker.example:8883" && configuration.user == "normwatch")
        #expect(configuration.password == "se cret" && configuration.caFile == folder.path + "/ca.pem")
        #expect(configuration.clientID == "normwatch" && configuration.subscribe == ["zigbee2mqtt/#", "sensors/#"])
        #expect(configuration.publishesAlarms && configuration.commitWithin == .seconds(2))
        #expect(configuration.http == HostPort("127.0.0.1:8080") && configuration.publicURL == "https://alarm.example")
        #expect(configuration.mail?.server == "smtp://mail.example:587" && configuration.mail?.password?.trouble == nil)
        #expect(configuration.keepReadings == .days(30))
        // Nobody shall rely on what is not done.
        #expect(
            configuration.unused == [
                "publish.homeAssistant", "publish.commands", "http.publicUrl", "http.certificate", "deadMan",
            ])
    }

    @Test("Every key has a default", arguments: ["{}", #"{"broker": {}, "publish": {}, "commit": {}, "http": {}}"#])
    func defaults(text: String) throws {
        let configuration = try read(text)
        #expect(configuration.brokerURL == nil && configuration.subscribe == ["#"] && !configuration.publishesAlarms)
        #expect(configuration.commitWithin == .seconds(1) && configuration.http == nil && configuration.mail == nil)
        #expect(configuration.keepReadings == .days(90) && configuration.unused.isEmpty)
    }

    @Test("All mistakes are told at once, with path and remedy")
    func mistakes() throws {
        _ = try folder.file("empty", "\n")
        let found = try problems(
            """
            {"broker": {"url": "http://x", "passwordFile": "none", "caFile": "none.pem", "clientId": "", "subscribe": ["a/#/b"], "pasword": "x"},
             "publish": {"alarms": "yes"}, "commit": {"within": "1 h"},
             "http": {"listen": "8080", "publicUrl": "example.org", "certificate": "none.pem"},
             "mail": {"from": "a b@c"}, "retention": {"raw": "1 h"}, "deadMan": {"url": "x", "every": "1 s"}, "brokers": {}}
            """)
        let paths = [
            "broker.url", "broker.passwordFile", "broker.caFile", "broker.clientId", "broker.subscribe",
            "broker.pasword",
            "publish.alarms", "commit.within", "http.listen", "http.publicUrl", "http.certificate", "http.key",
            "mail.server", "retention.raw", "deadMan.url", "deadMan.every", "brokers",
        ]
        #expect(Set(found.map { String($0.prefix { $0 != ":" }) }) == Set(paths), "\(found)")
        #expect(found.contains { $0.hasPrefix("brokers: is not a known key; did you mean “broker”?") })
        let secrets = try problems(#"{"broker": {"url": "mqtt://u:geheim@host", "passwordFile": "empty"}}"#)
        #expect(secrets.count == 2 && secrets.contains { $0.contains("holds a password") }, "\(secrets)")
        #expect(!secrets.joined().contains("geheim"))
        #expect(try problems(#"{"broker": {"subscribe": []}}"#).count == 1)
    }

    @Test("A key that stands twice is told: only one of them would be taken")
    func twice() throws {
        let found = try problems(
            """
            {"http": {}, // once
             "broker": {"user": "a", /* and here "user": */ "user": "b"}, "http": {"listen": "127.0.0.1:1"},}
            """)
        #expect(found.map { $0.prefix { $0 != ":" } } == ["broker.user", "http"], "\(found)")
    }

    @Test("What is no document at all", arguments: ["", "{", "[]", "{\"broker\": 5}"])
    func noDocument(text: String) throws {
        #expect(try problems(text).count == 1)
    }

    @Test("A file that is not there")
    func missing() {
        #expect(throws: DocumentProblems.self) { try Configuration(path: folder.path + "/none.json") }
    }
}
