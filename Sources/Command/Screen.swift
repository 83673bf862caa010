import Core
import Foundation
import Pipeline

/// What `run` shows on standard output: JSON lines, plain lines, or a view that is drawn anew each second.
final class Screen {
    enum Style { case json, lines, live }

    private let style: Style
    private let speed: Double
    private var recent: [Transition] = []
    private var addresses: ServiceAddresses?

    init(style: Style, speed: Double) { (self.style, self.speed) = (style, speed) }

    func attach(to observer: inout ServiceObserver) {
        observer.transitions = { [self] in show($0) }
        observer.started = { [self] addresses in
            self.addresses = addresses
            if style == .lines {
                write(
                    "Normwatch runs; broker \(shownBroker(addresses))\(addresses.http.map { ", console \($0)" } ?? "")\n"
                )
            }
        }
        observer.tick = { [self] engine in
            if style == .live { draw(engine) }
        }
    }

    func finish() {
        if style == .live { write("\u{1b}[?25h\n") }
    }

    private func show(_ transitions: [Transition]) {
        switch style {
        case .json: write(transitions.map { $0.json.text + "\n" }.joined())
        case .lines: write(transitions.map { "\($0.time)  \($0.event.rawValue)  \($0.text)\n" }.joined())
        case .live: recent = (recent + transitions).suffix(200)
        }
    }

    private func shownBroker(_ addresses: ServiceAddresses) -> String {
        guard var url = URLComponents(string: addresses.broker) else { return addresses.broker }
        url.password = nil
        return url.string ?? addresses.broker
    }

    // MARK: Live view

    private func draw(_ engine: Engine) {
        let size = Self.size()
        let view = LiveView(
            engine: engine, recent: recent, console: addresses?.http, speed: speed, width: size.width,
            height: size.height)
        // Each line is cleared to its end, then all below: nothing flickers.
        write("\u{1b}[?25l\u{1b}[H" + view.lines.map { $0 + "\u{1b}[K" }.joined(separator: "\n") + "\u{1b}[J")
    }

    private static func size() -> (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return (100, 40) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    private func write(_ text: String) { LineSink.standardOutput.write(text) }
}
