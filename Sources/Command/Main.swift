import Core
import Foundation
import Pipeline
import Store

@main
enum Main {
    static func main() {
        let code = run(Array(CommandLine.arguments.dropFirst()))
        LineSink.standardOutput.flush(atMost: .seconds(2))
        LineSink.standardError.flush(atMost: .seconds(2))
        exit(code.rawValue)
    }

    static func run(_ words: [String]) -> ExitCode {
        do {
            switch try Call(words, among: CommandList.all) {
            case .overview: show(CommandList.overview)
            case .version: show("normwatch \(Version.number)")
            case .help(let command): show(command.help)
            case .group(let word, let isAsked):
                if isAsked {
                    show(CommandList.overview(of: word))
                } else {
                    complain(CommandList.overview(of: word))
                    return .usage
                }
            case .command(let command, let arguments): return try command.run(arguments)
            }
            return .fine
        } catch let error as UsageError {
            complain(error.description)
            return .usage
        } catch let error as SQLiteError {
            complain(inPlainWords(error))
            return .environment
        } catch {
            complain("\(error)")
            return .environment
        }
    }

    private static func show(_ text: String) {
        var output = LineOutput()
        output.write(text)
        output.flush()
    }

    static func complain(_ text: String) { StandardStream.error.write(Array((text + "\n").utf8)) }

    private static func inPlainWords(_ error: SQLiteError) -> String {
        if error.isDamage {
            return "the database is damaged (\(error.message)); normwatch check says where, and a start of the service "
                + "puts it aside and begins a new one"
        }
        if error.isBusy { return "the database is in use by another program (\(error.message)); try again in a moment" }
        if error.isFull { return "the disk is full; make room and try again" }
        return "the database cannot be used: \(error)"
    }
}
