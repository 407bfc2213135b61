import OsierCore

/// A colour from plants.
public struct Dye: Sendable, Hashable {
    /// From madder.
    public static let madder = Dye(grams: 40)
    /// From weld.
    public static let weld = Dye(grams: 55)
    let grams: Int
    /// - Parameter grams: Dye for a kilo of willow.
    public init(grams: Int) { self.grams = grams }
}

extension Basket {
    /// Colours rows.
    ///
    /// - Parameters:
    ///   - dye: The colour.
    ///   - every: Only each so many rows; 1 is all of them.
    ///   - fast: Whether it must not fade, which takes alum. Not given: it may.
    /// - Returns: Grams of dye that it takes.
    @discardableResult
    public mutating func dye(_ dye: Dye, every: Int = 1, fast: Bool = false) -> Int { 0 }

    /// Colours strands before they are woven; ``dye(_:every:fast:)`` colours rows.
    @discardableResult
    public mutating func dip(_ dye: Dye, strands: [Strand]) -> Int { 0 }
}
