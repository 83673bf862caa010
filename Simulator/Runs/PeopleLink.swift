import Core
import Foundation
import Ingest
import Pipeline
import Store

/// What people of a scenario do goes the way of all people: over the control socket of the service.
struct PeopleLink {
    private let folder: DataFolder

    init(_ folder: DataFolder) { self.folder = folder }

    /// The broker that the service uses.
    func broker() throws -> BrokerAddress {
        guard let data = FileManager.default.contents(atPath: folder.path + "/service.json"),
            let addresses = try? JSONDecoder().decode(ServiceAddresses.self, from: data)
        else {
            throw noService
        }
        return try BrokerAddress(url: addresses.broker)
    }

    /// Puts the scenario's site document in force; never in the place of somebody's real one.
    func apply(_ document: String) throws {
        let plan = try answer(.site(document: document, dryRun: true))
        let lost = plan.filter { $0.hasPrefix("- ") }
        guard lost.isEmpty else {
            throw EnvironmentError(
                "\(folder.path) has a site of its own, which would lose: \(lost.prefix(3).joined(separator: ", ")); "
                    + "simulate with a data folder of its own")
        }
        _ = try answer(.site(document: document, dryRun: false))
    }

    func ask(_ command: Command) throws { _ = try answer(.command(command)) }

    private func answer(_ request: ControlRequest) throws -> [String] {
        guard let reply = try ControlClient.ask(folder, request) else { throw noService }
        guard reply.isDone else { throw EnvironmentError(reply.lines.joined(separator: "\n")) }
        return reply.lines
    }

    private var noService: EnvironmentError {
        EnvironmentError("no service runs on \(folder.path); start it: normwatch run --data \(folder.path)")
    }
}
