import Core
import Support
import Testing

@Suite("Dew point and absolute humidity from temperature and humidity")
struct AirMoistureTests {
    @Test(
        "Against the tables of the weather services",
        arguments: [
            (20.0, 50.0, 9.27, 8.64), (20, 100, 20, 17.28), (26, 60, 17.63, 14.62), (0, 80, -3.04, 3.88),
            (-10, 70, -14.42, 1.65), (35, 90, 33.09, 35.6),
        ])
    func tables(celsius: Double, humidity: Double, dewPoint: Double, absolute: Double) throws {
        let found = try #require(AirMoisture.dewPoint(celsius: celsius, humidity: humidity))
        #expect(abs(found - dewPoint) < 0.1, "\(found)")
        let grams = AirMoisture.absoluteHumidity(celsius: celsius, humidity: humidity)
        #expect(abs(grams - absolute) < 0.05 * absolute, "\(grams)")
    }

    @Test("Air without any water has no dew point")
    func dry() { #expect(AirMoisture.dewPoint(celsius: 20, humidity: 0) == nil) }

    private static let damp = Fixture.act(
        "damp",
        Fixture.norm(
            "dew", hazard: "damp", indicator: "dew_point", unit: "°C", limit: #"{"shape": "band", "upper": 15}"#),
        Fixture.norm(
            "water", hazard: "stuffy-air", indicator: "absolute_humidity", unit: "g/m3",
            limit: #"{"shape": "band", "upper": 30}"#))

    private func series(_ indicator: Indicator, channel: String? = nil, device: String = "light1") -> Series {
        Series(
            device: device, indicator: indicator, channel: channel, unit: indicator == .humidity ? .percent : .celsius)
    }

    @Test("Both of one moment belong together, whichever comes first", arguments: [true, false])
    func order(isHumidityFirst: Bool) throws {
        var house = try Virtual(site: House.site(gasInterval: nil), documents: [Self.damp])
        func report(_ celsius: Double, _ humidity: Double, minute: Int) throws {
            let stamp = Virtual.start + .minutes(minute)
            if isHumidityFirst { try house.value(humidity, of: series(.humidity), at: .minutes(minute), stamp: stamp) }
            try house.value(celsius, of: series(.temperature), at: .minutes(minute), stamp: stamp)
            if !isHumidityFirst { try house.value(humidity, of: series(.humidity), at: .minutes(minute), stamp: stamp) }
        }
        try report(20, 50, minute: 0)
        // With the old humidity 26 °C would be fine, with the old temperature 60 % would be.
        try report(26, 60, minute: 5)
        try report(20, 50, minute: 10)
        #expect(house.alarms == ["5:00 raised warning damp", "10:00 ended damp", "10:00 cleared damp"])
        #expect(house.journal.first?.indicator == Indicator.dewPoint && house.journal.first?.unit == .celsius)
        #expect(abs((house.journal.first?.value ?? 0) - 17.63) < 0.1)
        #expect(house.stored.allSatisfy { $0.series.indicator != .dewPoint }, "what can be worked out is not stored")
    }

    @Test("A device that reports changes only is judged by the newest of both, when no other follows")
    func onChange() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), documents: [Self.damp])
        try house.value(50, of: series(.humidity), at: .zero)
        try house.value(26, of: series(.temperature), at: .minutes(10))
        try house.value(60, of: series(.humidity), at: .minutes(20))
        #expect(house.alarms == [])
        try house.value(26.1, of: series(.temperature), at: .minutes(30))
        #expect(house.alarms == ["20:00 raised warning damp"])
    }

    @Test("What is over an hour apart, of another probe or of another device is no pair")
    func strangers() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), documents: [Self.damp])
        try house.value(60, of: series(.humidity), at: .zero)
        try house.value(30, of: series(.temperature), at: .minutes(61))
        try house.value(30, of: series(.temperature), at: .minutes(62))
        try house.value(30, of: series(.temperature, channel: "2"), at: .minutes(62))
        try house.value(60, of: series(.humidity, device: "lamp1"), at: .minutes(62))
        for minute in 63...70 { try house.value(30, of: series(.temperature), at: .minutes(minute)) }
        #expect(house.alarms == [])
    }

    @Test("Saved and read again it goes on with the same pairs")
    func restart() throws {
        var house = try Virtual(site: House.site(gasInterval: nil), documents: [Self.damp])
        try house.value(60, of: series(.humidity), at: .zero)
        try house.restart(at: .seconds(0.2))
        try house.value(26, of: series(.temperature), at: .seconds(0.3), stamp: Virtual.start)
        #expect(house.alarms == ["0:00 raised warning damp"])
    }

    @Test("Without a norm about it nothing is worked out")
    func unused() throws {
        var house = try Virtual(site: House.site(), documents: [Fixture.g50])
        try house.value(60, of: series(.humidity), at: .zero)
        try house.value(26, of: series(.temperature), at: .zero)
        #expect(
            house.engine.devices.first { $0.id == "light1" }?.channels.map(\.series.indicator) == [
                .humidity, .temperature,
            ])
    }
}
