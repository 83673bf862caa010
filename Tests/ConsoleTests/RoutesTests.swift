import Core
import Testing

@testable import Console

@Suite("Routes")
struct RoutesTests {
    private var routes: Routes {
        var routes = Routes()
        routes.on("GET", "/a") { .text("a \($0.query.map { "\($0.key)=\($0.value)" })") }
        routes.on("POST", "/a") { .text("got \($0.body.count)", status: 201) }
        routes.on("POST", "/b") { _ in Response(headers: ["Cache-Control": "max-age=60"]) }
        return routes
    }

    @Test("What is not there is 404, a method that is not there 405 with the ones that are")
    func refusals() {
        #expect(routes.answer(Request("GET", "/a/")).status == 404)
        let refusal = routes.answer(Request("DELETE", "/a"))
        #expect(refusal.status == 405 && refusal.headers["Allow"] == "GET, HEAD, POST")
        #expect(routes.answer(Request("HEAD", "/b")).headers["Allow"] == "POST")
        #expect(routes.answer(Request("get", "/a")).status == 405)
    }

    @Test("HEAD is answered as GET")
    func head() {
        #expect(routes.answer(Request("HEAD", "/a")) == routes.answer(Request("GET", "/a")))
        #expect(routes.answer(Request("POST", "/a", body: [1, 2])).status == 201)
    }

    @Test("Every answer is hardened; a handler may say otherwise", arguments: ["/a", "/none"])
    func hardened(path: String) {
        let headers = routes.answer(Request("GET", path)).headers
        #expect(headers["X-Content-Type-Options"] == "nosniff" && headers["Cache-Control"] == "no-store")
        #expect(headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
        #expect(routes.answer(Request("POST", "/b")).headers["Cache-Control"] == "max-age=60")
    }

    @Test(
        "Escapes are undone once, and broken ones refused",
        arguments: [
            ("/a%20b", "/a b"), ("/%C3%BC", "/ü"), ("/a%2Fb", "/a/b"), ("/%2520", "/%20"), ("/+", "/+"), ("/%", nil),
            ("/%4", nil), ("/%zz", nil), ("/%00", nil), ("/%FF", nil), ("/%+1", nil),
        ] as [(String, String?)])
    func escapes(text: String, plain: String?) {
        #expect(Request.unescaped(text) == plain)
    }

    @Test("Loopback without a proxy is this machine")
    func thisMachine() {
        func isHere(_ peer: String, _ headers: [String: String] = [:]) -> Bool {
            Request("GET", "/", headers: headers, peer: peer).isFromThisMachine
        }
        #expect(isHere("127.0.0.1") && isHere("127.1.2.3") && isHere("::1") && isHere("::ffff:127.0.0.1"))
        #expect(!isHere("192.168.1.27") && !isHere("::ffff:10.0.0.127") && !isHere(""))
        #expect(!isHere("127.0.0.1", ["x-forwarded-for": "203.0.113.7"]) && !isHere("::1", ["via": "1.1 proxy"]))
    }
}
