package import Core
package import Foundation
package import Ingest

/// A real service on a real folder, with a private broker.
package final class RunningService {
    package let data: String
    private let child: Child
    private let output: String
    private let error: String

    /// Starts one and returns at once.
    package init(_ data: String, norms: String = Product.norms, _ flags: [String] = []) throws {
        self.data = data
        // Not beside the data: that disk may be full.
        let name = "/tmp/nw-log-" + String(UInt32.random(in: .min ... .max), radix: 36)
        (output, error) = (name + ".out", name + ".err")
        child = try Child(
            [Product.binary, "run", "--data", data, "--norms", norms, "--json"] + flags, output: output, error: error)
    }

    deinit {
        // In order, so that its broker ends with it.
        child.signal(SIGTERM)
        for _ in 0..<500 where child.exitCode == nil { usleep(10_000) }
        unlink(output)
        unlink(error)
    }

    /// Starts one and waits until it judges live.
    package static func start(_ data: String, norms: String = Product.norms, _ flags: [String] = []) async throws
        -> RunningService
    {
        let service = try RunningService(data, norms: norms, flags)
        try await service.untilLive()
        return service
    }

    package func untilLive() async throws {
        _ = try await wait(for: "a service that judges live", hint: { self.log }) {
            if let code = child.exitCode { throw Late(description: "the service ended with \(code)\n\(log)") }
            return log.contains("judging live") ? true : nil
        }
    }

    package var log: String { (try? String(contentsOfFile: error, encoding: .utf8)) ?? "" }
    package var exitCode: Int32? { child.exitCode }
    package var id: pid_t { child.id }
    package func signal(_ number: Int32) { child.signal(number) }

    /// Ends it in order.
    package func stop() async throws -> Int32 {
        child.signal(SIGTERM)
        return try await untilEnded()
    }

    package func untilEnded(seconds: Double = 20) async throws -> Int32 {
        try await wait(for: "the end of the service", seconds: seconds, hint: { self.log }) { child.exitCode }
    }

    // MARK: What it says

    /// The transitions on its standard output.
    package var transitions: [JSONValue] {
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { try? JSONValue(parsing: String($0)) }
    }

    /// Waits for a transition with these members.
    @discardableResult
    package func transition(_ members: [String: String], seconds: Double = 30) async throws -> JSONValue {
        try await wait(for: "a transition \(members)", seconds: seconds, hint: { "\(self.transitions)\n\(self.log)" }) {
            transitions.first { transition in members.allSatisfy { transition[$0.key] == .string($0.value) } }
        }
    }

    package func has(_ members: [String: String]) -> Bool {
        transitions.contains { transition in members.allSatisfy { transition[$0.key] == .string($0.value) } }
    }

    private struct Addresses: Decodable {
        let broker: String
        let http: String?
    }

    private func addresses() async throws -> Addresses {
        try await wait(for: "service.json", hint: { self.log }) {
            FileManager.default.contents(atPath: data + "/service.json").flatMap {
                try? JSONDecoder().decode(Addresses.self, from: $0)
            }
        }
    }

    package func broker() async throws -> BrokerAddress { try BrokerAddress(url: try await addresses().broker) }

    /// `/health`, as it is now.
    package func health() async throws -> JSONValue {
        guard let url = try await addresses().http, let port = URLComponents(string: url)?.port else {
            throw Late(description: "the service gives no address of its console\n\(log)")
        }
        let answer = loopbackRequest(port, "GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
        guard let body = answer.firstRange(of: "\r\n\r\n") else {
            throw Late(description: "no answer from \(url): \(answer)")
        }
        return try JSONValue(parsing: String(answer[body.upperBound...]))
    }

    /// Waits until a part of `/health` is in this state.
    package func health(_ part: String, is state: String, seconds: Double = 30) async throws -> JSONValue {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let health = try? await self.health()
            if let found = health?["parts"]?[part], found["state"] == .string(state) { return found }
            guard ContinuousClock.now < deadline else {
                throw Late(description: "\(part) does not become \(state): \(String(describing: health))\n\(log)")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
