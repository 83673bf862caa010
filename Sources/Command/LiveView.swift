import Core
import Foundation

/// The picture of a running service in a terminal: what is wrong, what is measured, what happened last. Words and signs, so that it
/// reads without colour; colour only helps.
struct LiveView {
    let lines: [String]

    private enum Style: String {
        case plain = ""
        case heading = "1"
        case faint = "2"
        case warning = "33"
        case danger = "1;31"
        case good = "32"
    }

    init(
        engine: Engine, recent: [Transition], console: String?, width: Int, height: Int,
        isColoured: Bool = ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    ) {
        var lines: [(text: String, style: Style)] = [
            (
                "Normwatch   \(Self.clock(engine.now))   \(engine.deviceCount) devices"
                    + (console.map { "   console \($0)" } ?? ""), .heading
            ), ("", .plain),
        ]
        let open = Self.open(engine)
        lines.append((Self.summary(open), open.isEmpty ? .good : .heading))
        lines += open.prefix(max(4, height / 3)).map { (Self.alarm($0), Self.style($0.transition)) }
        if open.count > max(4, height / 3) { lines.append(("  … and \(open.count - max(4, height / 3)) more", .faint)) }
        lines += [("", .plain), ("MEASURED", .heading)]
        let values = Self.values(engine, alarmed: Set(open.compactMap(\.transition.device)))
        let room = max(3, (height - lines.count - 3) / 2)
        lines += values.prefix(room).map { ($0, .plain) }
        if values.count > room { lines.append(("  … and \(values.count - room) more", .faint)) }
        lines += [("", .plain), ("WHAT HAPPENED LAST", .heading)]
        let told = recent.filter { $0.event != .cleared && $0.event != .suppressed }
        lines += told.suffix(max(3, height - lines.count - 1)).reversed().map {
            ("  \(Self.time($0.time))  \(Self.padded($0.event.rawValue, 13))\($0.text)", .plain)
        }
        self.lines = lines.prefix(height - 1).map { line in
            let text = String(line.text.prefix(width))
            return isColoured && line.style != .plain ? "\u{1b}[\(line.style.rawValue)m\(text)\u{1b}[0m" : text
        }
    }

    // MARK: Alarms

    private struct Open {
        let transition: Transition
        /// Flats whose own alarm is a part of this one.
        var flats = 0
        var isActive: Bool { transition.event != .ended }
    }

    /// The worst first; the flats of a building's alarm are told with it.
    private static func open(_ engine: Engine) -> [Open] {
        let all = engine.openAlarms
        var open: [Open] = []
        for transition in all {
            let bigger = all.first {
                $0.place.flat == nil && $0.hazard != nil && $0.hazard == transition.hazard
                    && $0.place.building == transition.place.building
            }
            if transition.place.flat != nil, bigger != nil { continue }
            let parts = all.count {
                $0.hazard != nil && $0.hazard == transition.hazard && $0.place.flat != nil
                    && $0.place.building == transition.place.building
            }
            open.append(Open(transition: transition, flats: transition.place.flat == nil ? parts : 0))
        }
        return open.enumerated().sorted { (rank($0.element), $1.offset) > (rank($1.element), $0.offset) }.map(\.element)
    }

    private static func rank(_ open: Open) -> Int {
        let severity = open.transition.severity.flatMap { Severity.allCases.firstIndex(of: $0) } ?? 0
        return (open.transition.alarmClass == .alarm ? 100 : 0) + (open.isActive ? 10 : 0) + severity
    }

    private static func summary(_ open: [Open]) -> String {
        let alarms = open.filter { $0.isActive && $0.transition.alarmClass == .alarm }
        let counts = Severity.allCases.reversed().compactMap { severity -> String? in
            let count = alarms.count { $0.transition.severity == severity }
            return count == 0 ? nil : "\(count) \(severity.rawValue)"
        }
        let rest = open.count - alarms.count
        let others = rest == 0 ? [] : ["\(rest) over or about sensors"]
        return open.isEmpty ? "ALL QUIET: no open alarms" : "OPEN: " + (counts + others).joined(separator: ", ")
    }

    private static func style(_ transition: Transition) -> Style {
        guard transition.event != .ended, transition.alarmClass == .alarm else { return .faint }
        return transition.severity.map { $0 >= .danger ? .danger : .warning } ?? .plain
    }

    private static func alarm(_ open: Open) -> String {
        let alarm = open.transition
        let mark =
            switch alarm.event {
            case .ended: "  - over"
            case .acknowledged: "  ✓ " + (alarm.severity?.rawValue ?? "")
            default: (alarm.alarmClass == .alarm ? "  ! " : "  ? ") + (alarm.severity?.rawValue.uppercased() ?? "")
            }
        let what = [alarm.hazard?.rawValue ?? alarm.fault?.rawValue, alarm.species].compactMap { $0 }
        let place = alarm.place.path + (open.flats > 0 ? " (\(open.flats) flats)" : "")
        let since = alarm.since.map { "since \(time($0))" } ?? ""
        let law = alarm.norm.map { "\($0.act)/\($0.id)" } ?? alarm.device ?? ""
        return padded(mark, 14) + padded(what.joined(separator: " "), 20) + padded(place, 20) + padded(since, 16)
            + padded(alarm.alarm ?? "", 18) + [measured(alarm), law].compactMap { $0 }.joined(separator: "  ")
    }

    private static func measured(_ alarm: Transition) -> String? {
        guard let value = alarm.value, let unit = alarm.unit, unit != .boolean else { return nil }
        return "\(rounded(value)) \(unit.rawValue)"
    }

    // MARK: Values

    /// Those of an alarm first, then those that a norm judges.
    private static func values(_ engine: Engine, alarmed: Set<String>) -> [String] {
        var ranked: [(rank: Int, line: String)] = []
        for device in engine.devices {
            for channel in device.channels where channel.value != nil {
                let rank = alarmed.contains(device.id) ? 0 : channel.norms.isEmpty ? 2 : 1
                ranked.append((rank, value(channel, of: device)))
            }
        }
        return (0...2).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.line) }
    }

    private static func value(_ channel: Engine.DeviceView.ChannelView, of device: Engine.DeviceView) -> String {
        let place = device.place.path.isEmpty ? "(not placed)" : device.place.path
        let what = [channel.series.indicator.rawValue, channel.series.species].compactMap { $0 }.joined(separator: " ")
        let when = (channel.isSilent ? "silent since " : "") + (channel.time.map { time($0) } ?? "")
        let judged = channel.norms.isEmpty ? "" : "judged by " + channel.norms.joined(separator: ", ")
        return "  " + padded(place, 22) + padded(what, 16) + padded(shown(channel), 16) + padded(when, 10) + judged
    }

    private static func shown(_ channel: Engine.DeviceView.ChannelView) -> String {
        let value = channel.value ?? 0
        guard channel.series.unit == .boolean else { return "\(rounded(value)) \(channel.series.unit.rawValue)" }
        return switch channel.series.indicator {
        case .door: value == 1 ? "open" : "closed"
        case .waterLeak: value == 1 ? "WET" : "dry"
        case .lamp: value == 1 ? "on" : "off"
        default: value == 1 ? "YES" : "no"
        }
    }

    private static func rounded(_ value: Double) -> String {
        let scaled = (value * 1000).rounded() / 1000
        return Int64(exactly: scaled).map(String.init) ?? String(scaled)
    }

    // MARK: Text

    private static func padded(_ text: String, _ width: Int) -> String {
        text.count >= width ? text + " " : text + String(repeating: " ", count: width - text.count)
    }

    private static func clock(_ instant: Timestamp) -> String {
        instant == .distantPast ? "starting" : String(instant.description.prefix(19)).replacing("T", with: " ") + " UTC"
    }

    private static func time(_ instant: Timestamp) -> String {
        String(instant.description.dropFirst(11).prefix(8))
    }
}
