import Foundation

/// How far a long run is: a line that is written over on a terminal, else a line now and then.
struct Progress {
    private let isTerminal = isatty(2) == 1
    private var next = 0.0
    private var isShown = false

    init() { next = SharedClock.ticks() + (isTerminal ? 1 : 30) }

    /// - Parameter remark: what else there is to say, asked for when it is shown.
    mutating func show(_ scenario: Scenario, at now: Double, _ remark: () -> String) {
        let ticks = SharedClock.ticks()
        guard ticks >= next else { return }
        next = ticks + (isTerminal ? 0.25 : 30)
        isShown = isTerminal
        let text =
            "\(scenario.name)  \(ScenarioTime.shown(now)) of \(ScenarioTime.shown(scenario.duration))  \(remark())"
        write(isTerminal ? "\r\(text)\u{1b}[K" : text + "\n")
    }

    mutating func end() {
        if isShown { write("\r\u{1b}[K") }
        isShown = false
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
