import Core
import Foundation
import Store
import Support
import Testing

@testable import Pipeline

/// The engine with a real database, killed at any commit.
@Suite("A crash at any commit changes nothing that anybody can see")
struct CrashTests {
    /// What the story's events would do, entered as the service enters them. Documents go in as texts.
    private struct Run {
        let folder: DataFolder
        private var crashes = 0
        private let base: String
        var store: Store
        var host: EngineHost

        init(_ base: String, crashes: Int = 0) throws {
            (self.base, self.crashes) = (base, crashes)
            folder = DataFolder("\(base)-\(crashes)")
            try folder.prepare()
            store = try Store(path: folder.database)
            host = try EngineHost(store)
        }

        mutating func enter(_ event: Event, at arrival: Timestamp) throws {
            host.advance(to: arrival)
            switch event {
            case .reading(let reading): try host.enter(reading, at: arrival)
            case .unreadable(let series): host.enter(unreadable: series, at: arrival)
            case .availability(let availability): host.enter(availability, at: arrival)
            case .device(let note): host.enter(note, at: arrival)
            case .listening(let isListening): host.enter(listening: isListening, at: arrival)
            case .started(let since): host.enter(started: since, at: arrival)
            case .caughtUp: host.enterCaughtUp(at: arrival)
            case .command(let command): _ = host.enter(command, at: arrival)
            case .trouble(let kind, let isActive, let detail):
                host.enter(kind, isActive: isActive, detail: detail, at: arrival)
            case .norms, .site, .time: break
            }
        }

        func commit() throws { try store.commit(now: host.engine.now) { $0.created + .hours(1) } }

        /// Everything in memory is gone; the files are as the last commit left them.
        mutating func crash() throws {
            let copy = DataFolder("\(base)-\(crashes + 1)")
            try copy.prepare()
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: copy.database + suffix)
            }
            self = try Run(base, crashes: crashes + 1)
        }

        func journal() throws -> [String] {
            try Reader(folder).journal(after: 0, limit: .max).map(\.body)
        }

        func notices() throws -> [Notice] { try store.waitingNotices().map(\.notice) }

        func readings() throws -> [String] {
            var lines: [String] = []
            try Reader(folder).readings(.init()) {
                lines.append("\($0.series.device) \($0.series.unit) \($0.time) \($0.value) \($0.quality.words)")
            }
            return lines
        }
    }

    private static let norms: ([NormFile], NormLibrary) = {
        let files = [
            ("a", Fixture.g50), ("b", Fixture.outage), ("c", Fixture.door), ("d", Fixture.vib), ("e", Fixture.leak),
            ("f", Fixture.shaking),
        ].map { NormFile(name: $0.0, text: $0.1) }
        return (files, try! NormLibrary(reading: files))
    }()

    private static let site = """
        {"site": "s", "selfPlacement": true, "buildings": [{"id": "b1", "nominalVoltage": 230, "flats": [
          {"id": "f1", "rooms": [{"id": "hall", "kind": "hall", "devices": [
            {"id": "gas1", "interval": "60 s"}, {"id": "door1", "opening": "entrance"}, {"id": "meter1"}, {"id": "leak1"}, {"id": "vib1"}, {"id": "motion1"}]}]},
          {"id": "f2", "rooms": [{"id": "hall", "kind": "hall", "devices": [{"id": "gas2"}, {"id": "meter2"}, {"id": "leak2"}, {"id": "vib2"}]}]},
          {"id": "f3", "rooms": [{"id": "hall", "kind": "hall", "devices": [{"id": "meter3"}, {"id": "leak3"}]}]}]}],
         "people": [{"id": "staff1", "role": "staff", "channels": [{"kind": "terminal"}, {"kind": "email", "address": "a@b.example"}]}]}
        """

    private func run(seed: UInt64, crashes: Bool) throws -> (
        journal: [String], notices: [Notice], readings: [String], crashes: Int
    ) {
        let story = try Story(seed: seed)
        let folder = TemporaryFolder()
        var run = try Run(folder.path + "/data")
        var random = SplitMix64(state: seed &* 31)
        let before = Story.start - .seconds(10)
        _ = run.host.use(norms: Self.norms.1, files: Self.norms.0, by: "test", at: before)
        run.host.use(site: try Site(parsing: Self.site), text: Self.site, at: before + .seconds(1))
        try run.commit()
        // Entered since the last commit; the broker would deliver these again.
        var open: [(event: Event, arrival: Timestamp)] = []
        var count = 0
        for (arrival, event) in story.events {
            open.append((event, arrival))
            try run.enter(event, at: arrival)
            switch Int.random(in: 0..<30, using: &random) {
            case 0..<10:
                try run.commit()
                open = []
            case 10..<12:
                run.store.add(run.host.snapshot()())
                try run.commit()
                open = []
            case 12..<15 where crashes:
                try run.crash()
                count += 1
                for entry in open { try run.enter(entry.event, at: entry.arrival) }
            default: break
            }
        }
        try run.commit()
        return (try run.journal(), try run.notices(), try run.readings(), count)
    }

    @Test("Journal, messages and readings are those of a run without crashes", arguments: UInt64(1)...12)
    func crashes(seed: UInt64) throws {
        let whole = try run(seed: seed, crashes: false)
        let crashed = try run(seed: seed, crashes: true)
        #expect(crashed.crashes > 3, "seed \(seed): a run without crashes proves nothing")
        #expect(!whole.journal.isEmpty && !whole.notices.isEmpty && !whole.readings.isEmpty, "seed \(seed)")
        let firstDifference = zip(whole.journal, crashed.journal).first { $0 != $1 }
        #expect(firstDifference == nil && whole.journal.count == crashed.journal.count, "seed \(seed)")
        #expect(whole.notices.map(\.id) == crashed.notices.map(\.id), "seed \(seed)")
        #expect(Set(crashed.notices.map(\.id)).count == crashed.notices.count, "seed \(seed)")
        #expect(whole.readings == crashed.readings, "seed \(seed)")
    }
}
