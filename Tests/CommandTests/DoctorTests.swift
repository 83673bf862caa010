import Core
import Foundation
import Pipeline
import Support
import Testing

@testable import Command
@testable import Store

@Suite("Doctor, from a folder to signs")
struct DoctorTests {
    private let folder: TemporaryFolder
    private var data: String { folder.path + "/data" }

    /// The norms that come with the product.
    private static let library = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Thresholds").path

    init() throws { folder = TemporaryFolder() }

    private func examine(norms: String = Product.norms, _ words: String...) throws -> [Sign] {
        Doctor(try Arguments(["--data", data, "--norms", norms] + words, for: doctorCommand)).examine()
    }

    private func applySite(_ channels: String) throws {
        let site = """
            {"site": "s", "jurisdictions": ["house"],
             "people": [{"id": "a", "role": "administrator", "channels": [\(channels)]}]}
            """
        #expect(try Door.ask(DataFolder(data), .site(document: site, dryRun: false)).isDone)
    }

    @Test("A folder that is not there yet is no harm")
    func empty() throws {
        let signs = try examine()
        #expect(!signs.contains { $0.state == .bad }, "\(signs)")
        #expect(signs.contains { $0.part == "data folder" && $0.state == .warn })
        #expect(!FileManager.default.fileExists(atPath: data))
        #expect(signs.allSatisfy { $0.state == .ok || !$0.remedy.isEmpty })
    }

    @Test("Everything that keeps messages from people is told")
    func people() throws {
        try applySite(
            #"{"kind": "email", "address": "a@example.org"}, {"kind": "ntfy", "topic": "x"}, {"kind": "webhook", "url": "https://x.example", "secretFile": "none"}"#
        )
        let configuration = try folder.file(
            "config.json",
            #"{"mail": {"server": "smtp://mail.example", "from": "a@example.org", "user": "a", "passwordFile": "none"}, "deadMan": {"url": "https://x.example"}}"#
        )
        let signs = try examine("--config", configuration)
        for (part, text) in [("mail", "none cannot be used"), ("webhook", "none cannot be used")] {
            #expect(signs.contains { $0.part == part && $0.state == .bad && $0.text.contains(text) }, "\(signs)")
        }
        #expect(signs.contains { $0.part == "people" && $0.text.contains("ntfy") })
        #expect(signs.contains { $0.part == "configuration" && $0.text.contains("deadMan") })
        let without = try examine("--config", try folder.file("empty.json", "{}"))
        #expect(without.contains { $0.part == "mail" && $0.state == .bad })
    }

    @Test("A smoke alarm that the law asks for and that nobody hears is missed, with the place and the act")
    func duties() throws {
        let site = """
            {"site": "s", "jurisdictions": ["DE"], "buildings": [{"id": "b1", "flats": [{"id": "f1", "rooms": [
              {"id": "bed", "kind": "bedroom", "devices": [{"id": "alarm"}]}, {"id": "child", "kind": "children"}]}]}]}
            """
        #expect(try Door.ask(DataFolder(data), .site(document: site, dryRun: false)).isDone)
        let store = try Store(path: DataFolder(data).database)
        let host = try EngineHost(store)
        let files = try NormFolder.documents(in: Self.library)
        _ = host.use(norms: try NormLibrary(reading: files), files: files, by: "test", at: .systemNow)
        let heard = Series(device: "alarm", indicator: .smoke, unit: .boolean)
        try host.enter(#require(Reading(heard, 0)), at: .systemNow + .seconds(1))
        try store.commit(now: .systemNow) { _ in .distantFuture }
        let signs = try examine().filter { $0.part == "duties" }
        #expect(signs.count == 1 && signs[0].text.contains("b1/f1/child"), "\(signs)")
        #expect(signs.first?.text.contains("landesbauordnung/smoke-in-bedrooms") == true, "\(signs)")
        #expect(signs.allSatisfy { !$0.text.contains("b1/f1/bed") })
    }

    @Test("An act that ends soon, and norms with errors")
    func norms() throws {
        let text = try String(contentsOfFile: Product.norms + "/gas.json", encoding: .utf8)
        let soon = String((Timestamp.systemNow + .days(30)).description.prefix(10))
        _ = try folder.file("soon/gas.json", text.replacing("\"until\": null", with: "\"until\": \"\(soon)\""))
        let ending = try examine(norms: folder.path + "/soon")
        #expect(ending.contains { $0.part == "norms" && $0.state == .warn && $0.text.contains("ends on \(soon)") })
        _ = try folder.file("broken/gas.json", "{")
        #expect(try examine(norms: folder.path + "/broken").contains { $0.part == "norms" && $0.state == .bad })
    }

    @Test("A broken configuration file does not keep doctor from looking at the rest")
    func configuration() throws {
        let signs = try examine("--config", try folder.file("config.json", #"{"brokr": {}, "http": {"listen": 1}}"#))
        #expect(signs.filter { $0.part == "configuration" && $0.state == .bad }.count == 2)
        #expect(signs.contains { $0.part == "norms" && $0.state == .ok })
    }

    @Test("A broker that nobody can reach")
    func broker() throws {
        let signs = try examine("--broker", "mqtt://127.0.0.1:\(freePort())")
        #expect(
            signs.contains { $0.part == "broker" && $0.state == .bad && $0.text.contains("Connection refused") },
            "\(signs)")
    }

    @Test("A database of another program, and a folder that anybody may look into")
    func foreign() throws {
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        chmod(data, 0o755)
        try Database(path: data + "/normwatch.db", mode: .readWrite).execute("CREATE TABLE notes (text)")
        let signs = try examine()
        #expect(signs.contains { $0.part == "database" && $0.state == .bad && $0.text.contains("another program") })
        #expect(signs.contains { $0.part == "data folder" && $0.remedy.hasPrefix("chmod 700") })
    }
}
