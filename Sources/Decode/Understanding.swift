package import Core

/// All that one message tells.
///
/// `devices` come first: a device that places itself has to be known before its first reading is taken.
package struct Understanding: Sendable {
    /// What became known of devices: on first sight, and whenever their metadata comes.
    package var devices: [DeviceNote] = []
    /// Values in the units of Core. A retained one without `deviceTime` is a last known value and no point of the history.
    package var readings: [Reading] = []
    /// Series for which a value came that is none: `nan`, null, a sentinel, an error word. Never of a retained message.
    package var unreadable: [Series] = []
    /// Devices, or gateways with all behind them, that came or went.
    package var availability: [Availability] = []
    /// Fields, or the whole message under the name `payload`, that gave no reading although they should have.
    package var rejected: [Rejection] = []
    /// The message describes devices: it must be kept and given to the next decoder before anything else.
    package var isMetadata = false
    /// Why nothing was looked for; nil where something was.
    package var ignored: Ignored?

    package init() {}

    init(ignored: Ignored) { self.ignored = ignored }
    init(rejected reason: Rejection.Reason, field: String = "payload") {
        rejected = [Rejection(field: field, reason: reason)]
    }

    mutating func reject(_ field: String, _ reason: Rejection.Reason) {
        // A message of many bad fields is told by its first ones.
        guard rejected.count < Self.mostRejections else { return }
        // The name of a field is the sender's and may be of any length.
        rejected.append(
            Rejection(field: field.utf8.count <= 64 ? field : String(field.prefix(60)) + "…", reason: reason))
    }

    static let mostRejections = 64
    /// Readings beyond it are dropped, with a rejection: a message of 256 kB could hold a hundred thousand.
    static let mostReadings = 4096
}

/// A part of a message that could not be used, and why.
package struct Rejection: Hashable, Sendable {
    /// Key path in the document, `payload` or `topic` for the whole message; at most 64 bytes or so.
    package let field: String
    /// Why; `unusableTime` and `timeAhead` concern only the time, the values were taken.
    package let reason: Reason

    /// The raw value is a stable short code for counters; `text` says it in words.
    package enum Reason: String, Error, CaseIterable, Sendable {
        case tooLarge = "too-large"
        case tooDeep = "too-deep"
        case wildcardInTopic = "wildcard-in-topic"
        case notUTF8 = "not-utf8"
        case controlCharacters = "control-characters"
        case malformed = "malformed"
        case noValue = "no-value"
        case notANumber = "not-a-number"
        case ambiguousNumber = "ambiguous-number"
        case notFinite = "not-finite"
        case sentinel = "sentinel"
        case outOfRange = "out-of-range"
        case unknownWord = "unknown-word"
        case wrongType = "wrong-type"
        case unknownUnit = "unknown-unit"
        case unitDoesNotFit = "unit-does-not-fit"
        case unitMissing = "unit-missing"
        case unusableTime = "unusable-time"
        case timeAhead = "time-ahead"
        case noSampleTimes = "no-sample-times"
        case warmingUp = "warming-up"
        case markedInvalid = "marked-invalid"
        case tooManyValues = "too-many-values"

        /// The reason in English, without a full stop.
        package var text: String {
            switch self {
            case .tooLarge: "a payload of more than 256 kB, or a topic of more than 1 kB"
            case .tooDeep: "nested deeper than 64 levels"
            case .wildcardInTopic: "“+” or “#” in the topic of a message"
            case .notUTF8: "not UTF-8 text"
            case .controlCharacters: "control characters inside the value"
            case .malformed: "no complete JSON document"
            case .noValue: "the device says that it has no value"
            case .notANumber: "not a number, or something is left over behind it"
            case .ambiguousNumber: "a comma that may divide thousands or fractions"
            case .notFinite: "not a finite number"
            case .sentinel: "a code of the sensor for “no value”"
            case .outOfRange: "outside of what such a sensor can measure"
            case .unknownWord: "a word that is no state of this quantity"
            case .wrongType: "a value of another type than this quantity has"
            case .unknownUnit: "a unit that is not known"
            case .unitDoesNotFit: "a unit that does not belong to this quantity"
            case .unitMissing: "no unit is given, and several are usual"
            case .unusableTime: "the device’s time names no instant; the arrival stands for it"
            case .timeAhead: "the device’s time is ahead of ours by more than 120 s"
            case .noSampleTimes: "several samples without time and rate"
            case .warmingUp: "the sensor is warming up or testing itself"
            case .markedInvalid: "the device marks it as invalid"
            case .tooManyValues: "more than 4096 values in one message"
            }
        }
    }
}

/// Why a message was set aside on purpose. The raw value is a stable short code for counters.
package enum Ignored: String, CaseIterable, Sendable {
    /// What Normwatch itself publishes.
    case own
    /// Topics that begin with `$`: the broker about itself.
    case broker
    case command
    case setting
    case log
    /// A message of a bridge about its own work.
    case bridge
    /// The retained message of a topic was cleared.
    case empty
    /// Nothing names a quantity that we know.
    case noQuantity = "no-quantity"
    /// Another quantity than ours: power, pressure, signal strength.
    case otherQuantity = "other-quantity"
    /// Every attribute is the cached one of before, with the same `last_seen`.
    case cached
    /// Of a family that is recognised and not yet read.
    case otherFamily = "other-family"
}
