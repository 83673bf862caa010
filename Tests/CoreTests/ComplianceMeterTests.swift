import Core
import Support
import Testing

/// What the meter sums up at once, second by second.
private struct Story {
    static let interval = 60
    static let length = 6 * 3600
    let seed: UInt64
    /// Second and value, in order; gaps are up to an hour.
    var samples: [(second: Int, value: Double)] = []

    init(seed: UInt64) {
        self.seed = seed
        var random = SplitMix64(state: seed)
        var (second, value) = (Int.random(in: 0..<600, using: &random), 230.0)
        while second < Self.length {
            samples.append((second, value))
            second +=
                Int.random(in: 0..<10, using: &random) == 0
                ? Int.random(in: 1...3600, using: &random) : Self.interval + Int.random(in: -5...5, using: &random)
            value = (value + .random(in: -15...15, using: &random)).rounded()
            value = min(max(value, 180), 280)
        }
    }

    func next(_ index: Int) -> Int { index + 1 < samples.count ? samples[index + 1].second : Self.length }

    func measured(_ limit: String, zone: Zone = .utc) throws -> Compliance {
        let text = Fixture.act(
            "a", Fixture.norm("n", hazard: "power-quality", indicator: "voltage", unit: "V", limit: limit))
        let document = try ActDocument(parsing: text, file: "a.json")
        let start = try #require(Timestamp("2026-02-01T00:00:00Z"))
        let period = Period(text: "", start: start, end: start + .seconds(Self.length))
        var meter = try #require(
            ComplianceMeter(
                CitedNorm(act: document.act, norm: document.norms[0]), nominal: 230, period: period, from: start,
                zone: zone))
        for (second, value) in samples {
            meter.take(Sample(time: start + .seconds(second), value: value, interval: .seconds(Self.interval)))
        }
        meter.finish(at: period.end)
        return meter.compliance
    }
}

@Suite("A report sums up what is true second by second")
struct ComplianceMeterTests {
    @Test("Values with and without a delay", arguments: 1...200 as ClosedRange<UInt64>)
    func band(seed: UInt64) throws {
        let story = Story(seed: seed)
        let delay = [0, 60, 300, 900][Int(seed % 4)]
        let found = try story.measured(
            #"{"shape": "band", "lower": 207, "upper": 253, "onDelay": "\#(delay) s"}"#)

        // A run of bad readings is an excess when its last one proves the delay; it lasts from the first to the next good reading.
        func isBad(_ value: Double) -> Bool { value < 207 || value > 253 }
        var isExcess = Array(repeating: false, count: story.samples.count)
        var (index, excesses) = (0, 0)
        while index < story.samples.count {
            guard isBad(story.samples[index].value) else {
                index += 1
                continue
            }
            let run = story.samples[index...].prefix { isBad($0.value) }
            if story.samples[run.endIndex - 1].second - story.samples[index].second >= delay {
                excesses += 1
                for bad in run.indices { isExcess[bad] = true }
            }
            index = run.endIndex
        }
        var (covered, exceeded) = (0, 0)
        for second in 0..<Story.length {
            guard let newest = story.samples.lastIndex(where: { $0.second <= second }) else { continue }
            guard second < story.samples[newest].second + 3 * Story.interval else { continue }
            covered += 1
            if isExcess[newest] { exceeded += 1 }
        }
        #expect(found.covered == .seconds(covered), "seed \(seed)")
        #expect(found.exceeded == .seconds(exceeded), "seed \(seed)")
        #expect(found.excesses == excesses, "seed \(seed)")
        let expected: Verdict =
            excesses > 0 ? .fail : Double(covered) / Double(Story.length) >= 0.75 ? .pass : .insufficientData
        #expect(found.verdict == expected, "seed \(seed)")
        let worst = story.samples.map { max($0.value - 253, 207 - $0.value) }.max()
        #expect(found.worst.map { max($0.value - 253, 207 - $0.value) } == worst, "seed \(seed)")
    }

    @Test("Means of ten minutes", arguments: 1...200 as ClosedRange<UInt64>)
    func blocks(seed: UInt64) throws {
        let story = Story(seed: seed)
        let found = try story.measured(
            """
            {"shape": "mean", "windows": [{"length": "10 min", "kind": "block", "lower": 207, "upper": 253, "completeness": 0.8}]}
            """)
        var blocks = Array(repeating: (sum: 0.0, held: 0.0, covered: 0.0), count: Story.length / 600)
        for (index, sample) in story.samples.enumerated() {
            let length = story.next(index) - sample.second
            let held = length > 3 * Story.interval ? Story.interval : length
            for second in sample.second..<sample.second + held where second < Story.length {
                blocks[second / 600].sum += sample.value
                blocks[second / 600].held += 1
                blocks[second / 600].covered += min(1, Double(Story.interval) / Double(held))
            }
        }
        let means = blocks.filter { $0.held > 0 && $0.covered >= 480 - 1e-3 }.map { $0.sum / $0.held }
        let outside = means.count { $0 < 207 || $0 > 253 }
        #expect(found.blocks == .init(judged: means.count, outside: outside), "seed \(seed)")
        #expect(found.completeness == Double(means.count) / Double(blocks.count), "seed \(seed)")
        let worst = means.map { max($0 - 253, 207 - $0) }.max() ?? -.infinity
        let foundWorst = found.worst.map { max($0.value - 253, 207 - $0.value) } ?? -.infinity
        #expect(foundWorst == worst || abs(foundWorst - worst) < 1e-6, "seed \(seed)")
        let expected: Verdict = outside > 0 ? .fail : found.completeness >= 0.8 ? .pass : .insufficientData
        #expect(found.verdict == expected, "seed \(seed)")
    }
}
