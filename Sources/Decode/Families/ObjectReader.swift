import Core

/// Reads documents whose keys say what their values are.
enum ObjectReader {
    /// What is known on the way down to a value.
    struct Scope {
        var source: Source
        var delivery: Delivery
        /// What `value` stands for: named by the topic or by a key further out.
        var context: Measurand?
        /// Keys on the way, which tell values of one quantity apart.
        var path: [String] = []
        /// Channel of values that the topic does not name.
        var foreignChannel: String?
        /// Units that the document declares for a quantity: `"TempUnit": "F"`.
        var units: [Indicator: WrittenUnit] = [:]
        /// Inside something like a valve, where `open` is no door.
        var isOther = false
        /// Thermometers that report 85 °C when they were just powered on.
        var startsAt85 = false
        var depth = 0

        func channel(_ own: String?) -> String? {
            if path.isEmpty { return own }
            return (path + (own.map { [$0] } ?? [])).joined(separator: "/")
        }
    }

    private static let deepest = 10
    private static let longestList = 1000

    static func read(_ document: JSON, _ scope: Scope, _ memory: inout Memory, into understanding: inout Understanding)
    {
        guard scope.depth < deepest else { return }
        var scope = scope
        scope.depth += 1
        switch document {
        case .object(let fields): read(fields, scope, &memory, into: &understanding)
        case .list(let list) where list.count <= longestList:
            for (index, element) in list.enumerated() {
                guard case .object(let fields) = element else { continue }
                var inner = scope
                // Without time and name only the place in the list tells the elements apart.
                if list.count > 1, !Modifiers.tellApart(fields.map { memory.glossary.entry($0.key) }) {
                    inner.path.append(String(index + 1))
                }
                read(fields, inner, &memory, into: &understanding)
            }
        case .list: understanding.reject("payload", .tooManyValues)
        case .null, .flag, .integer, .number, .text: break
        }
    }

    private static func read(
        _ fields: [JSON.Field], _ scope: Scope, _ memory: inout Memory, into understanding: inout Understanding
    ) {
        let keys = fields.map { memory.glossary.entry($0.key) }
        let modifiers = Modifiers(fields, keys, scope, &memory)
        if modifiers.isInvalid {
            understanding.reject(scope.channel(nil) ?? "payload", .markedInvalid)
            return
        }
        if let reason = modifiers.timeTrouble { understanding.reject("time", reason) }
        var reader = FieldReader(modifiers: modifiers, scope: modifiers.apply(to: scope))
        reader.read(fields, keys, &memory, into: &understanding)
    }
}
