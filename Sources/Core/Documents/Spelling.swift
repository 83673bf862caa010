/// Finds what somebody meant who mistyped a word.
package enum Spelling {
    /// The nearest of `words`, the first of them where several are as near; nil where none is near enough to be meant.
    package static func nearest(to word: String, among words: [String], within limit: Int = 2) -> String? {
        words.map { ($0, distance($0, word)) }.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
    }

    /// Levenshtein's distance.
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a), Array(b))
        var row = Array(0...b.count)
        for i in a.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1))
                diagonal = above
            }
        }
        return row[b.count]
    }
}
