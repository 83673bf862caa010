/// One file of `Thresholds/`: an act and its norms, read strictly.
package struct ActDocument: Hashable, Sendable {
    package let act: Act
    package let norms: [Norm]

    package init(act: Act, norms: [Norm]) { (self.act, self.norms) = (act, norms) }

    /// - Throws: every problem of the document at once, each with its path and remedy.
    package init(parsing text: String, file: String) throws(DocumentProblems) {
        let list = ProblemList()
        list.addDuplicates(in: text)
        do {
            self.init(try JSONValue(parsing: text), problems: list)
        } catch {
            throw DocumentProblems([error.inFile(file)])
        }
        guard list.problems.isEmpty else { throw DocumentProblems(list.problems.map { $0.inFile(file) }) }
    }

    private init(_ value: JSONValue, problems: ProblemList) {
        var reader = DocumentReader(value, problems: problems)
        _ = reader.string("$schema")
        if var object = reader.object("act") {
            act = Act(&object)
            object.finish()
        } else {
            reader.problem(
                "act", "is missing",
                remedy: "add the act: id, kind, jurisdictions, issuer, edition, title, inForce, source")
            act = .missing
        }
        var norms: [Norm] = []
        var seen: Set<String> = []
        for var object in reader.objects("norms") {
            if let norm = Norm(&object) {
                if !norm.id.isEmpty && !seen.insert(norm.id).inserted {
                    object.problem("id", "“\(norm.id)” is used twice in this act", remedy: "give each norm its own id")
                }
                norms.append(norm)
            }
            object.finish()
        }
        self.norms = norms
        if case .array(let items)? = reader.value("norms"), items.isEmpty {
            reader.problem("norms", "is empty", remedy: "add at least one norm, or remove the file")
        } else if reader.value("norms") == nil {
            reader.problem("norms", "is missing", remedy: "add the list of norms")
        }
        reader.finish()
    }
}

extension DocumentProblem {
    package func inFile(_ file: String) -> DocumentProblem {
        DocumentProblem(file: file, path: path, message: message, remedy: remedy)
    }
}

extension Act {
    fileprivate static let missing = Act(
        id: "", kind: .house, jurisdictions: [], issuer: "", edition: "", title: LocalText([:]), inForceFrom: nil,
        inForceUntil: nil, source: Source(title: "", url: nil, kind: .none))

    private static let kindWords: [String: Kind] = [
        "act": .law, "legal act": .law, "legal-act": .law, "code": .law, "order": .regulation, "decree": .regulation,
        "resolution": .regulation, "recommendation": .guideline, "house rule": .house, "house-rule": .house,
    ]

    fileprivate init(_ reader: inout DocumentReader) {
        id = reader.identifier("id", example: "\"en-50291-1\"")
        kind = reader.required(
            "kind", reader.choice("kind", or: Self.kindWords), or: .standard, example: "\"standard\"")
        jurisdictions = reader.required(
            "jurisdictions", reader.texts("jurisdictions"), or: ["INT"], example: "[\"EU\", \"DE\"]")
        issuer = reader.text("issuer", example: "\"CENELEC\"")
        edition = reader.text("edition", example: "\"2018\"")
        title = reader.words("title", example: "{\"en\": \"…\"}")
        for code in jurisdictions where !Self.isCode(code) {
            reader.problem(
                "jurisdictions", "“\(code)” is no code",
                remedy: "use ISO 3166 codes, EU, INT, house, or your own in capitals")
        }
        if jurisdictions.isEmpty { reader.problem("jurisdictions", "is empty", remedy: "say where the act applies") }
        if var dates = reader.object("inForce") {
            inForceFrom = dates.date("from")
            inForceUntil = dates.date("until")
            if let from = inForceFrom, let until = inForceUntil, until <= from {
                dates.problem(
                    "until", "is not after from",
                    remedy: "correct one of the dates; until is the first day out of force")
            }
            dates.finish()
        } else {
            (inForceFrom, inForceUntil) = (nil, nil)
            reader.problem(
                "inForce", "is missing",
                remedy: "add it, as in \"inForce\": {\"from\": \"2018-04-27\", \"until\": null}")
        }
        if var object = reader.object("source") {
            source = Source(&object)
            object.finish()
        } else {
            source = Source(title: "", url: nil, kind: .none)
            reader.problem(
                "source", "is missing",
                remedy: "say where the numbers come from: {\"title\": …, \"url\": …, \"kind\": \"secondary\"}")
        }
    }

    private static func isCode(_ text: String) -> Bool {
        text == "house"
            || text.count >= 2 && text.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "-") }
    }
}

extension Act.Source {
    private static let kindWords: [String: Kind] = [
        "primary copy": .primary, "extract of the act": .extract, "draft of the act": .secondary,
        "code of the method": .secondary, "primary (predecessor)": .secondary,
    ]

    fileprivate init(_ reader: inout DocumentReader) {
        title = reader.text("title", example: "\"where the numbers were read\"")
        url = reader.string("url")
        kind = reader.required("kind", reader.choice("kind", or: Self.kindWords), or: .none, example: "\"secondary\"")
    }
}
