import Core
import Pipeline
import Store

let reportCommand = CommandSpec(
    "report", "Says for each norm and channel whether a day, week, month or year kept the limit.",
    options: [
        .init("period", "PERIOD", "2026-W47, 2026-11, 2026 or 2026-11-30, in the site's time"),
        .init("place", "PLACE", "only there: building, building/flat or building/flat/room"),
        .init("norm", "NORM", "only this norm, or those of this act: en-50160/voltage-always, en-50160"),
        .init("format", "FORMAT", "text, json or csv (default: text)"),
        dataOption,
        .init("csv", "FILE", "judge a recording instead of what is stored"),
        .init("site", "FILE", "places for a recording; without it each device is a flat of its own"),
        .init("room", "KIND", "kind of all rooms of a recording without a site (default: living)"),
        .init("jurisdiction", "CODES", "whose law, as EU,JP (default: the site's, else EU)"),
        .init("norms", "DIR", "the folder of norm documents (default: for stored readings what is in force)"),
        .init("at", "DATE", "judge by the acts in force on this day (default: by each while it is in force)"),
    ],
    example: "normwatch report --period 2026-W47 --place b1/f12 --norm en-50160"
) { arguments in
    let format = try arguments.reportFormat()
    guard let text = arguments.value("period") else {
        throw UsageError("--period is missing; \(Arguments.periodRemedy)")
    }
    let source =
        try arguments.value("csv").map { try ReportSource(recording: $0, arguments) } ?? ReportSource(arguments)
    guard let period = Period(text, zone: source.zone) else {
        throw UsageError("--period “\(text)” is no period of the calendar; \(Arguments.periodRemedy)")
    }
    let wanted = try arguments.wantedNorm(source.norms)
    let place = arguments.value("place")
    let actsInForceAt = try arguments.day("at")
    var report = ComplianceReport(
        period, on: try source.channels(in: place),
        by: .init(norms: source.norms, jurisdictions: source.jurisdictions, actsInForceAt: actsInForceAt),
        zone: source.zone, now: .systemNow, isWanted: wanted)
    try source.read(into: &report)
    report.finish()
    source.complain()
    guard report.readingCount > 0 else {
        throw EnvironmentError(
            "there are no readings of \(text)\(place.map { " in \($0)" } ?? ""); \(source.remedy)")
    }
    let duties = source.duties(in: place, at: actsInForceAt ?? min(.systemNow, period.end), isWanted: wanted)
    let page = ReportPage(report: report, duties: duties, source: source)
    var output = LineOutput()
    switch format {
    case .text: for line in page.lines { output.tell(line) }
    case .json: output.write(page.json.prettyText)
    case .csv: for line in page.csv { output.write(line) }
    }
    output.flush()
    if report.lines.isEmpty && duties.isEmpty {
        let hint = actsInForceAt == nil ? "; --at DATE judges by the acts of another day" : ""
        Main.complain("no norm that was asked for applies to what was measured then\(hint)")
    }
    let isBroken = report.lines.contains { $0.compliance.verdict == .fail } || duties.contains { !$0.missing.isEmpty }
    return isBroken ? .finding : .fine
}

enum ReportFormat: String { case text, json, csv }

extension Arguments {
    fileprivate static let periodRemedy =
        "write it as --period 2026-W47, 2026-11, 2026 or 2026-11-30"

    fileprivate func reportFormat() throws(UsageError) -> ReportFormat {
        guard let text = value("format") else { return .text }
        guard let format = ReportFormat(rawValue: text) else {
            throw UsageError("--format “\(text)” is not known; use text, json or csv")
        }
        return format
    }

    fileprivate func wantedNorm(_ norms: NormLibrary) throws(UsageError) -> (CitedNorm) -> Bool {
        guard let key = value("norm") else { return { _ in true } }
        guard let named = norms.norms.first(where: { $0.key == key || $0.act.id == key }) else {
            let known = norms.norms.map(\.key) + norms.acts.map(\.act.id)
            let hint =
                Spelling.nearest(to: key, among: known).map { "did you mean \($0)?" }
                ?? "normwatch norms list shows what there is"
            throw UsageError("there is no norm “\(key)”; \(hint)")
        }
        if named.key == key, !named.norm.isOn {
            throw UsageError("\(key) is not used until somebody has checked it; see normwatch norms show \(key)")
        }
        return { $0.key == key || $0.act.id == key }
    }
}
