internal import CMicroHTTPD

/// One request while it comes in. libmicrohttpd's thread alone uses it.
final class Exchange {
    private var request: Request?

    /// Copies all that libmicrohttpd shows us; nothing of it outlives the callback.
    init(_ connection: OpaquePointer, method: UnsafePointer<CChar>?, path: UnsafePointer<CChar>?) {
        let pairs = Pairs()
        let context = Unmanaged.passUnretained(pairs).toOpaque()
        nw_httpd_headers(connection, onPair, context)
        let headers = Dictionary(pairs.pairs.map { ($0.key.lowercased(), $0.value) }) { $1 }
        pairs.pairs = []
        nw_httpd_query(connection, onPair, context)
        let query = pairs.pairs.compactMap { pair in
            Request.unescaped(pair.key).flatMap { key in
                Request.unescaped(pair.value).map { Request.Pair(key, $0) }
            }
        }
        guard let method, let path, query.count == pairs.pairs.count,
            let plain = Request.unescaped(String(cString: path))
        else { return }
        request = Request(
            String(cString: method), plain, query: query, headers: headers,
            peer: ListeningSocket.text(nw_httpd_peer(connection)))
    }

    /// What is refused before its body has come.
    func refusal(limit: Int) -> Response? {
        guard let request else { return closing(.text("This request cannot be read.", status: 400)) }
        if request.headers["transfer-encoding"] != nil {
            return closing(.text("Say the length of the body beforehand.", status: 411))
        }
        guard let length = request.headers["content-length"] else { return nil }
        guard let count = Int(length), count >= 0, count <= limit else {
            return closing(.text("The body may have \(limit) bytes at most.", status: 413))
        }
        return nil
    }

    /// A body that we do not read would be taken for the next request.
    private func closing(_ response: Response) -> Response {
        var response = response.hardened()
        response.headers["Connection"] = "close"
        return response
    }

    func append(_ bytes: UnsafeRawBufferPointer) { request?.body.append(contentsOf: bytes) }

    func answer(from routes: Routes) -> Response {
        guard let request else { preconditionFailure("was refused at its beginning") }
        return routes.answer(request)
    }
}

private final class Pairs { var pairs: [(key: String, value: String)] = [] }

private let onPair: nw_httpd_pair = { context, _, key, value in
    guard let context, let key else { return .YES }
    let pairs = Unmanaged<Pairs>.fromOpaque(context).takeUnretainedValue()
    pairs.pairs.append((String(cString: key), value.map { String(cString: $0) } ?? ""))
    return .YES
}
