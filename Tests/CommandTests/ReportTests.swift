import Core
import Foundation
import Ingest
import Pipeline
import Store
import Support
import Testing

@Suite("normwatch report")
struct ReportTests {
    private let folder = TemporaryFolder()

    /// A minute apart, on the night before the clocks go forward in Berlin and after.
    private func recording() throws -> String {
        var lines = ["time,device,indicator,value,unit"]
        for minute in 0..<23 * 60 {
            let time = Date(timeIntervalSince1970: 1_774_738_800 + Double(minute) * 60)  // 2026-03-28T23:00:00Z
            lines.append("\(time.ISO8601Format()),m1,voltage,\(minute == 600 ? 270 : 230),V")
            lines.append("\(time.ISO8601Format()),m2,voltage,231,V")
            if minute < 60 { lines.append("\(time.ISO8601Format()),m3,voltage,229,V") }
        }
        return try folder.file("recording.csv", lines.joined(separator: "\n"))
    }

    private func report(_ words: String...) async throws -> Ended {
        let norms = try folder.file(
            "norms/a.json",
            Fixture.act(
                "a",
                Fixture.norm(
                    "high", hazard: "power-quality", indicator: "voltage", unit: "V",
                    limit: #"{"shape": "band", "upper": 253}"#)))
        let site = try folder.file(
            "site.json",
            """
            {"site": "s", "timeZone": "Europe/Berlin", "jurisdictions": ["EU"], "buildings": [{"id": "b1", "nominalVoltage": 230,
             "flats": [{"id": "f1", "rooms": [{"id": "hall", "kind": "hall", "devices": [{"id": "m1"}, {"id": "m2"}, {"id": "m3"}]}]}]}]}
            """)
        return try await run(
            [
                Product.binary, "report", "--csv", try recording(), "--site", site, "--norms",
                String(norms.dropLast("/a.json".count)),
            ] + words)
    }

    @Test("One line per norm and channel, in plain words, as JSON and as CSV")
    func formats() async throws {
        let text = try await report("--period", "2026-03-29")
        #expect(text.code == 1, "\(text.error)")
        #expect(text.lines.count == 5, "\(text.output)")
        #expect(text.lines[1].hasPrefix("FAIL") && text.lines[1].contains("worst 270 V at 2026-03-29 11:00"))
        #expect(text.lines[2].hasPrefix("pass") && text.lines[2].contains("100 % of the time within the limit"))
        #expect(text.lines[3].hasPrefix("too little data"))

        let json = try await report("--period", "2026-03-29", "--format", "json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(object["hours"] as? Double == 23)
        #expect(object["from"] as? String == "2026-03-29T00:00:00+01:00")
        #expect(object["to"] as? String == "2026-03-30T00:00:00+02:00")
        let lines = try #require(object["lines"] as? [[String: Any]])
        #expect(lines.map { $0["verdict"] as? String } == ["fail", "pass", "insufficient-data"])
        #expect((lines[0]["worst"] as? [String: Any])?["at"] as? String == "2026-03-29T11:00:00+02:00")
        #expect(lines[0]["exceededSeconds"] as? Double == 60)
        #expect(lines[0]["kind"] as? String == "standard" && text.lines[1].contains("Fixture a (standard), clause of"))

        let csv = try await report("--period", "2026-03-29", "--format", "csv")
        #expect(csv.code == 1 && csv.lines.count == 4)
        #expect(csv.lines[2].hasPrefix("pass,b1,f1,hall,m2,voltage,,,a/high,1,231,"), "\(csv.output)")
    }

    @Test("Calls that cannot be understood, and periods of which nothing is known, end with a remedy")
    func refused() async throws {
        for (words, code, hint) in [
            (["--period", "2026-W54"], Int32(2), "2026-W47"), (["--norm", "a/hihg"], 2, "did you mean a/high?"),
            (["--format", "xml"], 2, "text, json or csv"), (["--place", "b1/f2"], 2, "did you mean"),
            (["--period", "2025"], 3, "the recording is from 2026-03-28T23:00:00Z"),
        ] {
            let ended = try await report("--period", "2026-03-29", words[0], words[1])
            #expect(ended.code == code, "\(words)")
            #expect(ended.error.contains(hint), "\(ended.error)")
            #expect(ended.output.isEmpty)
        }
    }

    private static let mains = URL(fileURLWithPath: Product.repository).deletingLastPathComponent()
        .appending(path: "shared/data/mains_2014-08-14_outage_undervoltage.csv").path

    /// The recording's notes: means down to 202.2 V on the first day, an outage without rows; 196.3 V, all rows, on the second.
    @Test(
        "EN 50160 over a real recording",
        .enabled(if: FileManager.default.fileExists(atPath: mains), "the recordings are not beside this checkout"))
    func recorded() async throws {
        func report(_ period: String) async throws -> [String] {
            try await run([
                Product.binary, "report", "--csv", Self.mains, "--norms", Product.repository + "/Thresholds", "--at",
                "2026-01-01", "--norm", "en-50160", "--period", period,
            ]).lines
        }
        let first = try await report("2014-08-14")
        #expect(first[1].hasPrefix("pass") && first[1].contains("worst 202.17 V at 2014-08-14 23:40"))
        // 215 minutes without rows: whether there was mains is not known, so it is no pass.
        #expect(first[2].hasPrefix("too little data") && first[2].contains("longest silence 3 h from 2014-08-14 19:02"))
        let second = try await report("2014-08-15")
        #expect(second[1].hasPrefix("pass") && second[1].contains("worst 196.29 V at 2014-08-15 18:40"))
        #expect(second[2].hasPrefix("pass") && second[2].contains("worst 194.4 V"))
        // Three, eight and eight means under 207 V, as the recording's notes list them.
        for (day, outside) in [("2014-08-14", "3"), ("2014-08-15", "8"), ("2014-08-16", "8")] {
            let house = try await run([
                Product.binary, "report", "--csv", Self.mains, "--norms", Product.repository + "/Thresholds", "--norm",
                "mains-supply/voltage-230", "--period", day, "--format", "csv", "--at", "2026-01-01",
            ])
            let header = house.lines[0].split(separator: ",")
            let column = try #require(header.firstIndex(of: "blocks_outside"))
            let fields = house.lines[1].split(separator: ",", omittingEmptySubsequences: false)
            #expect(house.code == 1 && fields[0] == "fail" && fields[column] == outside, "\(house.output)")
        }
        // 95 % of a week cannot be said of three days, nor of one.
        let week = try await report("2014-W33")
        #expect(week[3].hasPrefix("too little data") && week[3].contains("95.35 % of 409 means"))
        #expect(!second.contains { $0.contains("voltage-week") })
    }
}

extension ProcessTests {
    @Test("A report of what is stored, beside the service and without it")
    func storedReport() async throws {
        let folder = TemporaryFolder()
        let data = folder.path + "/data"
        let service = try await RunningService.start(data)
        let begin = Timestamp.systemNow
        try await publish(gas([120, 121, 122], from: begin), to: service.broker())
        try await service.transition(["event": "raised", "hazard": "poisoning"])
        _ = try await wait(for: "the readings") {
            (try? Reader(DataFolder(data)).newest(10, .init()))?.count == 3 ? true : nil
        }
        func report(_ words: String...) async throws -> Ended {
            try await run([Product.binary, "report", "--data", data] + words)
        }
        let year = "\(CivilTime(begin).year)"
        let beside = try await report("--period", year, "--place", "b1/f1")
        #expect(beside.code == 1 && beside.lines.count == 3, "\(beside.output)\(beside.error)")
        #expect(beside.lines[1].hasPrefix("FAIL") && beside.lines[1].contains("fixture/co"), "\(beside.output)")
        #expect(try await service.stop() == 0)
        #expect(try await report("--period", year).output == beside.output)
        for (words, code, hint) in [
            (["--period", year, "--site", "s.json"], Int32(2), "--csv"),
            (["--period", year, "--place", "b1/f9"], 2, "did you mean b1/f1?"),
            (["--period", "1999"], 3, "normwatch history"),
        ] {
            let ended = try await run([Product.binary, "report", "--data", data] + words)
            #expect(ended.code == code && ended.error.contains(hint), "\(words): \(ended.error)")
        }
    }
}
