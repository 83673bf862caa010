/// Share of the block means of a window that lie within the limits: EN 50160's 95 % of a week.
package struct Percentile: Hashable, Sendable {
    package var block: Span
    package var window: CalendarPeriod
    /// Of the block means, from 0 to 1, that must lie within.
    package var share: Double
    package var lower: Double?
    package var upper: Double?
    package var reaches: Bool
    /// Share of a block that must be covered by readings, and of a window by such blocks.
    package var completeness: Double

    /// The limit that a block mean breaks.
    package func broken(by mean: Double) -> Double? {
        if let upper, Comparison.isAbove(mean, upper, reaches: reaches) { return upper }
        if let lower, Comparison.isBelow(mean, lower, reaches: reaches) { return lower }
        return nil
    }
}

/// Block means beyond a limit of which a period may have some: a daily mean above 45 µg/m3 on 18 days of a year.
package struct Exceedances: Hashable, Sendable {
    package var block: Span
    package var above: Double?
    package var below: Double?
    package var allowed: Int
    /// A day, a week, a month or a year of the local calendar.
    package var per: CalendarPeriod
    package var reaches: Bool
    /// Share of a block that must be covered by readings, and of a period by such blocks.
    package var completeness: Double

    /// The limit that a block mean breaks.
    package func broken(by mean: Double) -> Double? {
        if let above, Comparison.isAbove(mean, above, reaches: reaches) { return above }
        if let below, Comparison.isBelow(mean, below, reaches: reaches) { return below }
        return nil
    }
}

/// What a period may have of outages in total.
package struct OutageBudget: Hashable, Sendable {
    package var hours: Double?
    package var count: Int?
    package var per: CalendarPeriod
    package var severity: Severity?
}
