import Core
import Foundation
import Store

/// The database, and what stands in it.
extension Doctor {
    private static let quickLimit: Int64 = 2 << 30

    var database: [Sign] {
        let part = "database"
        var signs: [Sign] = folder.damagedFiles.map {
            .warn(part, "\($0) was put aside as damaged", "keep a copy if its history matters, then remove it")
        }
        guard FileManager.default.fileExists(atPath: folder.database) else {
            return signs + [.ok(part, "none yet; the first start makes it")]
        }
        let size = attributes(folder.database)?[.size] as? Int64 ?? 0
        do {
            guard size < Self.quickLimit else {
                _ = try Reader(folder)
                return signs + [.ok(part, "\(Shown.bytes(size)), too large to look through now; normwatch check does")]
            }
            let check = try DatabaseCheck(folder, isDeep: false)
            signs += check.findings.map {
                .bad(part, $0, "normwatch check --deep says more; restore a backup where the history matters")
            }
            if check.findings.isEmpty {
                let rows = check.counts.filter { ["readings", "history"].contains($0.name) }.reduce(0) { $0 + $1.count }
                signs.append(
                    .ok(
                        part,
                        "whole, \(Shown.bytes(size)), \(Shown.count(Int(rows), "reading")), log \(Shown.bytes(check.logBytes))"
                    ))
            }
        } catch {
            signs.append(.bad(part, "\(error)", ""))
        }
        return signs
    }

    func stored(_ reader: Reader) -> [Sign] {
        var signs: [Sign] = []
        if let alarms = try? reader.alarms(all: false) { signs += open(alarms) }
        if let states = try? reader.outbox() { signs += outbox(states, reader) }
        if let rejected = try? reader.rejected() {
            let total = rejected.counts.values.reduce(0, +)
            let worst = rejected.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map {
                "\($0.key) \($0.value)"
            }
            let text =
                "\(Shown.count(total, "message")) gave nothing\(worst.isEmpty ? "" : " (\(worst.joined(separator: ", ")))")"
            let isRecent = rejected.last.last.map { now - $0.arrival < .days(1) } ?? false
            signs.append(
                isRecent ? .warn("rejected", text, "normwatch devices --rejected shows them") : .ok("rejected", text))
        }
        return signs
    }

    private func open(_ alarms: [Reader.AlarmRow]) -> [Sign] {
        let own = alarms.compactMap { row -> String? in
            guard let last = try? JSONValue(parsing: row.last), last["device"] == .string("normwatch"),
                row.ended == nil,
                case .string(let kind)? = last["kind"]
            else { return nil }
            return "\(kind) since \(row.since)"
        }
        return own.map { .bad("own faults", $0, "docs/operating.md says what it means") }
            + [.ok("alarms", "\(alarms.count) open; normwatch alarms lists them")]
    }

    private func outbox(_ states: [String: Int], _ reader: Reader) -> [Sign] {
        let (waiting, dead) = (states["waiting"] ?? 0, states["dead"] ?? 0)
        var signs: [Sign] = [
            waiting > 100
                ? .warn(
                    "messages", "\(Shown.count(waiting, "message")) to people wait",
                    "look at the channels; the log says why they fail"
                )
                : .ok("messages", "\(waiting) wait, \(states["delivered"] ?? 0) were delivered lately")
        ]
        if dead > 0 {
            let last = (try? reader.undeliverable(limit: 1))?.first
            signs.append(
                .warn(
                    "messages",
                    "\(dead) were given up\(last.map { ", the last to \($0.notice.recipient): \($0.error)" } ?? "")",
                    "correct the channel in the site document or the mail settings"))
        }
        return signs
    }

    func devices(_ engine: Engine) -> [Sign] {
        var signs: [Sign] = []
        let devices = engine.devices
        let unplaced = devices.filter { !$0.isPlaced }.count
        signs.append(
            unplaced > 0
                ? .warn(
                    "devices", "\(devices.count) known, \(unplaced) in no room",
                    "place them in the site document; normwatch devices --unplaced lists them")
                : .ok("devices", "\(devices.count) known"))
        if engine.now > now + .minutes(5) {
            signs.append(
                .bad(
                    "clock", "it is behind what was stored last (\(engine.now))",
                    "set the clock; until then time passes at half speed"))
        }
        return signs
    }
}
