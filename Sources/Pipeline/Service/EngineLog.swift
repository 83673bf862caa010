package import Core
internal import Foundation

/// Everything but readings that enters the engine, in the form in which it is stored. Documents stand by the hash of their text.
enum LoggedEvent: Codable {
    case unreadable(Series)
    case lastKnown(Series, Double)
    case availability(Availability)
    case device(DeviceNote)
    case listening(Bool)
    case started(Timestamp?)
    case caughtUp
    case command(Command)
    case trouble(FaultKind, Bool, String)
    case site(String)
    case norms(String, NormVersion?)
}

extension LoggedEvent {
    var encoded: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(self) else { preconditionFailure("events always encode") }
        return String(decoding: data, as: UTF8.self)
    }

    init(decoding text: String) throws {
        self = try JSONDecoder().decode(LoggedEvent.self, from: Data(text.utf8))
    }
}

/// Documents in force: their texts, by which a later start can read them again.
package struct InForce: Sendable {
    package internal(set) var site: Site = .none
    package internal(set) var norms: NormLibrary = .empty
    package internal(set) var siteHash: String?
    package internal(set) var normsHash: String?
}
