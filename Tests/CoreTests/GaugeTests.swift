@testable import Core
import Support
import Testing

@Suite("Each shape of limit at its edges")
struct GaugeTests {
    private static let start = Story.start
    private func at(_ minutes: Double) -> Timestamp { Self.start + .seconds(minutes * 60) }

    // MARK: Band

    @Test(
        "The last value that passes and the first that does not",
        arguments: [
            (207.0, false, false), (206.999, false, true), (253, false, false), (253.001, false, true),
            (207, true, true), (253, true, true),
            (207.001, true, false),
        ])
    func band(value: Double, reaches: Bool, isBroken: Bool) {
        let band = Band(lower: 207, upper: 253, reaches: reaches, deadband: 0, onDelay: .zero, offDelay: .zero)
        var gauge = BandGauge()
        let finding = gauge.take(Sample(time: Self.start, value: value), band, severity: .warning)
        #expect((finding.excess != nil) == isBroken)
    }

    @Test("A conversion's last bits do not break a limit: 207 000 mV is not under 207 V")
    func conversion() throws {
        let band = Band(lower: 207, upper: nil, reaches: false, deadband: 0, onDelay: .zero, offDelay: .zero)
        for millivolts in [207_000.0, 206_999.9999999] {
            var gauge = BandGauge()
            let volts = try #require(WrittenUnit("mV")).convert(millivolts)
            #expect(gauge.take(Sample(time: Self.start, value: volts), band, severity: .warning) == .within)
        }
    }

    @Test("On-delay, deadband and off-delay, sample by sample")
    func delays() {
        let band = Band(
            lower: nil, upper: 50, reaches: false, deadband: 5, onDelay: .seconds(30), offDelay: .seconds(60))
        var gauge = BandGauge()
        let story: [(Double, Double, Bool)] = [
            (0, 60, false), (29.9, 60, false), (30, 60, true), (40, 48, true), (50, 44, true), (109.9, 44, true),
            (110, 44, false),
            (120, 60, false), (130, 50, false), (140, 60, false), (169.9, 60, false), (170, 60, true),
        ]
        for (second, value, isExceeded) in story {
            let finding = gauge.take(
                Sample(time: Self.start + .seconds(second), value: value), band, severity: .warning)
            #expect((finding.excess != nil) == isExceeded, "at \(second) s")
        }
    }

    // MARK: Time at level

    private static let dose = TimeAtLevel(
        levels: [
            .init(atLeast: 31, notBefore: nil, by: .minutes(90), severity: .warning),
            .init(atLeast: 51, notBefore: nil, by: .minutes(40), severity: .danger),
            .init(atLeast: 101, notBefore: nil, by: .minutes(3), severity: .emergency),
        ], reaches: true, resetBelow: nil)

    private func severity(_ stretches: [(minutes: Double, value: Double)]) -> Severity? {
        var gauge = TimeAtLevelGauge(levels: 3)
        var finding = Finding.within
        var begin = 0.0
        for stretch in stretches {
            for step in 0...Int(stretch.minutes * 60) {
                let time = at(begin) + .seconds(step)
                finding = gauge.take(Sample(time: time, value: stretch.value), Self.dose, severity: .warning)
            }
            begin += stretch.minutes
        }
        return finding.excess?.severity
    }

    @Test("A dose of several levels, each with its own time")
    func doseTable() {
        #expect(severity([(89, 45)]) == nil)
        #expect(severity([(91, 45)]) == .warning)
        #expect(severity([(39, 70)]) == nil)
        #expect(severity([(41, 70)]) == .danger)
        #expect(severity([(2 + 59 / 60.0, 120)]) == nil)
        #expect(severity([(3 + 1 / 60.0, 120)]) == .emergency)
        #expect(severity([(60, 45), (20, 70)]) == nil, "80 of 90 min at the first level, 20 of 40 at the second")
        #expect(severity([(60, 45), (31, 70)]) == .warning)
    }

    @Test("A timer starts anew below its level, and only waits above the value that resets it")
    func reset() {
        func fired(_ resetBelow: Double?) -> Bool {
            let limit = TimeAtLevel(
                levels: [.init(atLeast: 50, notBefore: nil, by: .minutes(10), severity: nil)], reaches: true,
                resetBelow: resetBelow)
            var gauge = TimeAtLevelGauge(levels: 1)
            var finding = Finding.within
            for minute in 0...16 {
                let value: Double = minute == 8 ? 40 : 60
                finding = gauge.take(Sample(time: at(Double(minute)), value: value), limit, severity: .warning)
            }
            return finding.excess != nil
        }
        #expect(!fired(nil))
        #expect(!fired(45))
        #expect(fired(30))
    }

    // MARK: Mean

    private static func mean(_ kind: Mean.Kind, _ minutes: Int, upper: Double, completeness: Double = 0.75) -> Mean {
        Mean(
            windows: [
                .init(
                    length: .minutes(minutes), kind: kind, lower: nil, upper: upper, completeness: completeness,
                    severity: nil)
            ],
            reaches: false)
    }

    @Test("A block mean is judged when its block is over, weighted by time", arguments: [(24.9, false), (25.1, true)])
    func block(upper: Double, isWithin: Bool) {
        let limit = Self.mean(.block, 10, upper: 50 - upper)
        var gauge = MeanGauge(windows: 1)
        var finding = Finding.within
        // Half of the time 0, half of the time 50: the mean is 25, though four of five samples say 50.
        for second in stride(from: 0, to: 300, by: 60) {
            finding = gauge.take(
                Sample(time: Self.start + .seconds(second), value: 0, interval: .seconds(60)), limit,
                severity: .warning, zone: .utc)
        }
        for second in stride(from: 300, through: 600, by: 15) {
            finding = gauge.take(
                Sample(time: Self.start + .seconds(second), value: 50, interval: .seconds(60)), limit,
                severity: .warning, zone: .utc)
        }
        #expect((finding == .within) == !isWithin)
    }

    /// The obvious way: every second of the window has the value that held then.
    private func slowMean(_ samples: [(second: Int, value: Double)], from: Int, to: Int, usual: Int) -> (
        mean: Double, covered: Double
    )? {
        var (sum, held, covered) = (0.0, 0, 0)
        for (index, sample) in samples.enumerated() where index + 1 < samples.count {
            let length = samples[index + 1].second - sample.second
            let end = sample.second + (length > usual * 3 ? usual : length)
            let coveredEnd = sample.second + min(length, usual)
            for second in sample.second..<max(end, sample.second) where second >= from && second < to {
                sum += sample.value
                held += 1
                if second < coveredEnd { covered += 1 }
            }
        }
        return held == 0 ? nil : (sum / Double(held), Double(covered) / Double(to - from))
    }

    @Test("Sliding and block means agree with the obvious way, with gaps and jitter", arguments: UInt64(1)...40)
    func meansAgree(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var samples: [(second: Int, value: Double)] = []
        var second = 0
        while second < 7200 {
            samples.append((second, Double.random(in: 0...100, using: &random)))
            second += Int.random(in: 0..<20, using: &random) == 0 ? Int.random(in: 31...400, using: &random) : 10
        }
        for kind in Mean.Kind.allCases {
            let limit = Self.mean(kind, 10, upper: 50, completeness: 0.5)
            var gauge = MeanGauge(windows: 1)
            for (index, sample) in samples.enumerated() {
                let finding = gauge.take(
                    Sample(time: Self.start + .seconds(sample.second), value: sample.value, interval: .seconds(10)),
                    limit, severity: .warning,
                    zone: .utc)
                let end = kind == .sliding ? sample.second : sample.second / 600 * 600
                guard end >= 600, kind == .sliding || samples[index - 1].second < end else { continue }
                guard let slow = slowMean(Array(samples[0...index]), from: end - 600, to: end, usual: 10) else {
                    continue
                }
                // Where coverage is at its limit rounding decides; values at the limit do not occur.
                guard abs(slow.covered - 0.5) > 0.01, finding.excess == nil || slow.covered >= 0.5 else { continue }
                if slow.covered >= 0.5 {
                    #expect(
                        (finding.excess != nil) == (slow.mean > 50),
                        "seed \(seed), \(kind), \(sample.second) s, mean \(slow.mean)")
                }
            }
        }
    }

    // MARK: Interruption and peak

    @Test("An interruption is one when it lasts longer than allowed", arguments: [(9, false), (10, true)])
    func interruption(seconds: Int, isRaised: Bool) {
        let limit = Interruption(belowShare: 0.05, longerThan: .seconds(10), budget: nil)
        var gauge = InterruptionGauge()
        _ = gauge.take(Sample(time: Self.start, value: 11), limit, nominal: 230, severity: .warning, zone: .utc)
        let finding = gauge.take(
            Sample(time: Self.start + .seconds(seconds), value: 11), limit, nominal: 230, severity: .warning, zone: .utc
        )
        #expect((finding.excess != nil) == isRaised)
        #expect(
            gauge.take(
                Sample(time: Self.start + .seconds(20), value: 11.6), limit, nominal: 230, severity: .warning,
                zone: .utc) == .within)
    }

    @Test("Shaking counts when it was held for so long in total", arguments: [(9, false), (10, true)])
    func peak(samples: Int, isRaised: Bool) {
        let limit = Peak(
            levels: [.init(atLeast: 0.6, total: .seconds(0.3), severity: .danger)], corroborate: nil, reaches: true)
        var gauge = PeakGauge(levels: 1)
        var finding = Finding.within
        for number in 0..<40 {
            // Every second sample of the first ones shakes; each stands for 30 ms.
            let shakes = number % 2 == 1 && number / 2 < samples
            finding = gauge.take(
                Sample(
                    time: Self.start + .seconds(Double(number) * 0.03), value: shakes ? 0.6 : 0.1,
                    interval: .seconds(0.03)), limit,
                severity: .warning)
        }
        #expect((finding.excess != nil) == isRaised)
    }
}
