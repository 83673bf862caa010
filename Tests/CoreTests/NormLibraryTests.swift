import Core
import Testing

@Suite("The norms of the product")
struct NormLibraryTests {
    private static let check = LibraryCheck(NormFixtures.library)
    private static let norms = check.documents.flatMap { document in
        document.act.norms.map { CitedNorm(act: document.act.act, norm: $0) }
    }

    @Test("They have no problem and leave nothing to remark")
    func clean() {
        #expect(Self.check.documents.count > 50)
        #expect(Self.check.problems.isEmpty, "\(Self.check.problems.map(\.description))")
        #expect(Self.check.remarks.isEmpty, "\(Self.check.remarks.map(\.description))")
    }

    @Test("Each warns in every language and says who is to answer within what time")
    func words() {
        for cited in Self.norms {
            for language in Language.allCases {
                #expect(cited.norm.whatToDo.texts[language.rawValue] != nil, "\(cited.key)")
                #expect(cited.act.title.texts[language.rawValue] != nil, "\(cited.key)")
            }
            let isUrgent = cited.norm.track == .safety && cited.norm.severity >= .danger
            #expect(!isUrgent || cited.norm.respondWithin != nil, "\(cited.key)")
        }
    }

    @Test("Comfort is never worse than a notice in an act, and nothing unsure is used")
    func quiet() {
        for cited in Self.norms
        where [.stuffyAir, .damp, .pollution].contains(cited.norm.hazard) && cited.act.kind != .house {
            #expect(cited.norm.severity == .notice, "\(cited.key)")
        }
        for cited in Self.norms where cited.norm.confidence == .unsure { #expect(!cited.norm.isOn, "\(cited.key)") }
    }

    @Test(
        "A site is warned of every emergency, whatever acts it has chosen",
        arguments: [
            Hazard.powerOutage, .powerQuality, .flooding, .damp, .lampBurnout, .intrusion, .doorLeftOpen, .earthquake,
            .explosion, .poisoning, .fire, .cold, .heat, .stuffyAir,
        ])
    func safetyNet(hazard: Hazard) {
        #expect(used(["JP"]).contains { $0.norm.hazard == hazard && $0.act.kind == .house })
    }

    @Test(
        "An act is used where it applies, and the house always", arguments: [["EU"], ["RU"], ["DE", "EU"], ["US"], []])
    func jurisdictions(codes: [String]) {
        let kinds = Set(used(codes).flatMap(\.act.jurisdictions))
        #expect(kinds.contains("house"))
        for cited in used(codes) {
            #expect(cited.act.jurisdictions.contains { codes.contains($0) || $0 == "house" }, "\(cited.key)")
        }
    }

    @Test("An act ends on the day from which it is out of force")
    func dates() throws {
        let sanpin = try #require(Self.norms.first { $0.act.id == "sanpin-1.2.3685-21" })
        #expect(sanpin.act.isInForce(at: try #require(Timestamp("2027-02-28T23:59:59Z"))))
        #expect(!sanpin.act.isInForce(at: try #require(Timestamp("2027-03-01T00:00:00Z"))))
    }

    @Test("Every indicator of the six emergencies has an act of the EU and of Russia, or is the house's alone")
    func breadth() {
        for (hazard, codes) in [
            (Hazard.powerOutage, ["EU", "RU"]), (.powerQuality, ["EU", "RU"]), (.damp, ["EU", "RU"]),
            (.lampBurnout, ["EU", "RU"]), (.darkEscapeRoute, ["EU", "RU"]), (.intrusion, ["EU"]),
            (.fire, ["EU", "RU"]),
            (.earthquake, ["JP", "US", "RU"]), (.explosion, ["EU", "RU"]), (.poisoning, ["EU", "US"]),
            (.pollution, ["EU", "RU", "WHO"]), (.flooding, ["RU"]),
        ] {
            for code in codes {
                #expect(
                    Self.norms.contains { $0.norm.hazard == hazard && $0.act.jurisdictions.contains(code) },
                    "\(hazard) \(code)")
            }
        }
    }

    private func used(_ codes: [String]) -> [CitedNorm] {
        let library = NormLibrary(Self.check.documents.map(\.act))
        guard let today = Timestamp("2026-11-30T00:00:00Z") else { return [] }
        return library.norms.indices.filter { library.isUsed($0, jurisdictions: codes, at: today) }.map { library[$0] }
    }
}

@Suite("Looking over a folder of norms")
struct LibraryCheckTests {
    @Test("Editions of one act follow each other; two that overlap are a problem")
    func editions() throws {
        let first = try edition("1", from: "2010-01-01", until: "2020-01-01")
        let second = try edition("2", from: "2020-01-01", until: nil)
        #expect(LibraryCheck([("1.json", first), ("2.json", second)]).problems.isEmpty)
        let early = try edition("2", from: "2019-12-31", until: nil)
        let problems = LibraryCheck([("1.json", first), ("2.json", early)]).problems
        #expect(problems.map(\.path) == ["act.inForce"] && problems[0].file == "2.json")
        let same = try edition("1", from: "2020-01-01", until: nil)
        #expect(LibraryCheck([("1.json", first), ("2.json", same)]).problems.map(\.path) == ["act.id"])
    }

    @Test("A document with errors does not hide those of the next")
    func allFiles() throws {
        let broken = try NormFixtures.text("mean.json").replacing("\"V\"", with: "\"ppm\"")
        let check = LibraryCheck([("a.json", "{"), ("b.json", broken)])
        #expect(Set(check.problems.map(\.file)) == ["a.json", "b.json"])
    }

    @Test(
        "Numbers that cannot all be meant are a problem",
        arguments: [
            ("time-at-level", "norms[0].limit.levels[1].notBefore", "3 h"),
            ("time-at-level", "norms[0].limit.levels[1].severity", "notice"),
            ("peak", "norms[0].limit.levels[1].severity", "notice"),
            ("mean", "norms[0].limit.windows[0].upper", 253_000),
            ("band", "norms[0].limit.upper", 3000),
        ] as [(String, String, JSONValue)])
    func contradictions(base: String, path: String, value: JSONValue) throws {
        var document = DocumentPath(path).set(value, in: try JSONValue(parsing: try NormFixtures.text(base + ".json")))
        document = DocumentPath("norms[0].limit.levels[1].by").set(nil, in: document)
        document = DocumentPath("norms[0].examples").set(nil, in: document)
        let problems = LibraryCheck([("a.json", document.text)]).problems
        #expect(problems.count == 1 && problems[0].path.hasPrefix("norms[0].limit"), "\(problems.map(\.description))")
    }

    @Test("What a reader would miss is a remark")
    func remarks() throws {
        let check = LibraryCheck([("a.json", try NormFixtures.text("mean.json"))])
        #expect(check.problems.isEmpty)
        #expect(Set(check.remarks.map(\.path)) == ["norms[0].whatToDo", "norms[0].examples"])
    }

    @Test("An example that does not come out is a problem at its place")
    func examples() throws {
        let text = try NormFixtures.text("band.json").replacing("\"at\": \"1 min\"", with: "\"at\": \"3 min\"")
        #expect(LibraryCheck([("a.json", text)]).problems.map(\.path) == ["norms[0].examples[0]"])
    }

    @Test("A limit is said in plain words")
    func plainWords() throws {
        #expect(
            try NormFixtures.norm("band.json").norm.limitInWords == [
                "below 5 °C or above 30 °C for 1 min: warning; ends 1 °C inside the limit"
            ])
        #expect(
            try NormFixtures.norm("time-at-level.json").norm.limitInWords == [
                "30 ppm or more for 2 h: warning",
                "100 ppm or more for 10 min: warning (the act: 40 min at the latest)",
                "below 27 ppm the time starts anew",
            ])
        #expect(
            try NormFixtures.norm("mean.json").norm.limitInWords == [
                "mean of each 10 min below 207 V or above 253 V: warning; needs 80 % of the readings"
            ])
        #expect(
            try NormFixtures.norm("interruption.json").norm.limitInWords == [
                "supply under 5 % of the nominal voltage for 3 min: warning"
            ])
        #expect(
            try NormFixtures.norm("armed.json").norm.limitInWords == [
                "door (entry) yes and armed, entry delay 45 s: warning"
            ])
        #expect(
            try NormFixtures.norm("mains.json").norm.limitInWords == [
                "light below 1 lx and mains below 5 % of the nominal voltage for 1 min: warning"
            ])
    }

    private func edition(_ name: String, from: String, until: String?) throws -> String {
        var document = try JSONValue(parsing: try NormFixtures.text("band.json"))
        document = DocumentPath("act.edition").set(.string(name), in: document)
        document = DocumentPath("act.inForce").set(["from": .string(from), "until": JSONValue(until)], in: document)
        return document.text
    }
}
