/// Where something is. A part is absent where it is not known or not meant: an alarm of a building has no flat.
package struct Place: Hashable, Codable, Sendable {
    package var building: String?
    package var flat: String?
    package var room: String?

    package init(building: String? = nil, flat: String? = nil, room: String? = nil) {
        (self.building, self.flat, self.room) = (building, flat, room)
    }

    /// `b1/f12/kitchen`, for logs and terminals.
    package var path: String {
        [building, flat, room].compactMap { $0 }.joined(separator: "/")
    }
}
