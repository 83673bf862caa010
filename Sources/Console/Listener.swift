internal import CMicroHTTPD
package import Core
internal import Glibc

/// The HTTP server: hands each request to the routes, on one thread of its own.
///
/// Unchecked `Sendable` is true because `daemon` is taken out under the lock by the first `stop`, and libmicrohttpd's functions
/// that are called with it may be called from any thread.
package final class Listener: @unchecked Sendable {
    package struct Limits: Sendable {
        package var connections = 256
        /// For the whole head of a request; also for the pause before the next on a kept connection.
        package var head = Span.seconds(10)
        /// For the whole body.
        package var body = Span.seconds(30)
        package var bodyBytes = 1 << 20
        package init() {}
    }

    package let port: Int
    private let server: Server
    private let daemon: Locked<Daemon?>

    /// Unchecked `Sendable` is true because it is only a name for what libmicrohttpd keeps.
    private struct Daemon: @unchecked Sendable { let pointer: OpaquePointer }

    /// - Parameters:
    ///   - address: numeric, or `localhost`.
    ///   - port: 0 is any that is free; `port` tells which.
    /// - Throws: in plain words, when the port is taken or the address is not this machine's.
    package init(address: String, port: Int, routes: Routes, limits: Limits = .init()) throws(ListenerError) {
        let socket = try ListeningSocket(address: address, port: port)
        self.port = socket.port
        server = Server(routes: routes, limits: limits)
        let context = Unmanaged.passUnretained(server).toOpaque()
        let daemon = withoutSignals {
            nw_httpd_start(
                socket.descriptor, UInt32(limits.connections), 60, 32_768, onRequest, onCompleted, onConnection, context
            )
        }
        guard let daemon else {
            let reason = String(cString: strerror(errno))
            close(socket.descriptor)
            server.connections.end()
            throw ListenerError(description: "the HTTP server cannot start: \(reason)")
        }
        self.daemon = Locked(Daemon(pointer: daemon))
    }

    /// Takes no more connections, lets requests under way end for at most `limit`, then closes all. A second call does nothing.
    package func stop(within limit: Span = .seconds(2)) {
        guard let daemon = daemon.withLock({ $0.take() }) else { return }
        let listening = MHD_quiesce_daemon(daemon.pointer)
        if listening >= 0 { close(listening) }
        server.connections.waitUntilIdle(atMost: limit)
        MHD_stop_daemon(daemon.pointer)
        server.connections.end()
    }

    deinit { stop(within: .zero) }
}

/// What libmicrohttpd's callbacks work with; it lives as long as the listener.
private final class Server: Sendable {
    let routes: Routes
    let limits: Listener.Limits
    let connections: Connections

    init(routes: Routes, limits: Listener.Limits) {
        (self.routes, self.limits) = (routes, limits)
        connections = Connections(limits: limits)
    }
}

private func server(_ context: UnsafeMutableRawPointer?) -> Server {
    guard let context else { preconditionFailure("libmicrohttpd has lost our context") }
    return Unmanaged<Server>.fromOpaque(context).takeUnretainedValue()
}

private let onRequest: MHD_AccessHandlerCallback = { context, connection, path, method, _, bytes, count, slot in
    guard let connection, let count, let slot else { return .NO }
    let server = server(context)
    guard let held = slot.pointee else {
        let exchange = Exchange(connection, method: method, path: path)
        slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
        if let refusal = exchange.refusal(limit: server.limits.bodyBytes) {
            server.connections.enter(nw_httpd_socket(connection), .answer)
            return queue(refusal, on: connection)
        }
        server.connections.enter(nw_httpd_socket(connection), .body)
        return .YES
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(held).takeUnretainedValue()
    if count.pointee > 0 {
        exchange.append(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
        count.pointee = 0
        return .YES
    }
    server.connections.enter(nw_httpd_socket(connection), .answer)
    return queue(exchange.answer(from: server.routes), on: connection)
}

private let onCompleted: MHD_RequestCompletedCallback = { context, connection, slot, _ in
    guard let connection, let held = slot?.pointee else { return }
    Unmanaged<Exchange>.fromOpaque(held).release()
    slot?.pointee = nil
    server(context).connections.enter(nw_httpd_socket(connection), .head)
}

private let onConnection: MHD_NotifyConnectionCallback = { context, connection, _, code in
    guard let connection else { return }
    let socket = nw_httpd_socket(connection)
    if nw_httpd_has_started(code) != 0 {
        server(context).connections.enter(socket, .head)
    } else {
        server(context).connections.leave(socket)
    }
}

private func queue(_ response: Response, on connection: OpaquePointer) -> MHD_Result {
    guard let made = response.body.withUnsafeBytes({ nw_httpd_response($0.baseAddress, $0.count) }) else {
        return .NO
    }
    defer { MHD_destroy_response(made) }
    for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) {
        MHD_add_response_header(made, name, value)
    }
    return MHD_queue_response(connection, UInt32(response.status), made)
}
