import Core

/// A message as a device sends it.
struct Publication: Hashable, Sendable {
    /// Seconds since the scenario's start.
    let at: Double
    let topic: String
    let payload: [UInt8]
    /// To be kept by the broker.
    var isRetained = false
    /// As a broker gives it to somebody who comes later; a live broker does that by itself.
    var isReplay = false
}

/// A value as a device writes it.
enum Written: Hashable, Sendable {
    case number(Double, decimals: Int)
    case state(Bool)
    case word(String)

    /// As JSON, and as a bare payload where it is no word.
    var text: String {
        switch self {
        case .number(let value, let decimals): Self.decimal(value, decimals)
        case .state(let isOn): isOn ? "true" : "false"
        case .word(let word): "\"\(word)\""
        }
    }

    /// Faster than the library's formatting, which a load test would wait for.
    static func decimal(_ value: Double, _ decimals: Int) -> String {
        let scale = [1.0, 10, 100, 1000][decimals]
        let scaled = Int64((value * scale).rounded())
        if decimals == 0 { return String(scaled) }
        let (whole, part) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        let digits = String(part)
        let zeros = String(repeating: "0", count: decimals - digits.count)
        return (scaled < 0 ? "-" : "") + "\(whole).\(zeros)\(digits)"
    }
}

/// Writes times; seconds are formatted once, since many messages share one.
struct Stamps: Sendable {
    let start: Timestamp
    private var second: Int64 = .min
    private var text = ""

    init(start: Timestamp) { self.start = start }

    func instant(_ time: Double) -> Timestamp {
        // Whole milliseconds, as devices give them; never ahead of the message.
        start + Span(microseconds: Int64((time * 1000).rounded(.down)) * 1000)
    }

    mutating func text(_ instant: Timestamp) -> String {
        let whole = instant.microseconds / 1_000_000
        if whole != second {
            second = whole
            text = String(Timestamp(microseconds: whole * 1_000_000).description.dropLast())
        }
        return "\(text).\(Int(instant.microseconds % 1_000_000 / 1000).padded(3))Z"
    }
}
