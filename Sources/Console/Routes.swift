/// Which handler answers what.
package struct Routes: Sendable {
    package typealias Handler = @Sendable (Request) -> Response

    private var handlers: [String: [String: Handler]] = [:]

    package init() {}

    /// Answers `method` on exactly `path`. A handler for GET answers HEAD too. Handlers run on the listener's one thread: one
    /// that takes long holds up all clients.
    package mutating func on(_ method: String, _ path: String, _ handler: @escaping Handler) {
        precondition(handlers[path]?[method] == nil, "\(method) \(path) has a handler already")
        handlers[path, default: [:]][method] = handler
    }

    package func answer(_ request: Request) -> Response {
        guard let methods = handlers[request.path] else {
            return Response.text("There is nothing here.", status: 404).hardened()
        }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let handler = methods[method] else {
            var refusal = Response.text("This method is not possible here.", status: 405)
            let allowed = Set(methods.keys).union(methods["GET"] == nil ? [] : ["HEAD"])
            refusal.headers["Allow"] = allowed.sorted().joined(separator: ", ")
            return refusal.hardened()
        }
        return handler(request).hardened()
    }
}
