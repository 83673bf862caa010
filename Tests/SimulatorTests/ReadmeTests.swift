import Core
import Foundation
import Support
import Testing

@testable import Simulator

@Suite("The README for those who write scenarios")
struct ReadmeTests {
    private let text: String

    init() throws { text = try String(contentsOfFile: Product.repository + "/Simulator/README.md", encoding: .utf8) }

    /// What stands between fences of a language.
    private func blocks(_ language: String) -> [String] {
        text.components(separatedBy: "```\(language)\n").dropFirst().compactMap { part in
            part.range(of: "\n```").map { String(part[..<$0.lowerBound]) }
        }
    }

    @Test("Each sample is a scenario whose check passes")
    func samples() async throws {
        let folder = TemporaryFolder()
        let samples = blocks("json")
        #expect(!samples.isEmpty)
        for sample in samples {
            let scenario = try Scenario(parsing: sample, name: "sample")
            for seed in 1...3 as ClosedRange<UInt64> {
                let report = Sample.report(try Sample.run(scenario, seed: seed), seed: seed)
                #expect(report.passed && report.check.count(.ok) > 0, "\(report.lines)")
            }
            let ended = try await run(
                [Product.simulator, try folder.file("sample.json", sample), "--check", "--norms", Sample.thresholds])
            #expect(ended.code == 0, "\(ended)")
        }
    }

    @Test("It names everything that can happen, be measured, go wrong or be chosen")
    func complete() {
        let words =
            Happening.What.allCases.map(\.rawValue) + Quantity.allCases.map(\.rawValue)
            + Fault.What.allCases.map(\.rawValue)
            + HouseholdKind.allCases.map(\.rawValue) + Check.Outcome.allCases.map(\.rawValue)
            + ScenarioFolder.names(in: Sample.scenarios)
        for word in words { #expect(text.contains("`\(word)`"), "“\(word)” is not told") }
        let flags = Options.valued.map { "--" + $0 } + ["--check", "--stay", "--json"]
        for flag in flags { #expect(text.contains("`\(flag)"), "“\(flag)” is not told") }
    }

    @Test("What happens where nothing is given is what the tables say")
    func usual() {
        for what in Happening.What.allCases {
            guard let row = text.split(separator: "\n").first(where: { $0.hasPrefix("| `\(what.rawValue)` |") }) else {
                Issue.record("no row for \(what.rawValue)")
                continue
            }
            if let peak = what.usualPeak {
                let number = peak == peak.rounded() ? String(Int(peak)) : String(peak)
                #expect(row.contains("\(number) "), "\(row)")
            }
            if let rise = what.usualRise { #expect(row.contains(Span.seconds(rise).description), "\(row)") }
            if let length = what.usualLength { #expect(row.contains(Span.seconds(length).description), "\(row)") }
        }
    }
}
