package import Core
internal import Foundation
package import Notify

/// The configuration file: what belongs to the installation and not to its places. Every key has a default, and flags win.
package struct Configuration: Sendable {
    package internal(set) var brokerURL: String?
    package internal(set) var user: String?
    package internal(set) var password: String?
    package internal(set) var caFile: String?
    package internal(set) var clientID: String?
    package internal(set) var subscribe: [String] = ["#"]
    package internal(set) var publishesAlarms = false
    package internal(set) var commitWithin = Span.seconds(1)
    package internal(set) var http: HostPort?
    package internal(set) var publicURL: String?
    package internal(set) var mail: MailSettings?
    package internal(set) var keepReadings = Span.days(90)
    /// Keys that are understood and not acted upon by this version.
    package internal(set) var unused: [String] = []
    /// Relative paths in the file begin here.
    package let folder: String

    /// All defaults.
    package init() { folder = FileManager.default.currentDirectoryPath }

    /// - Throws: `DocumentProblems`, all at once, with path and remedy.
    package init(path: String) throws {
        folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8)
        else {
            throw DocumentProblems([
                DocumentProblem(
                    file: path, path: "", message: "cannot be read as UTF-8 text",
                    remedy: "check the name and the permissions")
            ])
        }
        let problems = ProblemList()
        do {
            var reader = DocumentReader(try JSONValue(parsing: text, lenient: true), problems: problems)
            problems.addDuplicates(in: text)
            read(&reader)
        } catch {
            problems.add(error.path, error.message, remedy: error.remedy)
        }
        guard problems.problems.isEmpty else {
            throw DocumentProblems(
                problems.problems.map {
                    DocumentProblem(file: path, path: $0.path, message: $0.message, remedy: $0.remedy)
                })
        }
    }
}

/// Where to listen: `ADDRESS:PORT`; an IPv6 address stands in brackets.
package struct HostPort: Hashable, Sendable {
    package let address: String
    package let port: Int

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var address = String(text[..<colon])
        if address.hasPrefix("["), address.hasSuffix("]") {
            address = String(address.dropFirst().dropLast())
        } else if address.contains(":") {
            return nil
        }
        (self.address, self.port) = (address.isEmpty ? "0.0.0.0" : address, port)
    }
}
