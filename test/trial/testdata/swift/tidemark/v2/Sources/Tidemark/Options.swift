extension Ledger {
    /// How a ledger is kept. What is `nil` is as the comments say.
    public struct Options: Sendable {
        /// What becomes of a height at a minute that has one. Not set: the higher one stays.
        public var clash: Clash?
        /// Minutes within which two heights count as one. Not set: 5.
        public var grain: Int?
        /// What heights are measured from. Not set: ``Datum/chart``.
        public var datum: Datum?
        /// Minutes between two notes that are filled by a straight line. Not set: 90. With 0 nothing is filled.
        public var reach: Int?
        /// Decimals that ``Ledger/height(at:)`` rounds to. Not set: 2.
        public var decimals: Int?
        /// Whether what lies below the datum is kept. Not set: it is dropped.
        public var submerged: Bool?

        public init() {}
    }
}

/// What becomes of the second height at one minute.
public enum Clash: Sendable, CaseIterable {
    /// The first one stays.
    case keep
    /// The second one takes its place.
    case replace
    /// The higher one stays.
    case higher
    /// The lower one stays.
    case lower
    /// Both count half.
    case mean
}

/// What heights are measured from.
public enum Datum: Sendable, Hashable {
    /// The lowest tide that there can be.
    case chart
    /// Mean sea level.
    case meanSea
    /// A mark on land, so many metres above mean sea level.
    case benchmark(Double)

    static let stations: [String: Datum] = ["leith": .chart, "thule": .benchmark(4)]
}

/// A height in another unit.
public struct Measure: Sendable {
    /// The height, rounded to whole centimetres.
    public let metres: Double

    public static func feet(_ value: Double) -> Measure { Measure(metres: value * 0.3048) }
    public static func fathoms(_ value: Double) -> Measure { Measure(metres: value * 1.8288) }
}
