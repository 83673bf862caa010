/// Finds keys that stand twice in one JSON object. Parsers take one of them without a word, so that a limit can be edited and
/// stay what it was.
package enum DuplicateKeys {
    /// The paths of the second ones. Expects valid JSON, with comments where people write it; on anything else it stops early, and the
    /// parser says what is wrong.
    package static func paths(in text: String) -> [String] {
        var scanner = Scanner(bytes: Array(text.utf8))
        scanner.value("", depth: 0)
        return scanner.found
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0
        var found: [String] = []

        private var next: UInt8? {
            mutating get {
                while position < bytes.count {
                    if [0x20, 0x09, 0x0a, 0x0d].contains(bytes[position]) {
                        position += 1
                    } else if !skipComment() {
                        return bytes[position]
                    }
                }
                return nil
            }
        }

        private mutating func skipComment() -> Bool {
            guard bytes[position] == UInt8(ascii: "/"), position + 1 < bytes.count else { return false }
            switch bytes[position + 1] {
            case UInt8(ascii: "/"):
                while position < bytes.count, bytes[position] != 0x0a { position += 1 }
            case UInt8(ascii: "*"):
                position += 2
                while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
                position = min(position + 2, bytes.count)
            default: return false
            }
            return true
        }

        mutating func value(_ path: String, depth: Int) {
            guard depth < 100 else { return position = bytes.count }
            switch next {
            case UInt8(ascii: "{"): object(path, depth)
            case UInt8(ascii: "["): array(path, depth)
            case UInt8(ascii: "\""): _ = string()
            default:
                // A number or a word: up to what may follow it.
                while let byte = next, !",]}".utf8.contains(byte) { position += 1 }
            }
        }

        private mutating func object(_ path: String, _ depth: Int) {
            position += 1
            var seen: Set<[UInt8]> = []
            while let byte = next, byte != UInt8(ascii: "}") {
                guard byte == UInt8(ascii: "\"") else { return position = bytes.count }
                let key = string()
                let place = (path.isEmpty ? "" : path + ".") + String(decoding: key, as: UTF8.self)
                if !seen.insert(key).inserted { found.append(place) }
                guard next == UInt8(ascii: ":") else { return position = bytes.count }
                position += 1
                value(place, depth: depth + 1)
                if next == UInt8(ascii: ",") { position += 1 }
            }
            position += 1
        }

        private mutating func array(_ path: String, _ depth: Int) {
            position += 1
            var index = 0
            while let byte = next, byte != UInt8(ascii: "]"), position < bytes.count {
                let before = position
                value("\(path)[\(index)]", depth: depth + 1)
                index += 1
                if next == UInt8(ascii: ",") { position += 1 }
                if position == before { return position = bytes.count }
            }
            position += 1
        }

        /// The bytes between the quotation marks, escapes as they stand.
        private mutating func string() -> [UInt8] {
            position += 1
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            let end = min(position, bytes.count)
            position += 1
            return Array(bytes[min(start, end)..<end])
        }
    }
}
