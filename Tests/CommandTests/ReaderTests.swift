import Core
import Foundation
import Support
import Testing

@testable import Store

@Suite("Readings read beside the one who writes them")
struct ReaderTests {
    private let folder: TemporaryFolder
    private let data: DataFolder
    private let store: Store
    private let start = Timestamp("2026-11-30T08:00:00Z")!
    private let gas = Series(device: "a", indicator: .gas, species: "co", unit: .ppm)
    private let heat = Series(device: "b", indicator: .temperature, unit: .celsius)

    init() throws {
        folder = TemporaryFolder()
        data = DataFolder(folder.path)
        store = try Store(path: data.database)
    }

    private func add(_ series: Series, _ second: Int, _ value: Double, _ quality: Quality = []) {
        let time = start + .seconds(second)
        store.add(
            StoredReading(series: series, time: time, arrival: time, value: value, quality: quality, claimed: nil))
    }

    private func commit() throws { try store.commit(now: start) { _ in start } }

    private func move(through sequence: Int) throws {
        try store.database.execute(
            """
            BEGIN; INSERT OR IGNORE INTO history (series, time, value, arrival, quality, claimed)
            SELECT series, time, value, arrival, quality, claimed FROM readings WHERE sequence <= \(sequence);
            DELETE FROM readings WHERE sequence <= \(sequence); COMMIT
            """)
    }

    private func all(_ filter: Reader.Filter = .init(), _ meanwhile: (Int) throws -> Void = { _ in }) throws -> [String]
    {
        var found: [String] = []
        try Reader(data).readings(filter) { row in
            found.append("\(row.series.device) \(Int((row.time - start).seconds)) \(row.value)")
            try meanwhile(found.count)
        }
        return found
    }

    @Test("History and recent readings come as one, by series and time, whatever came first")
    func order() throws {
        for second in [3, 1, 2] { add(gas, second, 10) }
        add(heat, 1, 20)
        try commit()
        try move(through: 2)
        add(gas, 0, 10, .late)
        add(gas, 2, 9)
        try commit()
        #expect(try all() == ["a 0 10.0", "a 1 10.0", "a 2 9.0", "a 2 10.0", "a 3 10.0", "b 1 20.0"])
        #expect(try all(.init(device: "b")) == ["b 1 20.0"])
        #expect(try all(.init(indicator: .gas, from: start + .seconds(1), to: start + .seconds(3))).count == 3)
        #expect(try all(.init(indicator: .smoke)).isEmpty)
    }

    @Test(
        "Readings that move to the history meanwhile are neither lost nor doubled",
        arguments: [1, 9_999, 10_000, 10_001, 20_000])
    func moving(at count: Int) throws {
        for second in 0..<25_000 { add(second % 2 == 0 ? gas : heat, second, Double(second)) }
        try commit()
        try move(through: 11_000)
        let before = try all()
        let meanwhile = try all { if $0 == count { try move(through: 25_000) } }
        #expect(before.count == 25_000 && meanwhile == before)
        #expect(try all() == before)
    }

    @Test("A reader that stands still keeps nobody from writing the log back")
    func standing() throws {
        for second in 0..<30_000 { add(gas, second, 1) }
        try commit()
        var left: Int?
        _ = try all { if $0 == 15_000 { left = store.checkpointLog() } }
        #expect(left == 0)
    }

    @Test("The newest of all chosen series, by time")
    func newest() throws {
        for second in 0..<10 { add(second % 2 == 0 ? gas : heat, second, Double(second)) }
        try commit()
        try move(through: 6)
        let reader = try Reader(data)
        #expect(try reader.newest(4, .init()).map(\.value) == [6, 7, 8, 9])
        #expect(try reader.newest(3, .init(device: "a")).map(\.value) == [4, 6, 8])
        #expect(try reader.newest(2, .init(to: start + .seconds(5))).map(\.value) == [3, 4])
        #expect(try reader.newest(100, .init()).count == 10)
    }

    @Test(
        "The newest value of a series: not a late one, not an implausible one, and one without a time where there is no other"
    )
    func latest() throws {
        let lamp = Series(device: "c", indicator: .lamp, unit: .boolean)
        add(gas, 5, 50)
        try commit()
        try move(through: 1)
        add(gas, 1, 10, .late)
        add(gas, 9, 9999, .implausible)
        add(heat, 1, 20)
        store.add(lastKnown: Reading(lamp, 1, isRetained: true)!, at: start)
        try commit()
        let latest = try Reader(data).latest()
        #expect(latest.map(\.value) == [50, 20, 1])
        #expect(latest.map(\.time) == [start + .seconds(5), start + .seconds(1), nil])
    }
}
