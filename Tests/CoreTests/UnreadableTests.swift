import Core
import Support
import Testing

@Suite("A sensor that speaks and says nothing")
struct UnreadableTests {
    private let gas = House.gas()

    private func house(until minute: Int, _ nonsense: ClosedRange<Int>) throws -> Virtual {
        var house = try Virtual(site: House.site(gasInterval: nil), norms: Fixture.g50)
        for now in 0...minute {
            if nonsense.contains(now) {
                house.event(.unreadable(gas), at: .minutes(now))
            } else {
                try house.value(Double(5 + now % 3), of: gas, at: .minutes(now))
            }
        }
        return house
    }

    @Test("It has one fault, and it is not silent")
    func notSilent() throws {
        let house = try house(until: 60, 20...40)
        #expect(house.faults == ["22:00 raised unreadable", "41:00 ended unreadable", "41:00 cleared unreadable"])
    }

    @Test("When it falls silent after all, that is told")
    func silentAfterwards() throws {
        var house = try house(until: 22, 20...22)
        house.advance(to: .minutes(24))
        #expect(house.faults == ["22:00 raised unreadable"])
        house.advance(to: .minutes(30))
        #expect(house.faults.count == 2 && house.faults[1].hasSuffix("raised silent"))
        house.event(.unreadable(gas), at: .minutes(31))
        #expect(house.faults.contains("31:00 ended silent"))
    }
}
