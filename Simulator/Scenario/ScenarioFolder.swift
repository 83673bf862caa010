import Core
import Foundation

/// Finds scenarios: those that come with the program, and any document by its path.
enum ScenarioFolder {
    /// `NORMWATCH_SCENARIOS`, then the checkout that we stand in, then beside the binary.
    static func locate() -> String? {
        if let chosen = ProcessInfo.processInfo.environment["NORMWATCH_SCENARIOS"] { return chosen }
        let binary = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        var candidates = [
            "./Simulator/Scenarios", binary.appending(path: "Scenarios").path, "/usr/share/normwatch/Scenarios",
        ]
        var folder = binary
        for _ in 0..<4 {
            folder.deleteLastPathComponent()
            candidates.append(folder.appending(path: "Simulator/Scenarios").path)
        }
        var isDirectory: ObjCBool = false
        return candidates.first {
            FileManager.default.fileExists(atPath: $0, isDirectory: &isDirectory) && isDirectory.boolValue
        }
    }

    static func names(in folder: String) -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// - Parameter name: of one in `folder`, or the path of a document.
    /// - Throws: `UsageError` for a name that is none, `DocumentProblems` for a document with mistakes.
    static func scenario(_ name: String, in folder: String?, settings: [String: Double] = [:]) throws -> Scenario {
        let isPath = name.contains("/") || name.hasSuffix(".json")
        let path = isPath ? name : "\(folder ?? ".")/\(name).json"
        guard let data = FileManager.default.contents(atPath: path) else {
            if isPath { throw UsageError("\(name) cannot be read; check the name and the permissions") }
            guard let folder else {
                throw EnvironmentError("no folder of scenarios is found; name a document by its path")
            }
            throw UsageError("there is no scenario “\(name)”; there are: \(names(in: folder).joined(separator: ", "))")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw UsageError("\(path) is not UTF-8 text; save it as UTF-8")
        }
        let shortName = isPath ? URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent : name
        do {
            return try Scenario(parsing: text, name: shortName, settings: settings)
        } catch {
            throw DocumentProblems(
                error.problems.map {
                    DocumentProblem(
                        file: URL(fileURLWithPath: path).lastPathComponent, path: $0.path, message: $0.message,
                        remedy: $0.remedy)
                })
        }
    }
}
