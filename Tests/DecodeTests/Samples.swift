import Core
import Foundation
import Testing

@testable import Decode

/// Noon of a day on which nothing happens.
let noon = Timestamp("2026-05-04T12:00:00Z")!

extension Message {
    init(_ topic: String, _ payload: String, retained: Bool = false, at arrival: Timestamp = noon) {
        self.init(topic: topic, payload: Array(payload.utf8), isRetained: retained, arrival: arrival)
    }
}

/// What a fresh decoder makes of one message.
func understand(_ topic: String, _ payload: String, retained: Bool = false) -> Understanding {
    var decoder = MessageDecoder()
    return decoder.decode(Message(topic, payload, retained: retained))
}

/// The one value of a message; nil when there is none or more than one.
func value(_ topic: String, _ payload: String) -> Double? {
    let readings = understand(topic, payload).readings
    return readings.count == 1 ? readings[0].value : nil
}

extension Understanding {
    /// `temperature 21.5 °C`, with species and channel where there are any.
    var told: [String] {
        readings.map { reading in
            let series = reading.series
            let name = [series.indicator.rawValue, series.species, series.channel].compactMap { $0 }
            return name.joined(separator: " ") + " \(reading.value) \(series.unit.rawValue)"
        }
    }

    var reasons: [Rejection.Reason] { rejected.map(\.reason) }
}

/// A small generator, so that a failure can be seen again from its seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let a = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let b = (a ^ (a >> 27)) &* 0x94D0_49BB_1331_11EB
        return b ^ (b >> 31)
    }
}

/// Folders of `Tests/Fixtures/decode`: messages, and what must come of each.
struct Fixture: Sendable, CustomTestStringConvertible {
    let name: String
    let messages: [Message]
    let expected: [Expected]

    var testDescription: String { name }

    struct Expected: Decodable, Hashable, Sendable {
        var readings: [Value]?
        var latest: [Value]?
        var rejected: [String]?
        var ignored: String?

        struct Value: Decodable, Hashable, Sendable {
            let device: String
            let indicator: String
            var species: String?
            var channel: String?
            let value: Double
            let unit: String
            var time: String?
        }
    }

    private struct Line: Decodable {
        let topic: String
        var payload: String?
        var payloadBase64: String?
        var retain: Bool?
        let recv: String

        enum CodingKeys: String, CodingKey {
            case topic, payload, retain, recv
            case payloadBase64 = "payload_b64"
        }
    }

    static let all: [Fixture] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/decode")
        let names = try! FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return names.map { Fixture(name: $0, folder: folder.appending(path: $0)) }
    }()

    private init(name: String, folder: URL) {
        func lines<T: Decodable>(_ file: String, _: T.Type) -> [T] {
            let text = try! String(contentsOf: folder.appending(path: file), encoding: .utf8)
            return text.split(separator: "\n").map { try! JSONDecoder().decode(T.self, from: Data($0.utf8)) }
        }
        self.name = name
        messages = lines("messages.jsonl", Line.self).map { line in
            let bytes = line.payload.map { Array($0.utf8) } ?? Array(Data(base64Encoded: line.payloadBase64!)!)
            return Message(
                topic: line.topic, payload: bytes, isRetained: line.retain ?? false, arrival: Timestamp(line.recv)!)
        }
        expected = lines("expected.jsonl", Expected.self)
    }
}

extension Fixture.Expected {
    /// What came, in the form in which it is written down.
    init(_ understanding: Understanding, arrival: Timestamp) {
        func values(_ readings: [Reading]) -> [Value]? {
            readings.isEmpty
                ? nil
                : readings.map { reading in
                    let claimed = reading.deviceTime.flatMap { $0 - arrival > DeviceClock.tolerance ? nil : $0 }
                    return Value(
                        device: reading.series.device, indicator: reading.series.indicator.rawValue,
                        species: reading.series.species, channel: reading.series.channel, value: reading.value,
                        unit: reading.series.unit.rawValue,
                        time: claimed == arrival ? nil : claimed?.description)
                }
        }
        readings = values(understanding.readings.filter { !$0.isRetained || $0.deviceTime != nil })
        latest = values(understanding.readings.filter { $0.isRetained && $0.deviceTime == nil })
        let rejections = understanding.rejected.map { "\($0.field): \($0.reason.rawValue)" }
        rejected = rejections.isEmpty ? nil : rejections
        ignored = understanding.ignored?.rawValue
    }
}
