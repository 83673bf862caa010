/// Decides from a device's stamps whether its clock can be believed.
///
/// A stamp ahead of the arrival is impossible. A constant lag is a wrong clock; a lag that shrinks is a buffer being emptied, which is
/// history told late by a good clock.
package struct DeviceClock: Hashable, Codable, Sendable {
    package static let tolerance = Span.seconds(120)
    private static let constantWithin = Span.seconds(15)
    private static let proofSamples = 4
    private static let proofTime = Span.seconds(30)

    package enum State: Hashable, Codable, Sendable {
        case right
        /// By how much it is ahead (positive) or behind (negative).
        case wrong(by: Span)
    }

    package private(set) var state = State.right
    private var lag: Span?
    private var lagSince: Timestamp?
    private var lagSamples = 0

    package init() {}

    /// Whether the device's time may be used for this reading; false: the arrival stands for it.
    package mutating func believes(_ stamp: Timestamp, arrival: Timestamp) -> Bool {
        let lag = arrival - stamp
        if lag < -Self.tolerance {
            state = .wrong(by: -lag)
            (self.lag, lagSince, lagSamples) = (nil, nil, 0)
            return false
        }
        if lag <= Self.tolerance {
            state = .right
            (self.lag, lagSince, lagSamples) = (nil, nil, 0)
            return true
        }
        guard let first = self.lag, let since = lagSince, (first - lag).magnitude <= Self.constantWithin else {
            // Believed until the lag has proved to be constant.
            (self.lag, lagSince, lagSamples) = (lag, arrival, 1)
            state = .right
            return true
        }
        lagSamples += 1
        if lagSamples >= Self.proofSamples && arrival - since >= Self.proofTime { state = .wrong(by: -lag) }
        return state == .right
    }
}
