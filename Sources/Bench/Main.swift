import Foundation

/// Benchmarks that anybody can run: figures beside a reference from the same run. Not timed tests.
@main
enum Main {
    /// The flag asks for a quick look instead of good figures.
    private static let benchmarks: [(name: String, summary: String, run: @Sendable (Bool) throws -> [Measurement])] = [
        (
            "ingest", "messages per second, latency, memory and start of the whole service",
            { isQuick in
                try IngestBench(isQuick: isQuick).run()
                    + LatencyBench(seconds: isQuick ? 5 : 30, perSecond: 1000).run() + SizeBench().run()
            }
        ),
        (
            "throughput", "only the messages per second",
            { try IngestBench(isQuick: $0).run() }
        ),
        (
            "path", "what a message costs inside, stage by stage",
            { try PathBench(messages: $0 ? 50_000 : 300_000).run() }
        ),
        (
            "judge", "readings judged per second and core under all norms of two jurisdictions, and state per channel",
            { try JudgeBench(days: $0 ? 1 : 8).run() }
        ),
        ("latency", "only the latency", { try LatencyBench(seconds: $0 ? 5 : 30, perSecond: 1000).run() }),
        ("size", "only memory and start", { _ in try SizeBench().run() }),
    ]

    static func main() {
        let words = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") }
        let flags = Set(CommandLine.arguments.dropFirst().filter { $0.hasPrefix("--") })
        guard words.count == 1, let benchmark = benchmarks.first(where: { $0.name == words.first }),
            flags.isSubset(of: ["--json", "--quick"])
        else {
            print("normwatch-bench NAME [--json] [--quick]\n")
            for benchmark in benchmarks { print("  \(benchmark.name): \(benchmark.summary)") }
            exit(words.isEmpty && flags.isEmpty || flags.contains("--help") ? 0 : 2)
        }
        do {
            for measurement in try benchmark.run(flags.contains("--quick")) {
                print(flags.contains("--json") ? measurement.json : measurement.line)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(3)
        }
    }
}
