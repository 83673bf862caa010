/// What changes seldom: the documents in force. A class, so that every decision gets it for the price of one reference.
final class Frame: Sendable {
    let site: Site
    let norms: NormLibrary
    let zone: Zone
    let jurisdictions: [String]
    /// What is derived from temperature and humidity, because a norm of the site looks at it.
    let moisture: [Indicator]
    /// The number of the norms' version.
    let normVersion: Int?

    init(site: Site, norms: NormLibrary, zone: Zone, normVersion: Int?) {
        (self.site, self.norms, self.zone, self.normVersion) = (site, norms, zone, normVersion)
        let jurisdictions = site.allJurisdictions
        self.jurisdictions = jurisdictions
        moisture = [.dewPoint, .absoluteHumidity].filter { indicator in
            norms.norms(about: indicator).contains { norms.isChosen($0, jurisdictions: jurisdictions) }
        }
    }
}

/// What every decision may look at, besides the state that it changes.
struct Context {
    let frame: Frame
    var now: Timestamp
    /// Time for which we could not hear the broker, in total.
    var deaf: Span
    var isListening: Bool
    /// What comes now was queued while we were away.
    var isCatchingUp: Bool
    /// The acts in force then are those that count.
    var lawDate: Timestamp

    var site: Site { frame.site }
    var norms: NormLibrary { frame.norms }
    var zone: Zone { frame.zone }
}

/// What the decisions give: effects in order, and the deadlines that the engine must come back for.
struct Output {
    var effects: [Effect] = []
    var wakes: [(due: Timestamp, wake: Wake)] = []

    mutating func wake(_ wake: Wake, at due: Timestamp) { wakes.append((due, wake)) }
}

/// What is to be looked at when a deadline has come.
enum Wake: Hashable, Comparable {
    case device(Int)
    case offline(Int)
    case channel(Int, Int)
    case join(flat: Int, join: Int)
    case panel(Int)
    case alarm(Int)

    private var rank: (Int, Int, Int) {
        switch self {
        case .device(let device): (0, device, 0)
        case .offline(let device): (1, device, 0)
        case .channel(let device, let channel): (2, device, channel)
        case .join(let flat, let join): (3, flat, join)
        case .panel(let flat): (4, flat, 0)
        case .alarm(let number): (5, number, 0)
        }
    }
    static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
}
