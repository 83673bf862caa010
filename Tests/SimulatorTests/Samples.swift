import Core
import Foundation
import Support

@testable import Simulator

/// A small scenario, and what every test needs around it.
enum Sample {
    static let scenarios = Product.repository + "/Simulator/Scenarios"
    static let thresholds = Product.repository + "/Thresholds"

    /// The product's own norms.
    static let norms: NormLibrary = {
        let names = (FileManager.default.enumerator(atPath: thresholds)?.allObjects as? [String] ?? []).sorted()
        let texts = names.filter { $0.hasSuffix(".json") && $0.contains("/") }.map { name in
            (name, (try? String(contentsOfFile: thresholds + "/" + name, encoding: .utf8)) ?? "")
        }
        return NormLibrary(texts.compactMap { try? ActDocument(parsing: $0.1, file: $0.0) })
    }()

    /// A gas leak in one flat of two.
    static let leak = """
        {"title": "Gas", "start": "2026-11-30T18:00:00Z", "duration": "6 min",
         "parameters": {"flats": 2},
         "templates": {"home": {"rooms": [
           {"id": "kitchen", "devices": [
             {"id": "gas", "measures": ["methane"], "every": "5 s"},
             {"id": "leak", "speaks": "zigbee2mqtt", "measures": ["water_leak", "battery"], "every": "10 min"}]}]}},
         "buildings": [{"id": "b1", "nominalVoltage": 230, "flats": [{"id": "f{n}", "count": "flats", "template": "home"}]}],
         "happenings": [{"at": "1 min", "what": "gas-leak", "where": "b1/f1/kitchen", "rise": "1 min", "until": "4 min"}],
         "faults": [{"at": "5 min", "what": "duplicates", "device": "b1/f2/kitchen/gas"}],
         "people": [{"at": "3 min", "do": "acknowledge", "hazard": "explosion", "where": "b1/f1", "by": "caretaker"}],
         "expect": {"alarms": [
           {"hazard": "explosion", "where": "b1/f1", "act": "en-50194-1", "severity": "emergency", "between": ["1 min", "2 min"],
            "then": ["acknowledged"]}], "faults": []}}
        """

    static func leak(_ old: String, _ new: String) throws -> Scenario {
        try Scenario(parsing: leak.replacing(old, with: new), name: "leak")
    }

    static func scenario(_ name: String, _ settings: [String: Double] = [:]) throws -> Scenario {
        try ScenarioFolder.scenario(name, in: scenarios, settings: settings)
    }

    static func run(_ scenario: Scenario, seed: UInt64 = 1) throws -> VirtualRun {
        var run = try VirtualRun(scenario, seed: seed, norms: norms)
        run.run()
        return run
    }

    static func report(_ run: VirtualRun, seed: UInt64 = 1) -> Report {
        Report(scenario: run.scenario.name, seed: seed, messages: run.messages, check: run.check)
    }
}
