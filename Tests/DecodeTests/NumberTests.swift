import Core
import Testing

@testable import Decode

@Suite("Number text")
struct NumberTests {
    @Test(
        "A number is read as it is written",
        arguments: [
            ("21.5", 21.5), (" 6.25", 6.25), ("21.5\n", 21.5), ("21.5\0\0", 21.5), ("\u{feff}21.5", 21.5), ("+1", 1),
            ("2.15e1", 21.5), ("2.15E+1", 21.5), ("215e-1", 21.5), (".5", 0.5), ("5.", 5), ("-0", 0), ("-18.4", -18.4),
            ("0.1", 0.1), ("21,5", 21.5), ("21,55", 21.55), ("-3,1234", -3.1234),
            ("0.30000000000000004", 0.30000000000000004),
            ("00021.5", 21.5), ("21.5 °C", 21.5), ("70.7°F", 21.5), ("294.65K", 21.5),
        ])
    func read(text: String, expected: Double) throws {
        #expect(value("a/temperature", text) == expected)
    }

    @Test(
        "Anything else is no number, and says why",
        arguments: [
            ("1,234", Rejection.Reason.ambiguousNumber), ("1.234,5", .ambiguousNumber), ("1,2,3", .ambiguousNumber),
            ("1 234,5", .notANumber), ("0x15", .notANumber), ("1.2.3", .ambiguousNumber), ("12:30", .notANumber),
            ("21.5 furlongs", .notANumber), ("21 %", .unitDoesNotFit), ("--5", .unknownWord), ("warm", .unknownWord),
            ("true", .wrongType), ("1e400", .notFinite), ("-inf", .notFinite), ("NaN", .notFinite),
            ("2\u{7}1", .controlCharacters),
            ("30.\0", .notANumber), ("3\00", .controlCharacters),
        ])
    func refused(text: String, reason: Rejection.Reason) {
        let understanding = understand("a/temperature", text)
        if text == "30.\0" {
            // Padding goes away, and a point at the end is harmless.
            #expect(understanding.told == ["temperature 30.0 °C"])
        } else {
            #expect(understanding.readings.isEmpty)
            #expect(understanding.reasons == [reason])
        }
    }

    @Test("The fast way and the general way read the same", arguments: UInt64(1)...20)
    func fastIsExact(seed: UInt64) {
        var random = SplitMix64(state: seed)
        for _ in 0..<500 {
            let digits = (0..<Int.random(in: 1...15, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }
            var text = digits.joined()
            if Bool.random(using: &random) {
                let place = Int.random(in: 0...text.count, using: &random)
                text.insert(".", at: text.index(text.startIndex, offsetBy: place))
            }
            if Bool.random(using: &random) { text = "-" + text }
            let bytes = Array(text.utf8)
            let fast = bytes.withUnsafeBufferPointer { NumberText.plain($0, 0, $0.count) }
            if let fast { #expect(fast == Double(text), "\(text)") }
        }
    }

    @Test("Whole numbers beyond 2^53 stay exact and hurt nobody")
    func large() throws {
        #expect(try JSON(Array(#"{"a":9007199254740993}"#.utf8))["a"] == .integer(9_007_199_254_740_993))
        #expect(try JSON(Array(#"{"a":9223372036854775807}"#.utf8))["a"] == .integer(.max))
        #expect(understand("a/energy_wh", "92233720368547758079").readings.isEmpty)
    }
}
