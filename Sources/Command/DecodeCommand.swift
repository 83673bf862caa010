import Core
import Decode
import Foundation
import Pipeline

let decodeCommand = CommandSpec(
    "decode", "Reads messages as JSON lines and prints what each of them tells.",
    example: #"echo '{"topic":"home/bedroom/temperature","payload":"21.5"}' | normwatch decode"#
) { _ in runDecode() }

/// JSON lines with messages in, a line of JSON for each with what it tells; a finding is a line that is no message.
func runDecode() -> ExitCode {
    var decoder = MessageDecoder()
    var output = LineOutput()
    var number = 0
    var result = ExitCode.fine
    while let line = readLine() {
        number += 1
        if line.allSatisfy(\.isWhitespace) { continue }
        if let message = message(fromLine: line) {
            output.write(describe(decoder.decode(message), arrival: message.arrival, line: number).text)
        } else {
            result = .finding
            let rejection: JSONValue = ["field": "line", "reason": "not-a-message"]
            let answer: JSONValue = [
                "line": .init(number), "readings": [], "latest": [], "rejected": [rejection],
            ]
            output.write(answer.text)
        }
    }
    output.flush()
    return result
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
    let arrival = (object["recv"] as? String).flatMap { Timestamp($0) } ?? .systemNow
    return Message(
        topic: topic, payload: payload, isRetained: object["retain"] as? Bool ?? false,
        qos: object["qos"] as? Int ?? 0, arrival: arrival)
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
