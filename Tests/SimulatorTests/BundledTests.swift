import Core
import Testing

@testable import Simulator

@Suite("The scenarios that come with the program")
struct BundledTests {
    /// Long ones with what still shows the whole of them.
    static let runs: [(name: String, settings: [String: Double], seeds: [UInt64])] = [
        ("six-emergencies", [:], [1, 2, 3, 4, 5]),
        ("blackout", ["flats": 4], [1, 2]),
        ("earthquake", ["flats": 3], [1, 2, 3]),
        ("faulty-sensors", [:], [1, 2]),
        ("load", ["rate": 100, "count": 10_000], [1, 2]),
        ("quiet-day", ["flats": 1], [1]),
    ]

    @Test("All are known here, and each has a title")
    func all() throws {
        let names = ScenarioFolder.names(in: Sample.scenarios)
        #expect(names == Self.runs.map(\.name).sorted())
        for name in names { #expect(!(try Sample.scenario(name).title.isEmpty)) }
    }

    @Test("All that a scenario states comes, and nothing else", arguments: runs.map(\.name))
    func check(_ name: String) throws {
        let run = try #require(Self.runs.first { $0.name == name })
        for seed in run.seeds {
            let report = Sample.report(try Sample.run(try Sample.scenario(name, run.settings), seed: seed), seed: seed)
            #expect(report.passed, "\(report.lines.joined(separator: "\n"))")
        }
    }
}
