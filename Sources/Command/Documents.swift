import Core
import Foundation
import Pipeline

/// Documents that a command was given by name.
enum Documents {
    static func text(at path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw EnvironmentError("\(path) cannot be read; check the name and the permissions")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw EnvironmentError("\(path) is not UTF-8 text; save it as UTF-8")
        }
        return text
    }

    static func standardInput() throws -> String {
        guard let text = String(data: FileHandle.standardInput.readDataToEndOfFile(), encoding: .utf8) else {
            throw EnvironmentError("standard input is not UTF-8 text; save it as UTF-8")
        }
        return text
    }

    static func site(at path: String) throws -> Site {
        do {
            return try Site(checking: try text(at: path))
        } catch let problems as DocumentProblems {
            throw problems.inFile(path)
        }
    }

    static func norms(_ flag: String?) throws -> NormLibrary {
        try NormLibrary(reading: NormFolder.documents(in: try normFolder(flag)))
    }

    static func normFolder(_ flag: String?) throws -> String {
        guard let folder = NormFolder.locate(flag: flag) else {
            throw EnvironmentError("no norm documents found; name their folder with --norms or NORMWATCH_NORMS")
        }
        return folder
    }
}

extension DocumentProblems {
    func inFile(_ file: String) -> DocumentProblems {
        DocumentProblems(
            problems.map { DocumentProblem(file: file, path: $0.path, message: $0.message, remedy: $0.remedy) })
    }
}
