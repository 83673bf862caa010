/// An instant: microseconds since 1970-01-01T00:00:00Z. Whole numbers compare exactly and sort as stored.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }
    package static func - (a: Self, b: Self) -> Span { Span(microseconds: a.microseconds &- b.microseconds) }
    package static func + (a: Self, b: Span) -> Self { Self(microseconds: a.microseconds &+ b.microseconds) }
    package static func - (a: Self, b: Span) -> Self { Self(microseconds: a.microseconds &- b.microseconds) }
    package static func += (a: inout Self, b: Span) { a = a + b }

    /// Before any reading; the engine's clock at its birth.
    package static let distantPast = Self(microseconds: Int64.min / 4)
    package static let distantFuture = Self(microseconds: Int64.max / 4)
}

/// A length of time in whole microseconds.
///
/// Not `Duration`: its 128-bit attoseconds cost several times as much on the path of every reading.
package struct Span: Hashable, Comparable, Sendable {
    package let microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static let zero = Self(microseconds: 0)
    package static func seconds(_ value: Double) -> Self { Self(microseconds: Int64((value * 1e6).rounded())) }
    package static func seconds(_ value: Int) -> Self { Self(microseconds: Int64(value) * 1_000_000) }
    package static func minutes(_ value: Int) -> Self { seconds(value * 60) }
    package static func hours(_ value: Int) -> Self { seconds(value * 3600) }
    package static func days(_ value: Int) -> Self { seconds(value * 86_400) }

    package var seconds: Double { Double(microseconds) / 1e6 }

    package static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }
    package static func + (a: Self, b: Self) -> Self { Self(microseconds: a.microseconds + b.microseconds) }
    package static func - (a: Self, b: Self) -> Self { Self(microseconds: a.microseconds - b.microseconds) }
    package static func += (a: inout Self, b: Self) { a = a + b }
    package static func * (a: Self, b: Int64) -> Self { Self(microseconds: a.microseconds * b) }
    package static prefix func - (a: Self) -> Self { Self(microseconds: -a.microseconds) }
    package var magnitude: Self { Self(microseconds: abs(microseconds)) }
}

extension Timestamp: Codable {
    package init(from decoder: any Decoder) throws {
        microseconds = try decoder.singleValueContainer().decode(Int64.self)
    }
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}

extension Span: Codable {
    package init(from decoder: any Decoder) throws {
        microseconds = try decoder.singleValueContainer().decode(Int64.self)
    }
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}
