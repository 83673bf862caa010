import Core
import Notify
import Store
import Support
import Testing

@testable import Pipeline

@Suite("Messages to people leave in order, are tried again, and are given up only when they are of no use")
struct OutboxTests {
    private static let start = Story.start

    private func notice(
        _ id: String, alarm: String = "a", to person: String = "anna", kind: Person.Channel.Kind = .webhook,
        severity: Severity = .danger
    ) -> Notice {
        Notice(
            id: id, alarm: alarm, alarmClass: .alarm, event: .raised, severity: severity, recipient: person,
            channel: .init(kind: kind, address: "https://x.example"), subject: "", body: "", created: Self.start,
            transition: "{}")
    }

    private func ids(_ outbox: inout Outbox, at time: Timestamp, brokerIsThere: Bool = true) -> [String] {
        outbox.take(at: time, brokerIsThere: brokerIsThere).map(\.id)
    }

    private static func failed(_ isPermanent: Bool = false) -> DeliveryResult {
        .failed(reason: "refused", isPermanent: isPermanent, retryAfter: nil)
    }

    @Test("Nobody reads that it is over before reading that it began")
    func order() {
        var outbox = Outbox()
        outbox.add(notice("raised"), due: Self.start)
        outbox.add(notice("ended"), due: Self.start)
        let first = ids(&outbox, at: Self.start)
        #expect(first == ["raised"])
        let whileUnderWay = ids(&outbox, at: Self.start)
        #expect(whileUnderWay == [])
        let result = outbox.settle("raised", Self.failed(), at: Self.start)
        guard case .waiting(let due, _)? = result?.outcome else { Issue.record("not tried again"); return }
        let early = ids(&outbox, at: due - Span(microseconds: 1))
        #expect(early == [])
        let again = ids(&outbox, at: due)
        #expect(again == ["raised"])
        _ = outbox.settle("raised", .delivered, at: due)
        let next = ids(&outbox, at: due)
        #expect(next == ["ended"])
    }

    @Test("Other alarms, people and channels do not wait for it; the worst goes first")
    func lanes() {
        var outbox = Outbox()
        outbox.add(notice("1"), due: Self.start)
        outbox.add(notice("2", alarm: "b", severity: .notice), due: Self.start)
        outbox.add(notice("3", to: "ben", severity: .emergency), due: Self.start)
        outbox.add(notice("4", kind: .email), due: Self.start)
        let all = ids(&outbox, at: Self.start)
        #expect(all == ["3", "1", "4", "2"])
    }

    @Test("Twenty minutes without a receiver are at most twenty attempts, then it arrives")
    func outage() {
        var outbox = Outbox()
        outbox.add(notice("1"), due: Self.start)
        var (time, attempts) = (Self.start, 0)
        while time < Self.start + .minutes(20) {
            for id in ids(&outbox, at: time) {
                attempts += 1
                _ = outbox.settle(id, Self.failed(), at: time)
            }
            time += .seconds(1)
        }
        #expect((5...20).contains(attempts))
        let due = outbox.nextDue ?? .distantFuture
        #expect(due <= time + .minutes(5))
        let late = ids(&outbox, at: due)
        #expect(late == ["1"])
        #expect(outbox.settle("1", .delivered, at: due)?.outcome == .delivered)
        #expect(outbox.count == 0)
    }

    @Test("A refusal for good gives up at once, and lets the next one go")
    func permanent() {
        var outbox = Outbox()
        outbox.add(notice("1"), due: Self.start)
        outbox.add(notice("2"), due: Self.start)
        _ = ids(&outbox, at: Self.start)
        #expect(outbox.settle("1", Self.failed(true), at: Self.start)?.outcome == .dead(error: "refused"))
        let next = ids(&outbox, at: Self.start)
        #expect(next == ["2"])
    }

    @Test("The same message added twice is sent once")
    func twice() {
        var outbox = Outbox()
        outbox.add(notice("1"), due: Self.start)
        outbox.add(notice("1"), due: Self.start)
        #expect(outbox.count == 1)
    }

    @Test("Messages over MQTT wait for the broker without losing attempts")
    func broker() {
        var outbox = Outbox()
        outbox.add(notice("1", kind: .mqtt), due: Self.start)
        let without = ids(&outbox, at: Self.start, brokerIsThere: false)
        #expect(without == [])
        let with = ids(&outbox, at: Self.start + .seconds(1))
        #expect(with == ["1"])
        #expect(outbox.settle("1", .delivered, at: Self.start)?.attempts == 1)
    }

    @Test("What the worker had no room for is handed again")
    func givenBack() {
        var outbox = Outbox()
        outbox.add(notice("1"), due: Self.start)
        let taken = outbox.take(at: Self.start, brokerIsThere: true)
        outbox.giveBack(taken, at: Self.start)
        let soon = ids(&outbox, at: Self.start + .seconds(1))
        #expect(soon == ["1"])
    }
}
