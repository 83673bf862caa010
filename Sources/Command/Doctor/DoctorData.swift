import Core
import Foundation
import Pipeline
import Store

/// The data folder, and the service that has it.
extension Doctor {
    var dataFolder: [Sign] {
        let part = "data folder"
        guard FileManager.default.fileExists(atPath: folder.path) else {
            return [
                .warn(part, "\(folder.path) is not there", "the first start makes it; or name another one with --data")
            ]
        }
        do {
            try folder.prepare()
        } catch {
            return [
                .bad(
                    part, "\(folder.path) cannot be written",
                    "check its owner and the mount, or call as the user that the service runs as")
            ]
        }
        var signs: [Sign] = [.ok(part, "\(folder.path) can be written")]
        if let space { signs.append(space) }
        if let status = attributes(folder.path), let mode = status[.posixPermissions] as? Int, mode & 0o007 != 0 {
            signs.append(.warn(part, "everybody on this machine may look into it", "chmod 700 \(folder.path)"))
        }
        return signs
    }

    private var space: Sign? {
        var status = statvfs()
        guard statvfs(folder.path, &status) == 0, status.f_blocks > 0 else { return nil }
        let free = Int64(status.f_bavail) * Int64(status.f_frsize)
        let share = Int(100 * Double(status.f_bavail) / Double(status.f_blocks))
        let text = "\(Shown.bytes(free)) free (\(share) %)"
        let remedy =
            "make room: with a full disk alarms go on, but readings pile up at the broker and are lost there in the end"
        if free < 100 << 20 { return .bad("disk", text, remedy) }
        return free < 1 << 30 || share < 5 ? .warn("disk", text, remedy) : .ok("disk", text)
    }

    func attributes(_ path: String) -> [FileAttributeKey: Any]? {
        try? FileManager.default.attributesOfItem(atPath: path)
    }

    var service: Sign {
        if access(folder.lock, R_OK | W_OK) != 0, errno != ENOENT {
            return .warn("service", "\(folder.lock) cannot be looked at", "call as the user that the service runs as")
        }
        guard FolderLock.isHeld(folder) else {
            return .warn(
                "service", "no service runs on \(folder.path)", "start it: normwatch run, or systemctl start normwatch")
        }
        let addresses = addresses
        let name = addresses.map {
            "process \($0.process), broker \(Self.shown($0.broker))\($0.http.map { ", \($0)" } ?? "")"
        }
        if let alive = attributes(folder.lock)?[.modificationDate] as? Date, alive.timeIntervalSinceNow < -30 {
            return .bad(
                "service", "\(name ?? "a process") shows no sign of life for \(Int(-alive.timeIntervalSinceNow)) s",
                "look at its log; stop and start it")
        }
        return .ok("service", "runs: \(name ?? "starting")")
    }

    /// What the running service says of itself.
    var addresses: ServiceAddresses? {
        guard FolderLock.isHeld(folder), let data = FileManager.default.contents(atPath: folder.path + "/service.json")
        else { return nil }
        return try? JSONDecoder().decode(ServiceAddresses.self, from: data)
    }

    static func shown(_ url: String) -> String {
        guard var parts = URLComponents(string: url) else { return url }
        parts.password = nil
        return parts.string ?? url
    }
}
