import Core
import Testing

@Suite("The README for editors of norms")
struct NormReadmeTests {
    /// The JSON between fences.
    private static let blocks: [String] = {
        var blocks: [String] = []
        var current: [Substring]?
        for line in NormFixtures.readme.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```json" {
                current = []
            } else if line == "```", let lines = current {
                blocks.append(lines.joined(separator: "\n"))
                current = nil
            } else {
                current?.append(line)
            }
        }
        return blocks
    }()

    @Test("Its act is read, and its examples come out")
    func act() throws {
        let acts = Self.blocks.filter { $0.contains("\"act\"") }
        #expect(acts.count == 1)
        let check = LibraryCheck(acts.map { ("README", $0) })
        #expect(
            check.problems.isEmpty && check.remarks.isEmpty, "\((check.problems + check.remarks).map(\.description))")
    }

    @Test("It shows every shape, and each limit is read")
    func limits() throws {
        var shapes: Set<String> = []
        for block in Self.blocks where !block.contains("\"act\"") {
            let limit = try JSONValue(parsing: block)
            guard case .string(let shape)? = limit["shape"] else { continue }
            shapes.insert(shape)
            let base = !block.contains("armed") ? shape : "armed"
            let document = DocumentPath("norms[0].limit").set(
                limit, in: try JSONValue(parsing: NormFixtures.text(base + ".json")))
            do {
                _ = try ActDocument(parsing: document.text, file: shape)
            } catch {
                Issue.record("\(error.description)")
            }
        }
        #expect(shapes == Set(Limit.shapes))
    }
}
