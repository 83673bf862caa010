import Testing

@testable import Core
@testable import Notify

@Suite("Queue of a lane")
struct SendQueueTests {
    private func job(_ id: String, _ server: String = "a", _ severity: Severity = .warning) -> SendQueue.Job {
        .init(notice: sampleNotice(id, severity: severity), server: server)
    }

    @Test("The worst go first, of these the oldest")
    func order() {
        let queue = SendQueue()
        let severities: [(String, Severity)] = [
            ("1", .notice), ("2", .danger), ("3", .warning), ("4", .emergency), ("5", .danger),
        ]
        for (id, severity) in severities { #expect(queue.offer(job(id, "s\(id)", severity)) == .taken) }
        var order: [String] = []
        while let job = queue.next() { order.append(job.notice.id) }
        #expect(order == ["4", "2", "5", "3", "1"])
    }

    @Test("One id is never there twice, waiting or under way")
    func once() throws {
        let queue = SendQueue()
        #expect(queue.offer(job("1")) == .taken && queue.offer(job("1")) == .alreadyHere)
        let first = try #require(queue.next())
        #expect(queue.offer(job("1")) == .alreadyHere && queue.next() == nil)
        queue.finish(first, .temporary("no answer"))
        #expect(queue.offer(job("1")) == .taken)
    }

    @Test("A server that hangs has four at most, and others go on")
    func perServer() {
        let queue = SendQueue()
        for id in 0..<20 { _ = queue.offer(job("slow \(id)", "slow", .emergency)) }
        _ = queue.offer(job("quick", "quick", .notice))
        var servers: [String] = []
        while let job = queue.next() { servers.append(job.server) }
        #expect(servers == ["slow", "slow", "slow", "slow", "quick"])
        #expect(queue.tally.waiting == 16 && queue.tally.underWay == 5)
    }

    @Test("A full queue says so, counts it, and keeps room for danger")
    func full() {
        let queue = SendQueue(limits: .init(depth: 2, reserve: 1))
        #expect(queue.offer(job("1")) == .taken && queue.offer(job("2")) == .taken)
        #expect(queue.offer(job("3")) == .full)
        #expect(queue.offer(job("4", "a", .danger)) == .taken)
        #expect(queue.offer(job("5", "a", .emergency)) == .full)
        #expect(queue.tally.refused == 2)
    }

    @Test("Closed: nothing new, the rest is still sent; cancelled: nothing is sent")
    func ending() throws {
        let queue = SendQueue()
        _ = queue.offer(job("1"))
        queue.close()
        #expect(queue.offer(job("2")) == .full && !queue.isOver)
        let last = try #require(queue.waitForNext())
        queue.finish(last, .delivered)
        #expect(queue.isOver && queue.waitForNext() == nil && queue.tally.delivered == 1)
        let other = SendQueue()
        _ = other.offer(job("1"))
        other.cancel()
        #expect(other.isOver && other.next() == nil && other.waitForNext() == nil)
    }
}

@Suite("Terminal")
struct TerminalTests {
    @Test("Time, subject and body, without anything that steers a terminal")
    func text() {
        let text = Terminal.text(sampleNotice(subject: "Gas, \u{1B}[31mKüche\u{7}", body: "Größe\r\n\nзакройте\u{9B}"))
        #expect(text == "2026-11-30T08:00:00.25Z Gas,  [31mKüche \n    Größe\n    закройте \n")
    }

    @Test("A closed reader is a temporary failure")
    func closed() {
        let pipe = ClosedPipe()
        let told = Told()
        let worker = worker(.init(terminal: Terminal(fileDescriptor: pipe.writing)), telling: told)
        _ = worker.hand([sampleNotice(kind: .terminal)])
        #expect(told.wait(1).values.first?.isPermanent == false)
        #expect(worker.stop(within: .seconds(5)))
    }

    @Test("Texts arrive whole and in order")
    func order() {
        let written = Locked<[String]>([])
        let told = Told()
        let worker = worker(
            .init(terminal: Terminal { text in written.withLock { $0.append(text) } }), telling: told)
        let notices = (0..<50).map { sampleNotice("\($0)", kind: .terminal, subject: "\($0)") }
        #expect(worker.hand(notices).isEmpty)
        #expect(told.wait(50).values.allSatisfy { $0 == .delivered })
        #expect(
            written.withLock { $0.map { $0.split(separator: " ")[1].prefix { $0 != "\n" } } }
                == (0..<50).map { "\($0)" })
        #expect(told.begun.withLock { $0 } == (0..<50).map { "\($0)" })
        #expect(worker.stop(within: .seconds(5)))
    }
}
