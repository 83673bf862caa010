import Core
import Foundation
import Ingest
import Pipeline

@main
enum Main {
    enum ExitCode: Int32 { case fine, finding, usage, environment }

    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    static func run(_ words: [String]) -> ExitCode {
        do {
            switch try Request(words) {
            case .help:
                say(Request.helpText)
                return .fine
            case .list:
                try list()
                return .fine
            case .run(let options): return try run(options)
            }
        } catch let error as UsageError {
            complain(error.description)
            return .usage
        } catch let error as DocumentProblems {
            complain(error.description)
            return .usage
        } catch let error as BrokerAddress.Unusable {
            complain(error.description)
            return .usage
        } catch {
            complain("\(error)")
            return .environment
        }
    }

    private static func list() throws {
        guard let folder = ScenarioFolder.locate() else {
            throw EnvironmentError(
                "no folder of scenarios is found; stand in the checkout, or name a document by its path")
        }
        say("normwatch-simulator SCENARIO [flags]; --help shows them\n")
        for name in ScenarioFolder.names(in: folder) {
            let title = (try? ScenarioFolder.scenario(name, in: folder))?.title ?? "has mistakes; run it to see them"
            say("  \(name)\(String(repeating: " ", count: max(2, 18 - name.count)))\(title)")
        }
    }

    private static func run(_ options: Options) throws -> ExitCode {
        let scenario = try ScenarioFolder.scenario(
            options.scenario, in: ScenarioFolder.locate(), settings: options.settings)
        guard options.broker != nil || options.data != nil else { return try runVirtually(scenario, options) }
        let stop = StopSign()
        Signals.handle { signal in if signal != SIGHUP { stop.set() } }
        let passed = try LiveRun(scenario, options, stop: stop).run { report in
            for line in options.isJSON ? report.json : report.lines { say(line) }
        }
        return passed ? .fine : .finding
    }

    private static func runVirtually(_ scenario: Scenario, _ options: Options) throws -> ExitCode {
        guard let folder = NormFolder.locate(flag: options.norms) else {
            throw EnvironmentError("the folder of norm documents is not found; name it with --norms")
        }
        let norms: NormLibrary
        do {
            norms = try NormLibrary(reading: try NormFolder.documents(in: folder))
        } catch {
            throw EnvironmentError("\(error)")
        }
        var run = try VirtualRun(scenario, seed: options.seed, norms: norms)
        var progress = Progress()
        run.run(
            { transition in
                guard !options.checks else { return }
                let at = ScenarioTime.shown((transition.time - scenario.start).seconds)
                say(options.isJSON ? transition.json.text : "\(at)  \(transition.event.rawValue)  \(transition.text)")
            },
            tell: { now, messages in
                if options.checks { progress.show(scenario, at: now) { "\(messages) messages" } }
            })
        progress.end()
        guard options.checks else { return .fine }
        let report = Report(scenario: scenario.name, seed: options.seed, messages: run.messages, check: run.check)
        for line in options.isJSON ? report.json : report.lines { say(line) }
        return report.passed ? .fine : .finding
    }

    /// A line on standard output, at once: somebody may be reading along.
    static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
