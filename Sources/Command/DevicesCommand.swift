import Core
import Foundation
import Pipeline
import Store

let devicesCommand = CommandSpec(
    "devices", "Lists every device: where it is, what it measures, how it is.",
    options: [
        dataOption,
        .init("unplaced", nil, "only those that are in no room"),
        .init("rejected", nil, "instead: messages that gave nothing, by reason, and the last of them"),
        .init("json", nil, "one JSON line per device; with --rejected one document"),
    ],
    example: "normwatch devices --unplaced"
) { arguments in
    let reader = try arguments.existingReader()
    var output = LineOutput()
    if arguments.has("rejected") {
        try showRejected(reader, isJSON: arguments.has("json"), &output)
    } else {
        let devices = try DeviceList(reader, now: .systemNow).entries.filter {
            !arguments.has("unplaced") || !$0.view.isPlaced
        }
        for device in devices {
            if arguments.has("json") {
                output.write(device.json.text)
            } else {
                for line in device.lines { output.tell(line) }
            }
        }
        if devices.isEmpty && !arguments.has("json") { output.tell("no devices") }
    }
    output.flush()
    return .fine
}

/// The engine's view of the devices, restored from what is stored, and stored messages without a time for those that sent nothing else.
struct DeviceList {
    let entries: [Entry]

    init(_ reader: Reader, now: Timestamp) throws {
        let engine = try reader.snapshot { try RestoredEngine(reader).engine }
        let lastKnown = try reader.latest().filter { $0.time == nil }
        let values = Dictionary(lastKnown.map { ($0.series, $0.value) }) { $1 }
        entries = engine.devices.sorted { ($0.place.path, $0.id) < ($1.place.path, $1.id) }.map {
            Entry(view: $0, lastKnown: values, now: now)
        }
    }

    struct Entry {
        let view: Engine.DeviceView
        let lastKnown: [Series: Double]
        let now: Timestamp

        private func value(_ channel: Engine.DeviceView.ChannelView) -> Double? {
            channel.value ?? lastKnown[channel.series]
        }

        private var battery: String? {
            view.channels.first { $0.series.indicator == .battery || $0.series.indicator == .batteryVoltage }
                .flatMap { channel in value(channel).map { Shown.value($0, channel.series.unit) } }
        }

        // MARK: For people

        var lines: [String] {
            let place = view.isPlaced ? view.place.path : "not placed"
            let what = [view.family, view.model].compactMap { $0 }.joined(separator: " ")
            let state = [
                view.heard.map { "heard \(Shown.age(of: $0, now: now))" } ?? "never heard",
                view.isOffline ? "offline" : nil, view.isSupervised ? "supervised" : "not supervised",
                battery.map { "battery \($0)" },
                view.faults.isEmpty ? nil : "FAULT: \(view.faults.map(\.rawValue).joined(separator: ", "))",
            ].compactMap { $0 }
            return ["\(view.id)  (\(place))\(what.isEmpty ? "" : "  \(what)")", "  " + state.joined(separator: ", ")]
                + view.channels.map(line)
        }

        private func line(_ channel: Engine.DeviceView.ChannelView) -> String {
            let value = value(channel).map { Shown.value($0, channel.series.unit) } ?? "no value"
            let age = channel.time.map { Shown.age(of: $0, now: now) } ?? "age unknown"
            let interval = channel.interval.map { "every \(Shown.span($0))" }
            let norms = channel.norms.isEmpty ? "no norm applies" : channel.norms.joined(separator: " ")
            let notes = [age, interval, channel.isSilent ? "SILENT" : nil, norms].compactMap { $0 }
            return "  \(Shown.padded(Shown.name(channel.series), 20))  \(Shown.padded(value, 14))  "
                + notes.joined(separator: ", ")
        }

        // MARK: For scripts

        var json: JSONValue {
            [
                "device": .string(view.id), "placed": .bool(view.isPlaced), "place": view.place.json,
                "family": JSONValue(view.family), "model": JSONValue(view.model),
                "heard": JSONValue(view.heard?.description), "offline": .bool(view.isOffline),
                "supervised": .bool(view.isSupervised), "faults": .array(view.faults.map { .string($0.rawValue) }),
                "battery": JSONValue(battery), "indicators": .array(view.channels.map(json)),
            ]
        }

        private func json(_ channel: Engine.DeviceView.ChannelView) -> JSONValue {
            [
                "indicator": .string(channel.series.indicator.rawValue), "species": JSONValue(channel.series.species),
                "channel": JSONValue(channel.series.channel), "unit": .string(channel.series.unit.rawValue),
                "value": JSONValue(value(channel)), "time": JSONValue(channel.time?.description),
                "ageSeconds": JSONValue(channel.time.map { (now - $0).seconds.rounded() }),
                "intervalSeconds": JSONValue(channel.interval?.seconds), "silent": .bool(channel.isSilent),
                "norms": .array(channel.norms.map { .string($0) }),
            ]
        }
    }
}

// MARK: Messages that gave nothing

private func showRejected(_ reader: Reader, isJSON: Bool, _ output: inout LineOutput) throws {
    let (counts, last) = try reader.rejected()
    if isJSON {
        let document: JSONValue = [
            "counts": .object(counts.mapValues { JSONValue($0) }), "last": .array(last.map(\.json)),
        ]
        return output.write(document.text)
    }
    if counts.isEmpty { output.tell("every message gave something") }
    for (reason, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
        output.tell("\(Shown.padded(reason, 24))  \(count)")
    }
    for message in last {
        let text = String(decoding: message.payload.prefix(200), as: UTF8.self)
        output.tell("\(message.arrival)  \(message.reason)  \(message.topic)  \(text)")
    }
}

extension RejectedMessage {
    /// As `normwatch decode` reads it.
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "recv": .string(arrival.description), "topic": .string(topic), "reason": .string(reason),
        ]
        if let text = String(validating: payload, as: UTF8.self) {
            members["payload"] = .string(text)
        } else {
            members["payload_b64"] = .string(Data(payload).base64EncodedString())
        }
        return .object(members)
    }
}
