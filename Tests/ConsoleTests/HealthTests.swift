import Core
import Testing

@testable import Console

@Suite("Health")
struct HealthTests {
    private let start = Timestamp("2026-11-30T08:00:00Z")!

    private func ready() -> Health {
        var health = Health(at: start)
        for part in Health.Part.allCases { health.update(part, .init(.ready), at: start + .seconds(1)) }
        return health
    }

    @Test("The whole is as its worst part, since that changed")
    func worst() {
        #expect(Health(at: start).state == .starting)
        var health = ready()
        #expect(health.state == .ready && health.since == start + .seconds(1))
        health.update(.broker, .init(.degraded, "no connection"), at: start + .seconds(5))
        health.update(.outbox, .init(.degraded, "the mail server does not answer"), at: start + .seconds(6))
        #expect(health.state == .degraded && health.since == start + .seconds(5))
        health.update(.store, .init(.failing, "disk full"), at: start + .seconds(7))
        health.update(.broker, .init(.ready), at: start + .seconds(8))
        #expect(health.state == .failing && health.since == start + .seconds(7))
    }

    @Test("A loop that hangs is seen from outside")
    func silence() {
        var health = ready()
        #expect(health.seen(at: start + .hours(1)).state == .ready, "no beat yet, nothing to miss")
        health.beat(at: start)
        #expect(health.seen(at: start + .seconds(30)).state == .ready)
        let seen = health.seen(at: start + .seconds(31))
        #expect(seen.state == .failing && seen.since == start)
        #expect(seen.parts[.engine]?.detail == "no sign of life since 2026-11-30T08:00:00Z")
    }

    @Test(
        "200 while it works, 503 otherwise",
        arguments: [(Health.State.ready, 200), (.degraded, 200), (.starting, 503), (.failing, 503)])
    func status(state: Health.State, status: Int) throws {
        var health = ready()
        health.update(.store, .init(state, "why"), at: start + .seconds(2))
        var routes = Routes()
        routes.serve(Locked(health)) { start }
        let answer = routes.answer(Request("GET", "/health"))
        #expect(answer.status == status && answer.headers["Content-Type"] == "application/json")
        let json = try JSONValue(parsing: String(decoding: answer.body, as: UTF8.self))
        #expect(json["state"] == .string(state.rawValue))
        #expect(json["parts"]?["store"] == ["state": .string(state.rawValue), "detail": "why"])
        #expect(json["parts"]?["broker"] == ["state": "ready", "detail": ""])
        #expect(json["since"] == .string((state == .ready ? start + .seconds(1) : start + .seconds(2)).description))
    }
}
