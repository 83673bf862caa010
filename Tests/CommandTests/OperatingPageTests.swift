import Core
import Foundation
import Ingest
import Pipeline
import Support
import Testing

@testable import Command

/// The samples of `docs/operating.md` are what the program takes.
@Suite("The page for operators")
struct OperatingPageTests {
    private let page: String

    init() throws { page = try String(contentsOfFile: Product.repository + "/docs/operating.md", encoding: .utf8) }

    private func block(_ kind: String) throws -> String {
        let start = try #require(page.firstRange(of: "```\(kind)\n"), "a sample marked \(kind)")
        let rest = page[start.upperBound...]
        return String(rest[..<(try #require(rest.firstRange(of: "```")).lowerBound)])
    }

    @Test("The configuration file is read without a problem, and is done as it says")
    func configuration() throws {
        let folder = TemporaryFolder()
        for name in ["secrets/mqtt", "secrets/mail"] { _ = try folder.file(name, "secret\n") }
        let configuration = try Configuration(path: try folder.file("config.json", try block("json config")))
        #expect(configuration.unused.isEmpty && configuration.publishesAlarms && configuration.mail != nil)
    }

    @Test("Every key of the configuration file is in the table")
    func keys() {
        for key in [
            "broker.url", "broker.user", "broker.passwordFile", "broker.caFile", "broker.clientId", "broker.subscribe",
            "publish.alarms", "publish.homeAssistant", "publish.commands", "commit.within", "http.listen",
            "http.publicUrl", "http.certificate", "http.key", "retention.raw", "deadMan.url", "deadMan.every",
        ] {
            #expect(page.contains("`\(key)`"), "\(key)")
        }
    }

    @Test("The site document is read without a problem, and everything it asks for is done")
    func site() throws {
        let site = try Site(parsing: try block("json site"))
        let flat = try #require(site.buildings.first?.flats.first)
        #expect(flat.rooms.count == 2 && flat.rooms[1].devices[0].zone == .entry && flat.tenancies.count == 1)
        #expect(site.routes.count == 3)
        #expect(!SiteChange(from: .none, to: site).lines.contains { $0.hasPrefix("!") })
    }

    @Test("The unit calls the program as it wants to be called")
    func unit() throws {
        let line = try #require(try block("ini unit").split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        let words = line.split(separator: " ").dropFirst().map(String.init)
        guard case .command(let command, let arguments) = try Call(words, among: CommandList.all) else {
            Issue.record("\(line) is no call")
            return
        }
        #expect(command.name == "run" && arguments.value("data") == "/var/lib/normwatch")
    }

    @Test("Every kind of fault has its line", arguments: FaultKind.allCases)
    func fault(kind: FaultKind) { #expect(page.contains("\n| `\(kind.rawValue)` |")) }

    @Test("Every command beside a service is named")
    func commands() {
        for name in [
            "alarms", "journal", "devices", "history", "export", "ack", "arm", "site apply", "doctor", "check",
        ] {
            #expect(page.contains("`normwatch \(name)"), "\(name)")
        }
    }
}

extension ProcessTests {
    @Test("The page for operators: mosquitto takes the samples, and devices cannot speak in our name")
    func access() async throws {
        let page = try String(contentsOfFile: Product.repository + "/docs/operating.md", encoding: .utf8)
        func block(_ kind: String) throws -> String {
            let start = try #require(page.firstRange(of: "```\(kind)\n"))
            let rest = page[start.upperBound...]
            return String(rest[..<(try #require(rest.firstRange(of: "```")).lowerBound)])
        }
        let folder = TemporaryFolder()
        let passwords = try folder.file("passwords", "normwatch:a\nsensors:b\ncaretaker:c\n")
        #expect(try await run(["mosquitto_passwd", "-U", passwords]).code == 0)
        let access = try folder.file("access", try block("conf access"))
        chmod(folder.path, 0o755)
        for file in [passwords, access] { chmod(file, 0o644) }
        let sample = try block("conf mosquitto").replacing("/etc/mosquitto/passwords", with: passwords)
            .replacing("/etc/mosquitto/access", with: access)
        let broker = try Mosquitto(
            folder, port: freePort(), "persistence_location \(folder.path)/", anonymous: false, text: sample)
        let secret = try folder.file("mqtt", "a\n")
        let configuration = try folder.file(
            "config.json",
            """
            {"broker": {"url": "mqtt://127.0.0.1:\(broker.address.port)", "user": "normwatch", "passwordFile": "\(secret)"},
             "publish": {"alarms": true}}
            """)
        let service = try await RunningService.start(folder.path + "/data", ["--config", configuration])
        var device = broker.address
        (device.user, device.password) = ("sensors", "b")
        for topic in ["normwatch/event", "other"] {
            let words = ["mosquitto_pub", "-h", "127.0.0.1", "-p", "\(device.port)", "-u", "sensors", "-P", "b"]
            _ = try await run(words + ["-t", topic, "-m", "false", "-r"])
        }
        try await publish(gas([120], from: .systemNow), to: device)
        try await service.transition(["event": "raised", "hazard": "poisoning"])
        let heard = try await run([
            "mosquitto_sub", "-h", "127.0.0.1", "-p", "\(broker.address.port)", "-u", "caretaker", "-P", "c", "-t", "#",
            "-W", "2", "-v",
        ])
        #expect(heard.output.contains("normwatch/alarm/b1/f1/poisoning {"), "\(heard.output)\(heard.error)")
        #expect(heard.lines.allSatisfy { $0.hasPrefix("normwatch/") && !$0.hasSuffix("false") }, "\(heard.output)")
        let doctor = try await normwatch(
            "doctor", "--data", folder.path + "/data", "--norms", Product.norms, "--config", configuration)
        #expect(doctor.code == 0 && doctor.output.contains("MQTT 5"), "\(doctor.output)")
        #expect(!doctor.output.contains("does not show how many"), "\(doctor.output)")
        #expect(try await service.stop() == 0)
    }
}
