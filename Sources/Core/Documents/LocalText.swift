/// The languages in which we speak to people.
package enum Language: String, CaseIterable, Codable, Sendable {
    case en, de, ru
}

/// A text in several languages; the key `original` is accepted for titles in the act's own language.
package struct LocalText: Hashable, Sendable {
    package let texts: [String: String]

    package init(_ texts: [String: String]) { self.texts = texts }

    /// In `language`, else in English, else in whatever there is.
    package subscript(_ language: Language) -> String {
        texts[language.rawValue] ?? texts["en"] ?? texts.sorted { $0.key < $1.key }.first?.value ?? ""
    }

    package init?(_ key: String, in reader: inout DocumentReader, needs languages: [Language] = []) {
        guard var object = reader.object(key) else { return nil }
        var texts: [String: String] = [:]
        for language in Language.allCases {
            texts[language.rawValue] = object.string(language.rawValue)
        }
        texts["original"] = object.string("original")
        for language in languages where texts[language.rawValue] == nil {
            object.problem(language.rawValue, "is missing", remedy: "add the text in this language")
        }
        object.finish()
        self.texts = texts
    }
}
