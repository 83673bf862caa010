/// Looks over all documents of a folder at once: what cannot be read, what contradicts itself or another act, and examples that do
/// not come out.
package struct LibraryCheck: Sendable {
    package struct Document: Sendable {
        package let file: String
        package let act: ActDocument
        package init(file: String, act: ActDocument) { (self.file, self.act) = (file, act) }
    }
    package private(set) var documents: [Document] = []
    /// Must be put right.
    package private(set) var problems: [DocumentProblem] = []
    /// Worth a look; nothing is wrong.
    package private(set) var remarks: [DocumentProblem] = []
    package private(set) var exampleCount = 0

    package init(_ files: [(name: String, text: String)]) {
        for file in files {
            do {
                documents.append(Document(file: file.name, act: try ActDocument(parsing: file.text, file: file.name)))
            } catch {
                problems += error.problems
            }
        }
        problems += Self.overlaps(documents)
        for document in documents {
            for (index, norm) in document.act.norms.enumerated() {
                look(at: CitedNorm(act: document.act.act, norm: norm), "norms[\(index)]", document.file)
            }
        }
    }

    private mutating func look(at cited: CitedNorm, _ path: String, _ file: String) {
        for found in Contradictions(cited.norm, path).problems { problems.append(found.inFile(file)) }
        for found in Completeness(cited, path).remarks { remarks.append(found.inFile(file)) }
        for (index, example) in cited.norm.examples.enumerated() {
            exampleCount += 1
            let run = ExampleRun(example, of: cited)
            for difference in run.differences {
                problems.append(
                    DocumentProblem(
                        file: file, path: "\(path).examples[\(index)]", message: "“\(example.name)”: \(difference)",
                        remedy: "correct the limit or the example"))
            }
        }
    }

    // MARK: Editions

    /// Two documents of one act must be editions that follow each other.
    package static func overlaps(_ documents: [Document]) -> [DocumentProblem] {
        var problems: [DocumentProblem] = []
        for (index, document) in documents.enumerated() {
            for other in documents[..<index] where other.act.act.id == document.act.act.id {
                let (one, two) = (document.act.act, other.act.act)
                if one.edition == two.edition {
                    problems.append(
                        DocumentProblem(
                            file: document.file, path: "act.id",
                            message: "“\(one.id)”, edition \(one.edition), is also in \(other.file)",
                            remedy: "give each act its own id, and each edition its own name"))
                } else if one.overlaps(two) {
                    problems.append(
                        DocumentProblem(
                            file: document.file, path: "act.inForce",
                            message: "overlaps with edition \(two.edition) of “\(one.id)” in \(other.file)",
                            remedy: "let the earlier one end (until) on the day from which the later one holds"))
                }
            }
        }
        return problems
    }
}

extension Act {
    fileprivate func overlaps(_ other: Act) -> Bool {
        let (start, end) = (inForceFrom ?? .distantPast, inForceUntil ?? .distantFuture)
        return start < other.inForceUntil ?? .distantFuture && other.inForceFrom ?? .distantPast < end
    }
}
