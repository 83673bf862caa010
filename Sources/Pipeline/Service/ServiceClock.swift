package import Core
internal import Foundation

/// The time by which messages arrive: the wall clock, or one that runs faster for a demonstration. Used by the loop's thread alone.
///
/// It follows the wall clock but never goes back: after a step backwards it runs at half speed until the wall clock has caught up.
package final class ServiceClock {
    private let speed: Double
    private var base: Timestamp
    private var baseTicks: Int64
    private var rate: Double
    private var last: Timestamp

    /// - Parameters:
    ///   - speed: seconds that pass for each real one.
    ///   - start: nothing earlier is ever given; the engine may have come further than the wall clock says.
    package init(speed: Double = 1, notBefore start: Timestamp = .distantPast) {
        (self.speed, rate) = (speed, speed)
        base = max(.systemNow, start + Span(microseconds: 1))
        baseTicks = Self.ticks()
        last = base - Span(microseconds: 1)
    }

    private static func ticks() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// The time now; not earlier than any that `next` gave.
    package var now: Timestamp {
        let passed = Double(Self.ticks() - baseTicks) * rate
        return max(base + Span(microseconds: Int64(passed)), last)
    }

    /// A time of its own for one event, later than all before.
    package func next() -> Timestamp {
        last = max(now, last + Span(microseconds: 1))
        return last
    }

    /// Compares with the wall clock; to be called about once a second.
    package func adjust() {
        guard speed == 1 else { return }
        let (now, wall) = (now, Timestamp.systemNow)
        (base, baseTicks) = (now, Self.ticks())
        if wall - now > .seconds(1) {
            (base, rate) = (wall, 1)
        } else {
            rate = now - wall > .seconds(1) ? 0.5 : 1
        }
    }

    /// Real milliseconds until then, rounded up, for a poll.
    package func milliseconds(until time: Timestamp) -> Int32 {
        let left = Double((time - now).microseconds) / rate / 1000
        return Int32(max(0, min(left.rounded(.up), 60_000)))
    }
}

extension Timestamp {
    /// What the system's clock says.
    package static var systemNow: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
