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

extension Site {
    /// Reads a site document, and knows that its time zones are there.
    /// - Throws: every problem at once, each with its path and remedy.
    package init(checking document: String) throws(DocumentProblems) {
        try self.init(parsing: document)
        let named =
            [("timeZone", timeZone)]
            + people.enumerated().compactMap { index, person in
                person.timeZone.map { ("people[\(index)].timeZone", $0) }
            }
        let problems = named.filter { TimeZones.zone($0.1) == nil }.map { path, name in
            DocumentProblem(
                path: path, message: "“\(name)” is no time zone that is known here",
                remedy: "write it as \"Europe/Berlin\", and see that the system's time zones are installed (tzdata)")
        }
        if !problems.isEmpty { throw DocumentProblems(problems) }
    }
}
