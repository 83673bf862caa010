import Core
import Decode
import Foundation
import Pipeline
import Store

/// What one message costs on its way through the service, without broker and network: decoding, judging, storing, one after the other.
struct PathBench {
    let messages: Int

    func run() throws -> [Measurement] {
        let readings = HouseReadings(channels: 1000)
        let begin = Timestamp.systemNow - .seconds(Double(messages) * 0.001)
        let input = (0..<messages).map { number in
            let time = begin + .seconds(Double(number) * 0.001)
            return Message(
                topic: readings.topic(number), payload: Array(readings.payload(number, time: time).utf8), qos: 1,
                arrival: time)
        }
        var decoder = MessageDecoder()
        var understood: [Understanding] = []
        understood.reserveCapacity(messages)
        let decoding = time { for message in input { understood.append(decoder.decode(message)) } }
        let (judging, storing) = try judgeAndStore(understood, begin: begin)
        return [("decode", decoding), ("judge", judging), ("store", storing)].map { name, seconds in
            Measurement(
                measure: "path", subject: name, value: seconds / Double(messages) * 1e6, unit: "µs/message",
                reference:
                    "the whole path: \(Measurement.rounded((decoding + judging + storing) / Double(messages) * 1e6)) µs",
                ratio: seconds / (decoding + judging + storing))
        }
    }

    /// In batches of 4,096 as the service does it.
    private func judgeAndStore(_ understood: [Understanding], begin: Timestamp) throws -> (
        judging: Double, storing: Double
    ) {
        let workspace = try Workspace()
        let folder = DataFolder(workspace.path + "/path")
        try folder.prepare()
        let store = try Store(path: folder.database)
        let host = try EngineHost(store)
        guard let norms = NormFolder.locate(flag: nil) else { throw BenchFailure("no norm documents found") }
        let files = try NormFolder.documents(in: norms)
        var arrival = begin - .seconds(1)
        _ = host.use(norms: try NormLibrary(reading: files), files: files, by: "bench", at: arrival)
        var (judging, storing) = (0.0, 0.0)
        for start in stride(from: 0, to: understood.count, by: 4096) {
            judging += try time {
                for understanding in understood[start..<min(start + 4096, understood.count)] {
                    arrival += .seconds(0.001)
                    for note in understanding.devices { host.enter(note, at: arrival) }
                    arrival += Span(microseconds: 1)
                    for reading in understanding.readings { try host.enter(reading, at: arrival) }
                }
            }
            storing += try time { try store.commit(now: host.engine.now) { $0.created } }
        }
        return (judging, storing)
    }

    private func time(_ body: () throws -> Void) rethrows -> Double {
        let begin = now()
        try body()
        return now() - begin
    }
}
