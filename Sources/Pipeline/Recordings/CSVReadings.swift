package import Core
internal import Foundation

/// Reads recordings: `time,device,indicator,value,unit[,species][,channel]`, columns in any order, first line their names.
package struct CSVReadings {
    package struct Row {
        package let time: Timestamp
        package let reading: Reading

        package init(time: Timestamp, reading: Reading) { (self.time, self.reading) = (time, reading) }
    }
    package private(set) var rows: [Row] = []
    /// Lines that are no reading of ours, by reason.
    package private(set) var passedOver: [String: Int] = [:]

    private struct Columns {
        let time: Int, device: Int, indicator: Int, value: Int, unit: Int?
        let species: Int?, channel: Int?
    }

    /// - Throws: `DocumentProblem` for a file that is no such table, naming line and remedy.
    package init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw DocumentProblem(
                file: path, path: "", message: "cannot be read", remedy: "check the name and the permissions")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw DocumentProblem(file: path, path: "", message: "is not UTF-8 text", remedy: "save it as UTF-8")
        }
        var lines = text.split(whereSeparator: \.isNewline)[...]
        guard var header = lines.popFirst() else {
            throw DocumentProblem(
                file: path, path: "", message: "is empty", remedy: "begin it with: time,device,indicator,value,unit")
        }
        if header.hasPrefix("\u{feff}") { header = header.dropFirst() }
        let columns = try Self.columns(header, path)
        for (number, line) in lines.enumerated() {
            try take(Self.fields(line), columns, "\(path), line \(number + 2)")
        }
    }

    private static func columns(_ header: Substring, _ path: String) throws -> Columns {
        let names = fields(header).map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        func index(_ name: String) throws -> Int {
            guard let index = names.firstIndex(of: name) else {
                throw DocumentProblem(
                    file: path, path: "line 1", message: "has no column “\(name)”",
                    remedy: "begin the file with: time,device,indicator,value,unit")
            }
            return index
        }
        return Columns(
            time: try index("time"), device: try index("device"), indicator: try index("indicator"),
            value: try index("value"),
            unit: names.firstIndex(of: "unit"), species: names.firstIndex(of: "species"),
            channel: names.firstIndex(of: "channel"))
    }

    private mutating func take(_ fields: [String], _ columns: Columns, _ place: String) throws {
        func field(_ index: Int?) -> String? {
            index.flatMap { fields.indices.contains($0) ? fields[$0].trimmingCharacters(in: .whitespaces) : nil }
                .flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let when = field(columns.time), let written = WrittenTime(when) else {
            throw DocumentProblem(
                file: place, path: "time", message: "“\(field(columns.time) ?? "")” is no time",
                remedy: "write it as 2026-11-30T08:00:00Z")
        }
        let time = written.civil.instant(offset: written.offset ?? .zero)
        guard let device = field(columns.device), let word = field(columns.indicator) else {
            return count("no device or indicator")
        }
        guard let what = Quantity(word) else { return count("indicator \(word)") }
        guard let number = field(columns.value).flatMap({ Double($0) ?? Self.words[$0.lowercased()] }) else {
            return count("no number")
        }
        guard let unit = WrittenUnit(field(columns.unit) ?? what.indicator.canonicalUnit?.rawValue ?? "") else {
            return count("unit \(field(columns.unit) ?? "missing") of \(word)")
        }
        let series = Series(
            device: device, indicator: what.indicator, species: field(columns.species)?.lowercased() ?? what.species,
            channel: field(columns.channel) ?? what.channel, unit: unit.unit)
        guard let reading = Reading(series, unit.convert(number), deviceTime: time) else {
            return count("unit \(unit.unit.rawValue) of \(word)")
        }
        rows.append(Row(time: time, reading: reading))
    }

    private mutating func count(_ reason: String) { passedOver[reason, default: 0] += 1 }

    private static let words: [String: Double] = ["true": 1, "false": 0, "on": 1, "off": 0, "open": 1, "closed": 0]

    /// Splits at commas; quotation marks hold a field together, doubled ones stand for one.
    static func fields(_ line: Substring) -> [String] {
        guard line.contains("\"") else {
            return line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        var fields = [""]
        var isQuoted = false
        var previous: Character?
        for character in line {
            switch character {
            case "\"":
                if !isQuoted && previous == "\"" { fields[fields.count - 1].append("\"") }
                isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
            previous = character
        }
        return fields
    }

    /// The words for indicators that recordings use.
    private struct Quantity {
        let indicator: Indicator
        var species: String?
        var channel: String?

        init?(_ word: String) {
            switch word {
            case "acceleration": self.init(.vibration)
            case "acceleration_x", "acceleration_y", "acceleration_z":
                self.init(.vibration, channel: String(word.suffix(1)))
            case "co", "ch4", "lpg", "no2", "hcho": self.init(.gas, species: word)
            case "pm2.5", "pm10": self.init(.particles, species: word)
            case "smoke_alarm": self.init(.smoke)
            default:
                guard let indicator = Indicator(rawValue: word) else { return nil }
                self.init(indicator)
            }
        }

        private init(_ indicator: Indicator, species: String? = nil, channel: String? = nil) {
            (self.indicator, self.species, self.channel) = (indicator, species, channel)
        }
    }
}
