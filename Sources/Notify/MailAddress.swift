/// A mail address, with or without a name: `alarm@example.org`, `Haus am Fluß <alarm@example.org>`.
package struct MailAddress: Hashable, Sendable {
    package let name: String?
    /// For the envelope and between the angle brackets.
    package let address: String

    var domain: String { String(address[address.index(after: address.lastIndex(of: "@")!)...]) }

    /// - Throws: what is wrong. A line break would begin a command to the mail server or another header.
    init(_ text: String) throws(Obstacle) {
        func wrong(_ what: String) -> Obstacle { Obstacle(reason: "the mail address \(what)", isPermanent: true) }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0.value == 0x2028 })
        else { throw wrong("has a line break or another control character") }
        if text.hasSuffix(">"), let start = text.lastIndex(of: "<") {
            let words = text[..<start].split(separator: " ").joined(separator: " ")
            name = words.isEmpty ? nil : words
            address = String(text[text.index(after: start)...].dropLast())
        } else {
            (name, address) = (nil, text)
        }
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { throw wrong("has no form name@example.org") }
        guard address.utf8.allSatisfy({ $0 < 128 }) else {
            throw wrong("has letters outside ASCII; write the domain in its xn-- form")
        }
        guard !address.contains(where: { " ,;:<>()[]\"\\".contains($0) }), address.utf8.count <= 254 else {
            throw wrong("has a character that does not belong there, or is too long")
        }
    }

    /// As it stands in a header.
    var header: String {
        guard let name else { return address }
        let isPlain = name.utf8.allSatisfy {
            (65...90).contains($0) || (97...122).contains($0) || (48...57).contains($0) || $0 == 32
        }
        return (isPlain ? name : MailText.encodedWords(name)) + " <\(address)>"
    }
}
