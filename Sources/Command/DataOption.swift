import Core
import Foundation
import Store

let dataOption = CommandSpec.Option(
    "data", "DIR", "the data folder (default: /var/lib/normwatch for the system's service, else yours)")

extension Arguments {
    /// The flag, then `NORMWATCH_DATA`, then the system's folder where it is ours, then the user's.
    var dataFolder: DataFolder {
        let environment = ProcessInfo.processInfo.environment
        if let chosen = value("data") ?? environment["NORMWATCH_DATA"] { return DataFolder(absolute(chosen)) }
        let system = "/var/lib/normwatch"
        if access(system, W_OK) == 0 { return DataFolder(system) }
        let base = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "/tmp") + "/.local/share"
        return DataFolder(base + "/normwatch")
    }

    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : URL(fileURLWithPath: path).standardizedFileURL.path
    }

    /// For commands that read: the data must be there.
    func existingReader() throws -> Reader { try Reader(existing: dataFolder) }
}

extension Reader {
    /// - Throws: in plain words, with what to do.
    /// - Parameter isChecked: whether damage is what the caller looks for, and wants to hear about as it is.
    convenience init(existing folder: DataFolder, isChecked: Bool = false) throws {
        guard access(folder.database, F_OK) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw EnvironmentError(
                    "\(folder.database) cannot be looked at (\(String(cString: strerror(errno)))); call as the user that the service runs as"
                )
            }
            throw EnvironmentError(
                "there is no Normwatch data in \(folder.path); name the folder with --data, or start the service first")
        }
        do {
            try self.init(folder)
        } catch let error as SQLiteError where !isChecked || !error.isDamage {
            // Beside a database with a log SQLite writes a file even to read it.
            let remedy =
                access(folder.path, W_OK) == 0
                ? "run normwatch check --data \(folder.path)"
                : "call as the user that the service runs as, or copy the folder to where it can be written"
            throw EnvironmentError("\(folder.database) cannot be read: \(error.message); \(remedy)")
        }
    }
}
