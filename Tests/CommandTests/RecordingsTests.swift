import Foundation
import Support
import Testing

/// Real recordings and real payloads, where they lie beside the checkout: they are other people's and not part of it.
@Suite("Real recordings and payloads", .serialized)
struct RecordingsTests {
    private static let shared = URL(fileURLWithPath: Product.repository).deletingLastPathComponent()
        .appending(path: "shared").path

    private static func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: shared + "/" + name)
    }

    /// - Returns: the line that counts, and all of the output.
    private func score(_ tool: String, _ words: [String], total: String) async throws -> (total: String, output: String)
    {
        let norms = "NORMWATCH_NORMS=\(Product.repository)/Thresholds"
        let ended = try await run(
            ["env", norms, "python3", "\(Self.shared)/tools/\(tool)", Product.binary] + words, seconds: 300)
        let line = ended.lines.last { $0.hasPrefix(total) }
        return (try #require(line, "\(ended.output)\(ended.error)"), ended.output)
    }

    @Test(
        "Every known event of the recordings is seen and nothing else is raised",
        .enabled(if: isThere("tools/score-replay"), "the recordings are not beside this checkout"),
        arguments: ["EU,JP,house", "EU", "DE,EU", "RU", "US"])
    func replay(jurisdictions: String) async throws {
        let words = ["\(Self.shared)/data", "--", "--jurisdiction", jurisdictions]
        let (total, output) = try await score("score-replay", words, total: "TOTAL")
        #expect(total.contains("wrong 0"), "\(output)")
    }

    @Test(
        "What devices publish is understood, and nothing is invented",
        .enabled(if: isThere("tools/score-decode"), "the payloads are not beside this checkout"),
        arguments: ["plain.jsonl", "zigbee2mqtt.jsonl", "ugly.jsonl"])
    func decode(file: String) async throws {
        let (total, output) = try await score("score-decode", ["\(Self.shared)/payloads/\(file)"], total: "TOTAL")
        #expect(total.contains("= 100.0%"), "\(output)")
        #expect(total.contains("invented 0 label-errors 0 incomplete-files 0"), "\(output)")
    }

    @Test(
        "No family makes us invent a reading",
        .enabled(if: isThere("tools/score-decode"), "the payloads are not beside this checkout"))
    func nothingInvented() async throws {
        let (total, output) = try await score("score-decode", ["\(Self.shared)/payloads"], total: "TOTAL")
        #expect(total.contains("invented 0 label-errors 0 incomplete-files 0"), "\(output)")
    }
}
