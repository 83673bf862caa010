extension Percentile {
    init(_ reader: inout DocumentReader) {
        block = reader.block()
        window = reader.required("window", reader.period("window"), or: .week, example: "\"7 d\"")
        share = reader.required("share", reader.number("share"), or: 1, example: "0.95")
        lower = reader.number("lower")
        upper = reader.number("upper")
        reaches = reader.bool("reaches") ?? false
        completeness = reader.completeness()
        checkBounds(lower, upper, in: reader)
        if !(share > 0 && share <= 1) {
            reader.problem("share", "is not a share", remedy: "write it as 0.95 for 95 %")
        }
        reader.check(block, fits: window, "window")
    }
}

extension Exceedances {
    init(_ reader: inout DocumentReader) {
        block = reader.block()
        above = reader.number("above")
        below = reader.number("below")
        allowed = reader.required("allowed", reader.count("allowed", from: 0), or: 0, example: "18")
        per = reader.required("per", reader.calendarPeriod("per"), or: .year, example: "\"year\"")
        reaches = reader.bool("reaches") ?? false
        completeness = reader.completeness()
        if (above == nil) == (below == nil) {
            reader.problem("", "needs exactly one limit", remedy: "give \"above\" or \"below\"")
        }
        reader.check(block, fits: per, "per")
    }
}

extension OutageBudget {
    init?(_ key: String, in interruption: inout DocumentReader) {
        guard var reader = interruption.object(key) else { return nil }
        hours = reader.number("hours")
        count = reader.count("count", from: 0)
        per = reader.required("per", reader.calendarPeriod("per"), or: .year, example: "\"month\"")
        severity = reader.choice("severity", Severity.self)
        if reader.value("feeds") != nil {
            reader.problem("feeds", "belongs to the place", remedy: "write it in appliesTo: {\"feeds\": 2}")
        } else if hours == nil && reader.value("hours") == nil && count == nil && reader.value("count") == nil {
            reader.problem("", "limits nothing", remedy: "give \"hours\" or \"count\"")
        }
        if let hours, hours < 0 {
            reader.problem("hours", "is negative", remedy: "write how many hours without supply are allowed")
        }
        reader.finish()
    }
}

extension DocumentReader {
    /// The length over which each mean is taken.
    fileprivate mutating func block() -> Span {
        let block = required("block", span("block"), or: .minutes(10), example: "\"10 min\"")
        if block <= .zero {
            problem("block", "is zero", remedy: "write the averaging time of the act")
            return .minutes(10)
        }
        let day = Span.days(1).microseconds
        let isWhole = block < .days(1) ? day % block.microseconds == 0 : block.microseconds % day == 0
        if !isWhole {
            problem(
                "block", "does not divide a day",
                remedy: "write a length of which a day has a whole number, or whole days")
        }
        return block
    }

    fileprivate mutating func completeness() -> Double {
        let share = number("completeness") ?? 0.75
        if !(0...1).contains(share) {
            problem("completeness", "is not a share", remedy: "write a number from 0 to 1")
        }
        return share
    }

    fileprivate mutating func period(_ key: String) -> CalendarPeriod? {
        guard let text = string(key) else { return nil }
        if let period = CalendarPeriod(text) { return period }
        problem(
            key, "“\(text)” is no period", remedy: "write day, week, month or year, or a duration as in \"7 d\"")
        return nil
    }

    /// One that the calendar names.
    mutating func calendarPeriod(_ key: String) -> CalendarPeriod? {
        guard let period = period(key) else { return nil }
        if case .span(let span) = period {
            problem(
                key, "\(span) is no period of the calendar", remedy: "write day, week, month or year")
            return nil
        }
        return period
    }

    fileprivate func check(_ block: Span, fits period: CalendarPeriod, _ key: String) {
        let day = Span.days(1).microseconds
        switch period {
        case .day where block > .days(1), .week where block > .days(7), .month where block > .days(28),
            .year where block > .days(365):
            problem("block", "is longer than \(key)", remedy: "exchange them, or correct one")
        case .span(let span):
            if span < block {
                problem("block", "is longer than \(key)", remedy: "exchange them, or correct one")
            } else if span.microseconds % block.microseconds != 0 {
                problem(key, "is not a whole number of blocks", remedy: "write a multiple of \(block)")
            } else if span < .days(1) ? day % span.microseconds != 0 : span.microseconds % day != 0 {
                problem(key, "does not divide a day", remedy: "write a part of a day, or whole days")
            }
        case .day, .week, .month, .year: break
        }
    }
}
