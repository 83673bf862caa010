/// Deadlines in time order; equal times in a fixed order, so that every run takes the same path.
///
/// Nothing is ever taken out early: whoever is woken looks whether there is still something to do. The agenda is not part of
/// the saved state, it is filled anew from what waits.
struct Agenda {
    struct Entry: Comparable {
        let due: Timestamp
        let building: Int
        let wake: Wake

        static func < (a: Self, b: Self) -> Bool {
            if a.due != b.due { return a.due < b.due }
            if a.building != b.building { return a.building < b.building }
            return a.wake < b.wake
        }
    }

    private var heap: [Entry] = []

    var next: Timestamp? { heap.first?.due }

    mutating func add(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() -> Entry? {
        guard let first = heap.first else { return nil }
        heap[0] = heap[heap.count - 1]
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            if least == parent { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return first
    }
}
