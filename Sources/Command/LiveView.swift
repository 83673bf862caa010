import Core

/// The picture of a running service in a terminal: open alarms, live values, what happened last. Words and signs, so that it reads
/// without colour.
struct LiveView {
    let lines: [String]

    init(engine: Engine, recent: [Transition], console: String?, width: Int, height: Int) {
        var lines = [
            "Normwatch   \(Self.clock(engine.now))   \(engine.deviceCount) devices\(console.map { "   console \($0)" } ?? "")"
        ]
        let open = engine.openAlarms
        lines.append("")
        lines.append(open.isEmpty ? "OPEN ALARMS: none" : "OPEN ALARMS")
        lines += open.sorted { Self.rank($0) > Self.rank($1) }.prefix(max(3, height / 3)).map { Self.alarm($0) }
        lines.append("")
        lines.append("VALUES")
        let values = engine.devices.flatMap { device in
            device.channels.filter { $0.value != nil }.map { Self.value($0, of: device) }
        }
        let room = max(3, height - lines.count - 9)
        lines += values.prefix(room)
        if values.count > room { lines.append("  … and \(values.count - room) more") }
        lines.append("")
        lines.append("LAST EVENTS")
        lines += recent.suffix(max(3, height - lines.count - 1)).map {
            "  \(Self.time($0.time))  \($0.event.rawValue): \($0.text)"
        }
        self.lines = lines.prefix(height - 1).map { String($0.prefix(width)) }
    }

    private static func rank(_ transition: Transition) -> Int {
        let isActive = transition.event != .ended
        let severity = transition.severity.flatMap { Severity.allCases.firstIndex(of: $0) } ?? 0
        return (transition.alarmClass == .alarm ? 100 : 0) + (isActive ? 10 : 0) + severity
    }

    private static func alarm(_ transition: Transition) -> String {
        let mark =
            switch transition.event {
            case .ended: "  - over, not acknowledged  "
            case .acknowledged: "  ✓ acknowledged  "
            default: transition.alarmClass == .alarm ? "  ! " : "  ? "
            }
        return mark + "\(transition.alarm ?? "")  \(transition.text)"
    }

    private static func value(_ channel: Engine.DeviceView.ChannelView, of device: Engine.DeviceView) -> String {
        let place = device.place.path.isEmpty ? "(not placed)" : device.place.path
        let what = [channel.series.indicator.rawValue, channel.series.species].compactMap { $0 }.joined(separator: " ")
        let value =
            channel.series.unit == .boolean
            ? (channel.value == 1 ? "yes" : "no") : "\(rounded(channel.value ?? 0)) \(channel.series.unit.rawValue)"
        return
            "  \(padded(place, 28))  \(padded(what, 18))  \(padded(value, 14))  \(channel.isSilent ? "silent since " : "")\(channel.time.map { time($0) } ?? "")"
    }

    private static func rounded(_ value: Double) -> String {
        let scaled = (value * 1000).rounded() / 1000
        return Int64(exactly: scaled).map(String.init) ?? String(scaled)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text.count >= width ? text : text + String(repeating: " ", count: width - text.count)
    }

    private static func clock(_ instant: Timestamp) -> String {
        instant == .distantPast ? "starting" : String(instant.description.prefix(19)).replacing("T", with: " ") + " UTC"
    }

    private static func time(_ instant: Timestamp) -> String {
        String(instant.description.dropFirst(11).prefix(8))
    }
}
