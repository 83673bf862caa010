internal import Core

/// Numbers about ourselves, in the OpenMetrics text format. Updates take a lock, so they are made once a batch.
package final class Metrics: Sendable {
    private let families = Locked<[Family]>([])
    private let hooks = Locked<[@Sendable () -> Void]>([])

    package init() {}

    /// Only ever grows. The name has no `_total`; the text gets it.
    /// - Parameters:
    ///   - unit: of the values, as in `seconds`; the name must end with it.
    ///   - labels: names; each update gives as many values. Without labels it is there from the beginning, as 0.
    package func counter(_ name: String, _ help: String, unit: String? = nil, labels: [String] = []) -> Counter {
        Counter(family: add(Family(name, .counter, help, unit, labels)))
    }

    package func gauge(_ name: String, _ help: String, unit: String? = nil, labels: [String] = []) -> Gauge {
        Gauge(family: add(Family(name, .gauge, help, unit, labels)))
    }

    /// - Parameter bounds: the upper ends of the buckets, rising; one without end is added.
    package func histogram(
        _ name: String, _ help: String, unit: String? = nil, labels: [String] = [], bounds: [Double]
    ) -> Histogram {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 } && bounds.allSatisfy(\.isFinite))
        return Histogram(family: add(Family(name, .histogram(bounds), help, unit, labels)))
    }

    /// Called before each reading, to bring in numbers that are kept elsewhere.
    package func beforeReading(_ hook: @escaping @Sendable () -> Void) { hooks.withLock { $0.append(hook) } }

    private func add(_ family: Family) -> Family {
        families.withLock { families in
            precondition(!families.contains { $0.name == family.name }, "\(family.name) is there already")
            families.append(family)
        }
        return family
    }

    /// All families by name, and the end mark.
    package var text: String {
        for hook in hooks.withLock({ $0 }) { hook() }
        let sorted = families.withLock { $0 }.sorted { $0.name < $1.name }
        return sorted.map(\.text).joined() + "# EOF\n"
    }
}

package struct Counter: Sendable {
    let family: Family
    /// Negative amounts are a bug of ours.
    package func add(_ amount: Double = 1, _ labels: String...) {
        precondition(amount >= 0, "a counter never goes back")
        family.update(labels) { $0.value += amount }
    }
    /// For a total that is counted elsewhere; one that is lower than the last is left out.
    package func reach(_ total: Double, _ labels: String...) {
        family.update(labels) { $0.value = max($0.value, total) }
    }
}

package struct Gauge: Sendable {
    let family: Family
    package func set(_ value: Double, _ labels: String...) { family.update(labels) { $0.value = value } }
    package func add(_ amount: Double, _ labels: String...) { family.update(labels) { $0.value += amount } }
}

package struct Histogram: Sendable {
    let family: Family
    package func observe(_ value: Double, _ labels: String...) { family.observe([value], labels) }
    package func observe(_ values: [Double], _ labels: String...) { family.observe(values, labels) }
}

extension Routes {
    /// `GET /metrics`, for clients on this machine.
    package mutating func serve(_ metrics: Metrics) {
        on("GET", "/metrics") { request in
            guard request.isFromThisMachine else {
                return .text("Metrics are shown on this machine only.", status: 403)
            }
            let type = "application/openmetrics-text; version=1.0.0; charset=utf-8"
            return Response(headers: ["Content-Type": type], body: Array(metrics.text.utf8))
        }
    }
}
