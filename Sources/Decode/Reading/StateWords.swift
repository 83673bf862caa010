import Core

/// The words in which devices tell states.
enum StateWords {
    /// 1 or 0; nil for a word that is no state of this indicator. Expects lower case.
    static func state(_ word: String, of indicator: Indicator) -> Double? {
        guard let words = table[indicator] else { return nil }
        return words[word] ?? plain[word]
    }

    /// A word that means an opening whatever the field is called.
    static func tellsOpening(_ word: String) -> Bool {
        ["open", "opened", "closed", "close", "shut"].contains(word)
    }

    /// Online or offline; nil for other words.
    static func availability(_ word: String) -> Bool? {
        switch word {
        case "online", "connected", "alive", "available", "true", "up": true
        case "offline", "disconnected", "connection lost", "dead", "lost", "false", "down": false
        default: nil
        }
    }

    private static let plain: [String: Double] = ["true": 1, "on": 1, "false": 0, "off": 0]

    private static let table: [Indicator: [String: Double]] = [
        .door: ["open": 1, "opened": 1, "closed": 0, "close": 0, "shut": 0],
        .gas: ["alarm": 1, "mild": 1, "heavy": 1, "none": 0, "normal": 0],
        .smoke: ["alarm": 1, "wet": 1, "leak": 1, "normal": 0, "dry": 0],
        .waterLeak: ["alarm": 1, "wet": 1, "leak": 1, "normal": 0, "dry": 0],
        .vibration: ["vibration": 1],
        .motion: ["motion": 1, "detected": 1, "occupied": 1, "clear": 0, "unoccupied": 0],
        .lamp: [:],
    ]
}
