import Support
import Testing

@testable import Simulator

@Suite("What the command line asks for")
struct OptionsTests {
    private static func options(_ words: String...) throws -> Options {
        guard case .run(let options) = try Request(words) else { throw UsageError("no run") }
        return options
    }

    @Test("Without a scenario they are listed")
    func list() throws {
        #expect(try Request([]) == .list)
        #expect(try Request(["list"]) == .list)
        #expect(try Request(["blackout", "--help"]) == .help)
    }

    @Test("Flags with and without an equals sign, before and after the scenario")
    func flags() throws {
        let options = try Self.options(
            "--seed=7", "load", "--flats", "100", "--set", "rate=500", "--set=count=1e4", "--check", "--speed", "0.5",
            "--broker", "mqtt://a:1", "--json", "--stay", "--data", "d", "--norms", "n")
        var wanted = Options()
        (wanted.scenario, wanted.seed, wanted.speed, wanted.broker) = ("load", 7, 0.5, "mqtt://a:1")
        (wanted.settings, wanted.checks) = (["flats": 100, "rate": 500, "count": 10_000], true)
        (wanted.isJSON, wanted.stays, wanted.data, wanted.norms) = (true, true, "d", "n")
        #expect(options == wanted)
    }

    @Test(
        "What is wrong is told with what would be right",
        arguments: [
            (["x", "y"], "one scenario at a time"), (["x", "--sed", "1"], "does not know --sed"),
            (["x", "--seed"], "needs a value"), (["x", "--seed", "x"], "no whole number"),
            (["x", "--seed", "-1"], "no whole number"), (["x", "--seed", "1.5"], "no whole number"),
            (["x", "--speed", "0"], "no speed"), (["x", "--speed", "1e9"], "no speed"),
            (["x", "--speed", "nan"], "no speed"), (["x", "--speed", "fast"], "no speed"),
            (["x", "--flats", "0"], "no number of flats"), (["x", "--flats", "many"], "no number of flats"),
            (["x", "--set", "count=-1"], "sets nothing"), (["x", "--set", "count"], "sets nothing"),
            (["x", "--set", "count=inf"], "sets nothing"), (["x", "--set", "count="], "sets nothing"),
            (["x", "--check=yes"], "takes no value"), (["x", "--stay"], "name a broker"),
        ])
    func wrong(_ words: [String], _ message: String) {
        #expect { try Request(words) } throws: { "\($0)".contains(message) }
    }

    @Test(
        "The program ends with 2 for wrong words, a scenario that is none, and one with mistakes",
        arguments: [
            ["six-emergencies", "--speed", "0"], ["seven-emergencies"], ["/nowhere/x.json"],
            ["load", "--set", "count=1e300"], ["quiet-day", "--set", "rate=5"], ["six-emergencies", "--flats", "2"],
        ])
    func exitCode(_ words: [String]) async throws {
        let ended = try await run([Product.simulator] + words)
        #expect(ended.code == 2 && ended.output.isEmpty && !ended.error.isEmpty, "\(ended)")
    }

    @Test("Help and list are printed and fine")
    func printed() async throws {
        let help = try await run([Product.simulator, "--help"])
        #expect(help.code == 0 && help.output.contains("Example:") && help.error.isEmpty)
        let list = try await run([Product.simulator])
        #expect(list.code == 0 && list.lines.contains { $0.contains("six-emergencies") }, "\(list)")
    }
}
