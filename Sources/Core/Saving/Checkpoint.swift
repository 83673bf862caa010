/// A saved state of the engine.
package struct Checkpoint: Sendable {
    /// Raised whenever an older program could not go on from what is written.
    package static let format = 2
    /// What to do about a checkpoint of a newer program; every other problem is damage.
    package static let newerRemedy = "start the newer version of Normwatch that wrote it"

    let state: Engine.State

    private struct Header: Codable {
        var format: Int
        var buildings: Int
        var state: Engine.State
    }

    init(state: Engine.State) { self.state = state }

    package func encoded() -> [UInt8] {
        var rest = state
        rest.buildings = []
        var encoder = StateEncoder()
        do {
            try encoder.encode(Header(format: Self.format, buildings: state.buildings.count, state: rest))
            for building in state.buildings {
                var shell = building
                shell.devices = []
                try encoder.encode(shell)
                try encoder.encode(building.devices.count)
                for device in building.devices { try encoder.encode(device) }
            }
        } catch {
            preconditionFailure("the engine's state always encodes: \(error)")
        }
        return encoder.bytes
    }

    /// - Throws: `DocumentProblem` for a checkpoint that is damaged or of a newer format.
    package init(decoding bytes: [UInt8]) throws(DocumentProblem) {
        do {
            var decoder = try StateDecoder(bytes)
            let header = try decoder.decode(Header.self)
            guard header.format <= Self.format else {
                throw DocumentProblem(
                    path: "checkpoint", message: "has format \(header.format), this program reads up to \(Self.format)",
                    remedy: Self.newerRemedy)
            }
            var state = header.state
            for _ in 0..<header.buildings {
                var building = try decoder.decode(Building.self)
                let count = try decoder.decode(Int.self)
                for _ in 0..<count { building.devices.append(try decoder.decode(Device.self)) }
                state.buildings.append(building)
            }
            self.state = state
        } catch let problem as DocumentProblem {
            throw problem
        } catch {
            throw DocumentProblem(
                path: "checkpoint", message: "cannot be read: \(error)", remedy: "restore the data folder from a backup"
            )
        }
    }
}
