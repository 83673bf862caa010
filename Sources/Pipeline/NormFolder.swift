package import Core
internal import Foundation

/// Finds and reads the documents of `Thresholds/`.
package enum NormFolder {
    /// The flag, then `NORMWATCH_NORMS`, then `Thresholds` here, then beside the binary.
    package static func locate(flag: String?) -> String? {
        let environment = ProcessInfo.processInfo.environment["NORMWATCH_NORMS"]
        if let chosen = flag ?? environment { return chosen }
        let binary = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        var candidates = ["./Thresholds", binary.appending(path: "Thresholds").path, "/usr/share/normwatch/Thresholds"]
        // A binary in the build folder of a checkout.
        var folder = binary
        for _ in 0..<4 {
            folder.deleteLastPathComponent()
            candidates.append(folder.appending(path: "Thresholds").path)
        }
        return candidates.first { isFolder($0) }
    }

    /// Every document below `folder`, in the order of their names.
    /// - Throws: `DocumentProblems` with all problems of all files.
    package static func documents(in folder: String) throws -> [NormFile] {
        guard isFolder(folder) else {
            throw DocumentProblems([
                DocumentProblem(
                    file: folder, path: "", message: "there is no such folder",
                    remedy: "name the folder of norm documents with --norms")
            ])
        }
        guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
        var files: [NormFile] = []
        var problems: [DocumentProblem] = []
        for case let name as String in walk where name.hasSuffix(".json") && !name.hasSuffix("norm.schema.json") {
            guard let data = FileManager.default.contents(atPath: folder + "/" + name),
                let text = String(data: data, encoding: .utf8)
            else {
                problems.append(
                    DocumentProblem(
                        file: name, path: "", message: "cannot be read as UTF-8 text",
                        remedy: "check the file and its permissions"))
                continue
            }
            files.append(NormFile(name: name, text: text))
        }
        guard problems.isEmpty else { throw DocumentProblems(problems) }
        if files.isEmpty {
            throw DocumentProblems([
                DocumentProblem(
                    file: folder, path: "", message: "holds no norm document",
                    remedy: "name another folder with --norms")
            ])
        }
        return files.sorted { $0.name < $1.name }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}

/// A norm document as it lies in the folder; kept with the state, so that old alarms can be explained by the text that judged them.
package struct NormFile: Hashable, Codable, Sendable {
    package let name: String
    package let text: String
    package init(name: String, text: String) { (self.name, self.text) = (name, text) }
}

extension NormLibrary {
    /// - Throws: `DocumentProblems` with all problems of all files.
    package init(reading files: [NormFile]) throws {
        var documents: [LibraryCheck.Document] = []
        var problems: [DocumentProblem] = []
        for file in files {
            do {
                documents.append(.init(file: file.name, act: try ActDocument(parsing: file.text, file: file.name)))
            } catch {
                problems += error.problems
            }
        }
        problems += LibraryCheck.overlaps(documents)
        guard problems.isEmpty else { throw DocumentProblems(problems) }
        self.init(documents.map(\.act))
    }
}
