import Core
import Foundation
import Pipeline

/// The law.
extension Doctor {
    func norms(inForce state: RestoredEngine?) -> [Sign] {
        let part = "norms"
        let library: NormLibrary
        let path: String
        do {
            path = try Documents.normFolder(arguments.value("norms"))
            library = try Documents.norms(path)
        } catch {
            let problems = (error as? DocumentProblems)?.problems ?? []
            if problems.isEmpty {
                return [.bad(part, "\(error)", "install the norm documents, or name their folder with --norms")]
            }
            return problems.map { .bad(part, "\($0.file): \($0.path): \($0.message)", $0.remedy) }
        }
        let inForce = library.acts.filter { $0.act.isInForce(at: now) }.count
        var signs: [Sign] = [
            .ok(
                part,
                "\(path): \(Shown.count(library.acts.count, "act")), \(inForce) in force, \(Shown.count(library.norms.count, "norm"))"
            )
        ]
        let site = state?.engine.site ?? .none
        signs += ending(library, site)
        if let stored = state?.documents.norms, !stored.acts.isEmpty, stored.norms != library.norms {
            signs.append(
                .warn(
                    part, "the service judges by other norms than those in \(path)",
                    "kill -HUP the service, or start it again"))
        }
        return signs + jurisdictions(site, library)
    }

    private func ending(_ library: NormLibrary, _ site: Site) -> [Sign] {
        library.ending(soonAfter: now, jurisdictions: site.allJurisdictions).map { act in
            let until = act.inForceUntil?.day ?? ""
            return .warn(
                "norms", "\(act.id) (\(act.title[.en])) ends on \(until)",
                "see whether a successor is there; normwatch norms list --at \(until) shows what will be left")
        }
    }

    private func jurisdictions(_ site: Site, _ library: NormLibrary) -> [Sign] {
        let known = Set(library.acts.filter { $0.act.isInForce(at: now) }.flatMap(\.act.jurisdictions))
        return site.jurisdictions.filter { !known.contains($0) && $0 != "house" }.map {
            .warn(
                "norms", "the site asks for the law of \($0), and no act of it is there",
                "add its documents, or correct \"jurisdictions\"")
        }
    }
}
