import Core
import Foundation
import Ingest
import Pipeline

/// A folder that goes away with the run.
final class Workspace {
    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/normwatch-bench-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchFailure("no temporary folder can be made") }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The service as a process of its own, as people run it. A thread notes when each of its lines comes.
final class RunningService {
    typealias Line = (at: Double, text: String)

    let process: ChildProcess
    let data: String
    private let noted = Locked<[Line]>([])

    init(binary: String, data: String, arguments: [String]) throws {
        self.data = data
        process = try ChildProcess(binary, ["run", "--data", data] + arguments)
        let (output, noted) = (process.output, noted)
        startThread {
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            while poll(&descriptor, 1, -1) >= 0 {
                let count = read(output, &buffer, buffer.count)
                guard count > 0 else { return }
                let at = now()
                rest.append(contentsOf: buffer[0..<count])
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let text = String(decoding: rest[..<end], as: UTF8.self)
                    noted.withLock { $0.append((at, text)) }
                    rest.removeSubrange(...end)
                }
            }
        }
    }

    var lines: [Line] { noted.withLock { $0 } }

    /// Waits until a line says so; returns when it came.
    @discardableResult
    func wait(for text: String, seconds: Int) throws -> Double {
        let found = noted.wait(atMost: .seconds(seconds)) { lines in lines.first { $0.text.contains(text) }?.at }
        guard let found else {
            throw BenchFailure("the service does not say “\(text)”: \(lines.suffix(3).map(\.text))")
        }
        return found
    }

    func stop() { process.stop(patience: 10) }

    /// Megabytes of memory that are really there.
    var residentMegabytes: Double {
        let status = (try? String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let kilobytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { Double($0) }.first
        return (kilobytes ?? .nan) / 1024
    }
}

/// What each benchmark needs: a folder, a broker like the service's own, and the binaries.
final class Setup {
    let workspace: Workspace
    let broker: PrivateBroker
    let binary: String
    let norms: String

    init() throws {
        workspace = try Workspace()
        broker = try PrivateBroker(folder: workspace.path + "/broker", listen: nil)
        let own = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        binary = own.appending(path: "normwatch").path
        guard let norms = NormFolder.locate(flag: nil) else { throw BenchFailure("no norm documents found") }
        self.norms = norms
    }

    deinit { broker.stop() }

    func service(_ name: String, _ more: [String] = []) throws -> RunningService {
        try RunningService(
            binary: binary, data: workspace.path + "/" + name,
            arguments: ["--broker", broker.address.url, "--norms", norms, "--json"] + more)
    }

    func flood(_ name: String) throws -> Flood { try Flood(broker.address, clientID: name) }

    /// Ends the service and what the broker keeps for it: who is away for good would have the broker queue the next stream for him too.
    func end(_ service: RunningService) throws {
        service.stop()
        let name = try String(contentsOfFile: service.data + "/client", encoding: .utf8)
        _ = try flood(name.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
