import Core

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
    case norms(String)
}

/// Documents in force: their texts, by which a later start can read them again.
struct InForce: Sendable {
    var site: Site = .none
    var norms: NormLibrary = .empty
    var siteHash: String?
    var normsHash: String?
}
