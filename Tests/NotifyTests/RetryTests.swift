import Testing

@testable import Core
@testable import Notify

@Suite("Retry")
struct RetryTests {
    @Test("Twenty minutes of failures are at most 20 attempts, however fast they fail", arguments: [0, 1, 20, 60])
    func attempts(secondsEach: Int) {
        for id in 0..<50 {
            var clock = Span.zero
            var attempts = 0
            while clock < .minutes(20) {
                attempts += 1
                clock += .seconds(secondsEach) + Retry.pause(afterAttempts: attempts, id: "notice \(id)")
            }
            #expect((secondsEach == 0 ? 11...12 : 6...20).contains(attempts), "notice \(id): \(attempts)")
        }
    }

    @Test("The pause doubles from 2 s to 5 min, less a quarter at most")
    func pauses() {
        for (attempts, full) in [(1, 2), (2, 4), (3, 8), (7, 128), (8, 256), (9, 300), (10, 300), (1_000_000, 300)] {
            let pause = Retry.pause(afterAttempts: attempts, id: "x")
            #expect(pause <= .seconds(full) && pause >= .seconds(Double(full) * 0.75), "after \(attempts)")
            #expect(pause == Retry.pause(afterAttempts: attempts, id: "x"))
        }
        let spread = Set((0..<100).map { Retry.pause(afterAttempts: 9, id: "notice \($0)") })
        #expect(spread.count > 80)
    }

    @Test("A server's wish lengthens the pause, up to an hour, and never shortens it")
    func wish() {
        #expect(Retry.pause(afterAttempts: 1, id: "x", retryAfter: .minutes(10)) == .minutes(10))
        #expect(Retry.pause(afterAttempts: 1, id: "x", retryAfter: .days(400)) == .hours(1))
        #expect(Retry.pause(afterAttempts: 9, id: "x", retryAfter: .seconds(1)) >= .seconds(225))
    }

    @Test(
        "A notice expires by severity",
        arguments: [(Severity.emergency, 72), (.danger, 72), (.warning, 24), (.notice, 6)])
    func expiry(severity: Severity, hours: Int) {
        let notice = sampleNotice(severity: severity)
        func next(_ after: Span, isPermanent: Bool = false) -> Retry.Next {
            Retry.next(
                afterAttempts: 40, of: notice, reason: "no answer", isPermanent: isPermanent, retryAfter: nil,
                at: someTime + after)
        }
        let end = someTime + .hours(hours)
        #expect(next(.hours(hours) - .seconds(1)) == .again(at: end), "one last attempt at the end")
        guard case .giveUp(let reason) = next(.hours(hours)) else { return #expect(Bool(false)) }
        #expect(reason.contains("no answer") && reason.contains("40 attempts"))
        #expect(next(.zero, isPermanent: true) == .giveUp(reason: "no answer"))
    }
}
