package import Core
internal import Foundation

/// The folder that holds everything of one installation.
package struct DataFolder: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var database: String { path + "/normwatch.db" }
    package var lock: String { path + "/lock" }
    package var socket: String { path + "/control.sock" }
    package var broker: String { path + "/broker" }

    package struct Trouble: Error, CustomStringConvertible {
        package let description: String
        package init(description: String) { self.description = description }
    }

    /// Makes the folder where it is missing.
    /// - Throws: `Trouble` in plain words when it cannot be made or written.
    package func prepare() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Trouble(
                description:
                    "the data folder \(path) cannot be made (\(Self.reason(error))); name another one with --data")
        }
        guard access(path, W_OK | X_OK) == 0, probe() else {
            throw Trouble(
                description:
                    "the data folder \(path) cannot be written (\(String(cString: strerror(errno)))); check its owner, or name another one with --data"
            )
        }
    }

    /// Root may write everywhere by right and still not be able to: a read-only mount says so only when it is tried.
    private func probe() -> Bool {
        let descriptor = open(path + "/.probe", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        unlink(path + "/.probe")
        return true
    }

    private static func reason(_ error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        return underlying.map { String(cString: strerror(Int32($0.code))) } ?? (error as NSError).localizedDescription
    }

    private var damageMark: String { path + "/damaged" }

    /// Whether damage was found that an opening of the database may not meet.
    package var isMarkedDamaged: Bool { access(damageMark, F_OK) == 0 }

    /// So that the next start puts the database aside.
    package func markDamaged() { close(open(damageMark, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)) }

    /// Databases that were put aside, oldest first.
    package var damagedFiles: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
            .map { path + "/" + $0 }
    }

    /// Puts files that are no usable database aside, so that nothing of them is lost and a new one can be begun.
    /// - Returns: the new name of the database file.
    package func setAside(at now: Timestamp) throws -> String {
        let civil = CivilTime(now)
        let stamp =
            "\(civil.year.padded(4))\(civil.month.padded(2))\(civil.day.padded(2))-"
            + "\(civil.hour.padded(2))\(civil.minute.padded(2))\(civil.second.padded(2))"
        let aside = database + ".damaged-" + stamp
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: database + suffix) {
            try FileManager.default.moveItem(atPath: database + suffix, toPath: aside + suffix)
        }
        unlink(damageMark)
        return aside
    }
}

/// Holds a data folder for one service. Let go when the process ends, however it ends.
package final class FolderLock {
    private let descriptor: Int32
    private let path: String

    /// - Parameter patience: so many seconds a command that has the folder for a moment is waited for.
    /// - Throws: `DataFolder.Trouble` when another service has it.
    package init(_ folder: DataFolder, patience: Double = 0) throws {
        path = folder.lock
        let descriptor = open(folder.lock, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DataFolder.Trouble(
                description: "\(folder.lock) cannot be opened (\(String(cString: strerror(errno)))); check its owner")
        }
        let deadline = Date(timeIntervalSinceNow: patience)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard Date() >= deadline else {
                usleep(20_000)
                continue
            }
            close(descriptor)
            throw DataFolder.Trouble(
                description:
                    "another Normwatch uses the data folder \(folder.path); stop it, or name another folder with --data"
            )
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// When the service that had the folder before was last alive; nil where nobody was.
    package var lastAlive: Timestamp? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return nil }
        return Timestamp(microseconds: Int64(status.st_mtim.tv_sec) * 1_000_000 + Int64(status.st_mtim.tv_nsec) / 1000)
    }

    /// Number of the last thing that was stored before, as far as it was noted here; nil where nothing was.
    package var lastStored: Int64? {
        var number: Int64 = 0
        let size = MemoryLayout<Int64>.size
        return pread(descriptor, &number, size, 0) == size ? Int64(littleEndian: number) : nil
    }

    /// A sign of life that costs no disk write of its own.
    /// - Parameter stored: number of the last thing that is stored; a database that has less has lost something.
    package func touch(stored: Int64) {
        var number = stored.littleEndian
        pwrite(descriptor, &number, MemoryLayout<Int64>.size, 0)
        futimens(descriptor, nil)
    }

    /// Whether a service has the folder now.
    package static func isHeld(_ folder: DataFolder) -> Bool {
        let descriptor = open(folder.lock, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return true }
        return false
    }
}
