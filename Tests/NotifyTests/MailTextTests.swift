import Testing

@testable import Core
@testable import Notify

@Suite("Mail, as text")
struct MailTextTests {
    @Test(
        "An encoded word is split between characters only",
        arguments: ["ä", "щ", "€", "👩‍👩‍👧‍👦", "e\u{301}", "a"])
    func split(character: String) {
        for count in 1...60 {
            let encoded = MailText.encodedWords("x" + String(repeating: character, count: count))
            for line in encoded.split(separator: "\r\n ") {
                #expect(line.utf8.count <= 64 && line.hasPrefix("=?utf-8?B?") && line.hasSuffix("?="), "\(count)")
            }
        }
    }

    @Test("A plain header stays readable, and what looks encoded is encoded")
    func plain() {
        #expect(MailText.headerValue("Danger: gas, kitchen") == "Danger: gas, kitchen")
        #expect(MailText.headerValue("=?utf-8?B?QQ==?=").hasPrefix("=?utf-8?B?PT"))
        #expect(MailText.headerValue(String(repeating: "a", count: 67)).hasPrefix("=?"))
    }

    @Test("Quoted-printable: short lines, no blank at a line's end, line ends as mails have them")
    func quotedPrintable() {
        #expect(MailText.quotedPrintable("a=b \nü\r\nc") == "a=3Db=20\r\n=C3=BC\r\nc\r\n")
        let long = MailText.quotedPrintable(String(repeating: "Жx ", count: 200))
        #expect(long.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 76 })
    }

    @Test("Dates as RFC 5322 writes them")
    func date() {
        #expect(MailMessage.date(someTime) == "Mon, 30 Nov 2026 08:00:00 +0000")
        #expect(MailMessage.date(Timestamp("2028-02-29T23:59:59Z")!) == "Tue, 29 Feb 2028 23:59:59 +0000")
    }

    @Test(
        "An address with a line break or without its form is refused",
        arguments: [
            "a@example.org\r\nRCPT TO:<b@example.org>", "a@example.org\nBcc: b@example.org", "a@b\u{2028}c", "a@b\0",
            "example.org", "a@b@c", "@b", "a@", "a b@c", "a@b, c@d", "a@b>", "<a@b", "почта@example.org", "x <a@b\r>",
        ])
    func refused(address: String) {
        #expect(throws: Obstacle.self) { try MailAddress(address) }
    }

    @Test("An address may have a name")
    func named() throws {
        #expect(try MailAddress("Normwatch <alarm@example.org>").header == "Normwatch <alarm@example.org>")
        let address = try MailAddress(" Haus  am Fluß <alarm@example.org>")
        #expect(address.address == "alarm@example.org" && address.name == "Haus am Fluß")
        #expect(address.header == "=?utf-8?B?SGF1cyBhbSBGbHXDnw==?= <alarm@example.org>")
        #expect(address.domain == "example.org")
    }

    @Test("A line break in a subject becomes a blank; in an id it is refused")
    func lineBreaks() throws {
        let (from, to) = (try MailAddress("a@example.org"), try MailAddress("b@example.org"))
        func bytes(_ notice: Notice) throws -> [UInt8] {
            try MailMessage(from: from, to: to, notice: notice, date: someTime).bytes()
        }
        let text = String(
            decoding: try bytes(sampleNotice(subject: "Gas,\r\nBcc: x@example.org\u{0}, kitchen")), as: UTF8.self)
        #expect(text.contains("\r\nSubject: Gas, Bcc: x@example.org , kitchen\r\n"))
        #expect(throws: Obstacle.self) { try bytes(sampleNotice("1\r\nBcc: x@example.org")) }
    }

    @Test("Mail settings name all that is wrong")
    func settings() throws {
        let problems = #expect(throws: DocumentProblems.self) {
            try MailSettings(server: "https://mail.example.org", from: "nobody", user: "u")
        }
        #expect(problems?.problems.map(\.path) == ["mail.server", "mail.from", "mail.user"])
        #expect(throws: DocumentProblems.self) {
            try MailSettings(server: "smtp://user:word@mail.example.org", from: "a@example.org")
        }
        #expect(try MailSettings(server: "smtp://mail.example.org", from: "a@example.org").encryption == .required)
        #expect(try MailSettings(server: "smtp://127.0.0.1:25", from: "a@example.org").encryption == .never)
    }

    @Test(
        "The first digit of a mail server's code decides, a refused login waits for somebody to put it right",
        arguments: [
            (nil, 250, nil), (.other, 550, true), (.other, 554, true), (.other, 450, false), (.other, 421, false),
            (.login, 535, false), (.other, 530, false), (.time, 354, false), (.name, 0, false), (.connection, 0, false),
            (.encryption, 250, false), (.other, 0, false), (.cancelled, 550, false),
        ] as [(TransferEnd.Trouble?, Int, Bool?)])
    func results(trouble: TransferEnd.Trouble?, status: Int, isPermanent: Bool?) throws {
        let mail = Mail(settings: try MailSettings(server: "smtp://mail.example.org", from: "a@example.org"))
        let result = mail.result(of: TransferEnd(trouble: trouble, status: status), server: "mail.example.org")
        #expect(result.isPermanent == isPermanent)
    }
}
