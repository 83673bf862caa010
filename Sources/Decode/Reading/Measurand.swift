import Core

/// What a value tells about, as far as its name or its metadata says.
struct Measurand: Hashable, Sendable {
    var indicator: Indicator
    var species: String?
    /// Phase, axis, endpoint, or whatever else the name adds to the quantity.
    var channel: String?
    /// The unit of a bare number, where a name or metadata tells it.
    var unit: WrittenUnit?
    /// The name says the opposite: `door_closed`.
    var isInverted = false
    var form = Form.any
    /// Several units are usual: a bare number is no value.
    var needsUnit = false
    /// A probe for hot parts, which may exceed what a room can have.
    var isHot = false
    /// A thermometer that reports 85 °C when it has just been powered on (DS18x20).
    var startsAt85 = false
    /// The values for 1 and 0, where metadata declares them.
    var declared: Declared?

    init(_ indicator: Indicator, species: String? = nil, channel: String? = nil, unit: WrittenUnit? = nil) {
        (self.indicator, self.species, self.channel, self.unit) = (indicator, species, channel, unit)
    }

    enum Form: Sendable {
        case any
        /// Yes or no even where the indicator could be a number: `gas_alarm`.
        case state
        /// A measured number even where it is 0 or 1: `acceleration`.
        case number
        /// Only `open` and `closed`, since the polarity of a contact is anybody's choice.
        case openOrClosed
    }

    /// A class, since nearly no measurand has one and all are copied.
    final class Declared: Hashable, Sendable {
        let on: Scalar
        let off: Scalar

        init(on: Scalar, off: Scalar) { (self.on, self.off) = (on, off) }

        static func == (a: Declared, b: Declared) -> Bool { a.on == b.on && a.off == b.off }
        func hash(into hasher: inout Hasher) {
            hasher.combine(on)
            hasher.combine(off)
        }
    }

    /// The unit of a bare number without further hints.
    var defaultUnit: Unit? {
        if let unit { return unit.unit }
        switch indicator {
        case .gas: return form == .state ? .boolean : species == nil ? .raw : .ppm
        case .vibration: return form == .state ? .boolean : .raw
        default: return indicator.canonicalUnit
        }
    }
}

/// What became of a value.
enum Outcome: Hashable, Sendable {
    case value(Double, Unit, Indicator)
    /// No value: `isUnreadable` when the sensor itself has none.
    case refused(Rejection.Reason, isUnreadable: Bool)

    static func refused(_ reason: Rejection.Reason) -> Outcome { .refused(reason, isUnreadable: false) }
    static func unreadable(_ reason: Rejection.Reason) -> Outcome { .refused(reason, isUnreadable: true) }
}

extension Measurand {
    /// The value in a unit of Core. `unit` is written beside the value, as in `{"value": 3, "unit": "V"}`.
    func judge(_ scalar: Scalar, unit beside: WrittenUnit? = nil) -> Outcome {
        if let declared, let state = declared.state(of: scalar) { return .value(state, .boolean, indicator) }
        switch scalar {
        case .none: return .unreadable(.noValue)
        case .bad(.notFinite): return .unreadable(.notFinite)
        case .bad(let reason): return .refused(reason)
        case .flag(let flag): return judge(state: flag ? "true" : "false")
        case .word("none") where indicator != .gas || form == .number || beside != nil || unit != nil:
            return .unreadable(.noValue)
        case .word(let word): return judge(state: word)
        case .number(let number): return judge(number, beside ?? unit)
        case .amount(let number, let written): return judge(number, written)
        }
    }

    private func judge(state word: String) -> Outcome {
        let isWord = word != "true" && word != "false"
        guard indicator.accepts(.boolean), form != .number, unit == nil || unit?.unit == .boolean else {
            return .refused(isWord ? .unknownWord : .wrongType)
        }
        guard declared == nil, let state = StateWords.state(word, of: indicator) else { return .refused(.unknownWord) }
        if form == .openOrClosed && !StateWords.tellsOpening(word) { return .refused(.unknownWord) }
        return .value(isInverted ? 1 - state : state, .boolean, indicator)
    }

    private func judge(_ number: Double, _ written: WrittenUnit?) -> Outcome {
        if declared != nil { return .refused(.unknownWord) }
        guard let written else { return judge(bare: number) }
        if written.unit == .boolean { return judge(bit: number) }
        // Without the noise of binary fractions: 64.4 °F are 18 °C.
        let value = written.factor == 1 && written.offset == 0 ? number : Self.rounded(written.convert(number))
        if indicator.accepts(written.unit) { return Sentinel.check(value, written.unit, self) }
        // `battery` in volts is the cell, whatever the key is called.
        if indicator == .battery && written.unit == .volt { return Sentinel.check(value, .volt, with(.batteryVoltage)) }
        if indicator == .batteryVoltage && written.unit == .percent {
            return Sentinel.check(value, .percent, with(.battery))
        }
        return .refused(.unitDoesNotFit)
    }

    /// To nine decimals, where the value is small enough to have them.
    private static func rounded(_ value: Double) -> Double {
        value.magnitude < 1e6 ? (value * 1e9).rounded() / 1e9 : value
    }

    private func judge(bare number: Double) -> Outcome {
        guard !needsUnit else { return .refused(.unitMissing) }
        switch indicator {
        case .door, .motion, .lamp, .waterLeak, .smoke: return judge(bit: number)
        case .gas where form == .state: return judge(bit: number)
        case .vibration where form == .state || form == .any && (number == 0 || number == 1): return judge(bit: number)
        case .batteryVoltage where number > 1000:
            return Sentinel.check(number / 1000, .volt, self)
        case .battery where number > 1000:
            return Sentinel.check(number / 1000, .volt, with(.batteryVoltage))
        case .battery where (1.5...4.5).contains(number) && number != number.rounded():
            return .refused(.unitMissing)  // a cell in volts, or a few percent
        case .voltage where number > 1000, .batteryVoltage where number > 100: return .refused(.unitMissing)
        case .frequency where !(40...70).contains(number): return .refused(.unitMissing)
        default:
            guard let unit = defaultUnit else { return .refused(.unitMissing) }
            return Sentinel.check(number, unit, self)
        }
    }

    private func judge(bit number: Double) -> Outcome {
        guard form != .openOrClosed, number == 0 || number == 1, indicator.accepts(.boolean) else {
            return number == -1 ? .unreadable(.sentinel) : .refused(.unknownWord)
        }
        return .value(isInverted ? 1 - number : number, .boolean, indicator)
    }

    func with(_ indicator: Indicator) -> Measurand {
        var other = self
        other.indicator = indicator
        return other
    }
}

extension Measurand.Declared {
    /// 1 or 0 when the value is one of the two; case, `true` written as a word, and 1 for true make no difference.
    func state(of scalar: Scalar) -> Double? {
        var value = Self.folded(scalar)
        if case .flag = on {
            if value == .number(1) { value = .word("true") }
            if value == .number(0) { value = .word("false") }
        }
        return value == Self.folded(on) ? 1 : value == Self.folded(off) ? 0 : nil
    }

    private static func folded(_ scalar: Scalar) -> Scalar {
        if case .flag(let flag) = scalar { .word(flag ? "true" : "false") } else { scalar }
    }
}
