import Core
import Foundation
import Pipeline

/// The clock of a run with a broker: the service's, which may run faster than the world, or the system's.
struct SharedClock: Sendable {
    let speed: Double
    private let base: Timestamp
    private let baseTicks: Double

    /// A clock that begins with the system's time.
    init(speed: Double) { self.init(speed: speed, base: .systemNow, at: Self.ticks()) }

    private init(speed: Double, base: Timestamp, at ticks: Double) {
        (self.speed, self.base, baseTicks) = (speed, base, ticks)
    }

    /// From the `clock` of `normwatch/status`: its time at a moment of the system's clock.
    init?(_ status: JSONValue) {
        guard let clock = status["clock"], case .number(let speed)? = clock["speed"], speed > 0,
            case .string(let nowText)? = clock["now"], let now = Timestamp(nowText),
            case .string(let realText)? = clock["real"], let real = Timestamp(realText)
        else { return nil }
        let age = (Timestamp.systemNow - real).seconds
        self.init(speed: speed, base: now + .seconds(max(0, age) * speed), at: Self.ticks())
    }

    var now: Timestamp { base + .seconds((Self.ticks() - baseTicks) * speed) }

    /// Real seconds until then.
    func wait(until time: Timestamp) -> Double { (time - now).seconds / speed }

    /// Real seconds of a clock that nobody sets.
    static func ticks() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
