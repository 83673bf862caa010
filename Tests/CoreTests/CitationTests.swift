import Core
import Support
import Testing

@Suite("Which act an alarm names")
struct CitationTests {
    /// The house rule comes first in the alphabet, the standard in the site's order of jurisdictions.
    private func flat() throws -> Virtual {
        let limit = #"{"shape": "band", "upper": 20, "reaches": true}"#
        func norm(_ unit: String, _ limit: String) -> String {
            Fixture.norm(
                "gas", hazard: "explosion", indicator: "gas", unit: unit, severity: "emergency", limit: limit)
        }
        let state = #"{"shape": "state", "all": [{"indicator": "gas", "is": true}]}"#
        return try Virtual(
            norms: Fixture.act("a-house", jurisdiction: "house", norm("%LEL", limit)),
            Fixture.act("standard", norm("%LEL", limit)),
            Fixture.act("a-house-detector", jurisdiction: "house", norm("bool", state)),
            Fixture.act("standard-detector", norm("bool", state)))
    }

    @Test("Of several that one reading breaks, the site's order picks the one that the alarm is raised by")
    func oneReading() throws {
        var flat = try flat()
        try flat.value(25, of: Series(device: "meter", indicator: .gas, unit: .percentLEL), at: .zero)
        try flat.value(1, of: Series(device: "detector", indicator: .gas, unit: .boolean), at: .zero)
        #expect(flat.journal.filter { $0.event == .raised }.map { $0.norm?.act } == ["standard", "standard-detector"])
        #expect(flat.journal.count == 2)
    }

    @Test("An alarm that one reading ends for all its norms ends as bad as it was", arguments: ["EU", "house"])
    func end(strict: String) throws {
        let mild = strict == "EU" ? "house" : "EU"
        func gas(_ severity: String, _ upper: Int) -> String {
            Fixture.norm(
                "gas", hazard: "explosion", indicator: "gas", unit: "%LEL", severity: severity,
                limit: "{\"shape\": \"band\", \"upper\": \(upper), \"reaches\": true}")
        }
        var flat = try Virtual(
            norms: Fixture.act("strict", jurisdiction: strict, gas("emergency", 20)),
            Fixture.act("mild", jurisdiction: mild, gas("danger", 10)))
        let meter = Series(device: "meter", indicator: .gas, unit: .percentLEL)
        try flat.value(25, of: meter, at: .zero)
        try flat.value(5, of: meter, at: .seconds(10))
        #expect(flat.alarms.last == "0:10 ended explosion")
        #expect(flat.journal.last?.severity == .emergency && flat.journal.last?.norm?.act == "strict")
        #expect(!flat.alarms.contains { $0.hasPrefix("0:10 severity") })
    }
}
