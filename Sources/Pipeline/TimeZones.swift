package import Core
internal import Foundation

/// Fills the core's tables from the system's time zone database.
package enum TimeZones {
    /// Nil for a name that the system does not know.
    package static func zone(_ name: String) -> Zone? {
        if name == "UTC" { return .utc }
        guard let zone = TimeZone(identifier: name) else { return nil }
        var date = Date(timeIntervalSince1970: 0)
        let end = Date(timeIntervalSince1970: 4_102_444_800)  // 2100
        var periods = [Zone.Period(start: .distantPast, offset: .seconds(zone.secondsFromGMT(for: date)))]
        while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date, next < end {
            periods.append(
                Zone.Period(
                    start: Timestamp(microseconds: Int64(next.timeIntervalSince1970 * 1e6)),
                    offset: .seconds(zone.secondsFromGMT(for: next))))
            date = next
        }
        return Zone(name: name, periods: periods)
    }
}
