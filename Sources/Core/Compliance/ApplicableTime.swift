/// When a norm applies: its act in force, its season, its hours.
struct ApplicableTime: Hashable, Sendable {
    /// In order; none touches the next.
    let stretches: [Range<Timestamp>]

    /// - Parameter datesCount: whether an act outside its dates judges nothing.
    init(of cited: CitedNorm, from start: Timestamp, to end: Timestamp, zone: Zone, datesCount: Bool) {
        let from = datesCount ? max(start, cited.act.inForceFrom ?? start) : start
        let to = datesCount ? min(end, cited.act.inForceUntil ?? end) : end
        let rule = cited.norm.appliesTo
        guard from < to else {
            stretches = []
            return
        }
        stretches = rule.isAlways ? [from..<to] : Self.active(rule, from, to, zone)
    }

    private static func active(_ rule: Application, _ from: Timestamp, _ to: Timestamp, _ zone: Zone)
        -> [Range<Timestamp>]
    {
        var found: [Range<Timestamp>] = []
        let edges = edges(rule, from, to, zone)
        for (start, end) in zip(edges, edges.dropFirst()) where rule.isActive(at: zone.civil(start)) {
            if let last = found.last, last.upperBound == start {
                found[found.count - 1] = last.lowerBound..<end
            } else {
                found.append(start..<end)
            }
        }
        return found
    }

    /// Every instant at which the rule could begin or cease to apply: midnights, its hours by either offset of the day, clock changes.
    private static func edges(_ rule: Application, _ from: Timestamp, _ to: Timestamp, _ zone: Zone) -> [Timestamp] {
        var edges: Set = [from, to]
        var day = zone.block(containing: from, length: .days(1))
        while day.start < to {
            let date = zone.civil(day.start)
            let naive = CivilTime(year: date.year, month: date.month, day: date.day).instant()
            edges.insert(day.start)
            for minute in [rule.hours?.from, rule.hours?.to].compactMap({ $0 }) {
                for offset in [zone.offset(at: day.start), zone.offset(at: day.end)] {
                    edges.insert(naive + .minutes(minute) - offset)
                }
            }
            day = zone.block(containing: day.end, length: .days(1))
        }
        edges.formUnion(zone.changes(from: from, to: to))
        return edges.filter { from <= $0 && $0 <= to }.sorted()
    }

    func length(in period: Period) -> Span {
        stretches.reduce(.zero) { $0 + period.overlap($1.lowerBound, $1.upperBound) }
    }
}
