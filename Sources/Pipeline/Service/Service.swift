import Core
import Console
import Decode
internal import Foundation
import Ingest
import Notify
import Store

/// The running program: one thread, one loop, one writer.
///
/// The loop waits for broker, mailbox and the next deadline; reads messages until the socket is dry; decodes; steps the engine; writes one
/// transaction; and only then lets the acknowledgements out.
package final class Service {
    /// Messages held before a commit is due.
    static let batchLimit = 4096
    static let batchBytes = 16 << 20
    /// Messages held before reading stops, while the disk does not take them.
    static let holdLimit = 20_000
    static let holdBytes = 64 << 20

    let options: ServiceOptions
    let observer: ServiceObserver
    let mailbox = Mailbox()
    let lock: FolderLock
    let clock: ServiceClock
    let store: Store
    let host: EngineHost
    let privateBroker: PrivateBroker?
    let link: BrokerLink
    let outboxWorker: OutboxWorker
    let publisher: Publisher
    let status: ServiceStatus
    var decoder: MessageDecoder
    var outbox = Outbox()
    var storage = StorageState()
    var dropped = DroppedCounter()
    var heldMessages = 0
    var batchOpened: Timestamp?
    var isUrgent = false
    /// Answers to people that wait until what they asked for is stored.
    var answers: [() -> Void] = []
    /// The site document that lies beside the database.
    var keptSite: String?
    private var isStopping = false
    /// `run` has ended because only a new start can help.
    package private(set) var mustBeginAnew = false
    private var lastTick = Timestamp.distantPast
    /// Until when everything that had come was read.
    private var lastRead: Timestamp?
    private var control: ControlServer?
    private let clientID: String
    private let damaged: String?
    /// From when to when stored things are missing: the end of the database's log was lost.
    let lostSpan: String?

    /// Takes the data folder, reads what is in it and starts what belongs to it.
    /// - Throws: in plain words, when something around us is not as it must be.
    package init(_ options: ServiceOptions, observer: ServiceObserver) throws {
        (self.options, self.observer) = (options, observer)
        try options.data.prepare()
        lock = try FolderLock(options.data, patience: 3)
        let lastAlive = lock.lastAlive
        let files = Result { try NormFolder.documents(in: options.normFolder) }
        let norms = files.flatMap { files in Result { try NormLibrary(reading: files) } }
        let site = try options.site.map { try Site(parsing: $0) }
        (store, host, damaged) = try Self.open(options.data, observer.log)
        // The first start needs norms; later ones can go on with those in force.
        if !host.hasNorms { _ = try norms.get() }
        clock = ServiceClock(speed: options.speed, notBefore: host.engine.now)
        let isShort = damaged == nil && (lock.lastStored ?? 0) > store.storedSequence
        lostSpan = isShort ? "\(max(host.engine.now, .init(microseconds: 0))) – \(clock.now)" : nil
        privateBroker =
            try options.broker == nil ? PrivateBroker(folder: options.data.broker, listen: options.brokerListen) : nil
        clientID = try options.clientID ?? Self.stableClientID(store, options.data)
        status = try ServiceStatus(options.http, since: clock.now)
        (link, publisher) = try Self.connect(options, privateBroker, store, clock, clientID)
        decoder = MessageDecoder()
        let mailbox = mailbox
        outboxWorker = OutboxWorker(
            .init(
                terminal: Terminal(fileDescriptor: 1), webhooks: .init(secretsFolder: options.secretsFolder),
                mail: options.mail),
            now: { .systemNow }, onResult: { mailbox.post(.delivery(notice: $0, result: $1)) })
        try restoreDecoder()
        for entry in try store.waitingNotices() { outbox.add(entry.notice, attempts: entry.attempts, due: entry.due) }
        enterStart(lastAlive: lastAlive, files: files, norms: norms, site: site)
        control = try ControlServer(path: options.data.socket, mailbox: mailbox)
    }

    /// Opens the store; what is no usable database is put aside, and a new one begun: watching goes on whatever was lost.
    private static func open(_ data: DataFolder, _ log: Log) throws -> (Store, EngineHost, damaged: String?) {
        var cause = "found while it was written to"
        if !data.isMarkedDamaged {
            do {
                let store = try Store(path: data.database)
                return (store, try EngineHost(store), nil)
            } catch let error as SQLiteError where error.isDamage {
                cause = error.description
            } catch let error as RestoredEngine.Unreadable {
                cause = error.description
            }
        }
        let aside = try data.setAside(at: .systemNow)
        let saved = Rescue.bring(from: aside, data)
        log(
            .error, "the database was damaged and has been put aside",
            ["file": aside, "cause": cause, "brought.over": saved])
        let store = try Store(path: data.database)
        return (store, try EngineHost(store), aside)
    }

    /// Damage that the opening did not meet: people are told from memory, the broker keeps what is not stored, and a new start puts the
    /// database aside. To go on would end with nothing read any more.
    func beginAnew(_ error: SQLiteError) {
        guard !mustBeginAnew else { return }
        observer.log(.error, "the database is damaged", ["cause": error.description])
        options.data.markDamaged()
        (mustBeginAnew, isStopping) = (true, true)
    }

    /// Beside the database: a new one must find the session in which the broker keeps what was not stored.
    private static func stableClientID(_ store: Store, _ data: DataFolder) throws -> String {
        let file = data.path + "/client"
        if let known = try? String(contentsOfFile: file, encoding: .utf8), !known.isEmpty { return known }
        let name = try store.recall("client") ?? "normwatch-" + String(UInt64.random(in: .min ... .max), radix: 36)
        try name.write(toFile: file, atomically: true, encoding: .utf8)
        return name
    }

    private static func connect(
        _ options: ServiceOptions, _ broker: PrivateBroker?, _ store: Store, _ clock: ServiceClock, _ clientID: String
    ) throws -> (BrokerLink, Publisher) {
        let address = options.broker ?? broker?.address ?? BrokerAddress(host: "127.0.0.1", port: 1883)
        let publishes = options.publishesAlarms || options.broker == nil
        var settings = BrokerConnection.Settings(
            address: address, clientID: clientID, subscriptions: options.subscriptions)
        settings.authorityFile = options.authorityFile
        settings.receiveMaximum = UInt16(Store.window)
        if publishes { settings.will = (Publisher.statusTopic, Publisher.offline) }
        let connection = try BrokerConnection(settings, now: { clock.now })
        let packets = try store.packets().map { Redelivery.Packet(id: $0.id, hash: $0.hash) }
        let former = try store.recall("subscriptions")?.split(separator: "\n").map(String.init) ?? []
        store.remember(options.subscriptions.joined(separator: "\n"), as: "subscriptions")
        let link = BrokerLink(
            connection, clientID: clientID, filters: options.subscriptions, formerFilters: former, packets: packets,
            window: Store.window,
            now: clock.now)
        let speed = options.speed == 1 ? nil : options.speed
        return (link, Publisher(connection, isOn: publishes, speed: speed, published: try store.lastPublished()))
    }

    private func restoreDecoder() throws {
        for (topic, payload) in try store.metadata() {
            _ = decoder.decode(Message(topic: topic, payload: payload, isRetained: true, arrival: clock.now))
        }
    }

    /// The first events: that we were away, and the documents in force.
    private func enterStart(
        lastAlive: Timestamp?, files: Result<[NormFile], any Error>, norms: Result<NormLibrary, any Error>, site: Site?
    ) {
        host.enter(started: lastAlive, at: clock.next())
        do {
            _ = host.use(norms: try norms.get(), files: try files.get(), by: "start", at: clock.next())
            host.enter(.normsRejected, isActive: false, detail: "", at: clock.next())
        } catch {
            observer.log(.error, "norms have errors, those in force stay", ["errors": "\(error)"])
            host.enter(.normsRejected, isActive: true, detail: "\(error)", at: clock.next())
        }
        if let site, let text = options.site { host.use(site: site, text: text, at: clock.next()) }
        host.enter(.storageDamaged, isActive: damaged != nil, detail: damaged ?? "", at: clock.next())
        host.enter(.storageLost, isActive: lostSpan != nil, detail: lostSpan ?? "", at: clock.next())
        host.enter(.storageBlocked, isActive: false, detail: "", at: clock.next())
    }

    // MARK: The loop

    /// Ends `run` in order; may be called from any thread.
    package var stop: @Sendable () -> Void {
        let mailbox = mailbox
        return { mailbox.post(.stop) }
    }

    /// Reads the norms again; may be called from any thread.
    package var reload: @Sendable () -> Void {
        let mailbox = mailbox
        return { mailbox.post(.reloadNorms) }
    }

    /// Runs until it is told to stop.
    package func run() {
        announce()
        while !isStopping {
            wait()
            noteDelay()
            takeMail()
            readBroker()
            tend()
            host.advance(to: clock.now)
            commitIfDue()
            sendNotices()
        }
        shutDown()
    }

    private func announce() {
        let address = options.broker ?? privateBroker?.address
        let addresses = ServiceAddresses(
            process: getpid(), broker: (options.broker == nil ? address?.url : address?.shown) ?? "",
            http: status.address, clientID: clientID)
        let file = options.data.path + "/service.json"
        if let data = try? JSONEncoder().encode(addresses) {
            _ = FileManager.default.createFile(atPath: file, contents: data, attributes: [.posixPermissions: 0o600])
        }
        observer.log(
            .info, "service started",
            ["data": options.data.path, "broker": address?.shown ?? "", "http": status.address ?? "off"])
        observer.started(addresses)
    }

    private func wait() {
        var descriptors = [pollfd(fd: mailbox.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
        if let socket = link.connection.socket {
            let reading = mayRead ? Int16(POLLIN) : 0
            let writing = link.connection.wantsToWrite && !store.hasPending ? Int16(POLLOUT) : 0
            descriptors.append(pollfd(fd: socket, events: reading | writing, revents: 0))
        }
        poll(&descriptors, nfds_t(descriptors.count), timeout)
    }

    /// Reading stops when more is held than a restart of the broker could give back.
    private var mayRead: Bool { heldMessages < Self.holdLimit && store.pendingBytes < Self.holdBytes }

    private var timeout: Int32 {
        var next = lastTick + .seconds(1)
        for due in [host.engine.nextDeadline, link.due, outbox.nextDue, commitDue] {
            if let due { next = min(next, due) }
        }
        return clock.milliseconds(until: next)
    }

    private func takeMail() {
        for letter in mailbox.takeAll() {
            switch letter {
            case .connected(let attempt): link.connection.finishConnecting(attempt)
            case .request(let request, let reply): answer(request, reply)
            case .delivery(let notice, let result): settle(notice, result)
            case .checkpoint(let checkpoint):
                store.add(checkpoint)
                status.endCheckpoint()
            case .reloadNorms: _ = reloadNorms(by: "SIGHUP", reason: nil)
            case .stop: isStopping = true
            }
        }
    }

    /// The loop turns once a second at least. When it was held up, by a slow disk or with the whole machine, the sensors were not silent:
    /// what they sent waits, and is read before anything falls due.
    private func noteDelay() {
        let now = clock.now
        guard let lastRead, now - lastRead > max(.seconds(3), .seconds(0.15 * options.speed)), mayRead, link.isLive
        else {
            return
        }
        observer.log(.warning, "held up; reading what came meanwhile", ["seconds": "\((now - lastRead).seconds)"])
        host.enter(started: lastRead, at: clock.next())
        host.enter(listening: true, at: clock.next())
        link.findEnd(now: now)
        isUrgent = true
    }

    private func readBroker() {
        if mayRead {
            link.connection.read(limit: Self.batchLimit, bytes: Self.batchBytes)
            lastRead = clock.now
        }
        // What happened on the connection comes before the messages that it brought.
        link.takeNews(now: clock.now).forEach(take)
        for received in link.connection.takeMessages() { take(received) }
    }

    /// What is done about once a second.
    private func tend() {
        let mailbox = mailbox
        link.tend(now: clock.now, connected: { mailbox.post(.connected($0)) }).forEach(take)
        guard clock.now - lastTick >= .seconds(1) else { return }
        lastTick = clock.now
        clock.adjust()
        lock.touch(stored: store.storedSequence)
        link.connection.maintain()
        tendPrivateBroker()
        watchOurselves()
        keepHouse()
        status.update(self)
        observer.tick(host.engine)
    }

    private func tendPrivateBroker() {
        guard let privateBroker else { return }
        do {
            if try privateBroker.tend() { observer.log(.warning, "the private broker had ended and was started again") }
        } catch {
            observer.log(.error, "the private broker cannot be started", ["cause": "\(error)"])
        }
    }

    // MARK: The end

    /// Stops intake, writes what is held, gives messages a moment, closes.
    private func shutDown() {
        observer.log(.info, "service stops")
        control?.stop()
        commit()
        store.add(host.snapshot()())
        commit()
        sendNotices()
        outboxWorker.stop(within: .seconds(5))
        takeMail()
        commit()
        // An orderly goodbye would let acknowledgements out. What is not stored stays with the broker: the connection just ends.
        if !store.hasPending && heldMessages == 0 {
            publisher.sayGoodbye()
            link.connection.disconnect()
        }
        status.stop()
        privateBroker?.stop()
        _ = store.checkpointLog()
        unlink(options.data.path + "/service.json")
    }
}
