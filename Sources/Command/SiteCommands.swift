import Core
import Foundation
import Pipeline
import Store

let siteApplyCommand = CommandSpec(
    "site apply", "Puts a site document in force: places, devices, people, routes.",
    operands: "FILE", count: 1...1,
    options: [dataOption, .init("dry-run", nil, "only shows what would change")],
    example: "normwatch site apply riverside.json --dry-run"
) { arguments in
    let file = arguments.operands[0]
    let text = try file == "-" ? Documents.standardInput() : Documents.text(at: file)
    let reply = try Door.ask(
        arguments.dataFolder, .site(document: text, dryRun: arguments.has("dry-run")))
    guard !reply.isDone else { return tell(reply) }
    return tell(ControlReply(isDone: false, lines: reply.lines.map { "\(file): \($0)" }))
}

let siteExportCommand = CommandSpec(
    "site export", "Prints the site document in force, exactly as it was applied.",
    options: [dataOption],
    example: "normwatch site export > riverside.json"
) { arguments in
    let reader = try arguments.existingReader()
    let text = try reader.snapshot {
        try RestoredEngine(reader).documents.siteHash.flatMap { try reader.document($0) }
    }
    if text == nil { Main.complain("no site document is in force; this one would change nothing but the name") }
    let code = StandardStream.output.write(Array((text ?? emptySite).utf8))
    return code == 0 || code == EPIPE ? .fine : .environment
}

/// What is in force without a document, as one.
let emptySite = """
    {
      "site": "home",
      "timeZone": "UTC",
      "language": "en",
      "jurisdictions": ["EU"],
      "selfPlacement": true,
      "buildings": [],
      "people": [],
      "routes": []
    }

    """
