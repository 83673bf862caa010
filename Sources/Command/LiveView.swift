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

    /// - Parameter speed: how much faster than the world the service's clock runs.
    init(
        engine: Engine, recent: [Transition], console: String?, speed: Double = 1, width: Int, height: Int,
        isColoured: Bool = ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    ) {
        var lines: [(text: String, style: Style)] = [
            (Self.title(engine, speed: speed), .heading), (console.map { "console " + $0 } ?? "", .faint), ("", .plain),
        ]
        let open = OpenAlarm.all(engine)
        lines.append((OpenAlarm.summary(open), open.isEmpty ? .good : .heading))
        if !open.isEmpty { lines.append((OpenAlarm.columns(width: width), .faint)) }
        let most = max(4, height / 4)
        for alarm in open.prefix(most) { lines += alarm.lines(width: width).map { ($0, Self.style(alarm)) } }
        if open.count > most { lines.append(("  … and \(open.count - most) more: normwatch alarms", .faint)) }

        lines += [("", .plain), ("MEASURED", .heading), (Self.columns(width), .faint)]
        let values = Self.values(engine, alarmed: Set(open.compactMap(\.transition.device)), width)
        let room = max(3, (height - lines.count - 3) / 2)
        lines += values.prefix(room).map { ($0, .plain) }
        if values.count > room { lines.append(("  … and \(values.count - room) more: normwatch devices", .faint)) }

        lines += [("", .plain), ("WHAT HAPPENED LAST", .heading)]
        for transition in Self.told(recent).reversed().prefix(height) {
            let text = "  \(Self.time(transition.time))  \(Self.word(transition).fitted(13))\(transition.text)"
            lines += text.wrapped(width, indent: width < 100 ? 4 : 25, most: 2).map { ($0, .plain) }
        }
        self.lines = lines.prefix(height - 1).map { line in
            let text = line.text.cut(width)
            return isColoured && line.style != .plain ? "\u{1b}[\(line.style.rawValue)m\(text)\u{1b}[0m" : text
        }
    }

    private static func title(_ engine: Engine, speed: Double) -> String {
        let parts = [
            "Normwatch", clock(engine.now) + (speed == 1 ? "" : " (\(number(speed)) times as fast)"),
            "\(engine.deviceCount) devices",
        ]
        return parts.joined(separator: "   ")
    }

    private static func style(_ alarm: OpenAlarm) -> Style {
        guard alarm.isActive, alarm.transition.alarmClass == .alarm else { return .faint }
        return alarm.transition.severity.map { $0 >= .danger ? .danger : .warning } ?? .plain
    }

    // MARK: What happened

    /// What people are told: a flat's part in an alarm of its building is told by that one.
    private static func told(_ recent: [Transition]) -> [Transition] {
        var held: Set<String> = []
        for transition in recent {
            guard let alarm = transition.alarm else { continue }
            if transition.event == .suppressed { held.insert(alarm) }
            if transition.event == .unsuppressed { held.remove(alarm) }
        }
        return recent.filter { $0.event != .cleared && $0.alarm.map { !held.contains($0) } ?? true }
    }

    private static func word(_ transition: Transition) -> String {
        transition.event == .severity ? "now" : transition.event.rawValue
    }

    // MARK: Values

    private static func showsNorms(_ width: Int) -> Bool { width >= 90 }

    private static func columns(_ width: Int) -> String {
        "  " + "where".fitted(21) + "what".fitted(14) + "value".fitted(13) + "at".fitted(10)
            + (showsNorms(width) ? "judged by" : "")
    }

    /// Those of an alarm first, then those that a norm judges.
    private static func values(_ engine: Engine, alarmed: Set<String>, _ width: Int) -> [String] {
        var ranked: [(rank: Int, line: String)] = []
        for device in engine.devices {
            for channel in device.channels where channel.value != nil {
                let isAlarmed = alarmed.contains(device.id) && !channel.norms.isEmpty
                ranked.append((isAlarmed ? 0 : channel.norms.isEmpty ? 2 : 1, value(channel, of: device, width)))
            }
        }
        return (0...2).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.line) }
    }

    private static func value(
        _ channel: Engine.DeviceView.ChannelView, of device: Engine.DeviceView, _ width: Int
    ) -> String {
        let place = device.place.path.isEmpty ? "(not placed)" : device.place.path
        let what = [channel.series.indicator.rawValue, channel.series.species].compactMap { $0 }.joined(separator: " ")
        let when = channel.time.map { time($0) } ?? ""
        let others = channel.norms.count > 1 ? " and \(channel.norms.count - 1) more" : ""
        let judged = channel.norms.first.map { $0 + others } ?? ""
        let last = channel.isSilent ? "SILENT since then" : showsNorms(width) ? judged : ""
        return "  " + place.fitted(21) + what.fitted(14) + shown(channel).fitted(13) + when.fitted(10) + last
    }

    private static func shown(_ channel: Engine.DeviceView.ChannelView) -> String {
        let value = channel.value ?? 0
        guard channel.series.unit == .boolean else { return "\(number(value)) \(channel.series.unit.rawValue)" }
        return switch channel.series.indicator {
        case .door: value == 1 ? "open" : "closed"
        case .waterLeak: value == 1 ? "WET" : "dry"
        case .lamp: value == 1 ? "on" : "off"
        default: value == 1 ? "YES" : "no"
        }
    }

    // MARK: Text

    static func number(_ value: Double) -> String {
        let scaled = (value * 1000).rounded() / 1000
        return Int64(exactly: scaled).map(String.init) ?? String(scaled)
    }

    static func time(_ instant: Timestamp) -> String { String(instant.description.dropFirst(11).prefix(8)) }

    private static func clock(_ instant: Timestamp) -> String {
        instant == .distantPast ? "starting" : String(instant.description.prefix(19)).replacing("T", with: " ") + " UTC"
    }
}

extension String {
    /// A column: filled up with blanks, one at least.
    func fitted(_ width: Int) -> String {
        count >= width ? self + " " : self + String(repeating: " ", count: width - count)
    }

    /// On so many lines at most, broken between words.
    func wrapped(_ width: Int, indent: Int, most: Int) -> [String] {
        guard most > 1, count > width, let end = prefix(width + 1).lastIndex(of: " "), end > startIndex else {
            return [cut(width)]
        }
        let rest = String(repeating: " ", count: indent) + self[index(after: end)...]
        return [String(self[..<end])] + rest.wrapped(width, indent: indent, most: most - 1)
    }

    /// With a sign where something is left out.
    func cut(_ width: Int) -> String {
        guard count > width else { return self }
        var kept = prefix(width - 1)
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
    }
}
