/// The words of one language.
struct Vocabulary: Sendable {
    let language: Language
    let decimalPoint: Character
    let severities: [Severity: String]
    let hazards: [Hazard: String]
    let species: [String: String]
    let indicators: [Indicator: String]
    let faults: [FaultKind: String]
    let faultAdvice: [FaultKind: String]
    let kinds: [String: String]
    let armModes: [ArmMode: String]
    let ended, endedByNorm, endedByMove, endedSubject, wasActive: String
    let acknowledgedBy, acknowledged, alreadyAcknowledged, acknowledgeWith: String
    let cleared, suppressed, normChanged, version, stillOpen: String
    let whereWord, sinceWord, deviceWord, flatWord, limitWord, whatToDo, unplaced, provisional: String
    let noSuchAlarm, noSuchFlat: String
    let silentOffline, silentNever, silent, clockAhead, clockBehind, battery: String
    let explanations: [FaultKind: String]

    static func of(_ language: Language) -> Vocabulary {
        switch language {
        case .en: english
        case .de: german
        case .ru: russian
        }
    }

    func title(of act: Act) -> String { act.title[language] }

    /// Up to four significant digits, and never fewer than the whole number has.
    func number(_ value: Double) -> String {
        let magnitude = abs(value)
        let digits = magnitude >= 1000 ? 0 : magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : 3
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let rounded = (value * scale).rounded() / scale
        if let whole = Int64(exactly: rounded) { return String(whole) }
        return String(rounded).replacing(".", with: String(decimalPoint))
    }

    /// What a fault means, in a sentence.
    func explain(_ kind: FaultKind, _ detail: String?) -> String {
        switch kind {
        case .silent: detail == "offline" ? silentOffline : detail == "never" ? silentNever : silent
        case .wrongClock:
            if let seconds = detail.flatMap({ Int($0) }) {
                (seconds > 0 ? clockAhead : clockBehind).replacing("%", with: Span.seconds(abs(seconds)).rounded)
            } else {
                explanations[kind] ?? ""
            }
        case .batteryLow: battery.replacing("%1", with: detail ?? "?")
        default: [explanations[kind], detail].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
        }
    }
}

extension Span {
    /// Hours, minutes or seconds without fractions, for people.
    fileprivate var rounded: String {
        let seconds = Int(self.seconds.rounded())
        if seconds >= 7200 { return "\(Int((Double(seconds) / 3600).rounded())) h" }
        return seconds >= 120 ? "\(Int((Double(seconds) / 60).rounded())) min" : "\(seconds) s"
    }
}
