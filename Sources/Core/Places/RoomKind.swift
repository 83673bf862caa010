/// The kinds of room that norms tell apart.
package enum RoomKind {
    package static let all = [
        "living", "bedroom", "children", "kitchen", "bathroom", "toilet", "hall", "corridor", "stairwell",
        "escape-route",
        "office", "classroom", "laundry", "storage", "cellar", "attic", "garage", "boiler-room", "technical",
        "cold-store",
        "outdoor", "common", "other",
    ]

    private static let aliases = [
        "living-room": "living", "livingroom": "living", "lounge": "living", "sitting-room": "living",
        "dining": "living",
        "dining-room": "living", "bath": "bathroom", "shower": "bathroom", "wc": "toilet", "nursery": "children",
        "children-room": "children", "childrens-room": "children", "hallway": "hall", "entrance": "hall",
        "passage": "corridor",
        "landing": "stairwell", "stairs": "stairwell", "staircase": "stairwell", "escape": "escape-route",
        "study": "office",
        "basement": "cellar", "loft": "attic", "boiler": "boiler-room", "plant": "technical", "freezer": "cold-store",
        "fridge": "cold-store", "balcony": "outdoor", "garden": "outdoor", "utility": "laundry", "store": "storage",
    ]

    /// The kind that a word means; nil for a word we do not know.
    package static func canonical(_ word: String) -> String? {
        let folded = word.lowercased().replacing(" ", with: "-").replacing("_", with: "-")
        return all.contains(folded) ? folded : aliases[folded]
    }
}
