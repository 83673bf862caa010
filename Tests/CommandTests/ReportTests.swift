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
        #expect(
            Array(text.lines.prefix(6)) == [
                "2026-03-29: 2026-03-29 00:00 to before 2026-03-30 00:00, Europe/Berlin", "b1/f1/hall  m1  voltage",
                "  FAIL             a/high: Fixture a (standard), clause of high",
                "                   broken by: above 253 V: warning",
                "                   99.92 % of the time within the limit, worst 270 V at 2026-03-29 11:00, 100 % complete",
                "                   outside  2026-03-29 11:00 to 2026-03-29 11:01 (1 min), worst 270 V",
            ], "\(text.output)")
        #expect(
            text.output.contains("  pass             a/high")
                && text.output.contains("\n\n1 pass, 1 FAIL, 1 too little data\n"))
        #expect(text.output.contains("silent   2026-03-29 00:59 to 2026-03-30 00:00 (22 h 1 min)"))
        #expect(text.lines.allSatisfy { $0.count <= 112 })

        let json = try await report("--period", "2026-03-29", "--format", "json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(object["hours"] as? Double == 23)
        #expect(object["from"] as? String == "2026-03-29T00:00:00+01:00")
        #expect(object["to"] as? String == "2026-03-30T00:00:00+02:00")
        let lines = try #require(object["lines"] as? [[String: Any]])
        #expect(lines.map { $0["verdict"] as? String } == ["fail", "pass", "insufficient-data"])
        #expect((lines[0]["worst"] as? [String: Any])?["at"] as? String == "2026-03-29T11:00:00+02:00")
        #expect(lines[0]["exceededSeconds"] as? Double == 60)
        #expect(lines[0]["kind"] as? String == "standard" && (lines[0]["outside"] as? [[String: Any]])?.count == 1)
        #expect((lines[2]["silences"] as? [[String: Any]])?.count == 1)

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

    @Test("Devices that must be there stand in the report with the places that lack one")
    func duties() async throws {
        let norms = try folder.file(
            "duties/a.json",
            Fixture.act(
                "a",
                Fixture.norm(
                    "alarms", hazard: "fire", indicator: "smoke", unit: "bool",
                    limit: #"{"shape": "presence", "per": "room", "rooms": ["bedroom"]}"#)))
        let site = try folder.file(
            "duties.json",
            """
            {"site": "s", "jurisdictions": ["EU"], "buildings": [{"id": "b1", "flats": [{"id": "f1", "rooms": [
              {"id": "one", "kind": "bedroom", "devices": [{"id": "s1"}]}, {"id": "two", "kind": "bedroom", "devices": []},
              {"id": "three", "kind": "kitchen", "devices": []}]}]}]}
            """)
        let recording = try folder.file(
            "smoke.csv", "time,device,indicator,value,unit\n2026-03-02T08:00:00Z,s1,smoke,0,bool\n")
        func report(_ words: String...) async throws -> Ended {
            try await run(
                [
                    Product.binary, "report", "--csv", recording, "--site", site, "--norms",
                    String(norms.dropLast("/a.json".count)), "--period", "2026-03-02",
                ] + words)
        }
        let text = try await report()
        #expect(text.code == 1 && text.output.contains("  FAIL             a/alarms"), "\(text.output)\(text.error)")
        #expect(text.output.contains("1 of 2 places with a smoke device; none in b1/f1/two"))
        let json = try JSONValue(parsing: try await report("--format", "json").output)
        guard case .array(let duties)? = json["duties"] else { throw Late(description: "no duties: \(json)") }
        #expect(duties.map { $0["missing"] } == [["b1/f1/two"]] && duties.map { $0["places"] } == [2])
        #expect(try await report("--format", "csv").lines.count == 2)
        #expect(try await report("--place", "b1/f1/one").code == 0)
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
        #expect(first.contains { $0.contains("worst 202.17 V at 2014-08-14 23:40, 84.02 %") })
        // 215 minutes without rows: whether there was mains is not known, so it is no pass.
        #expect(first.contains { $0.contains("too little data  en-50160/long-interruption") })
        #expect(
            first.contains {
                $0.contains("silent   2014-08-14 19:02 to 2014-08-14 22:38 (3 h 36 min): an outage or the meter")
            })
        let second = try await report("2014-08-15")
        #expect(second.filter { $0.hasPrefix("  pass ") }.count == 2)
        #expect(second.contains { $0.contains("worst 194.4 V") })
        #expect(second.contains("need a whole week: en-50160/voltage-week"))
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
        // 95 % of a week cannot be said of three days; the means outside are those of the recording's notes.
        let week = try await report("2014-W33")
        #expect(week.contains { $0.contains("too little data  en-50160/voltage-week") })
        #expect(week.contains { $0.contains("95.35 % of 409 means") })
        #expect(
            week.filter { $0.contains("outside") }.map { $0.dropFirst(28).prefix(36) } == [
                "2014-08-14 23:20 to 2014-08-14 23:50", "2014-08-15 18:20 to 2014-08-15 19:30",
                "2014-08-15 20:40 to 2014-08-15 20:50", "2014-08-16 16:00 to 2014-08-16 16:20",
                "2014-08-16 16:50 to 2014-08-16 17:00", "2014-08-16 17:20 to 2014-08-16 18:00",
                "2014-08-16 18:10 to 2014-08-16 18:20",
            ], "\(week)")
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
        #expect(beside.code == 1, "\(beside.error)")
        #expect(beside.output.contains("FAIL             fixture/co"), "\(beside.output)")
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
