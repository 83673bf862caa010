import Core
import Foundation
import Ingest
import Pipeline
import Store

let runCommand = CommandSpec(
    "run", "Runs the service: readings in, judged by law, stored, alarms out.",
    options: [
        dataOption,
        .init("broker", "URL", "mqtt[s]://user@host:port; without it a private mosquitto is started"),
        .init("broker-listen", "ADDRESS:PORT", "opens the private broker for devices, with a password"),
        .init("http", "ADDRESS:PORT", "serves /health and /metrics"),
        .init("public-url", "URL", "the address at which people reach the console"),
        .init("site", "FILE", "puts a site document in force"),
        .init("norms", "DIR", "the folder of norm documents"),
        .init("config", "FILE", "the configuration file; flags win"),
        .init("speed", "X", "time runs X times as fast; private broker and a fresh or demo data folder only"),
        .init("json", nil, "prints transitions as JSON lines"),
        .init("plain", nil, "prints lines instead of the live view"),
        .init("debug", nil, "logs more"),
    ],
    example: "normwatch run --data ./data --http 127.0.0.1:8080"
) { arguments in
    let configuration = try arguments.value("config").map { try Configuration(path: $0) } ?? Configuration()
    var options = ServiceOptions(
        data: arguments.dataFolder, normFolder: try Documents.normFolder(arguments.value("norms")))
    try options.apply(configuration)
    try options.apply(arguments)
    let log = Log.standardError(least: arguments.has("debug") ? .debug : .info)
    let unused = configuration.unused + (arguments.has("public-url") ? ["--public-url"] : [])
    if !unused.isEmpty {
        log(
            .warning, "the configuration asks for what this version does not do",
            ["keys": unused.joined(separator: ", ")])
    }
    let calls = SignalCalls()
    Signals.handle { calls.take($0) }
    var observer = ServiceObserver(log: log)
    let screen = Screen(
        style: arguments.has("json") ? .json : arguments.has("plain") || isatty(1) == 0 ? .lines : .live,
        speed: options.speed)
    screen.attach(to: &observer)
    defer { screen.finish() }
    while true {
        let service = try Service(options, observer: observer)
        calls.reach(stop: service.stop, reload: service.reload)
        service.run()
        guard service.mustBeginAnew, !calls.isStopWanted else { break }
        sleep(1)
    }
    return .fine
}

/// What signals lead to: the service that runs now, or that starts next.
private final class SignalCalls: Sendable {
    private struct State {
        var stop: (@Sendable () -> Void)?
        var reload: (@Sendable () -> Void)?
        var isStopWanted = false
    }
    private let state = Locked(State())

    var isStopWanted: Bool { state.withLock { $0.isStopWanted } }

    func reach(stop: @escaping @Sendable () -> Void, reload: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            (state.stop, state.reload) = (stop, reload)
            return state.isStopWanted
        }
        if isLate { stop() }
    }

    func take(_ signal: Int32) {
        let state = state.withLock { state in
            state.isStopWanted = state.isStopWanted || signal != SIGHUP
            return state
        }
        if signal == SIGHUP {
            state.reload?()
        } else if let stop = state.stop {
            stop()
        } else {
            exit(ExitCode.fine.rawValue)
        }
    }
}

extension ServiceOptions {
    mutating func apply(_ configuration: Configuration) throws {
        if let url = configuration.brokerURL {
            var address = try BrokerAddress(url: url)
            address.user = configuration.user ?? address.user
            address.password = configuration.password ?? address.password
            broker = address
        }
        authorityFile = configuration.caFile
        clientID = configuration.clientID
        subscriptions = configuration.subscribe
        publishesAlarms = configuration.publishesAlarms
        commitWithin = configuration.commitWithin
        http = configuration.http.map { ($0.address, $0.port) }
        mail = configuration.mail
        secretsFolder = configuration.folder
        keepReadings = configuration.keepReadings
    }

    mutating func apply(_ arguments: Arguments) throws {
        if let url = arguments.value("broker") {
            var address = try BrokerAddress(url: url)
            address.user = address.user ?? broker?.user
            address.password =
                address.password ?? ProcessInfo.processInfo.environment["NORMWATCH_BROKER_PASSWORD"] ?? broker?.password
            broker = address
        }
        if let text = arguments.value("broker-listen") {
            guard broker == nil else {
                throw UsageError("--broker-listen opens the private broker; leave out --broker")
            }
            brokerListen = try hostPort(text, flag: "--broker-listen")
        }
        if let text = arguments.value("http") { http = try hostPort(text, flag: "--http") }
        if let file = arguments.value("site") {
            site = try Documents.text(at: file)
            _ = try Documents.site(at: file)
        }
        if let text = arguments.value("speed") { try setSpeed(text) }
    }

    private mutating func setSpeed(_ text: String) throws {
        guard let speed = Double(text), speed > 0, speed <= 10_000 else {
            throw UsageError("--speed “\(text)” is no speed; write a number from 1")
        }
        self.speed = speed
        guard speed != 1 else { return }
        guard broker == nil else { throw UsageError("--speed works with the private broker only; leave out --broker") }
        let marker = data.path + "/demo"
        let isFresh = !FileManager.default.fileExists(atPath: data.database)
        guard isFresh || FileManager.default.fileExists(atPath: marker) else {
            throw UsageError("\(data.path) holds real data; --speed needs a fresh data folder")
        }
        try data.prepare()
        _ = FileManager.default.createFile(atPath: marker, contents: nil)
    }
}

/// - Throws: `UsageError` that says how to write it.
private func hostPort(_ text: String, flag: String) throws(UsageError) -> (address: String, port: Int) {
    guard let place = HostPort(text) else {
        throw UsageError("\(flag) “\(text)” is no address; write it as 127.0.0.1:8080 or [::1]:8080")
    }
    return (place.address, place.port)
}
