import Core
import Pipeline
import Store
import Testing

@testable import Command

@Suite("The command line, from words to values")
struct CommandLineTests {
    private func call(_ text: String) throws(UsageError) -> Call {
        try Call(text.split(separator: " ").map(String.init), among: CommandList.all)
    }

    private func refusal(_ text: String) -> String {
        do {
            _ = try call(text)
            return "understood"
        } catch {
            return error.description
        }
    }

    @Test("Each command of the contract is there, with an example that is understood")
    func contract() throws {
        let names = [
            "run", "decode", "replay", "norms check", "norms list", "norms show", "norms test", "export", "journal",
            "history", "alarms", "devices", "arm", "ack", "site apply", "site export", "check", "doctor",
            "norms diff", "norms versions", "norms reload", "norms export", "whatif", "report",
        ]
        #expect(Set(CommandList.all.map(\.name)) == Set(names))
        for command in CommandList.all {
            let example = try #require(command.example.firstRange(of: "normwatch "), "\(command.name)")
            let words = command.example[example.upperBound...].prefix { $0 != ">" && $0 != "|" }
            guard case .command(let found, _) = try call(String(words)) else {
                Issue.record("\(command.example) is no call")
                continue
            }
            #expect(found.name == command.name)
            guard case .help = try call(command.name + " --help") else {
                Issue.record("\(command.name) has no help")
                continue
            }
            #expect(command.help.contains("Example:"))
        }
    }

    @Test("The overview names every command")
    func overview() {
        for command in CommandList.all { #expect(CommandList.overview.contains("  \(command.name) ")) }
        #expect(CommandList.overview.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }

    @Test("Words that are asked for help", arguments: ["", "help", "--help", "-h"])
    func help(text: String) throws {
        guard case .overview = try call(text) else {
            Issue.record("no overview")
            return
        }
        guard case .help(let command) = try call("help norms check") else {
            Issue.record("no help")
            return
        }
        #expect(command.name == "norms check")
    }

    @Test("A word alone that begins others shows them", arguments: ["norms", "site"])
    func groups(word: String) throws {
        guard case .group(word, isAsked: false) = try call(word) else {
            Issue.record("no group")
            return
        }
        guard case .group(word, isAsked: true) = try call(word + " --help") else {
            Issue.record("no group")
            return
        }
        #expect(CommandList.overview(of: word).contains("normwatch \(word) <command>"))
        #expect(Main.run([word]) == .usage && Main.run([word, "--help"]) == .fine)
    }

    @Test(
        "A mistyped word is answered with what was meant",
        arguments: [
            ("jurnal", "did you mean normwatch journal?"), ("norm list", "did you mean normwatch norms?"),
            ("site aply x", "did you mean normwatch site apply?"), ("norms frob", "it knows: list, show, check, test"),
            ("frobnicate", "normwatch --help lists them"), ("--data x export", "the command comes first"),
            ("export --devise x", "did you mean --device?"), ("export --volume", "it knows: --data --device"),
            ("export --device", "--device needs a value: --device DEVICE"),
            ("alarms --all=yes", "--all takes no value"),
            ("export -d x", "“-d” is no flag"), ("ack", "something is missing"), ("ack a b", "“b” is too much"),
        ])
    func mistakes(text: String, hint: String) {
        #expect(refusal(text).contains(hint), "\(refusal(text))")
    }

    @Test("Flags stand before, between and behind operands, with and without an equals sign")
    func flags() throws {
        for text in ["ack a1 --by anna", "ack --by anna a1", "ack --by=anna a1", "ack --by anna -- a1"] {
            guard case .command(_, let arguments) = try call(text) else {
                Issue.record("\(text)")
                return
            }
            #expect(arguments.operands == ["a1"] && arguments.value("by") == "anna")
        }
        let last = try Arguments(["--by", "a", "--by=b=c", "x"], for: ackCommand)
        #expect(last.value("by") == "b=c" && last.all("by") == ["a", "b=c"])
        #expect(try Arguments(["--", "--by"], for: ackCommand).operands == ["--by"])
        #expect(try Arguments(["-"], for: siteApplyCommand).operands == ["-"])
    }

    @Test("A span of readings")
    func filter() throws {
        func filter(_ words: String...) throws(UsageError) -> Reader.Filter {
            try Reader.Filter(Arguments(words, for: exportCommand), now: Timestamp("2026-11-30T08:00:00Z")!)
        }
        #expect(try filter() == Reader.Filter())
        #expect(
            try filter("--device", "d", "--indicator", "water_leak", "--from", "90min", "--to", "2026-12-01")
                == Reader.Filter(
                    device: "d", indicator: .waterLeak, from: Timestamp("2026-11-30T06:30:00Z"),
                    to: Timestamp("2026-12-01T00:00:00Z")))
        #expect(try filter("--from", "2026-11-30T09:00:00+01:00").from == Timestamp("2026-11-30T08:00:00Z"))
        for words in [
            ["--indicator", "gass"], ["--from", "yesterday"], ["--from", "2026-12-02", "--to", "2026-12-01"],
        ] {
            #expect(throws: UsageError.self) {
                try Reader.Filter(Arguments(words, for: exportCommand), now: .systemNow)
            }
        }
        #expect(throws: UsageError("--indicator “gass” is no indicator; did you mean gas?")) {
            try filter("--indicator", "gass")
        }
        #expect(throws: UsageError.self) { try Arguments(["--last", "0"], for: historyCommand).count("last") }
    }

    @Test("Which flat is to be armed how")
    func arm() throws {
        let flats = [
            Place(building: "b1", flat: "f1"), Place(building: "b1", flat: "f2"), Place(building: "b2", flat: "f2"),
        ]
        func request(_ words: String...) throws(UsageError) -> ArmRequest? {
            try ArmRequest(Arguments(words, for: armCommand), flats: flats)
        }
        #expect(try request() == nil)
        let f1 = try #require(try request("f1", "AWAY"))
        #expect((f1.building, f1.flat, f1.mode) == ("b1", "f1", .away))
        #expect(try request("b2/f2", "off")?.building == "b2")
        // The engine says whether a flat that is named in full is there.
        #expect(try request("b9/f9", "night")?.building == "b9")
        #expect(throws: UsageError("“f2” is in several buildings; write one of: b1/f2, b2/f2")) {
            try request("f2", "home")
        }
        #expect(throws: UsageError.self) { try request("f3", "home") }
        #expect(throws: UsageError.self) { try request("f1", "on") }
        #expect(throws: UsageError.self) { try request("f1") }
    }

    @Test("Addresses to listen on")
    func addresses() {
        #expect(HostPort("127.0.0.1:8080").map { [$0.address, "\($0.port)"] } == ["127.0.0.1", "8080"])
        #expect(HostPort("[::1]:80").map { [$0.address, "\($0.port)"] } == ["::1", "80"])
        #expect(HostPort(":1883").map { [$0.address, "\($0.port)"] } == ["0.0.0.0", "1883"])
        for text in ["", "8080", "::1:80", "localhost", "a:-1", "a:65536", "a:b"] {
            #expect(HostPort(text) == nil, "\(text)")
        }
    }

    @Test("Fields of CSV hold whatever a device is called, and numbers come back as they were")
    func csv() {
        #expect(CSVLine.field("plain") == "plain" && CSVLine.field("") == "")
        #expect(CSVLine.field("a,b") == "\"a,b\"" && CSVLine.field("say \"x\"") == "\"say \"\"x\"\"\"")
        #expect(CSVLine.field("a\r\nb") == "\"a\r\nb\"")
        #expect(CSVLine.field("\"\u{301}") == "\"\"\"\u{301}\"")
        let values: [Double] = [
            0, 1, -40, 21.5, 0.1 + 0.2, 1e300, .leastNonzeroMagnitude, 1.2345678901234568e17, .pi, -1e-9,
        ]
        for value in values {
            #expect(Double(CSVLine.number(value)) == value)
        }
        #expect(CSVLine.number(120) == "120")
    }
}
