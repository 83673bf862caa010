/// Where something happens or is expected: `b1`, `b1/f2`, `b1/f2/kitchen`, `b1/f2/kitchen/gas`. A level that ends in `*` means all that
/// begin so. A pattern covers whatever lies at or below it.
struct PlacePattern: Hashable, Sendable {
    let text: String
    private let levels: [String]

    init(_ text: String) {
        self.text = text
        levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    var depth: Int { levels.count }

    /// Whether a path lies at or below.
    func covers(_ path: [String]) -> Bool {
        levels.count <= path.count && zip(levels, path).allSatisfy { Self.matches($0, $1) }
    }

    /// Whether a path is one of those that are meant, with as many levels.
    func names(_ path: [String]) -> Bool { levels.count == path.count && covers(path) }

    /// Whether something that happens here is felt at `path`: below it, or where `path` is a part of what is meant.
    static func matches(_ pattern: String, _ level: String) -> Bool {
        pattern.hasSuffix("*") ? level.hasPrefix(pattern.dropLast()) : level == pattern
    }
}
