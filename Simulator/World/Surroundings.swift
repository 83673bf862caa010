import Core
import Foundation

/// All that a device may notice where it stands: time of day, the people, and what happens there.
struct Surroundings: Sendable {
    let path: [String]
    let roomKind: String
    let nominalVoltage: Double
    let household: Household
    /// Midnight of the first day, in seconds since the scenario's start.
    let midnight: Double
    /// What happens at this device, by kind.
    private let happenings: [Happening.What: [Happening]]
    /// Of the whole building: slow movement of its supply.
    private let supplyPhases: [Double]

    init(
        path: [String], roomKind: String, nominalVoltage: Double, household: Household, midnight: Double,
        happenings: [Happening], supplyPhases: [Double]
    ) {
        (self.path, self.roomKind, self.nominalVoltage) = (path, roomKind, nominalVoltage)
        (self.household, self.midnight, self.supplyPhases) = (household, midnight, supplyPhases)
        self.happenings = Dictionary(grouping: happenings.filter { $0.place.covers(path) }, by: \.what)
    }

    func happenings(_ what: Happening.What) -> [Happening] { happenings[what] ?? [] }

    func strongest(_ what: Happening.What, at time: Double) -> Double {
        happenings(what).map { $0.peak * $0.strength(at: time) }.max() ?? 0
    }

    /// 0 to 24.
    func hour(_ time: Double) -> Double {
        let day = (time - midnight) / 86_400
        return (day - day.rounded(.down)) * 24
    }

    /// 0 at night, 1 at noon.
    func daylight(_ time: Double) -> Double { max(0, sin((hour(time) - 7.5) / 9.5 * .pi)) }

    func isDark(_ time: Double) -> Bool { daylight(time) < 0.25 }

    // MARK: Supply

    /// The outage that there is now.
    func outage(_ time: Double) -> Happening? {
        happenings(.powerOutage).first { $0.time.contains(time) }
    }

    /// The supply before a meter adds its noise.
    func voltage(_ time: Double) -> Double {
        if outage(time) != nil { return 0 }
        if let forced = happenings(.voltage).first(where: { $0.time.contains(time) }) { return forced.peak }
        var share = 1.0
        for (index, phase) in supplyPhases.enumerated() {
            share += 0.006 * sin(2 * .pi * time / (1700 * Double(index + 1)) + phase)
        }
        let hour = hour(time)
        if (17...22).contains(hour) { share -= 0.012 * sin((hour - 17) / 5 * .pi) }
        if household.cooking.contains(time) { share -= 0.01 }
        return nominalVoltage * share
    }

    // MARK: Lamps

    var lampTimes: [Interval] {
        let household = household.lamps(in: roomKind) { isDark($0) }
        return (household + happenings(.lampOn).map(\.time)).merged
    }
}
