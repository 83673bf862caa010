import Core
import Testing

@testable import Decode

@Suite("Field reports")
struct FieldReportTests {
    @Test(
        "FR-28: a decimal comma is a comma, and never 232",
        arguments: [
            ("2,32", 2.32, nil), ("1 234,5", nil, .notANumber), ("1e2", 100, nil), (" 7 ", 7, nil),
            ("0x10", nil, .notANumber),
            ("+5", 5, nil), ("", nil, nil),
        ] as [(String, Double?, Rejection.Reason?)])
    func decimalComma(text: String, expected: Double?, reason: Rejection.Reason?) {
        #expect(value("b1/f12/gas", text) == expected)
        #expect(understand("b1/f12/gas", text).reasons.first == reason)
        #expect(reason.map { !$0.text.isEmpty } ?? true)
        if text.isEmpty { #expect(understand("b1/f12/gas", text).ignored == .empty) }
    }

    @Test(
        "FR-29: NaN and its like are a fault of the sensor, on the series that had values",
        arguments: [
            "nan", "NaN", "Infinity", "-inf", "null", #""unknown""#, "1e400", #"{"v":null}"#, #"{"v":"nan"}"#,
            #"{"v":nan}"#,
        ])
    func notANumber(text: String) {
        var decoder = MessageDecoder()
        _ = decoder.decode(Message("b1/f12/gas", #"{"v":7,"u":"ppm"}"#))
        let understanding = decoder.decode(Message("b1/f12/gas", text))
        #expect(understanding.readings.isEmpty)
        #expect(understanding.unreadable == [Series(device: "b1/f12", indicator: .gas, unit: .ppm)])
        #expect(!understanding.rejected.isEmpty)
    }

    @Test("FR-31: a status word under the wildcard breaks nothing, and an unknown topic is told as such")
    func statusWord() {
        #expect(understand("b1/f12/status", "online").rejected.isEmpty)
        #expect(understand("b1/f12/status", "online").readings.isEmpty)
        #expect(understand("b1/f12/whatever", "online").ignored == .noQuantity)
    }

    @Test("FR-32: every edge of a bouncing door is told, in order")
    func bouncingDoor() {
        var decoder = MessageDecoder()
        let states = [false, true, false].enumerated().flatMap { index, isOpen in
            decoder.decode(
                Message(
                    "b1/f12/door", #"{"v":\#(isOpen),"ts":"2026-05-04T11:59:59.\#(index == 0 ? 100 : 400)Z"}"#,
                    at: noon + .seconds(index))
            ).readings
        }
        #expect(states.map(\.value) == [0, 1, 0])
        #expect(states[1].deviceTime == states[2].deviceTime)
    }

    @Test("FR-39: seconds and milliseconds give the same instant; 1970 and the year 4020 are no time")
    func doubtfulStamps() {
        func time(_ stamp: String) -> Timestamp? {
            understand("b1/f12/gas", #"{"v":7,"u":"ppm","ts":\#(stamp)}"#).readings.first?.deviceTime
        }
        let seconds = time("1584532083")
        let milliseconds = time("1584532083267")
        #expect(seconds == Timestamp("2020-03-18T11:48:03Z"))
        #expect((milliseconds! - seconds!).magnitude <= .seconds(1))
        #expect(time("3") == nil)
        #expect(understand("b1/f12/gas", #"{"v":7,"u":"ppm","ts":3}"#).reasons == [.unusableTime])
        #expect(understand("b1/f12/gas", #"{"v":7,"u":"ppm","ts":64698438051149}"#).reasons == [.timeAhead])
    }

    @Test("The short form: value, unit and time by one letter or two")
    func shortForm() {
        let reading = understand("b1/f12/gas", #"{"v":7,"u":"ppm","ts":"2026-05-04T11:59:58.5Z"}"#).readings[0]
        #expect(reading.series == Series(device: "b1/f12", indicator: .gas, unit: .ppm))
        #expect(reading.value == 7)
        #expect(reading.deviceTime == Timestamp("2026-05-04T11:59:58.5Z"))
        #expect(understand("b1/f12/vibration", #"{"v":true}"#).told == ["vibration 1.0 bool"])
    }
}
