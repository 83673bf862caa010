internal import FoundationEssentials

/// A saved state of the engine.
///
/// Text of JSON lines: a header with the format's version, then the state part by part, so that saving and reading need no more memory
/// than the largest building's devices.
package struct Checkpoint: Sendable {
    /// Raised whenever an older program could not go on from what is written.
    package static let format = 1

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
        var bytes: [UInt8] = []
        append(Header(format: Self.format, buildings: state.buildings.count, state: rest), to: &bytes)
        for building in state.buildings {
            var shell = building
            shell.devices = []
            append(shell, to: &bytes)
            for device in building.devices { append(device, to: &bytes) }
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private func append(_ part: some Encodable, to bytes: inout [UInt8]) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(part) else { preconditionFailure("the engine's state always encodes") }
        bytes.append(contentsOf: data)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// - Throws: `DocumentProblem` for a checkpoint that is damaged or of a newer format.
    package init(decoding bytes: [UInt8]) throws(DocumentProblem) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        do {
            let header = try Self.take(Header.self, from: &lines)
            guard header.format <= Self.format else {
                throw DocumentProblem(
                    path: "checkpoint", message: "has format \(header.format), this program reads up to \(Self.format)",
                    remedy: "start the newer version of Normwatch that wrote it")
            }
            var state = header.state
            for _ in 0..<header.buildings {
                var building = try Self.take(Building.self, from: &lines)
                while let line = lines.first, !line.isEmpty {
                    building.devices.append(try Self.take(Device.self, from: &lines))
                }
                lines = lines.dropFirst()
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

    private static func take<Part: Decodable>(_: Part.Type, from lines: inout ArraySlice<ArraySlice<UInt8>>) throws
        -> Part
    {
        guard let line = lines.popFirst() else {
            throw DocumentProblem(
                path: "checkpoint", message: "ends too early", remedy: "restore the data folder from a backup")
        }
        return try JSONDecoder().decode(Part.self, from: Data(line))
    }
}
