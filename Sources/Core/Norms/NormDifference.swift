/// What differs between two states of the norm documents, norm by norm, as a person would say it.
package struct NormDifference: Hashable, Sendable {
    package enum Kind: String, Sendable { case added, removed, changed }
    package struct Change: Hashable, Sendable {
        package let what: String
        package let before: String
        package let after: String
    }
    package let kind: Kind
    /// `en-50291-1/co-alarm`, or the act alone for what is said of the whole act.
    package let key: String
    package let edition: String
    /// Empty for what was added or removed.
    package let changes: [Change]

    /// Differences in the order of the acts; none where both judge alike and say the same.
    package static func all(from old: NormLibrary, to new: NormLibrary) -> [NormDifference] {
        var differences: [NormDifference] = []
        for (before, after) in pairs(old.acts, new.acts) {
            guard let document = after ?? before else { continue }
            let (id, edition) = (document.act.id, document.act.edition)
            if let before, let after {
                let changes = compared(before.act.description, after.act.description)
                if !changes.isEmpty {
                    differences.append(NormDifference(kind: .changed, key: id, edition: edition, changes: changes))
                }
            }
            for norm in before?.norms ?? [] where !(after?.norms ?? []).contains(where: { $0.id == norm.id }) {
                differences.append(NormDifference(.removed, CitedNorm(act: document.act, norm: norm)))
            }
            for norm in after?.norms ?? [] {
                guard let same = before?.norms.first(where: { $0.id == norm.id }) else {
                    differences.append(NormDifference(.added, CitedNorm(act: document.act, norm: norm)))
                    continue
                }
                let changes = compared(same.description, norm.description)
                guard !changes.isEmpty else { continue }
                differences.append(
                    NormDifference(kind: .changed, key: id + "/" + norm.id, edition: edition, changes: changes))
            }
        }
        return differences
    }

    private init(kind: Kind, key: String, edition: String, changes: [Change]) {
        (self.kind, self.key, self.edition, self.changes) = (kind, key, edition, changes)
    }

    private init(_ kind: Kind, _ cited: CitedNorm) {
        self.init(kind: kind, key: cited.key, edition: cited.act.edition, changes: [])
    }

    /// The same edition of the same act; what is left of an act is taken for its next edition.
    private static func pairs(_ old: [ActDocument], _ new: [ActDocument]) -> [(ActDocument?, ActDocument?)] {
        var rest = new
        var pairs: [(ActDocument?, ActDocument?)] = old.map { before in
            let exact = rest.firstIndex { $0.act.id == before.act.id && $0.act.edition == before.act.edition }
            return (before, exact.map { rest.remove(at: $0) })
        }
        for index in pairs.indices where pairs[index].1 == nil {
            let next = rest.firstIndex { $0.act.id == pairs[index].0?.act.id }
            pairs[index].1 = next.map { rest.remove(at: $0) }
        }
        pairs += rest.map { (nil, $0) }
        return pairs.sorted { id($0) < id($1) }
    }

    private static func id(_ pair: (ActDocument?, ActDocument?)) -> String { (pair.0 ?? pair.1)?.act.id ?? "" }

    private static func compared(_ old: [(String, String)], _ new: [(String, String)]) -> [Change] {
        zip(old, new).compactMap { before, after in
            before.1 == after.1 ? nil : Change(what: before.0, before: before.1, after: after.1)
        }
    }
}

extension Act {
    /// Everything that a document says of an act, in one order.
    fileprivate var description: [(String, String)] {
        [
            ("edition", edition), ("kind", kind.rawValue), ("jurisdictions", jurisdictions.joined(separator: ", ")),
            ("issuer", issuer), ("title", title.written),
            ("in force from", inForceFrom.map { String($0.description.prefix(10)) } ?? "not said"),
            ("in force until", inForceUntil.map { String($0.description.prefix(10)) } ?? "no end known"),
            ("source", [source.kind.rawValue, source.title, source.url ?? ""].joined(separator: " ")),
        ]
    }
}

extension Norm {
    fileprivate var description: [(String, String)] {
        [
            ("limit", limitInWords.joined(separator: "; ")), ("limit's details", "\(limit)"),
            ("severity", severity.rawValue), ("hazard", hazard.rawValue), ("track", track.rawValue),
            ("indicator", ([indicator.rawValue] + species).joined(separator: " ")), ("unit", unit.rawValue),
            ("base", "\(base.rawValue) °C"), ("where", appliesTo.inWords.isEmpty ? "everywhere" : appliesTo.inWords),
            ("clause", clause), ("confidence", confidence.rawValue),
            ("respond within", respondWithin?.description ?? "not said"), ("why", why.written),
            ("what to do", whatToDo.written), ("see also", references.joined(separator: "; ")),
            ("examples", examples.map(\.name).joined(separator: "; ")),
        ]
    }
}

extension LocalText {
    fileprivate var written: String {
        Language.allCases.map { self[$0] }.reduce(into: [String]()) { texts, text in
            if !texts.contains(text) { texts.append(text) }
        }.joined(separator: " / ")
    }
}
