import Core

/// A report for programs.
extension ReportPage {
    var json: JSONValue {
        let period = report.period
        return [
            "period": .string(period.text), "from": .string(source.zone.fullText(period.start)),
            "to": .string(source.zone.fullText(period.end)), "hours": .number(period.length.seconds / 3600),
            "timeZone": .string(source.zone.name),
            "jurisdictions": .array(source.jurisdictions.map { .string($0) }),
            "lines": .array(report.lines.map { $0.json(source.zone) }),
            "duties": .array(duties.map(\.json)),
            "notReported": .array(
                report.unreported.map { ["norm": .string($0.cited.key), "needs": JSONValue($0.needs?.text)] }),
        ]
    }

    var csv: [String] {
        let header =
            "verdict,building,flat,room,device,indicator,species,channel,norm,within,worst,worst_at,unit,completeness,"
            + "excesses,blocks,blocks_outside,limit,act,kind,clause,provisional"
        return [header] + report.lines.map { $0.csv(source.zone) } + duties.map(\.csv)
    }
}

extension ComplianceReport.Line {
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
            "outside": .array(
                found.episodes.map {
                    [
                        "from": .string(zone.fullText($0.start)), "to": .string(zone.fullText($0.end)),
                        "worst": Self.number($0.worst),
                    ]
                }),
            "blocks": found.blocks.map {
                ["judged": .number(Double($0.judged)), "outside": .number(Double($0.outside))]
            } ?? .null,
            "worst": found.worst.map {
                ["value": Self.number($0.value), "at": .string(zone.fullText($0.time))]
            } ?? .null,
            "unit": .string(cited.norm.unit.rawValue),
            "silences": .array(
                found.silences.listed.map {
                    ["from": .string(zone.fullText($0.lowerBound)), "to": .string(zone.fullText($0.upperBound))]
                }),
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

extension ReportSource.Duty {
    fileprivate var json: JSONValue {
        [
            "verdict": .string(verdict.rawValue), "norm": .string(cited.key), "places": .number(Double(places)),
            "missing": .array(missing.map { .string($0.words) }), "act": .string(cited.act.title[.en]),
            "kind": .string(cited.act.kind.rawValue), "clause": .string(cited.norm.clause),
            "provisional": .bool(cited.isProvisional),
        ]
    }

    /// In the columns of the other lines: the share of places that have one, and how many have none.
    fileprivate var csv: String {
        let share = places > 0 ? CSVLine.number(1 - Double(missing.count) / Double(places)) : ""
        let fields = [
            verdict.rawValue, "", "", "", "", cited.norm.indicator.rawValue, cited.norm.species.joined(separator: " "),
            "",
            cited.key, share, "", "", "", "", String(missing.count), "", "",
            cited.norm.limitInWords.joined(separator: "; "), cited.act.title[.en], cited.act.kind.rawValue,
            cited.norm.clause, cited.isProvisional ? "true" : "false",
        ]
        return fields.map(CSVLine.field).joined(separator: ",")
    }
}

extension Zone {
    /// `2026-11-30T08:00:00+01:00`.
    fileprivate func fullText(_ instant: Timestamp) -> String {
        let minutes = Int(offset(at: instant).seconds / 60)
        let ahead = "\(minutes < 0 ? "-" : "+")\((abs(minutes) / 60).padded(2)):\((abs(minutes) % 60).padded(2))"
        return CivilTime.text(civil(instant)) + ahead
    }
}
