import Core

/// What a run found, for people or for scripts.
struct Report {
    let scenario: String
    let seed: UInt64
    let messages: Int
    let check: Check

    var passed: Bool { check.passed }

    /// One line for each expectation and for what nobody expected, and a last one for all.
    var lines: [String] {
        let order = check.lines.sorted { ($0.at ?? .infinity) < ($1.at ?? .infinity) }
        return order.map { line($0) } + [total]
    }

    private func line(_ line: Check.Line) -> String {
        let severity = line.observed?.severity?.rawValue ?? ""
        let act = line.observed?.act.map { act in
            line.observed?.actKind == "house" ? "house rule \(act)" : act
        }
        let parts = [
            line.outcome.rawValue.fitted(12), (line.at.map { ScenarioTime.shown($0) } ?? "–").fitted(8),
            line.subject.word.fitted(15), line.place.joined(separator: "/").fitted(22), severity.fitted(9),
            [act, line.remark.isEmpty ? nil : line.remark].compactMap { $0 }.joined(separator: "; "),
        ]
        var text = parts.joined(separator: " ")
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }

    private var total: String {
        let counts: [(Check.Outcome, String)] = [
            (.ok, "as stated"), (.missing, "missing"), (.wrong, "wrong"), (.unexpected, "unexpected"),
            (.notReached, "not reached"), (.notChecked, "not checked"), (.passedOver, "passed over"),
        ]
        let shown = counts.filter { $0.0 == .ok || check.count($0.0) > 0 }.map { "\(check.count($0.0)) \($0.1)" }
        let far =
            check.played < check.length
            ? " (ended at \(ScenarioTime.shown(check.played)) of \(ScenarioTime.shown(check.length)))" : ""
        return "\(scenario), seed \(seed), \(messages) messages\(far): \(shown.joined(separator: ", ")): "
            + (passed ? "passed" : "FAILED")
    }

    /// JSON lines: each expectation, then the total under `passed`.
    var json: [String] {
        let details = check.lines.map { line -> String in
            var members: [String: JSONValue] = [
                "result": .string(line.outcome.rawValue), "place": .string(line.place.joined(separator: "/")),
                "at": JSONValue(line.at), "severity": JSONValue(line.observed?.severity?.rawValue),
                "act": JSONValue(line.observed?.act), "remark": .string(line.remark),
            ]
            switch line.subject {
            case .hazard(let hazard): members["hazard"] = .string(hazard.rawValue)
            case .fault(let kind): members["fault"] = .string(kind.rawValue)
            }
            return JSONValue.object(members).text
        }
        var total: [String: JSONValue] = [
            "scenario": .string(scenario), "seed": .number(Double(seed)), "messages": JSONValue(messages),
            "passed": .bool(passed), "length": .number(check.length), "played": .number(check.played),
        ]
        for outcome in Check.Outcome.allCases {
            total[outcome.rawValue] = JSONValue(check.count(outcome))
        }
        return details + [JSONValue.object(total).text]
    }
}

extension String {
    fileprivate func fitted(_ width: Int) -> String {
        count >= width ? self : self + String(repeating: " ", count: width - count)
    }
}
