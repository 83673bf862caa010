import Core
internal import Foundation

extension Encodable {
    /// One line of JSON with sorted keys.
    var encoded: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { preconditionFailure("\(Self.self) always encodes") }
        return String(decoding: data, as: UTF8.self)
    }
}

extension Decodable {
    init(encoded text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }
}
