import Core

/// What must follow from a scenario.
struct Expectation: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case hazard(Hazard)
        case fault(FaultKind)

        var word: String {
            switch self {
            case .hazard(let hazard): hazard.rawValue
            case .fault(let kind): kind.rawValue
            }
        }
    }

    var subject: Subject
    /// Building, or building and flat; of a fault the device as the scenario names it.
    var place: [String]
    /// When it must be raised, in seconds since the start.
    var window: Interval
    /// An act's id, or `house` for any rule of the house.
    var act: String?
    /// When it is raised.
    var severity: Severity?
    /// The worst that it must become.
    var reaches: Severity?
    /// Further transitions of the same alarm that must come.
    var then: [Transition.Kind]
    /// It may come or not: what chance decides.
    var isOptional: Bool
    /// It depends on people's actions or on the site document.
    var needsData: Bool
}
