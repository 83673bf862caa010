import Core

/// A scenario as it takes its course: everything that devices send and people do, in order. The same seed and start give the
/// same bytes.
struct Simulation: Sendable {
    enum Step: Sendable {
        case publish(Publication)
        case act(PersonAction)
    }

    let scenario: Scenario
    let start: Timestamp
    private var devices: [SimulatedDevice]
    private var queue: Queue
    private var stamps: Stamps
    private var actions: [PersonAction]
    private var waiting: [Publication] = []
    private var position = 0
    private var actionPosition = 0

    init(_ scenario: Scenario, seed: UInt64, start: Timestamp? = nil) {
        self.scenario = scenario
        self.start = start ?? scenario.start
        stamps = Stamps(start: self.start)
        let world = World(scenario, seed: seed)
        devices = world.devices
        actions = (scenario.actions + world.householdActions).filter { $0.at >= 0 }.sorted { $0.at < $1.at }
        queue = Queue(devices.map(\.due))
        waiting = Self.metadata(devices)
    }

    var deviceIDs: [String: String] {
        Dictionary(uniqueKeysWithValues: devices.map { ($0.id, $0.id) })
    }

    /// When the next step is; infinite: there is none.
    var due: Double {
        if position < waiting.count { return waiting[position].at }
        let action = actionPosition < actions.count ? actions[actionPosition].at : .infinity
        return min(queue.first?.due ?? .infinity, action)
    }

    mutating func next() -> Step? {
        while position >= waiting.count {
            waiting.removeAll(keepingCapacity: true)
            position = 0
            let action = actionPosition < actions.count ? actions[actionPosition].at : .infinity
            guard let first = queue.first, first.due < .infinity || action < .infinity else {
                guard action < .infinity else { return nil }
                actionPosition += 1
                return .act(actions[actionPosition - 1])
            }
            if action <= first.due {
                actionPosition += 1
                return .act(actions[actionPosition - 1])
            }
            devices[first.device].speak(at: first.due, &stamps, into: &waiting)
            queue.replaceFirst(due: devices[first.device].due)
        }
        position += 1
        return .publish(waiting[position - 1])
    }

    /// What gateways keep on the broker about their devices.
    private static func metadata(_ devices: [SimulatedDevice]) -> [Publication] {
        var bases: [(base: String, devices: [(String, DeviceSpec)])] = []
        for device in devices where device.spec.speech == .zigbee {
            let parts = device.id.split(separator: "/", maxSplits: 1).map(String.init)
            if let index = bases.firstIndex(where: { $0.base == parts[0] }) {
                bases[index].devices.append((parts[1], device.spec))
            } else {
                bases.append((parts[0], [(parts[1], device.spec)]))
            }
        }
        return bases.flatMap { base, devices in
            [
                Publication(
                    at: 0, topic: base + "/bridge/devices", payload: ZigbeeSpeech.devices(devices), isRetained: true),
                Publication(
                    at: 0, topic: base + "/bridge/state", payload: Array(#"{"state":"online"}"#.utf8), isRetained: true
                ),
            ]
        }
    }
}

/// Devices by when they speak next; at equal times by their number, so that every run takes the same path.
struct Queue: Sendable {
    private var heap: [(due: Double, device: Int)]

    init(_ dues: [Double]) {
        heap = dues.enumerated().map { ($0.element, $0.offset) }.sorted { Self.isBefore($0, $1) }
    }

    var first: (due: Double, device: Int)? { heap.first }

    private static func isBefore(_ a: (due: Double, device: Int), _ b: (due: Double, device: Int)) -> Bool {
        a.due != b.due ? a.due < b.due : a.device < b.device
    }

    mutating func replaceFirst(due: Double) {
        heap[0].due = due
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if Self.isBefore(heap[child], heap[least]) { least = child }
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
