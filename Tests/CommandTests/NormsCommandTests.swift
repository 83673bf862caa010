import Foundation
import Testing

@testable import Command

/// A folder of norm documents that is gone with the test.
private struct Folder: ~Copyable {
    let path: String
    init(_ documents: [String: String]) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "norms-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in documents { try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name)) }
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Suite("normwatch norms …")
struct NormsCommandTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let library = root.appending(path: "Thresholds").path

    private func fixture(_ name: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: "Tests/Fixtures/norms/\(name).json"), encoding: .utf8)
    }

    @Test("Nothing is wrong with the norms of the product")
    func product() {
        #expect(Main.run(["norms", "test", Self.library]) == .fine)
        #expect(
            Main.run(["norms", "list", "--norms", Self.library, "--jurisdiction", "EU,DE", "--hazard", "poisoning"])
                == .fine)
        #expect(Main.run(["norms", "show", "en-50291-1/co-alarm", "--norms", Self.library]) == .fine)
        #expect(Main.run(["norms", "show", "en-50291-1", "--norms", Self.library, "--json"]) == .fine)
    }

    @Test("An error in a document is a finding, and so is an example that does not come out")
    func findings() throws {
        let broken = try Folder(["a.json": "{"])
        #expect(Main.run(["norms", "check", broken.path]) == .finding)
        let wrong = try Folder(["a.json": try fixture("band").replacing("\"at\": \"1 min\"", with: "\"at\": \"9 min\"")]
        )
        #expect(Main.run(["norms", "check", "--norms", wrong.path, "--json"]) == .finding)
        #expect(Main.run(["norms", "test", wrong.path]) == .finding)
        let right = try Folder(["a.json": try fixture("band"), "b.json": try fixture("design")])
        #expect(Main.run(["norms", "check", right.path]) == .fine)
        #expect(Main.run(["norms", "test", "--norms", right.path, "--json"]) == .fine)
    }

    @Test("Two states of the norms are compared: nothing differs, something does, nothing is there")
    func differences() throws {
        let old = try Folder(["a.json": try fixture("band")])
        #expect(Main.run(["norms", "diff", old.path, old.path + "/a.json"]) == .fine)
        let other = try Folder(["a.json": try fixture("mean")])
        #expect(Main.run(["norms", "diff", old.path, other.path]) == .finding)
        #expect(Main.run(["norms", "diff", old.path, other.path, "--json"]) == .finding)
        #expect(Main.run(["norms", "diff", old.path, old.path + "/none.json"]) == .environment)
        #expect(Main.run(["norms", "diff", old.path]) == .usage)
    }

    @Test("What other norms would have raised from a recording")
    func whatIf() throws {
        let rows = (0..<30).map { "2026-11-01T08:\($0 < 10 ? "0" : "")\($0):00Z,d,co,80,ppm" }
        let folder = try Folder([
            "co.csv": (["time,device,indicator,value,unit"] + rows).joined(separator: "\n"),
            "co.json": try String(contentsOfFile: Self.library + "/eu/en-50291-1.json", encoding: .utf8)
                .replacing("50, \"notBefore\": \"60 min\"", with: "50, \"notBefore\": \"5 min\""),
        ])
        let call = ["whatif", folder.path + "/co.csv", "--norms", Self.library]
        #expect(Main.run(call + ["--with", folder.path + "/co.json"]) == .fine)
        #expect(Main.run(call + ["--with", folder.path + "/co.json", "--json"]) == .fine)
        #expect(Main.run(call) == .usage)
        #expect(Main.run(call + ["--with", folder.path + "/none.json"]) == .environment)
        #expect(Main.run(["whatif", "--data", folder.path, "--with", folder.path + "/co.json"]) == .environment)
    }

    @Test("A call that cannot be understood is wrong usage")
    func usage() {
        #expect(Main.run(["norms", "list", "--norms", Self.library, "--hazard", "warmth"]) == .usage)
        #expect(Main.run(["norms", "list", "--norms", Self.library, "--at", "tomorrow"]) == .usage)
        #expect(Main.run(["norms", "show", "no-such-act", "--norms", Self.library]) == .usage)
        #expect(Main.run(["norms", "show", "--norms", Self.library]) == .usage)
        #expect(Main.run(["norms", "show", "en-54-5", "--norms", Self.library, "--language", "fr"]) == .usage)
        #expect(Main.run(["norms", "check", Self.library, "twice"]) == .usage)
    }

    @Test("A folder that is not there, or is empty, is the environment's fault")
    func environment() throws {
        #expect(Main.run(["norms", "check", "/no/such/folder"]) == .environment)
        let empty = try Folder([:])
        for command in ["check", "test"] { #expect(Main.run(["norms", command, empty.path]) == .environment) }
        #expect(Main.run(["norms", "list", "--norms", empty.path]) == .environment)
    }

    @Test("Every command shows its flags and an example", arguments: ["check", "list", "show", "test"])
    func help(command: String) {
        #expect(Main.run(["norms", command, "--help"]) == .fine)
    }
}
