internal import Foundation

/// A mosquitto of our own: on a loopback port, with a configuration and credentials of ours, ended with us.
package final class PrivateBroker {
    package struct Account: Codable, Sendable {
        package let user: String
        package let password: String
    }
    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    private static let binaries = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"]
    /// Where mosquitto is; nil: it is not installed.
    package static var binary: String? { binaries.first { access($0, X_OK) == 0 } }
    private static let passwordTools = ["/usr/bin/mosquitto_passwd", "/usr/local/bin/mosquitto_passwd"]

    package let address: BrokerAddress
    /// What devices log in with; they may not read what we publish.
    package let devices: Account
    private let folder: String
    private let binary: String
    private var process: ChildProcess
    /// The last lines it printed, for people who look for a cause.
    package private(set) var lastLines: [String] = []

    /// - Parameters:
    ///   - folder: made where it is missing; the broker's own store lives there too.
    ///   - listen: address and port for devices; nil: a free port on the loopback address only.
    /// - Throws: `Failed` in plain words.
    package init(folder: String, listen: (address: String, port: Int)?) throws {
        guard let binary = Self.binary else {
            throw Failed(
                description:
                    "mosquitto is not installed; install it (apt-get install mosquitto), or name a broker with --broker"
            )
        }
        (self.folder, self.binary) = (folder, binary)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let accounts = try Self.accounts(in: folder)
        devices = accounts.devices
        var port = 0
        var process: ChildProcess?
        for _ in 0..<10 where process == nil {
            port = try Self.freePort()
            try Self.configuration(folder: folder, port: port, listen: listen)
                .write(toFile: folder + "/mosquitto.conf", atomically: true, encoding: .utf8)
            process = try Self.start(binary, folder, &lastLines, listen)
        }
        guard let process else {
            throw Failed(
                description:
                    "no free port for the private broker was found; the last words of mosquitto: \(lastLines.suffix(3))"
            )
        }
        self.process = process
        address = BrokerAddress(host: "127.0.0.1", port: port, user: accounts.own.user, password: accounts.own.password)
    }

    package var processID: Int32 { process.id }

    /// Takes in what the broker prints, and starts it again when it has died.
    /// - Returns: whether it had to be started again.
    package func tend() throws -> Bool {
        remember(process.takeLines())
        guard !process.isRunning else { return false }
        guard let again = try Self.start(binary, folder, &lastLines, nil) else { return false }
        process = again
        return true
    }

    package func stop() { process.stop(patience: 5) }

    private func remember(_ lines: [String]) { lastLines = (lastLines + lines).suffix(50) }

    // MARK: Starting

    /// Nil when the port was taken by somebody else meanwhile.
    private static func start(
        _ binary: String, _ folder: String, _ lines: inout [String], _ listen: (address: String, port: Int)?
    ) throws -> ChildProcess? {
        let process = try ChildProcess(binary, ["-c", folder + "/mosquitto.conf"])
        let deadline = Date(timeIntervalSinceNow: 10)
        while Date() < deadline {
            let new = process.takeLines()
            lines = (lines + new).suffix(50)
            if new.contains(where: { $0.hasSuffix(" running") }) { return process }
            if !process.isRunning {
                lines = (lines + process.takeLines()).suffix(50)
                guard lines.contains(where: { $0.contains("Address already in use") }) else {
                    throw Failed(description: "mosquitto ended at once: \(lines.suffix(3).joined(separator: "; "))")
                }
                if let listen, !isFree(listen.address, listen.port) {
                    throw Failed(
                        description:
                            "\(listen.address):\(listen.port) is in use; choose another port with --broker-listen")
                }
                return nil
            }
            usleep(2000)
        }
        process.stop(patience: 1)
        throw Failed(description: "mosquitto does not start: \(lines.suffix(3).joined(separator: "; "))")
    }

    private static func freePort() throws -> Int {
        guard let port = bound("127.0.0.1", 0) else { throw Failed(description: "no port of 127.0.0.1 can be used") }
        return port
    }

    private static func isFree(_ address: String, _ port: Int) -> Bool { bound(address, port) != nil }

    /// Binds a port and lets it go; returns which it was.
    private static func bound(_ address: String, _ port: Int) -> Int? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(UInt16(port)).bigEndian
        guard inet_pton(AF_INET, address, &name.sin_addr) == 1 else { return nil }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard bind(descriptor, generic, length) == 0, getsockname(descriptor, generic, &length) == 0 else {
                    return nil
                }
                return Int(UInt16(bigEndian: pointer.pointee.sin_port))
            }
        }
    }

    // MARK: Files

    private static func configuration(folder: String, port: Int, listen: (address: String, port: Int)?) -> String {
        var lines = [
            "# Written at every start.",
            "listener \(port) 127.0.0.1",
            "allow_anonymous false", "password_file \(folder)/passwords", "acl_file \(folder)/access",
            // Nothing may be dropped while the service is down; mosquitto's own limits are 20 and 1000.
            "max_inflight_messages 0", "max_queued_messages 0", "max_queued_bytes 1073741824",
            "persistence true", "persistence_location \(folder)/", "autosave_interval 1",
            "sys_interval 10", "log_dest stderr", "log_type error", "log_type warning", "log_type notice",
            "log_type information",
            "connection_messages false",
        ]
        if let listen { lines.insert("listener \(listen.port) \(listen.address)", at: 2) }
        // Started by root it would become another user and could not save.
        if getuid() == 0 { lines.append("user root") }
        return lines.joined(separator: "\n") + "\n"
    }

    private struct Accounts: Codable {
        let own: Account
        let devices: Account
    }

    /// Generated at the first start, the same afterwards: devices keep their password.
    private static func accounts(in folder: String) throws -> Accounts {
        let file = folder + "/credentials.json"
        if let data = FileManager.default.contents(atPath: file),
            let known = try? JSONDecoder().decode(Accounts.self, from: data)
        {
            return known
        }
        let accounts = Accounts(
            own: Account(user: "normwatch", password: secret()), devices: Account(user: "devices", password: secret()))
        guard
            FileManager.default.createFile(
                atPath: file, contents: try JSONEncoder().encode(accounts), attributes: [.posixPermissions: 0o600])
        else {
            throw Failed(description: "\(file) cannot be written; check the owner of the data folder")
        }
        guard let tool = passwordTools.first(where: { access($0, X_OK) == 0 }) else {
            throw Failed(description: "mosquitto_passwd is not installed; install it (apt-get install mosquitto)")
        }
        _ = FileManager.default.createFile(
            atPath: folder + "/passwords", contents: nil, attributes: [.posixPermissions: 0o600])
        let text = [accounts.own, accounts.devices].map { "\($0.user):\($0.password)\n" }.joined()
        try text.write(toFile: folder + "/passwords", atomically: false, encoding: .utf8)
        // Turns the plain passwords of the file into hashes; nothing secret is on a command line.
        let hashing = try ChildProcess(tool, ["-U", folder + "/passwords"])
        while hashing.isRunning { usleep(1000) }
        try """
        user normwatch
        topic readwrite #
        topic read $SYS/#

        user devices
        topic write #
        topic deny normwatch/#
        topic read sensors/#

        """.write(toFile: folder + "/access", atomically: true, encoding: .utf8)
        return accounts
    }

    private static func secret() -> String {
        let alphabet = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        var random = SystemRandomNumberGenerator()
        return String((0..<24).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
    }
}
