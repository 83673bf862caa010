/// One state of the norms in force: the how manyth, and who put it in force why.
package struct NormVersion: Hashable, Codable, Sendable {
    /// From 1 on, one more with every change.
    package let number: Int
    /// A person, or what read the documents: `start`, `SIGHUP`.
    package let author: String
    package let reason: String?

    package init(number: Int, author: String, reason: String? = nil) {
        (self.number, self.author, self.reason) = (number, author, reason)
    }
}
