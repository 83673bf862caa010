import Core
import Foundation
import Testing

@testable import Decode

@Suite("Documents")
struct DocumentTests {
    @Test("Depth and size have limits", arguments: [(63, true), (64, true), (65, false)])
    func depth(levels: Int, isRead: Bool) {
        let text = String(repeating: #"{"a":"#, count: levels - 1) + "{}" + String(repeating: "}", count: levels - 1)
        #expect((understand("a/box", text).reasons == [.tooDeep]) != isRead)
        let quoted = #"{"temperature":20,"text":""# + String(repeating: "[", count: 1000) + #"\"{"}"#
        #expect(value("a/box", quoted) == 20)
    }

    @Test("256 kB is read, a byte more is not", arguments: [0, 1])
    func size(extra: Int) {
        let frame = #"{"temperature":20,"text":""}"#
        let filler = String(repeating: "x", count: 256 * 1024 - frame.utf8.count + extra)
        let understanding = understand("a/box", #"{"temperature":20,"text":"\#(filler)"}"#)
        #expect(understanding.reasons == (extra == 0 ? [] : [.tooLarge]))
        #expect(understanding.readings.count == 1 - extra)
    }

    @Test("A message cannot bring more than 4096 readings")
    func manyValues() {
        let list = (0..<10_000).map { String($0 % 100) }.joined(separator: ",")
        let burst = understand("a/accel", #"{"ts":1777895990,"fs":1000,"unit":"m/s2","x":[\#(list)]}"#)
        #expect(burst.readings.count == 4096)
        #expect(burst.reasons == [.tooManyValues])
    }

    @Test(
        "What is no JSON is never repaired",
        arguments: [
            #"{"temperature":20"#, #"{"temperature":20}{"temperature":21}"#, "{'temperature':20}", "{temperature:20}",
            #"{"temperature":20,}"#, #"{"temperature":[20,]}"#, #"{"temperature":020}"#, #"{"temperature":nan}"#,
            #"{"temperature":+20}"#, #"{"temperature":.5}"#, #"{"temperature":20.}"#, #"{"temperature":1e}"#,
            #"{"temperature":20/*°C*/}"#, #"{"temperature":0x14}"#, #"{"temperature":20}x"#,
            #"{"temperature":20,"temperature"}"#,
            #"{"temperature" 20}"#, #"{,"temperature":20}"#, "{", "[", "{]", #"{"temperature":1e999}"#,
        ])
    func malformed(text: String) {
        #expect(understand("a/box", text).readings.isEmpty)
        #expect(understand("a/box", text).reasons == [.malformed])
        // Where the topic names the quantity, its sensor has become unreadable.
        #expect(understand("a/temperature", text).unreadable.count == 1)
    }

    @Test("The fast way through flat objects agrees with Foundation", arguments: UInt64(1)...20)
    func flatAgrees(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        let samples = [
            #"{"value": 231.4, "unit": "V", "time": "2026-11-30T08:00:00Z"}"#,
            #"{"a":-1.5e3,"b":null,"c":true,"d":"°C"}"#,
            #"{ "a" : 0 , "b" : -0.0 , "é":"x\n", "a":12345678901234567890 }"#, #"{"a":1772366399000000123}"#,
            #"{"u":"\u00b0C","p\t":"a\/b\"c\\","x":"\ud83d"}"#,
        ]
        let letters = Array(#"{}[]",:0123456789.eE+-tfnrul \ "#.utf8)
        for _ in 0..<2000 {
            var bytes = Array(samples.randomElement(using: &random)!.utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = letters.randomElement(using: &random)!
                case 1: bytes.remove(at: place)
                default: bytes.insert(letters.randomElement(using: &random)!, at: place)
                }
            }
            guard let flat = bytes.withUnsafeBufferPointer({ FlatObject.read($0) }) else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            let tree = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            let whole = try #require(tree, "seed \(seed): \(text)")
            #expect(flat.count == whole.count, "seed \(seed): \(text)")
            for field in flat {
                switch (field.value, whole[field.key]) {
                case (.text(let mine), let theirs as String): #expect(mine == theirs, "\(text)")
                case (.flag(let mine), let theirs as NSNumber): #expect(mine == theirs.boolValue, "\(text)")
                case (.integer(let mine), let theirs as NSNumber): #expect(mine == theirs.int64Value, "\(text)")
                case (.number(let mine), let theirs as NSNumber):
                    // Foundation is off by some units in the last place.
                    let tolerance = 1e-14 * abs(mine)
                    #expect(abs(mine - theirs.doubleValue) <= tolerance, "\(text)")
                case (.null, is NSNull): break
                default: Issue.record("seed \(seed), \(field.key): \(text)")
                }
            }
        }
    }

    @Test("The fast way through value objects tells what the general way tells")
    func simpleAgrees() {
        for value in [
            #"{"value":7,"unit":"ppm","ts":1777895990}"#, #"{"v":"7 ppm"}"#,
            #"{"v":7,"u":"ppm","time":"2026-05-04T11:00:00Z"}"#,
        ] {
            let fast = understand("a/gas", value)
            let general = understand("a/gas", String(value.dropLast()) + #","extra":{}}"#)
            #expect(fast.readings == general.readings)
            #expect(!fast.readings.isEmpty)
        }
    }

    @Test("A duplicate key gives one reading, of its last value")
    func duplicate() { #expect(value("a/box", #"{"temperature":20,"temperature":21.5}"#) == 21.5) }

    @Test("UTF-16 and other bytes are no text")
    func bytes() {
        var decoder = MessageDecoder()
        let utf16: [UInt8] = Array(#"{"temperature":20}"#.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        for payload in [utf16, [0xff, 0xfe] + utf16, [0x84, 0xf4, 0xbd, 0x1e], [0x7b, 0xff, 0x7d]] {
            let understanding = decoder.decode(Message(topic: "a/temperature", payload: payload, arrival: noon))
            #expect(understanding.readings.isEmpty)
            #expect(!understanding.rejected.isEmpty)
        }
    }
}
