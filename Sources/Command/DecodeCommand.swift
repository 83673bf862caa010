import Core
import Decode
import Foundation

/// `normwatch decode`: JSON lines with messages in, a line of JSON for each with what it tells.
///
/// - Returns: 0 when every line was a message, 1 when one was not; 3 when standard output is closed.
func runDecode() -> Int32 {
    var decoder = MessageDecoder()
    var number = 0
    var isFine = true
    while let line = readLine() {
        number += 1
        if line.allSatisfy(\.isWhitespace) { continue }
        var answer: JSONValue
        if let message = message(fromLine: line) {
            answer = describe(decoder.decode(message), arrival: message.arrival, line: number)
        } else {
            isFine = false
            answer = [
                "line": .init(number), "readings": [], "latest": [],
                "rejected": [["field": "line", "reason": "not-a-message"]],
            ]
        }
        print(answer.text)
    }
    return isFine ? 0 : 1
}

/// Reads `{"topic", "payload" or "payload_b64", "retain", "qos", "recv"}`; without `recv` the message has just come.
private func message(fromLine line: String) -> Message? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let topic = object["topic"] as? String
    else { return nil }
    var payload: [UInt8] = []
    if let text = object["payload"] as? String {
        payload = Array(text.utf8)
    } else if let text = object["payload_b64"] as? String, let data = Data(base64Encoded: text) {
        payload = Array(data)
    } else {
        return nil
    }
    let arrival = (object["recv"] as? String).flatMap { Timestamp($0) }
    let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
    return Message(
        topic: topic, payload: payload, isRetained: object["retain"] as? Bool ?? false,
        qos: object["qos"] as? Int ?? 0, arrival: arrival ?? now)
}

private func describe(_ understanding: Understanding, arrival: Timestamp, line: Int) -> JSONValue {
    let history = understanding.readings.filter { !$0.isRetained || $0.deviceTime != nil }
    let latest = understanding.readings.filter { $0.isRetained && $0.deviceTime == nil }
    var answer: [String: JSONValue] = [
        "line": JSONValue(line),
        "readings": .array(history.map { describe($0, arrival: arrival) }),
        "latest": .array(latest.map { describe($0, arrival: arrival) }),
        "rejected": .array(
            understanding.rejected.map { ["field": .string($0.field), "reason": .string($0.reason.rawValue)] }),
    ]
    if let ignored = understanding.ignored { answer["ignored"] = .string(ignored.rawValue) }
    return .object(answer)
}

private func describe(_ reading: Reading, arrival: Timestamp) -> JSONValue {
    // A time ahead of ours is a wrong clock: the arrival stands for it, as in the engine.
    let time = reading.deviceTime.map { $0 - arrival > DeviceClock.tolerance ? arrival : $0 } ?? arrival
    let isLatest = reading.isRetained && reading.deviceTime == nil
    return [
        "device": .string(reading.series.device), "indicator": .string(reading.series.indicator.rawValue),
        "species": JSONValue(reading.series.species), "channel": JSONValue(reading.series.channel),
        "value": .number(reading.value), "unit": .string(reading.series.unit.rawValue),
        "time": isLatest ? .null : .string(time.description),
    ]
}
