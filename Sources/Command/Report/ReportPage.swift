import Core

/// A report as people and programs read it.
struct ReportPage {
    /// Where the facts of a line begin.
    static let margin = String(repeating: " ", count: 19)
    /// Excesses and silences that are shown one by one.
    private static let listed = 12

    let report: ComplianceReport
    let duties: [ReportSource.Duty]
    let source: ReportSource

    // MARK: Text

    var lines: [String] {
        let (period, zone) = (report.period, source.zone)
        var lines = [
            "\(period.text): \(zone.shortText(period.start)) to before \(zone.shortText(period.end)), \(zone.name)"
        ]
        for group in report.lines.chunked(by: { $0.placed == $1.placed }) {
            lines += ["", group.first?.placed ?? ""] + group.flatMap(entry) + silences(group)
        }
        if !duties.isEmpty { lines += ["", "devices that must be there"] }
        for duty in duties { lines += duty.entry }
        return lines + ["", counts] + notes.flatMap { Shown.wrapped($0, from: "") }
    }

    private func entry(_ line: ComplianceReport.Line) -> [String] {
        let found = line.compliance
        let head = "  " + Shown.padded(found.verdict.inWords, Self.margin.count - 2)
        let law = "\(line.cited.key)\(line.cited.isProvisional ? " ?" : ""): \(line.cited.citation)"
        var lines = Shown.wrapped(law, from: head)
        lines += Shown.wrapped("broken by: \(line.limit)", from: Self.margin)
        lines += Shown.wrapped(facts(line), from: Self.margin)
        lines += excesses(line).map { Self.margin + $0 }
        return lines
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
        return parts.joined(separator: ", ")
    }

    /// When the limit was broken, one line each.
    private func excesses(_ line: ComplianceReport.Line) -> [String] {
        let (found, unit) = (line.compliance, line.cited.norm.unit)
        let shown = found.episodes.prefix(Self.listed).map { episode in
            let worst = episode.worst.map { ", worst \(Shown.value($0, unit))" } ?? ""
            return "outside  \(stretch(episode.start, episode.end))\(worst)"
        }
        return shown + rest(of: found.excesses, shown: shown.count, "time")
    }

    /// When nothing was heard of the channel, once for all of its norms: what is complete for all of them needs no list.
    private func silences(_ group: ArraySlice<ComplianceReport.Line>) -> [String] {
        guard let all = group.map(\.compliance.silences).max(by: { $0.count < $1.count }),
            group.contains(where: { $0.compliance.verdict != .pass })
        else { return [] }
        let isSupply = group.contains { line in
            if case .interruption = line.cited.norm.limit { true } else { false }
        }
        let longest = all.listed.sorted { $0.length > $1.length }.prefix(Self.listed)
        let shown = longest.sorted { $0.lowerBound < $1.lowerBound }.map { silence in
            "silent   \(stretch(silence.lowerBound, silence.upperBound))"
                + (isSupply ? ": an outage or the meter, cannot tell" : "")
        }
        return (shown + rest(of: all.count, shown: shown.count, "silence")).map { Self.margin + $0 }
    }

    private func rest(of count: Int, shown: Int, _ what: String) -> [String] {
        count > shown ? ["         and \(Shown.count(count - shown, "more \(what)"))"] : []
    }

    private func stretch(_ start: Timestamp, _ end: Timestamp) -> String {
        "\(source.zone.shortText(start)) to \(source.zone.shortText(end)) (\(Shown.length(end - start)))"
    }

    private var counts: String {
        let verdicts = report.lines.map(\.compliance.verdict) + duties.map(\.verdict)
        return Verdict.allCases.map { verdict in "\(verdicts.count { $0 == verdict }) \(verdict.inWords)" }
            .joined(separator: ", ")
    }

    /// What a reader has to know besides, each where it matters.
    private var notes: [String] {
        var notes: [String] = []
        if (report.lines.map(\.cited) + duties.map(\.cited)).contains(where: \.isProvisional) {
            notes.append("? not read from the act itself")
        }
        if !report.lines.isEmpty { notes.append("complete: share of the period that is covered by readings") }
        for (period, norms) in Dictionary(grouping: report.unreported, by: { $0.needs?.text ?? "" }).sorted(by: {
            $0.key < $1.key
        }) {
            let keys = norms.map(\.cited.key).joined(separator: ", ")
            notes.append(period.isEmpty ? "alarms only, not for reports: \(keys)" : "need a whole \(period): \(keys)")
        }
        return notes
    }

    /// Rounded down: what is not all is never shown as 100 %.
    private func percent(_ share: Double) -> String {
        let rounded = (share * 1e4 + 1e-6).rounded(.down) / 100
        return "\(Int(exactly: rounded).map(String.init) ?? String(rounded)) %"
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

    var limit: String { cited.norm.limitInWords.joined(separator: "; ") }
}

extension CitedNorm {
    /// Title, kind and clause.
    fileprivate var citation: String { "\(act.title[.en]) (\(act.kind.rawValue)), \(norm.clause)" }
}

extension ReportSource.Duty {
    var verdict: Verdict { missing.isEmpty ? .pass : .fail }

    fileprivate var entry: [String] {
        let head = "  " + Shown.padded(verdict.inWords, ReportPage.margin.count - 2)
        let there =
            "\(places - missing.count) of \(Shown.count(places, "place")) with a \(cited.norm.deviceInWords) device"
        let absent = missing.isEmpty ? "" : "; none in \(missing.map(\.words).joined(separator: ", "))"
        return Shown.wrapped("\(cited.key)\(cited.isProvisional ? " ?" : ""): \(cited.citation)", from: head)
            + Shown.wrapped(there + absent, from: ReportPage.margin)
    }
}

extension Array {
    /// Neighbours that belong together.
    fileprivate func chunked(by belongsTogether: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var chunks: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where !belongsTogether(self[index - 1], self[index]) {
            chunks.append(self[start..<index])
            start = index
        }
        return isEmpty ? [] : chunks + [self[start...]]
    }
}

extension Range<Timestamp> {
    fileprivate var length: Span { upperBound - lowerBound }
}

extension Zone {
    /// `2026-11-30 08:00`, as the site's clocks show it.
    fileprivate func shortText(_ instant: Timestamp) -> String {
        String(CivilTime.text(civil(instant)).prefix(16)).replacing("T", with: " ")
    }
}

extension CivilTime {
    /// With as many fraction digits as are needed.
    static func text(_ civil: CivilTime) -> String { String(civil.instant().description.dropLast()) }
}
