import Core
import Testing

@testable import Pipeline

@Suite("Arrival times always grow")
struct ServiceClockTests {
    @Test("No two events have the same time, however fast they come")
    func strict() {
        let clock = ServiceClock()
        let times = (0..<10_000).map { _ in clock.next() }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("It goes on from where the engine stands, also when that lies ahead of the wall clock")
    func ahead() {
        let future = Timestamp.systemNow + .hours(2)
        let clock = ServiceClock(notBefore: future)
        #expect(clock.next() > future)
        clock.adjust()
        #expect(clock.next() > future)
    }

    @Test("A scaled clock runs as fast as it was told, and a wait is real time")
    func scaled() {
        let clock = ServiceClock(speed: 100)
        let start = clock.now
        #expect(clock.milliseconds(until: start + .seconds(10)) <= 100)
        while clock.now - start < .seconds(5) {}
        #expect(clock.milliseconds(until: start) == 0)
    }

    @Test("Changed counters of dropped messages are told, the same ones are not")
    func dropped() {
        var counter = DroppedCounter()
        let start = Timestamp.systemNow
        func told(_ count: Int, _ minutes: Int) -> String {
            switch counter.take(count, at: start + .minutes(minutes)) {
            case .more(let lost): "+\(lost)"
            case .quiet: "quiet"
            case nil: "-"
            }
        }
        let seen = [told(5, 0), told(5, 1), told(9, 2), told(9, 3), told(9, 12), told(9, 13)]
        #expect(seen == ["-", "-", "+4", "-", "quiet", "-"])
    }
}
