internal import FoundationEssentials

/// Any language in seven bits: RFC 2047 for headers, quoted-printable (RFC 2045) for the body.
enum MailText {
    /// The value of a header: plain ASCII as it is, all else as encoded words.
    static func headerValue(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (32...126).contains($0) }
        return isPlain && text.utf8.count <= 66 && !text.contains("=?") ? text : encodedWords(text)
    }

    /// Encoded words of at most 64 characters, one a line. Split between characters, never within one: a reader decodes each
    /// word alone.
    static func encodedWords(_ text: String) -> String {
        var words: [String] = []
        var bytes: [UInt8] = []
        func flush() {
            if !bytes.isEmpty { words.append("=?utf-8?B?\(Data(bytes).base64EncodedString())?=") }
            bytes = []
        }
        for character in text {
            // A family of emoji may be longer than a word; then its scalars stay whole.
            let pieces =
                character.utf8.count <= 39
                ? [Array(character.utf8)] : character.unicodeScalars.map { Array(String($0).utf8) }
            for piece in pieces {
                if bytes.count + piece.count > 39 { flush() }
                bytes += piece
            }
        }
        flush()
        return words.joined(separator: "\r\n ")
    }

    /// Quoted-printable with CRLF line ends and lines of at most 76 characters.
    ///
    /// Not base64: some filters take a base64 text without need for spam.
    static func quotedPrintable(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }
            .map { quotedLine(Array($0.utf8)) }.joined(separator: "\r\n") + "\r\n"
    }

    private static func quotedLine(_ bytes: [UInt8]) -> String {
        var lines: [String] = []
        var line = ""
        for (index, byte) in bytes.enumerated() {
            let isLast = index == bytes.count - 1
            let isBlank = byte == 32 || byte == 9
            let isPlain = (33...126).contains(byte) && byte != UInt8(ascii: "=") || isBlank && !isLast
            let piece = isPlain ? String(UnicodeScalar(byte)) : "=" + hex(byte)
            if line.utf8.count + piece.utf8.count > 75 {
                lines.append(line + "=")
                line = ""
            }
            line += piece
        }
        return (lines + [line]).joined(separator: "\r\n")
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }
}
