import Core
import Testing

@testable import Decode

@Suite("Topics")
struct TopicTests {
    @Test(
        "Topics that carry no measurement, whatever is in them",
        arguments: [
            ("$SYS/broker/temperature", Ignored.broker), ("$share/a/temperature", .broker),
            ("normwatch/temperature", .own),
            ("a/temperature/set", .command), ("a/temperature/get", .command), ("a/set/temperature", .command),
            ("cmnd/a/temperature", .command), ("a/command/temperature", .command), ("a/down/temperature", .command),
            ("a/temperature/on", .command), ("a/rpc", .command), ("a/config/temperature", .setting),
            ("a/settings/temperature", .setting), ("a/temperature/config", .setting), ("a/log/temperature", .log),
            ("a/debug", .log), ("a/temperature/max", .setting),
        ])
    func ignored(topic: String, reason: Ignored) {
        let understanding = understand(topic, "20")
        #expect(understanding.ignored == reason)
        #expect(understanding.readings.isEmpty && understanding.rejected.isEmpty)
    }

    @Test("A retained command stays a command") func retainedCommand() {
        #expect(understand("a/door/set", "open", retained: true).ignored == .command)
    }

    @Test("Wildcards in a topic name, and names longer than any, are refused")
    func illegal() {
        #expect(understand("a/#/temperature", "20").reasons == [.wildcardInTopic])
        #expect(understand("a/+/temperature", "20").reasons == [.wildcardInTopic])
        #expect(understand(String(repeating: "a", count: 1100) + "/temperature", "20").reasons == [.tooLarge])
    }

    @Test(
        "The device is the topic without the words for the quantity",
        arguments: [
            ("a/b/temperature", "a/b"), ("/a/Temperature ", "/a"), ("a//temperature", "a/"),
            ("a/temperature/state", "a"),
            ("a/temperature/attic", "a/attic"), ("a/front_door", "a/front_door"), ("a/temp2", "a/temp2"),
            ("a/voltage/l1", "a"), ("temperature", "temperature"), ("/temperature", "/temperature"),
            ("a/Ä b/temperature", "a/Ä b"), ("a/hatch/open", "a/hatch"), ("a/door/open", "a"),
        ])
    func devices(topic: String, device: String) {
        #expect(understand(topic, "1").readings.map(\.series.device) == [device])
    }

    @Test("What stands beside the topic’s quantity is told apart by the topic’s word")
    func foreign() {
        #expect(
            understand("a/door", #"{"state":"open","battery":80}"#).told.sorted() == [
                "battery door 80.0 %", "door 1.0 bool",
            ])
        #expect(understand("a/side_door", #"{"open":true,"battery":80}"#).told == ["door 1.0 bool", "battery 80.0 %"])
    }

    @Test(
        "Availability tells of a device and is never a reading",
        arguments: [
            ("a/b/status", "online", "a/b", true), ("a/b/status", "Connection Lost", "a/b", false),
            ("a/b/LWT", "Connected", "a/b", true), ("a/b/online", "false", "a/b", false),
            ("zigbee2mqtt/x/y/availability", #"{"state":"offline"}"#, "zigbee2mqtt/x/y", false),
            ("zigbee2mqtt/x/availability", "online", "zigbee2mqtt/x", true),
            ("zigbee2mqtt/bridge/state", "offline", "zigbee2mqtt", false),
            ("zigbee2mqtt/bridge/state", #"{"state":"online"}"#, "zigbee2mqtt", true),
            ("sensors/b/f/r/d/status", "offline", "sensors/b/f/r/d", false),
            ("a/temperature/status", "offline", "a", false),
        ])
    func availability(topic: String, payload: String, subject: String, isOnline: Bool) {
        let understanding = understand(topic, payload)
        #expect(understanding.availability == [Availability(subject: subject, isOnline: isOnline)])
        #expect(understanding.readings.isEmpty && understanding.devices.isEmpty)
    }

    @Test("A status topic may carry values as well as a word")
    func statusWithValues() {
        #expect(understand("a/status", #"{"state":"online","temperature":20}"#).told == ["temperature 20.0 °C"])
        #expect(understand("a/status", #"{"state":"online"}"#).availability.map(\.isOnline) == [true])
    }

    @Test("Neither times nor endless names become part of a series’ name")
    func names() {
        for key in ["1777895990", "2026-05-04T11:59:50Z", String(repeating: "x", count: 65)] {
            #expect(understand("a/box", #"{"\#(key)":{"temperature":20}}"#).readings.isEmpty)
        }
        let long = String(repeating: "temperature_", count: 5000)
        let understanding = understand("a/box", #"{"\#(long)":"warm","temperature":"warm"}"#)
        #expect(understanding.rejected.allSatisfy { $0.field.utf8.count <= 64 })
        #expect(understand("a/box", #"{"device_id":"\#(long)","temperature":20}"#).readings[0].series.device == "a/box")
    }
}
