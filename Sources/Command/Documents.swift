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

    static func site(at path: String) throws -> Site {
        do {
            return try Site(parsing: try text(at: path))
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

extension Arguments {
    /// A day as YYYY-MM-DD, or an instant; nil where the flag is not given.
    func day(_ name: String) throws(UsageError) -> Timestamp? {
        guard let text = value(name) else { return nil }
        guard let instant = Timestamp(text) ?? Timestamp(text + "T00:00:00Z") else {
            throw UsageError("--\(name) “\(text)” is no time; write it as 2026-11-30 or 2026-11-30T08:00:00Z")
        }
        return instant
    }
}

extension Timestamp {
    static var systemNow: Timestamp { Timestamp(microseconds: Int64((Date().timeIntervalSince1970 * 1e6).rounded())) }
}

/// Standard output in large pieces; a line at a time would cost more than the work.
struct LineOutput {
    private var bytes: [UInt8] = []

    mutating func write(_ line: String) {
        bytes.append(contentsOf: line.utf8)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count > 1 << 16 { flush() }
    }

    mutating func flush() {
        FileHandle.standardOutput.write(Data(bytes))
        bytes.removeAll(keepingCapacity: true)
    }
}
