/// Counts outages and their time over a period of the local calendar.
///
/// Time counts from one moment without supply to the next, however far apart they are; to the first moment with supply only where it
/// comes within three usual intervals, else for one of them.
struct OutageTally: Hashable, Codable, Sendable {
    private(set) var spent = Span.zero
    private(set) var count = 0
    /// Beginning of the first outage of the period.
    private(set) var since: Timestamp?
    private(set) var lowest = 0.0
    private var end = Timestamp.distantPast
    /// The newest moment without supply, while there is none.
    private var last: Timestamp?

    mutating func takeDown(_ value: Double, at time: Timestamp, _ period: CalendarPeriod, _ zone: Zone) {
        if let last {
            guard time > last else { return }
            add(from: last, to: time, period, zone)
        }
        // An outage that goes on into a new period is one of its own there.
        if open(time, period, zone) || last == nil { count += 1 }
        since = since ?? time
        lowest = count == 1 && last == nil ? value : min(lowest, value)
        last = time
    }

    mutating func takeUp(at time: Timestamp, usual: Span?, _ period: CalendarPeriod, _ zone: Zone) {
        if let last, time > last {
            let held = usual.map { Stretch(0, from: last, until: time, usual: $0).held } ?? .zero
            add(from: last, to: last + held, period, zone)
        }
        last = nil
        open(time, period, zone)
    }

    private mutating func add(from: Timestamp, to: Timestamp, _ period: CalendarPeriod, _ zone: Zone) {
        var from = from
        while from < to {
            if open(from, period, zone) { (count, since) = (1, from) }
            let part = max(min(end, to), from + Span(microseconds: 1))
            spent += part - from
            from = part
        }
    }

    /// Begins the period that holds `time` where it is a new one.
    @discardableResult
    private mutating func open(_ time: Timestamp, _ period: CalendarPeriod, _ zone: Zone) -> Bool {
        guard time >= end else { return false }
        end = zone.period(containing: time, period).end
        (spent, count, since) = (.zero, 0, nil)
        return true
    }

    func isOver(_ budget: OutageBudget) -> Bool {
        if let hours = budget.hours, Comparison.isAbove(spent.seconds, hours * 3600, reaches: false) { return true }
        if let most = budget.count, count > most { return true }
        return false
    }
}
