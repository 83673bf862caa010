import Foundation
import Testing

@testable import Core
@testable import Notify

@Suite("Webhook, as values")
struct WebhookTests {
    @Test("The signature is what Python's hmac computes")
    func signature() {
        #expect(
            Signature.make(timestamp: "1", body: Array("x".utf8), secret: Array("Jefe".utf8))
                == "v1=2f7ccbd0f043456ad29514b2d24a8aa345ec6673a5db1b44e91c8ac99d1841e3")
        let long = [UInt8](repeating: UInt8(ascii: "k"), count: 100)  // longer than a block of the hash
        #expect(
            Signature.make(timestamp: "1764489600", body: Array(#"{"ü":1}"#.utf8), secret: long)
                == "v1=e04682c66eabfeab169872cbdc1cef089a2195c771dac426ea8da815efa38cfb")
    }

    @Test(
        "A code decides whether another attempt makes sense",
        arguments: [
            (200, nil), (204, nil), (301, true), (302, false), (307, false), (400, true), (401, false), (403, true),
            (404, true), (408, false), (410, true), (425, false), (429, false), (500, false), (502, false),
            (503, false),
        ] as [(Int, Bool?)])
    func results(status: Int, isPermanent: Bool?) {
        let result = Webhook(settings: .init()).result(of: TransferEnd(status: status), server: "example.org")
        #expect(result.isPermanent == isPermanent)
        if isPermanent != nil { #expect(result.reason?.hasPrefix("example.org answered \(status)") == true) }
    }

    @Test("A yes stays a yes when the rest of the answer breaks off")
    func brokenAnswer() {
        let end = TransferEnd(trouble: .time, status: 200)
        #expect(Webhook(settings: .init()).result(of: end, server: "example.org") == .delivered)
    }

    @Test("The document has the transition as it is, and is the same at each attempt")
    func document() throws {
        let webhook = Webhook(settings: .init())
        func body(_ now: Timestamp) throws -> [UInt8] {
            let plan = try webhook.plan(sampleNotice(to: "https://example.org/hook"), at: now)
            guard case .post(_, let body) = plan.payload else { return [] }
            return body
        }
        #expect(try body(someTime) == body(someTime + .hours(1)))
        let document = try JSONValue(parsing: String(decoding: try body(someTime), as: UTF8.self))
        #expect(
            document["id"] == "00c0ffee00c0ffee" && document["event"] == "raised" && document["severity"] == "danger")
        #expect(document["created"] == "2026-11-30T08:00:00.25Z")
        #expect(document["transition"] == ["event": "raised", "text": "Größe", "value": 12.5])
    }

    @Test(
        "What is no web address is refused", arguments: ["", "ftp://example.org", "http://", "https://a\r\nb", "x y"])
    func address(url: String) {
        let error = #expect(throws: Obstacle.self) {
            try Webhook(settings: .init()).plan(sampleNotice(to: url), at: someTime)
        }
        #expect(error?.isPermanent == true)
    }

    @Test("A secret that cannot be read holds the notice back, and its name is told, not its content")
    func secrets() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
        }
        try write("s3cret\r\n", "good")
        try write("\n", "empty")
        try write(String(repeating: "x", count: 4097), "long")
        #expect(try SecretReference("good", folder: folder).read() == Array("s3cret".utf8))
        #expect(try SecretReference(folder + "/good").read() == Array("s3cret".utf8))
        for name in ["none", "empty", "long", "", "env:NORMWATCH_NO_SUCH_VARIABLE"] {
            let error = #expect(throws: Obstacle.self) { try SecretReference(name, folder: folder).read() }
            #expect(error?.isPermanent == false && error?.reason.contains("xxx") == false)
        }
        // One that is there: setting one is not safe while other threads read theirs.
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        #expect(try SecretReference("env:PATH").read() == Array(path.utf8))
        let webhook = Webhook(settings: WebhookSettings(secretsFolder: folder))
        #expect(throws: Obstacle.self) {
            try webhook.plan(sampleNotice(to: "https://example.org", secret: "none"), at: someTime)
        }
    }
}
