import Core
import Pipeline
import Store

/// Where the readings of a report come from, and the places and norms that go with them.
struct ReportSource {
    private enum Readings {
        case stored(Reader)
        case recording([CSVReadings.Row], passedOver: [String: Int])
    }

    let norms: NormLibrary
    let zone: Zone
    let jurisdictions: [String]
    private let readings: Readings
    /// What stands where; nil where no places are known.
    let inventory: Inventory?
    private let all: [ReportedChannel]

    /// What is stored, where it is now.
    init(_ arguments: Arguments) throws {
        for flag in ["site", "room"] where arguments.has(flag) {
            throw UsageError("--\(flag) goes with a recording; name it with --csv")
        }
        let reader = try arguments.existingReader()
        let restored = try reader.snapshot { try RestoredEngine(reader) }
        let site = restored.documents.site
        norms = try arguments.value("norms").map { try Documents.norms($0) } ?? restored.documents.norms
        (zone, jurisdictions) = (try Self.zone(site), arguments.jurisdictions(site))
        // What is worked out from others is not stored.
        let stored = Set(try reader.series().map(\.series))
        readings = .stored(reader)
        all = restored.engine.reportedChannels.filter { stored.contains($0.series) }
        inventory = site.buildings.isEmpty ? nil : Inventory(site, series: stored.sorted { $0.device < $1.device })
    }

    /// A recording, with the places of a site document or without.
    init(recording path: String, _ arguments: Arguments) throws {
        guard !arguments.has("data") else { throw UsageError("--csv and --data cannot both be meant; leave one out") }
        let recording = try CSVReadings(path: path)
        let site = try arguments.value("site").map { try Documents.site(at: $0) }
        let word = arguments.value("room") ?? "living"
        guard let room = RoomKind.canonical(word) else {
            throw UsageError("“\(word)” is no kind of room; use one of: \(RoomKind.all.joined(separator: ", "))")
        }
        norms = try Documents.norms(arguments.value("norms"))
        (zone, jurisdictions) = (try Self.zone(site ?? .none), arguments.jurisdictions(site ?? .none))
        // No norms: the engine only has to place the devices and learn what they are.
        var replay = Replay(
            site: site, norms: .empty, jurisdictions: nil, room: room, actsInForceAt: .systemNow)
        replay.run(recording.rows) { _ in }
        readings = .recording(recording.rows, passedOver: recording.passedOver)
        let recorded = Set(recording.rows.map(\.reading.series))
        all = replay.reportedChannels.filter { recorded.contains($0.series) }
        inventory = site.map { Inventory($0, series: recorded) }
    }

    private static func zone(_ site: Site) throws -> Zone {
        guard let zone = TimeZones.zone(site.timeZone) else {
            throw EnvironmentError(
                "the time zone \(site.timeZone) is not known here; install the system's time zones (tzdata)")
        }
        return zone
    }

    /// - Throws: `UsageError` for a place where nothing is.
    func channels(in place: String?) throws(UsageError) -> [ReportedChannel] {
        guard let place else { return all }
        func isIn(_ path: String) -> Bool { path == place || path.hasPrefix(place + "/") }
        let chosen = all.filter { isIn($0.place.path) }
        guard chosen.isEmpty, !all.isEmpty else { return chosen }
        let known = Set(
            all.flatMap { channel in
                let parts = channel.place.path.split(separator: "/")
                return parts.indices.map { parts[...$0].joined(separator: "/") }
            })
        let hint =
            Spelling.nearest(to: place, among: known.sorted()).map { "did you mean \($0)?" }
            ?? "normwatch devices shows where they are"
        throw UsageError("there is no device in “\(place)”; \(hint)")
    }

    /// Series by series, each in the order of its sample times.
    func read(into report: inout ComplianceReport) throws {
        switch readings {
        case .stored(let reader):
            let (devices, indicators) = (Set(report.series.map(\.device)), Set(report.series.map(\.indicator)))
            let filter = Reader.Filter(
                device: devices.count == 1 ? devices.first : nil,
                indicator: indicators.count == 1 ? indicators.first : nil, from: report.from, to: report.period.end)
            try reader.readings(filter) { report.take($0.value, of: $0.series, at: $0.time, $0.quality) }
        case .recording(let rows, _):
            for (_, rows) in Dictionary(grouping: rows, by: \.reading.series) {
                let sorted = rows.enumerated().sorted {
                    ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
                }
                for (_, row) in sorted { report.take(row.reading.value, of: row.reading.series, at: row.time) }
            }
        }
    }

    /// A device that must be there, and where it is not.
    struct Duty {
        let cited: CitedNorm
        let places: Int
        let missing: [Absence]
    }

    /// The duties to have a device, by the acts in force then; only those that somebody there has.
    func duties(in place: String?, at instant: Timestamp, isWanted: (CitedNorm) -> Bool) -> [Duty] {
        guard let inventory = place.map({ inventory?.within($0) }) ?? inventory else { return [] }
        return norms.norms.indices.compactMap { number in
            let cited = norms[number]
            guard norms.isChosen(number, jurisdictions: jurisdictions), cited.act.isInForce(at: instant),
                isWanted(cited)
            else { return nil }
            let duty = cited.norm.duty(in: inventory)
            return duty.places == 0 ? nil : Duty(cited: cited, places: duty.places, missing: duty.missing)
        }
    }

    func complain() {
        guard case .recording(_, let passedOver) = readings else { return }
        for (reason, count) in passedOver.sorted(by: { $0.key < $1.key }) {
            Main.complain("passed over \(count) lines: \(reason)")
        }
    }

    /// What to do where there are no readings.
    var remedy: String {
        switch readings {
        case .stored: "normwatch history shows what is stored"
        case .recording(let rows, _):
            if let first = rows.map(\.time).min(), let last = rows.map(\.time).max() {
                "the recording is from \(first) to \(last)"
            } else {
                "the recording has none at all"
            }
        }
    }
}

extension Arguments {
    fileprivate func jurisdictions(_ site: Site) -> [String] {
        guard let codes = value("jurisdiction") else { return site.allJurisdictions }
        let named = codes.split(separator: ",").map(String.init)
        return named.contains("house") ? named : named + ["house"]
    }
}
