/// Judges the change within a stretch of time.
///
/// A rise is what the value lies above the lowest one of that time, a fall what it lies under the highest one. Where samples
/// are further apart than that time, the straight line between two of them counts. A gap of over three usual intervals
/// starts anew.
package struct RateGauge: Hashable, Codable, Sendable {
    private struct Point: Hashable, Codable, Sendable {
        var time: Timestamp
        var value: Double
    }

    /// The newest samples that may yet be the lowest of their time; times and values both rise from the oldest on.
    private struct Lowest: Hashable, Codable, Sendable {
        private var points: [Point] = []
        private var first = 0

        var value: Double? { first < points.count ? points[first].value : nil }
        var time: Timestamp? { first < points.count ? points[first].time : nil }

        mutating func forget(before start: Timestamp) {
            while first < points.count, points[first].time < start { first += 1 }
            if first > 32 && first * 2 > points.count {
                points.removeFirst(first)
                first = 0
            }
        }

        /// A sample that comes within a 256th of the time after a lower one adds nothing: a fast sensor needs no more memory.
        mutating func add(_ point: Point, over length: Span) {
            while points.count > first, points[points.count - 1].value >= point.value { points.removeLast() }
            if points.count > first, (point.time - points[points.count - 1].time) * 256 < length { return }
            points.append(point)
        }
    }

    private var previous: Point?
    /// First sample since the start or the last gap.
    private var began = Timestamp.distantPast
    private var lowest = Lowest()
    /// The same for falls, of values with their sign turned.
    private var highest = Lowest()
    private var excess: Excess?

    package init() {}

    package mutating func take(_ sample: Sample, _ limit: Rate, severity: Severity) -> Finding {
        if sample.isUncertain { return standing(.uncertainTime) }
        if !sample.isRepeat { forget(before: sample, limit) }
        let broken = worst(sample, limit)
        if !sample.isRepeat { remember(sample, limit) }
        if let broken {
            note(broken, severity)
        } else if !sample.isRepeat {
            if let interval = sample.interval, interval > limit.over { return standing(.tooSlow) }
            if sample.time - began < limit.over { return standing(.insufficientData) }
            excess = nil
        }
        return excess.map { .exceeded($0) } ?? .within
    }

    /// Goes on by changed limits of a change over the same time: one that was too fast is compared with the new ones.
    mutating func adapt(to limit: Rate, severity: Severity) -> Finding {
        guard var old = excess else { return .unknown(.insufficientData) }
        let limits = [limit.upper, limit.lower].compactMap { $0 }
        guard let broken = limits.first(where: { limit.isBroken(old.value, at: $0) }) else {
            excess = nil
            return .within
        }
        (old.limit, old.severity) = (broken, severity)
        excess = old
        return .exceeded(old)
    }

    private func standing(_ reason: Unknown) -> Finding { excess.map { .exceeded($0) } ?? .unknown(reason) }

    private mutating func forget(before sample: Sample, _ limit: Rate) {
        let isGap = previous.map { sample.time - $0.time > (sample.interval.map { $0 * 3 } ?? limit.over) } ?? true
        if isGap {
            (previous, lowest, highest, began) = (nil, Lowest(), Lowest(), sample.time)
        } else {
            lowest.forget(before: sample.time - limit.over)
            highest.forget(before: sample.time - limit.over)
        }
    }

    private mutating func remember(_ sample: Sample, _ limit: Rate) {
        let point = Point(time: sample.time, value: sample.value)
        if limit.upper != nil { lowest.add(point, over: limit.over) }
        if limit.lower != nil { highest.add(Point(time: point.time, value: -point.value), over: limit.over) }
        previous = point
    }

    // MARK: Change

    private struct Broken {
        let change: Double
        let limit: Double
        let since: Timestamp
    }

    private func worst(_ sample: Sample, _ limit: Rate) -> Broken? {
        if let upper = limit.upper, let rise = change(sample.value, lowest, sample.time, 1, limit),
            Comparison.isAbove(rise.value, upper, reaches: limit.reaches)
        {
            return Broken(change: rise.value, limit: upper, since: rise.since)
        }
        if let lower = limit.lower, let fall = change(-sample.value, highest, sample.time, -1, limit),
            Comparison.isBelow(-fall.value, lower, reaches: limit.reaches)
        {
            return Broken(change: -fall.value, limit: lower, since: fall.since)
        }
        return nil
    }

    /// How far `value` lies above the lowest of its time, per `per`. For falls everything has its sign turned.
    private func change(_ value: Double, _ lowest: Lowest, _ time: Timestamp, _ sign: Double, _ limit: Rate) -> (
        value: Double, since: Timestamp
    )? {
        if let low = lowest.value, let since = lowest.time { return ((value - low) * limit.scale, since) }
        guard let previous, time - previous.time > limit.over else { return nil }
        let share = limit.per.seconds / (time - previous.time).seconds
        return ((value - sign * previous.value) * share, previous.time)
    }

    private mutating func note(_ broken: Broken, _ severity: Severity) {
        guard let old = excess else {
            excess = Excess(severity: severity, since: broken.since, value: broken.change, limit: broken.limit)
            return
        }
        if abs(broken.change - broken.limit) > abs(old.value - old.limit) {
            excess = Excess(severity: severity, since: old.since, value: broken.change, limit: broken.limit)
        }
    }
}

extension Rate {
    /// Whether a change goes beyond `bound`, which is one of the two.
    fileprivate func isBroken(_ change: Double, at bound: Double) -> Bool {
        bound == upper
            ? Comparison.isAbove(change, bound, reaches: reaches) : Comparison.isBelow(change, bound, reaches: reaches)
    }
}
