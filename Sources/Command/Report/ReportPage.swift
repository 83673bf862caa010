import Core

/// A report as people and programs read it.
struct ReportPage {
    let report: ComplianceReport
    let source: ReportSource

    // MARK: Text

    var lines: [String] {
        let period = report.period
        let places = report.lines.map(\.placed)
        let width = places.map(\.count).max() ?? 0
        let entries = zip(report.lines, places).map { line, place in
            [
                Shown.padded(line.compliance.verdict.inWords, Verdict.insufficientData.inWords.count),
                Shown.padded(place, width), facts(line) + line.citation,
            ].joined(separator: "  ")
        }
        let counts = Verdict.allCases.map { verdict in
            "\(report.lines.count { $0.compliance.verdict == verdict }) \(verdict.inWords)"
        }
        let head =
            "\(period.text): \(source.zone.shortText(period.start)) to before \(source.zone.shortText(period.end)), "
            + source.zone.name
        let note = "? not read from the act itself; complete: share of the period that is covered by readings"
        return [head] + entries + [counts.joined(separator: ", ") + "; " + note]
    }

    private func facts(_ line: ComplianceReport.Line) -> String {
        let (found, unit) = (line.compliance, line.cited.norm.unit)
        var parts: [String] = []
        if let share = found.share {
            let blocks = found.blocks.map { " of \(Shown.count($0.judged, "mean")) over \(found.meanOver ?? .zero)" }
            let what = blocks ?? " of the time"
            parts.append("\(percent(share))\(what) within the limit")
        } else {
            parts.append("nothing to judge")
        }
        if let worst = found.worst {
            parts.append("worst \(Shown.value(worst.value, unit)) at \(source.zone.shortText(worst.time))")
        }
        parts.append("\(percent(found.completeness)) complete")
        if found.completeness < 0.999, let longest = found.silences.longest {
            let length = Shown.span(found.silences.longestLength)
            parts.append("longest silence \(length) from \(source.zone.shortText(longest.lowerBound))")
        }
        return parts.joined(separator: ", ")
    }

    /// Rounded down: what is not all is never shown as 100 %.
    private func percent(_ share: Double) -> String {
        let rounded = (share * 1e4 + 1e-6).rounded(.down) / 100
        return "\(Int(exactly: rounded).map(String.init) ?? String(rounded)) %"
    }

    // MARK: For programs

    var json: JSONValue {
        let period = report.period
        return [
            "period": .string(period.text), "from": .string(source.zone.fullText(period.start)),
            "to": .string(source.zone.fullText(period.end)), "hours": .number(period.length.seconds / 3600),
            "timeZone": .string(source.zone.name),
            "jurisdictions": .array(source.jurisdictions.map { .string($0) }),
            "lines": .array(report.lines.map { $0.json(source.zone) }),
        ]
    }

    var csv: [String] {
        let header =
            "verdict,building,flat,room,device,indicator,species,channel,norm,within,worst,worst_at,unit,completeness,"
            + "excesses,blocks,blocks_outside,limit,act,kind,clause,provisional"
        return [header] + report.lines.map { $0.csv(source.zone) }
    }
}

extension Verdict {
    fileprivate var inWords: String {
        switch self {
        case .pass: "pass"
        case .fail: "FAIL"
        case .insufficientData: "too little data"
        }
    }
}

extension ComplianceReport.Line {
    fileprivate var placed: String {
        let path = channel.place.path
        return "\(path.isEmpty ? "" : path + "  ")\(channel.series.device)  \(Shown.name(channel.series))"
    }

    fileprivate var limit: String { cited.norm.limitInWords.joined(separator: "; ") }

    fileprivate var citation: String {
        " | \(cited.key)\(cited.isProvisional ? " ?" : "") | limit broken by: \(limit) | \(cited.act.title[.en]) "
            + "(\(cited.act.kind.rawValue)), \(cited.norm.clause)"
    }

    fileprivate func json(_ zone: Zone) -> JSONValue {
        let (series, found) = (channel.series, compliance)
        return [
            "verdict": .string(found.verdict.rawValue),
            "place": [
                "building": JSONValue(channel.place.building), "flat": JSONValue(channel.place.flat),
                "room": JSONValue(channel.place.room),
            ],
            "device": .string(series.device), "indicator": .string(series.indicator.rawValue),
            "species": JSONValue(series.species), "channel": JSONValue(series.channel),
            "norm": .string(cited.key), "track": .string(cited.norm.track.rawValue),
            "within": Self.number(found.share), "completeness": Self.number(found.completeness),
            "coveredSeconds": .number(found.covered.seconds), "exceededSeconds": .number(found.exceeded.seconds),
            "excesses": .number(Double(found.excesses)),
            "blocks": found.blocks.map {
                ["judged": .number(Double($0.judged)), "outside": .number(Double($0.outside))]
            } ?? .null,
            "worst": found.worst.map {
                ["value": Self.number($0.value), "at": .string(zone.fullText($0.time))]
            } ?? .null,
            "unit": .string(cited.norm.unit.rawValue),
            "longestSilence": found.silences.longest.map {
                [
                    "from": .string(zone.fullText($0.lowerBound)), "to": .string(zone.fullText($0.upperBound)),
                ]
            } ?? .null,
            "limit": .array(cited.norm.limitInWords.map { .string($0) }), "act": .string(cited.act.title[.en]),
            "kind": .string(cited.act.kind.rawValue), "clause": .string(cited.norm.clause),
            "provisional": .bool(cited.isProvisional),
        ]
    }

    fileprivate func csv(_ zone: Zone) -> String {
        let (place, series, found) = (channel.place, channel.series, compliance)
        func number(_ value: Double?) -> String { value.map { CSVLine.number(Self.rounded($0)) } ?? "" }
        let fields = [
            found.verdict.rawValue, place.building ?? "", place.flat ?? "", place.room ?? "", series.device,
            series.indicator.rawValue, series.species ?? "", series.channel ?? "", cited.key, number(found.share),
            number(found.worst?.value), found.worst.map { zone.fullText($0.time) } ?? "", cited.norm.unit.rawValue,
            number(found.completeness), String(found.excesses), found.blocks.map { String($0.judged) } ?? "",
            found.blocks.map { String($0.outside) } ?? "", limit, cited.act.title[.en], cited.act.kind.rawValue,
            cited.norm.clause, cited.isProvisional ? "true" : "false",
        ]
        return fields.map(CSVLine.field).joined(separator: ",")
    }

    private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
    private static func number(_ value: Double?) -> JSONValue { value.map { .number(rounded($0)) } ?? .null }
}

extension Zone {
    /// `2026-11-30 08:00`, as the site's clocks show it.
    fileprivate func shortText(_ instant: Timestamp) -> String {
        String(CivilTime.text(civil(instant)).prefix(16)).replacing("T", with: " ")
    }

    /// `2026-11-30T08:00:00+01:00`.
    fileprivate func fullText(_ instant: Timestamp) -> String {
        let minutes = Int(offset(at: instant).seconds / 60)
        let ahead = "\(minutes < 0 ? "-" : "+")\((abs(minutes) / 60).padded(2)):\((abs(minutes) % 60).padded(2))"
        return CivilTime.text(civil(instant)) + ahead
    }
}

extension CivilTime {
    /// With as many fraction digits as are needed.
    fileprivate static func text(_ civil: CivilTime) -> String { String(civil.instant().description.dropLast()) }
}
