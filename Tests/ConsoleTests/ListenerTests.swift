import Core
import Testing

@testable import Console

/// Against real sockets on this machine. One at a time: these tests block.
@Suite("Listener", .serialized)
struct ListenerTests {
    private func listener(_ change: (inout Listener.Limits) -> Void = { _ in }) throws -> Listener {
        var routes = Routes()
        routes.on("GET", "/echo") { request in
            .text("\(request.query.map { "\($0.key)=\($0.value)" }) \(request.peer) \(request.headers["x-word"] ?? "")")
        }
        routes.on("GET", "/ü /x") { _ in .text("found") }
        routes.on("POST", "/echo") { .text("got \(String(decoding: $0.body, as: UTF8.self))") }
        var limits = Listener.Limits()
        change(&limits)
        return try Listener(address: "127.0.0.1", port: 0, routes: routes, limits: limits)
    }

    @Test("Requests arrive whole, answers are hardened and name no program")
    func exchange() throws {
        let listener = try listener()
        defer { listener.stop() }
        let answer = Client.ask(listener.port, "GET /echo?a=1%262&b=x+y&c=%2B&d HTTP/1.1\r\nX-Word: wörd")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.hasSuffix("[\"a=1&2\", \"b=x y\", \"c=+\", \"d=\"] 127.0.0.1 wörd\n"), "\(answer)")
        #expect(answer.contains("\r\nX-Content-Type-Options: nosniff\r\n"))
        #expect(!answer.lowercased().contains("server:") && !answer.lowercased().contains("microhttpd"))
        #expect(Client.ask(listener.port, "GET /%C3%BC%20/x HTTP/1.1").hasSuffix("found\n"))
        #expect(Client.ask(listener.port, "GET /a%00b HTTP/1.1").hasPrefix("HTTP/1.1 400"))
        #expect(Client.ask(listener.port, "GET /nowhere HTTP/1.1").hasPrefix("HTTP/1.1 404"))
        #expect(Client.ask(listener.port, "BREW /echo HTTP/1.1").contains("\r\nAllow: GET, HEAD, POST\r\n"))
        let body = Client.ask(listener.port, "POST /echo HTTP/1.1\r\nContent-Length: 7", body: "Größe")
        #expect(body.hasSuffix("got Größe\n"))
    }

    @Test("HEAD has the headers of GET and no body")
    func head() throws {
        let listener = try listener()
        defer { listener.stop() }
        let get = Client.ask(listener.port, "GET /echo HTTP/1.1")
        let head = Client.ask(listener.port, "HEAD /echo HTTP/1.1")
        func length(_ answer: String) -> Substring? {
            answer.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        }
        #expect(length(get) != nil && length(get) == length(head))
        #expect(head.hasPrefix("HTTP/1.1 200") && head.hasSuffix("\r\n\r\n"))
    }

    @Test("A kept connection takes several requests")
    func keepAlive() throws {
        let listener = try listener()
        defer { listener.stop() }
        let client = Client(port: listener.port)
        for word in ["one", "two", "three"] {
            client.send("GET /echo HTTP/1.1\r\nHost: x\r\nX-Word: \(word)\r\n\r\n")
            #expect(client.receive(until: "127.0.0.1 \(word)\n").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("A body that is too large, or of unknown length, is refused before it has come")
    func largeBody() throws {
        let listener = try listener { $0.bodyBytes = 1000 }
        defer { listener.stop() }
        for (header, status) in [
            ("Content-Length: 1001", "413"), ("Content-Length: 99999999999999999999", "4"),
            ("Content-Length: -1", "4"), ("Transfer-Encoding: chunked", "411"),
        ] {
            let client = Client(port: listener.port)
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\n\(header)\r\nExpect: 100-continue\r\n\r\n")
            let answer = client.receive()
            #expect(answer.hasPrefix("HTTP/1.1 \(status)") && !answer.contains("100 Continue"), "\(header): \(answer)")
        }
        let largest = Client.ask(
            listener.port, "POST /echo HTTP/1.1\r\nContent-Length: 1000", body: String(repeating: "x", count: 1000))
        #expect(largest.hasPrefix("HTTP/1.1 200"))
        let header = Client.ask(listener.port, "GET /echo HTTP/1.1\r\nX-Word: " + String(repeating: "x", count: 40_000))
        #expect(header.hasPrefix("HTTP/1.1 431"), "\(header.prefix(200))")
    }

    @Test("A client that dribbles its head or body loses its connection, others do not")
    func slow() throws {
        let listener = try listener { ($0.head, $0.body) = (.seconds(1), .seconds(1)) }
        defer { listener.stop() }
        let head = Client(port: listener.port)
        let body = Client(port: listener.port)
        head.send("GET /echo HTTP/1.1\r\nX-Slow: ")
        body.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n")
        let isOver = Locked(false)
        let both = Locked(0)
        for client in [head, body] {
            startThread {
                // One byte at a time: the last is never older than the library's own limit.
                while isOver.wait(atMost: .seconds(0.05), for: { $0 ? true : nil }) == nil { client.send("x") }
                both.withLock { $0 += 1 }
            }
        }
        let clock = ContinuousClock()
        let took = clock.measure {
            #expect(head.receive() == "")
            #expect(body.receive() == "")
        }
        isOver.withLock { $0 = true }
        #expect(both.wait(atMost: .seconds(10)) { $0 == 2 ? true : nil } == true)
        #expect(took < .seconds(8))
        #expect(Client.ask(listener.port, "GET /echo HTTP/1.1").hasPrefix("HTTP/1.1 200"))
    }

    @Test("At the limit of connections a newcomer waits until one leaves")
    func connections() throws {
        let listener = try listener { $0.connections = 4 }
        defer { listener.stop() }
        var clients = (0..<4).map { _ in Client(port: listener.port) }
        for client in clients {
            client.send("GET /echo HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.receive(until: "127.0.0.1 \n").hasPrefix("HTTP/1.1 200"))
        }
        let late = Client(port: listener.port)
        late.send("GET /echo HTTP/1.1\r\nHost: x\r\n\r\n")
        clients.removeFirst()
        #expect(late.receive(until: "127.0.0.1 \n").hasPrefix("HTTP/1.1 200"))
    }

    @Test("Why it cannot listen is said in plain words")
    func errors() throws {
        let first = try listener()
        defer { first.stop() }
        func error(_ address: String, _ port: Int) -> String {
            do throws(ListenerError) {
                try Listener(address: address, port: port, routes: Routes()).stop()
                return "none"
            } catch {
                return error.description
            }
        }
        #expect(
            error("127.0.0.1", first.port)
                == "cannot listen on 127.0.0.1:\(first.port): another program listens there already; stop it, or choose another port"
        )
        #expect(error("203.0.113.1", 8080).hasSuffix("this machine does not have that address"))
        #expect(error("house.example", 8080).hasPrefix("“house.example” is no address to listen on; use 127.0.0.1"))
        #expect(error("127.0.0.1", 65_536).hasPrefix("65536 is no port"))
        #expect(error("localhost", 0) == "none")
    }

    @Test("Stopping lets a request end, and frees the port")
    func stopping() throws {
        let began = Locked(false)
        let release = Locked(false)
        var routes = Routes()
        routes.on("GET", "/slow") { _ in
            began.withLock { $0 = true }
            _ = release.wait(atMost: .seconds(10)) { $0 ? true : nil }
            return .text("done")
        }
        let listener = try Listener(address: "127.0.0.1", port: 0, routes: routes)
        let client = Client(port: listener.port)
        let idle = Client(port: listener.port)
        client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(began.wait(atMost: .seconds(10)) { $0 ? true : nil } == true)
        let stopped = Locked(false)
        startThread {
            listener.stop()
            stopped.withLock { $0 = true }
        }
        release.withLock { $0 = true }
        #expect(client.receive().hasSuffix("done\n"))
        #expect(idle.receive() == "")
        #expect(stopped.wait(atMost: .seconds(10)) { $0 ? true : nil } == true)
        #expect(!Client(port: listener.port).isConnected)
        try Listener(address: "127.0.0.1", port: listener.port, routes: routes).stop()
        listener.stop()
    }
}
