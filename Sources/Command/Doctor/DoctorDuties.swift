import Core
import Pipeline
import Store

/// Devices that an act asks for and that are not there.
extension Doctor {
    /// So many places are named; there may be a house full of them.
    private static let named = 5

    func duties(_ state: RestoredEngine, _ reader: Reader) -> [Sign] {
        let site = state.engine.site
        guard !site.buildings.isEmpty, let series = try? reader.series().map(\.series) else { return [] }
        let inventory = Inventory(site, series: series)
        return state.documents.norms.norms.compactMap { cited in
            guard cited.norm.isOn, cited.act.isInForce(at: now),
                cited.act.jurisdictions.contains(where: { site.jurisdictions.contains($0) || $0 == "house" })
            else { return nil }
            let absences = cited.norm.absences(in: inventory)
            guard !absences.isEmpty else { return nil }
            let places = absences.prefix(Self.named).map(\.words).joined(separator: ", ")
            let more = absences.count > Self.named ? " and \(absences.count - Self.named) more" : ""
            let device = cited.norm.deviceInWords
            return .warn(
                "duties",
                "no \(device) device is heard in \(places)\(more), as \(cited.key) (\(cited.norm.clause)) asks",
                "put one up, or name the device that is there in the site document")
        }
    }
}
