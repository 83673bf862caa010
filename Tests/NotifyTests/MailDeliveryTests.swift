import Foundation
import Testing

@testable import Core
@testable import Notify

/// Against a real mail server on this machine. One at a time: these tests block.
@Suite("Mail delivery", .serialized)
struct MailDeliveryTests {
    private func channels(
        _ sink: Sink, scheme: String = "smtp", host: String = "127.0.0.1", passwordFile: String? = nil,
        encryption: MailSettings.Encryption? = nil, endWithin: Span = .seconds(10)
    ) throws -> OutboxWorker.Channels {
        var settings = try MailSettings(
            server: "\(scheme)://\(host):\(sink.port)", from: "Haus am Fluß <alarm@example.org>",
            user: passwordFile.map { _ in "resident" }, password: passwordFile.map { SecretReference($0) },
            encryption: encryption, caFile: sink.ready["certificate"]?.string)
        settings.endWithin = endWithin
        return OutboxWorker.Channels(mail: settings)
    }

    private func notice(_ id: String = "00c0ffee00c0ffee") -> Notice {
        sampleNotice(id, kind: .email, to: "resident@example.org")
    }

    @Test("A mail arrives as it was written, in any language")
    func arrives() throws {
        let sink = try Sink("smtp_sink.py")
        defer { sink.stop() }
        let notice = notice()
        #expect(sendOnce(notice, try channels(sink)) == .delivered)
        let mail = try sink.wait("mail")[0]
        #expect(mail["mail"] == "<00c0ffee00c0ffee@example.org>")
        #expect(mail["sender"]?.string?.hasPrefix("<alarm@example.org>") == true)
        #expect(mail["recipients"] == ["<resident@example.org>"])
        let headers = try #require(mail["headers"])
        #expect(headers["subject"] == .string(notice.subject))
        #expect(headers["from"] == "Haus am Fluß <alarm@example.org>" && headers["to"] == "resident@example.org")
        #expect(headers["auto-submitted"] == "auto-generated" && headers["importance"] == "high")
        #expect(headers["references"] == "<alarm.a1a2a3a4a5a6a7a8@example.org>")
        #expect(mail["date"] == "2026-11-30T08:00:00+00:00")
        #expect(mail["body"] == .string(notice.body + "\n"))
        #expect(mail["defects"] == [] && mail["ascii"] == true && mail["lone"] == 0)
        #expect(try #require(mail["longest"]?.number) <= 78)
    }

    @Test("A repeat has the same Message-ID")
    func repeated() throws {
        let sink = try Sink("smtp_sink.py")
        defer { sink.stop() }
        try sink.behave([".": "450 4.2.0 greylisted, come back"])
        let channels = try channels(sink)
        for _ in 0..<3 { #expect(sendOnce(notice(), channels)?.isPermanent == false) }
        try sink.behave([:])
        #expect(sendOnce(notice(), channels) == .delivered)
        #expect(Set(try sink.wait("mail", count: 4).map { $0["mail"] }).count == 1)
    }

    @Test("What a mail server refuses becomes a result in plain words")
    func refusals() throws {
        let sink = try Sink("smtp_sink.py")
        defer { sink.stop() }
        let channels = try channels(sink)
        let name = "the mail server 127.0.0.1:\(sink.port)"
        let cases: [(JSONValue, DeliveryResult)] = [
            (["greeting": "421 4.3.2 too busy"], .temporary("\(name) puts us off: 421 4.3.2 too busy")),
            (["RCPT": "450 4.2.1 mailbox busy"], .temporary("\(name) puts us off: 450 4.2.1 mailbox busy")),
            (["RCPT": "550 5.1.1 no such user"], .permanent("\(name) refuses: 550 5.1.1 no such user")),
            (["MAIL": "530 5.7.0 who are you"], .temporary("\(name) does not let us in: 530 5.7.0 who are you")),
            ([".": "554 5.7.1 spam"], .permanent("\(name) refuses: 554 5.7.1 spam")),
            ([".": "451 4.3.0 disk full"], .temporary("\(name) puts us off: 451 4.3.0 disk full")),
        ]
        for (behaviour, expected) in cases {
            try sink.behave(behaviour)
            #expect(sendOnce(notice(), channels) == expected)
        }
        let injected = sendOnce(
            sampleNotice(kind: .email, to: "a@example.org>\r\nRCPT TO:<b@example.org"), channels)
        #expect(injected?.isPermanent == true)
        #expect(!sink.heard("command").contains { $0["command"]?.string?.contains("b@example.org") == true })
    }

    @Test("A server that falls silent costs one attempt; one that keeps silent after taking the mail costs nothing")
    func silence() throws {
        let sink = try Sink("smtp_sink.py")
        defer { sink.stop() }
        for stage in ["greeting", "RCPT", "."] {
            try sink.behave([stage: "hang"] as JSONValue)
            let result = sendOnce(notice(), try channels(sink, endWithin: .seconds(0.5)))
            #expect(result == .temporary("127.0.0.1:\(sink.port) did not answer in time"), "\(stage)")
        }
        try sink.behave(["QUIT": "hang"])
        let patient = try channels(sink, endWithin: .seconds(30))
        let clock = ContinuousClock()
        let took = clock.measure { #expect(sendOnce(notice(), patient) == .delivered) }
        #expect(took < .seconds(5))
        try sink.behave(["RCPT": "550 5.1.1 no such user", "QUIT": "hang"])
        let tookRefusal = clock.measure { #expect(sendOnce(notice(), patient)?.isPermanent == true) }
        #expect(tookRefusal < .seconds(5))
    }

    @Test("Stopping breaks off a mail at once")
    func stopping() throws {
        let sink = try Sink("smtp_sink.py")
        defer { sink.stop() }
        try sink.behave(["RCPT": "hang"])
        let told = Told()
        let worker = worker(try channels(sink), telling: told)
        _ = worker.hand([notice()])
        _ = try sink.wait("hanging")
        let clock = ContinuousClock()
        #expect(clock.measure { worker.stop(within: .zero) } < .seconds(0.5))
        #expect(told.wait(1).values.first == .temporary("broken off because the program stops"))
    }

    @Test("STARTTLS and a login; a wrong password and a missing offer are temporary")
    func secure() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sink = try Sink("smtp_sink.py", [folder])
        defer { sink.stop() }
        try sink.behave(["starttls": true, "login": ["resident", "Paßwort"]])
        let file = folder + "/password"
        try "Paßwort\n".write(toFile: file, atomically: false, encoding: .utf8)
        let secure = try channels(sink, host: "localhost", passwordFile: file, encryption: .required)
        #expect(sendOnce(notice("1"), secure) == .delivered)
        let mail = try sink.wait("mail")[0]
        #expect(mail["encrypted"] == true && mail["user"] == "resident")
        // Without STARTTLS the server asks for it, and we would have to change a setting.
        let open = sendOnce(notice("2"), try channels(sink, passwordFile: file, encryption: .never))
        #expect(open?.reason?.contains("does not let us in: 530 5.7.0 Must issue a STARTTLS") == true)

        try sink.behave(["starttls": true, "login": ["resident", "another"]])
        let wrong = sendOnce(notice("3"), secure)
        #expect(wrong?.reason?.contains("does not let us in: 535 5.7.8") == true && wrong?.isPermanent == false)

        try sink.behave([:])
        let stripped = sendOnce(notice("4"), secure)
        #expect(stripped?.reason?.hasPrefix("no safe connection to localhost") == true)
        #expect(sink.heard("mail").count == 1)

        // A certificate that nobody vouches for.
        try sink.behave(["starttls": true])
        var distrusting = secure
        distrusting.mail = try MailSettings(
            server: "smtp://localhost:\(sink.port)", from: "alarm@example.org", encryption: .required)
        #expect(sendOnce(notice("5"), distrusting)?.reason?.hasPrefix("no safe connection to localhost") == true)
        #expect(sink.heard("mail").count == 1)
    }

    @Test("smtps:// is encrypted from its first byte")
    func implicit() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mails-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sink = try Sink("smtp_sink.py", [folder, "implicit"])
        defer { sink.stop() }
        #expect(sendOnce(notice(), try channels(sink, scheme: "smtps", host: "localhost")) == .delivered)
        #expect(try sink.wait("mail")[0]["encrypted"] == true)
    }
}
