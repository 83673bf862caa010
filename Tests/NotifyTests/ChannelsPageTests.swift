import Foundation
import Testing

@testable import Core
@testable import Notify

/// The samples of `docs/channels.md` are what the program reads and writes.
@Suite("The page on channels")
struct ChannelsPageTests {
    private func block(_ kind: String) throws -> String {
        let page = try String(contentsOfFile: Sink.repository + "docs/channels.md", encoding: .utf8)
        let start = try #require(page.firstRange(of: "```\(kind)\n"), "a sample marked \(kind)")
        let rest = page[start.upperBound...]
        return String(rest[..<(try #require(rest.firstRange(of: "```")).lowerBound)])
    }

    @Test("The site document is read without a problem, and has each channel that can be sent to")
    func site() throws {
        let site = try Site(parsing: block("json site"))
        let kinds = Set(site.people.flatMap { $0.channels.map(\.kind) })
        #expect(kinds == Set(Person.Channel.Kind.allCases.filter(\.canSend)))
        let hook = try #require(site.people[0].channels.first { $0.kind == .webhook })
        #expect(throws: Never.self) {
            var open = hook
            open.secret = nil
            _ = try Webhook(settings: .init()).plan(sampleNotice(to: open.address), at: someTime)
        }
    }

    @Test("The mail settings are read, with no key that is not known")
    func mail() throws {
        let problems = ProblemList()
        var document = DocumentReader(try JSONValue(parsing: block("json mail")), problems: problems)
        let mail = document.object("mail")
        var reader = try #require(mail)
        let settings = try MailSettings(
            server: reader.string("server") ?? "", from: reader.string("from") ?? "", user: reader.string("user"),
            password: reader.string("passwordFile").map { SecretReference($0) },
            encryption: reader.choice("encryption", MailSettings.Encryption.self), caFile: reader.string("caFile"))
        reader.finish()
        document.finish()
        #expect(problems.problems.isEmpty)
        #expect(settings.from.address == "alarm@example.org" && settings.encryption == .required)
    }

    @Test("The webhook's sample has the keys that are sent")
    func webhook() throws {
        guard case .object(let sample) = try JSONValue(parsing: block("json webhook")),
            case .object(let sent) = Webhook.document(sampleNotice())
        else { return #expect(Bool(false)) }
        #expect(Set(sample.keys) == Set(sent.keys))
    }

    @Test("The sample in Python takes our signature, and no other")
    func python() throws {
        let body = Array(Webhook.document(sampleNotice()).text.utf8)
        let signature = Signature.make(timestamp: "1796025600", body: body, secret: Array("Schlüssel".utf8))
        let program =
            try block("python") + """

                import sys
                body, secret = sys.stdin.buffer.read(), "Schlüssel".encode()
                headers = {"Normwatch-Timestamp": "1796025600", "Normwatch-Signature": sys.argv[1]}
                now = 1796025700
                print(is_genuine(headers, body, secret, now), is_genuine(headers, body + b" ", secret, now),
                      is_genuine(headers, body, b"other", now), is_genuine(headers, body, secret, now + 3600))
                """
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", program, signature]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        input.fileHandleForWriting.write(Data(body))
        try input.fileHandleForWriting.close()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said == "True False False False\n")
    }

    @Test("The table of expiry is the program's")
    func expiry() throws {
        let page = try String(contentsOfFile: Sink.repository + "docs/channels.md", encoding: .utf8)
        #expect(page.contains("| `emergency`, `danger` | \(Retry.lifetime(.emergency).hours) h |"))
        #expect(page.contains("| `warning` | \(Retry.lifetime(.warning).hours) h |"))
        #expect(page.contains("| `notice` | \(Retry.lifetime(.notice).hours) h |"))
    }
}

extension Span {
    fileprivate var hours: Int { Int(microseconds / Span.hours(1).microseconds) }
}
