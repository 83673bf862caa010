import Core
import Foundation
import Support
import Testing

@testable import Store

@Suite("The store writes all of a batch or nothing of it")
struct StoreTests {
    private let folder = TemporaryFolder()
    private var data: DataFolder { DataFolder(folder.path) }
    private static let start = Story.start
    private static let series = Series(device: "d", indicator: .gas, species: "co", unit: .ppm)

    private func open() throws -> Store { try Store(path: data.database) }

    private static func reading(_ second: Int, _ value: Double, of series: Series = Self.series, quality: Quality = [])
        -> StoredReading
    {
        StoredReading(
            series: series, time: start + .seconds(second), arrival: start + .seconds(second) + .seconds(1),
            value: value, quality: quality,
            claimed: nil)
    }

    private func commit(_ store: Store) throws { try store.commit(now: Self.start) { $0.created + .hours(1) } }

    private func values() throws -> [Double] {
        var values: [Double] = []
        try Reader(data).readings(.init()) { values.append($0.value) }
        return values
    }

    @Test("What is committed is there after reopening, in order and exactly")
    func roundTrip() throws {
        do {
            let store = try open()
            for second in 0..<100 { store.add(Self.reading(second, 0.1 * Double(second))) }
            try commit(store)
        }
        #expect(try values() == (0..<100).map { 0.1 * Double($0) })
        #expect(try open().sequence == 100)
    }

    @Test("A batch that could not be written while somebody held the lock is written later, once")
    func busy() throws {
        let store = try open()
        store.add(Self.reading(0, 1))
        try commit(store)
        let other = try Database(path: data.database, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        store.add(Self.reading(1, 2))
        store.add(Series(device: "new", indicator: .smoke, unit: .boolean), at: 2)
        let error = #expect(throws: SQLiteError.self) { try commit(store) }
        #expect(error?.isBusy == true)
        store.add(Self.reading(3, 4))
        try other.execute("ROLLBACK")
        try commit(store)
        try commit(store)
        #expect(try values() == [1, 2, 4, 1])
    }

    @Test("A full disk loses nothing: what was held is written when there is room")
    func full() throws {
        let store = try open()
        store.add(Self.reading(0, 1))
        try commit(store)
        let pages = try store.database.number("PRAGMA page_count") ?? 0
        try store.database.execute("PRAGMA max_page_count = \(pages + 2)")
        for second in 1...20_000 { store.add(Self.reading(second, Double(second))) }
        let error = #expect(throws: SQLiteError.self) { try commit(store) }
        #expect(error?.isFull == true)
        #expect(try values() == [1])
        try store.database.execute("PRAGMA max_page_count = 1000000")
        try commit(store)
        #expect(try values().count == 20_001)
    }

    @Test("A reading that is stored already is known, also after it has moved to the history and after a restart")
    func duplicates() throws {
        let known = try #require(Reading(Self.series, 7, deviceTime: Self.start + .seconds(7)))
        let other = try #require(Reading(Self.series, 8, deviceTime: Self.start + .seconds(7)))
        do {
            let store = try open()
            #expect(try !store.isKnown(known))
            store.add(Self.reading(7, 7))
            #expect(try store.isKnown(known), "before it is written")
            for second in 8..<70_000 { store.add(Self.reading(second, Double(second))) }
            try commit(store)
            store.add(StoredCheckpoint(sequence: store.sequence, site: nil, norms: nil, body: []))
            try commit(store)
            while try store.moveToHistory() {}
            #expect(try store.database.number("SELECT count(*) FROM history") == 10_000)
            #expect(try store.isKnown(known), "in the history")
            #expect(try !store.isKnown(other), "another value at the same time is another reading")
        }
        #expect(try open().isKnown(known), "after a restart")
        #expect(try !open().isKnown(other))
        #expect(try values().count == 69_993)
    }

    @Test("Readings without a time of their own are never taken for repeats")
    func arrivalTimes() throws {
        let store = try open()
        store.add(Self.reading(1, 5, quality: .arrivalTime))
        try commit(store)
        #expect(try !store.isKnown(try #require(Reading(Self.series, 5))))
    }

    @Test("Nothing newer than the checkpoint moves to the history")
    func checkpointBoundsMoving() throws {
        let store = try open()
        for second in 0..<100_000 { store.add(Self.reading(second, 1)) }
        try commit(store)
        #expect(try !store.moveToHistory())
        store.add(StoredCheckpoint(sequence: 15_000, site: nil, norms: nil, body: []))
        try commit(store)
        #expect(try store.moveToHistory())
        #expect(try !store.moveToHistory())
        var replayed = 0
        try store.log(after: 15_000) { _, _ in replayed += 1 }
        #expect(replayed == 85_000)
    }

    @Test("The log gives readings and other events back in the order in which they entered")
    func log() throws {
        let store = try open()
        store.add(event: "a", at: Self.start)
        store.add(Self.reading(1, 1))
        store.add(event: "b", at: Self.start + .seconds(2))
        store.add(event: "c", at: Self.start + .seconds(3))
        store.add(Self.reading(4, 2))
        try commit(store)
        var seen: [String] = []
        try store.log(after: 1) { entry, _ in
            switch entry {
            case .reading(let reading): seen.append("\(reading.value)")
            case .event(let text): seen.append(text)
            }
        }
        #expect(seen == ["1.0", "b", "c", "2.0"])
    }

    @Test("Packet ids are kept for at least the window of unacknowledged messages, and not for ever")
    func packets() throws {
        let store = try open()
        for batch in 0..<12 {
            for number in 0..<4000 { store.add(packet: UInt16(number), hash: UInt64(batch * 4000 + number)) }
            try commit(store)
        }
        let kept = try store.packets()
        #expect(kept.last?.hash == 47_999)
        #expect(kept.map(\.hash) == (kept[0].hash...47_999).map { $0 })
        #expect(kept.count >= Store.window && kept.count <= Store.window + 8000)
        #expect(try open().packets().count == kept.count)
    }

    @Test("A message to a person is written once, however often its transition is written")
    func notices() throws {
        let store = try open()
        let notice = Notice(
            id: "n1", alarm: "a1", alarmClass: .alarm, event: .raised, severity: .danger, recipient: "anna",
            channel: .init(kind: .email, address: "a@b.example"), subject: "s", body: "b", created: Self.start,
            transition: "{}")
        store.add(notice)
        store.add(notice)
        try commit(store)
        #expect(try store.waitingNotices().map(\.notice) == [notice])
        store.add(
            OutboxResult(
                notice: "n1", alarm: "a1", attempts: 1, at: Self.start,
                outcome: .waiting(due: Self.start + .minutes(1), error: "refused")))
        try commit(store)
        #expect(try store.waitingNotices().first?.due == Self.start + .minutes(1))
        store.add(OutboxResult(notice: "n1", alarm: "a1", attempts: 2, at: Self.start, outcome: .delivered))
        try commit(store)
        #expect(try store.waitingNotices().isEmpty)
        #expect(try Reader(data).outbox() == ["delivered": 1])
    }

    // MARK: Files that are not as they should be

    @Test("A database of a newer version is refused and left as it is")
    func newer() throws {
        _ = try open()
        let database = try Database(path: data.database, mode: .readWrite)
        try database.execute("PRAGMA user_version = \(Schema.version + 1)")
        let problem = #expect(throws: DocumentProblem.self) { try open() }
        #expect(problem?.message.contains("newer version") == true)
        #expect(try database.number("PRAGMA user_version") == Int64(Schema.version + 1))
    }

    @Test(
        "A database of every earlier version is brought to the present form with what is in it",
        arguments: 1..<Schema.version)
    func older(version: Int) throws {
        let database = try Database(path: data.database, mode: .readWrite)
        for step in Schema.migrations.prefix(version) { try database.execute(step) }
        try database.execute(
            """
            PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(version);
            INSERT INTO journal VALUES (1, 5, 6, 'raised', 'a1', 'alarm', '{}');
            """)
        #expect(throws: DocumentProblem.self) { try Reader(data) }
        _ = try open()
        #expect(try Reader(data).journalRows(after: 0).map(\.sequence) == [1])
        #expect(try database.number("PRAGMA user_version") == Int64(Schema.version))
    }

    @Test("A database of another program is refused")
    func foreign() throws {
        try Database(path: data.database, mode: .readWrite).execute("CREATE TABLE theirs (x)")
        let problem = #expect(throws: DocumentProblem.self) { try open() }
        #expect(problem?.message.contains("another program") == true)
    }

    @Test("A damaged file is told from a busy one, and can be put aside whole")
    func damaged() throws {
        _ = try open()
        let handle = try #require(FileHandle(forUpdatingAtPath: data.database))
        try handle.write(contentsOf: Data(repeating: 0, count: 4096))
        try handle.close()
        let error = #expect(throws: SQLiteError.self) { try open() }
        #expect(error?.isDamage == true && error?.isBusy == false)
        let aside = try data.setAside(at: Self.start)
        #expect(aside.hasSuffix("normwatch.db.damaged-20260302-080000"))
        #expect(FileManager.default.fileExists(atPath: aside))
        #expect(try open().sequence == 0)
    }

    @Test("One folder, one service")
    func lock() throws {
        var first: FolderLock? = try FolderLock(data)
        #expect(first?.lastAlive == nil)
        first?.touch(stored: 42)
        #expect(FolderLock.isHeld(data))
        let trouble = #expect(throws: DataFolder.Trouble.self) { try FolderLock(data) }
        #expect(trouble?.description.contains("another Normwatch uses the data folder") == true)
        first = nil
        #expect(!FolderLock.isHeld(data))
        #expect(try FolderLock(data).lastAlive != nil && FolderLock(data).lastStored == 42)
    }
}

extension Store {
    fileprivate func add(_ series: Series, at second: Int) {
        let time = Story.start + .seconds(second)
        add(StoredReading(series: series, time: time, arrival: time, value: 1, quality: [], claimed: nil))
    }
}
