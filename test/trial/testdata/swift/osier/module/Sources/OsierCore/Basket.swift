/// A basket that can be woven.
public struct Basket: Sendable, Equatable {
    /// What the rows are made of, from the bottom.
    public private(set) var parts: [Part]
    /// How the edge is finished.
    public let rim: Rim
    /// Whether ``finish(_:)`` was called.
    public private(set) var isFinished = false

    /// Puts a basket together.
    ///
    /// - Parameters:
    ///   - rim: How the edge is finished.
    ///   - options: How it is woven.
    ///   - parts: A ``Base`` and what stands on it.
    /// - Throws: ``WeaveError/noBase`` if the first part is no base.
    public init(rim: Rim = .rolled, options: Options = Options(), @BasketBuilder parts: () -> [Part]) throws {
        self.rim = rim
        self.parts = parts()
    }

    /// Weaves further rows on top.
    public mutating func weave(_ row: Row) {
        parts.append(row)
    }

    /// Weaves one row again and again until the basket is so high.
    ///
    /// - Returns: How many rows that took.
    @discardableResult
    public mutating func weave(_ row: Row, upTo height: Int) -> Int { 0 }

    /// Closes the basket. See the article on knots for what must be done before.
    ///
    /// - Throws: ``WeaveError/loose`` if a strand is not tied.
    public consuming func finish(_ knot: Knot = .hitch) throws(WeaveError) -> Basket { self }

    /// Ties a strand.
    public mutating func tie(_ strand: Strand, with knot: Knot) {}

    /// Lets the willow rest, so that knots hold.
    public mutating func settle(hours: Int = 8) {}

    /// How it is woven.
    public struct Options: Sendable {
        /// Hours that willow is soaked. Not set: 6 for brown willow, 2 for white.
        public var soaking: Int?
        /// What becomes of stakes that break. Not set: the neighbour is doubled.
        public var repair: Repair?
        /// Millimetres that a row may be off. Not set: 3.
        public var slack: Int?
        /// Whether the outside is the side with the bark. Not set: yes.
        public var barkOut: Bool?

        public init(soaking: Int? = nil, repair: Repair? = nil, slack: Int? = nil, barkOut: Bool? = nil) {
            self.soaking = soaking
            self.repair = repair
            self.slack = slack
            self.barkOut = barkOut
        }
    }

    /// What becomes of a stake that breaks.
    public enum Repair: Sendable { case double, splice, refuse }
}

/// How the edge is finished.
public enum Rim: Sendable, Hashable {
    case rolled
    case plaited
    /// With a handle of so many strands.
    case handled(strands: Int)
}

/// What cannot be woven.
public enum WeaveError: Error, Sendable, Equatable {
    case noBase
    /// A strand is not tied.
    case loose
    case brittle(hours: Int)
}

/// A strand of willow.
public struct Strand: Sendable, Hashable, ExpressibleByStringLiteral {
    public let name: String
    public init(stringLiteral value: String) { name = value }
}

/// How two strands are tied.
public enum Knot: Sendable { case hitch, reef, bend }
