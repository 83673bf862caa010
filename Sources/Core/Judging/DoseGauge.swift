internal import Glibc

/// Judges what has added up over a day, or over the hours of the norm.
///
/// A value holds until the next one, for one usual interval where that comes late by more than three of them: silence adds nothing. A
/// dose only grows, so it is broken as soon as it is over the limit, and good again with the next stretch of the calendar.
package struct DoseGauge: Hashable, Codable, Sendable {
    private struct Point: Hashable, Codable, Sendable {
        var time: Timestamp
        var value: Double
    }

    private var previous: Point?
    private var sum = 0.0
    private var end = Timestamp.distantPast
    private var since: Timestamp?

    package init() {}

    package mutating func take(_ sample: Sample, _ limit: Dose, severity: Severity, zone: Zone) -> Finding {
        guard !sample.isUncertain && !sample.isRepeat else { return finding(limit, severity) }
        if let previous, sample.time > previous.time {
            let stretch = Stretch(
                previous.value, from: previous.time, until: sample.time,
                usual: sample.interval ?? sample.time - previous.time)
            add(stretch, limit, zone)
        }
        roll(to: sample.time, limit, zone)
        previous = Point(time: sample.time, value: sample.value)
        return finding(limit, severity)
    }

    /// Goes on by a changed limit with what has added up.
    mutating func adapt(to limit: Dose, newest: Sample, severity: Severity) -> Finding {
        since = isOver(limit) ? since ?? newest.time : nil
        return finding(limit, severity)
    }

    private mutating func add(_ stretch: Stretch, _ limit: Dose, _ zone: Zone) {
        var from = stretch.from
        while from < stretch.end {
            roll(to: from, limit, zone)
            let part = (limit.per == nil ? stretch.end : min(stretch.end, end)) - from
            sum += pow(abs(stretch.value), limit.power) * part.seconds
            from += part
            if isOver(limit) { since = since ?? from }
        }
    }

    /// Begins the day that holds `time`, where it is a new one.
    private mutating func roll(to time: Timestamp, _ limit: Dose, _ zone: Zone) {
        guard let per = limit.per, time >= end else { return }
        end = zone.period(containing: time, per).end
        (sum, since) = (0, nil)
    }

    private func dose(_ limit: Dose) -> Double { pow(sum, 1 / limit.power) }

    private func isOver(_ limit: Dose) -> Bool { Comparison.isAbove(dose(limit), limit.upper, reaches: limit.reaches) }

    private func finding(_ limit: Dose, _ severity: Severity) -> Finding {
        guard let since else { return .within }
        return .exceeded(Excess(severity: severity, since: since, value: dose(limit), limit: limit.upper))
    }
}
