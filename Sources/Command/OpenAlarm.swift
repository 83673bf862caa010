import Core

/// An alarm that is not cleared, as the live view shows it.
struct OpenAlarm {
    let transition: Transition
    /// Flats whose own alarm is a part of this one.
    var flats = 0

    var isActive: Bool { transition.event != .ended }
    private var isAboutPeople: Bool { transition.alarmClass == .alarm }

    /// The worst first; the flats of a building's alarm are told with it.
    static func all(_ engine: Engine) -> [OpenAlarm] {
        let all = engine.openAlarms
        var open: [OpenAlarm] = []
        for transition in all {
            func isSame(_ other: Transition) -> Bool {
                other.hazard != nil && other.hazard == transition.hazard
                    && other.place.building == transition.place.building
            }
            if transition.place.flat != nil && all.contains(where: { $0.place.flat == nil && isSame($0) }) { continue }
            let parts = all.count { $0.place.flat != nil && isSame($0) }
            open.append(OpenAlarm(transition: transition, flats: transition.place.flat == nil ? parts : 0))
        }
        return open.enumerated().sorted { ($0.element.rank, $1.offset) > ($1.element.rank, $0.offset) }.map(\.element)
    }

    private var rank: Int {
        let severity = transition.severity.flatMap { Severity.allCases.firstIndex(of: $0) } ?? 0
        return (isAboutPeople ? 100 : 0) + (isActive ? 10 : 0) + severity
    }

    // MARK: Text

    static func summary(_ open: [OpenAlarm]) -> String {
        let alarms = open.filter(\.isAboutPeople)
        let counts = Severity.allCases.reversed().compactMap { severity -> String? in
            let count = alarms.count { $0.isActive && $0.transition.severity == severity }
            return count == 0 ? nil : "\(count) \(severity.rawValue)"
        }
        let over = alarms.count { !$0.isActive }
        let faults = open.count - alarms.count
        let parts =
            counts + (over == 0 ? [] : ["\(over) over but not acknowledged"])
            + (faults == 0 ? [] : ["\(faults) about sensors"])
        return open.isEmpty ? "ALL QUIET: no open alarms" : "ALARMS: " + parts.joined(separator: ", ")
    }

    /// Below this width an alarm takes two lines.
    private static let narrow = 100

    static func columns(width: Int) -> String {
        let first = "  " + "how bad".fitted(16) + "what".fitted(19) + "where".fitted(18)
        return width < narrow ? first : first + "since".fitted(10) + "measured".fitted(12) + "act"
    }

    func lines(width: Int) -> [String] {
        let what = [transition.hazard?.rawValue ?? transition.fault?.rawValue, transition.species]
        let place = transition.place.path + (flats > 0 ? ", \(flats) flats" : "")
        let since = transition.since.map { LiveView.time($0) } ?? ""
        let first =
            mark.fitted(18) + what.compactMap { $0 }.joined(separator: " ").fitted(19) + place.fitted(18)
        guard width < Self.narrow else { return [first + since.fitted(10) + measured.fitted(12) + law] }
        return [first, "    " + ["since \(since)", measured, law].filter { !$0.isEmpty }.joined(separator: ", ")]
    }

    private var mark: String {
        switch transition.event {
        case .ended: "  - over \(LiveView.time(transition.time))"
        case .acknowledged: "  ✓ \(transition.severity?.rawValue ?? "")"
        default: (isAboutPeople ? "  ! " : "  ? ") + (transition.severity?.rawValue.uppercased() ?? "")
        }
    }

    private var law: String {
        guard let norm = transition.norm else { return transition.device ?? "" }
        return (norm.kind == "house" ? "house rule " : "") + "\(norm.act)/\(norm.id)"
    }

    private var measured: String {
        guard let value = transition.value, let unit = transition.unit, unit != .boolean else { return "" }
        return "\(LiveView.number(value)) \(unit.rawValue)"
    }
}
