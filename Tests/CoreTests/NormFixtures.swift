import Core
import Foundation

/// Documents beside the tests, and those of the product.
enum NormFixtures {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let fixtures = root.appending(path: "Tests/Fixtures/norms")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: fixtures.appending(path: name), encoding: .utf8)
    }

    static func act(_ name: String) throws -> ActDocument { try ActDocument(parsing: try text(name), file: name) }

    static func norm(_ name: String) throws -> CitedNorm {
        let document = try act(name)
        return CitedNorm(act: document.act, norm: document.norms[0])
    }

    static let readme =
        (try? String(contentsOf: root.appending(path: "Thresholds/README.md"), encoding: .utf8)) ?? ""

    /// The documents of `Thresholds/` with their names, `eu/en-50160.json`.
    static let library: [(name: String, text: String)] = {
        let folder = root.appending(path: "Thresholds")
        let names = (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []).sorted()
        return names.filter { $0.hasSuffix(".json") && $0.contains("/") }.map { name in
            (name, (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? "")
        }
    }()
}

/// A place in a JSON document, written as problems write it: `norms[0].limit.upper`.
struct DocumentPath {
    private let keys: [String]
    init(_ text: String) {
        keys = text.split(whereSeparator: { ".[]".contains($0) }).map(String.init)
    }

    /// The document with another value there; nil takes the member out.
    func set(_ value: JSONValue?, in document: JSONValue) -> JSONValue { Self.set(value, in: document, keys[...]) }

    private static func set(_ value: JSONValue?, in node: JSONValue, _ keys: ArraySlice<String>) -> JSONValue {
        guard let key = keys.first else { return value ?? .null }
        switch node {
        case .object(var members):
            members[key] = keys.count == 1 ? value : set(value, in: members[key] ?? .object([:]), keys.dropFirst())
            return .object(members)
        case .array(var items):
            guard let index = Int(key), items.indices.contains(index) else { return node }
            items[index] = set(value, in: items[index], keys.dropFirst())
            return .array(items)
        default:
            return node
        }
    }
}
