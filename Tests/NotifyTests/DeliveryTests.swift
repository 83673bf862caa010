import Foundation
import Testing

@testable import Core
@testable import Notify

/// Against real receivers on this machine. One at a time: these tests block.
@Suite("Delivery", .serialized)
struct DeliveryTests {
    /// The webhook's receiver, its secret, and notices for it.
    private struct Hooks {
        let sink: Sink
        let folder = FileManager.default.temporaryDirectory.appending(path: "hooks-\(UUID().uuidString)").path()
        var channels: OutboxWorker.Channels {
            var settings = WebhookSettings(secretsFolder: folder)
            settings.endWithin = .seconds(10)
            return OutboxWorker.Channels(webhooks: settings)
        }

        init() throws {
            sink = try Sink("http_sink.py", ["Schlüssel Ж"])
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try "Schlüssel Ж\n".write(toFile: folder + "/hook", atomically: false, encoding: .utf8)
        }
        func notice(_ path: String, id: String = "00c0ffee00c0ffee", severity: Severity = .danger) -> Notice {
            sampleNotice(id, to: "http://127.0.0.1:\(sink.port)\(path)", secret: "hook", severity: severity)
        }
        func stop() {
            sink.stop()
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    @Test("A webhook arrives, signed as the receiver expects")
    func webhook() throws {
        let hooks = try Hooks()
        defer { hooks.stop() }
        let notice = hooks.notice("/hook?token=t")
        #expect(sendOnce(notice, hooks.channels) == .delivered)
        let post = try hooks.sink.wait("post")[0]
        #expect(post["genuine"] == true && post["post"] == "/hook?token=t")
        let headers = try #require(post["headers"])
        #expect(headers["normwatch-id"] == .string(notice.id) && headers["idempotency-key"] == .string(notice.id))
        #expect(headers["normwatch-timestamp"] == .string(String(someTime.microseconds / 1_000_000)))
        #expect(headers["content-type"] == "application/json" && headers["user-agent"] == "Normwatch")
        let body = try JSONValue(parsing: post["body"]?.string ?? "")
        #expect(body["subject"] == .string(notice.subject) && body["body"] == .string(notice.body))
    }

    @Test("What a webhook's receiver answers becomes a result in plain words")
    func answers() throws {
        let hooks = try Hooks()
        defer { hooks.stop() }
        try hooks.sink.behave([
            "/400": ["status": 400], "/429": ["status": 429, "headers": ["Retry-After": "7"]], "/500": ["status": 500],
            "/503": ["status": 503, "headers": ["Retry-After": "Mon, 30 Nov 2099 08:00:00 GMT"]],
            "/302": ["status": 302, "headers": ["Location": "/elsewhere"]], "/reset": ["reset": true],
            "/endless": ["endless": true],
        ])
        func result(_ path: String) -> DeliveryResult? { sendOnce(hooks.notice(path), hooks.channels) }
        let host = "127.0.0.1:\(hooks.sink.port)"
        #expect(result("/400") == .permanent("\(host) answered 400: it refuses the message"))
        #expect(result("/429") == .temporary("\(host) answered 429", retryAfter: .seconds(7)))
        #expect(result("/500") == .temporary("\(host) answered 500"))
        #expect(try #require(result("/503")?.retryAfter) > .days(365))
        #expect(result("/302")?.isPermanent == false)
        #expect(hooks.sink.heard("get").isEmpty && !hooks.sink.heard("post").contains { $0["post"] == "/elsewhere" })
        #expect(result("/reset")?.isPermanent == false)
        #expect(result("/endless") == .delivered)
    }

    @Test("Nobody there, an unknown name, no answer: temporary, and soon known")
    func unreachable() throws {
        let hooks = try Hooks()
        defer { hooks.stop() }
        try hooks.sink.behave(["/hang": ["hang": true]])
        var channels = hooks.channels
        channels.webhooks.endWithin = .seconds(0.3)
        let hanging = sendOnce(hooks.notice("/hang"), channels)
        #expect(hanging == .temporary("127.0.0.1:\(hooks.sink.port) did not answer in time"))
        hooks.sink.stop()
        let gone = sendOnce(hooks.notice("/"), hooks.channels)
        #expect(gone?.isPermanent == false && gone?.reason?.hasPrefix("no connection to 127.0.0.1") == true)
        // Depending on the machine's name server this is an answer or a time-out; either way not one we wait long for.
        let unknown = sendOnce(sampleNotice(to: "http://no-such-name.invalid/"), channels)
        #expect(unknown?.isPermanent == false)
    }

    @Test("A receiver that hangs holds up neither another receiver nor another channel")
    func slowChannel() throws {
        let hooks = try Hooks()
        let quick = try Sink("http_sink.py")
        defer {
            hooks.stop()
            quick.stop()
        }
        try hooks.sink.behave(["/hang": ["hang": true]])
        let told = Told()
        var channels = hooks.channels
        channels.terminal = Terminal { _ in }
        let worker = worker(channels, telling: told)
        let slow = (0..<40).map { hooks.notice("/hang", id: "slow \($0)", severity: .emergency) }
        let others = [
            sampleNotice("quick", to: "http://127.0.0.1:\(quick.port)/", severity: .notice),
            sampleNotice("terminal", kind: .terminal),
        ]
        #expect(worker.hand(slow + others + slow).isEmpty)
        let results = told.wait(2, atMost: .seconds(8))
        #expect(results == ["quick": .delivered, "terminal": .delivered])
        #expect(worker.depth == 40)
        #expect(worker.tallies[.webhook]?.underWay == 4)

        // Stopping breaks off what hangs, at once, and answers for what had begun.
        let clock = ContinuousClock()
        let took = clock.measure { #expect(!worker.stop(within: .seconds(0.2))) }
        #expect(took < .seconds(1.2))
        #expect(told.count == 6 && told.wait(6)["slow 0"]?.isPermanent == false)
        #expect(worker.hand([hooks.notice("/", id: "late")]).count == 1)
    }

    @Test("Stopping sends what is left, when there is time")
    func flush() throws {
        let hooks = try Hooks()
        defer { hooks.stop() }
        let told = Told()
        let worker = worker(hooks.channels, telling: told)
        _ = worker.hand((0..<200).map { hooks.notice("/", id: "\($0)") })
        #expect(worker.stop(within: .seconds(20)))
        #expect(told.count == 200 && told.wait(200).values.allSatisfy { $0 == .delivered })
        let ids = try hooks.sink.wait("post", count: 200).compactMap { $0["headers"]?["normwatch-id"]?.string }
        #expect(Set(ids).count == 200)
    }

    @Test("A channel that is not set up gets an answer")
    func unserved() {
        #expect(sendOnce(sampleNotice(kind: .email, to: "a@example.org"), .init())?.isPermanent == false)
        #expect(sendOnce(sampleNotice(kind: .mqtt, to: "x"), .init())?.isPermanent == true)
        #expect(sendOnce(sampleNotice(kind: .telegram, to: "1"), .init())?.isPermanent == true)
    }
}
