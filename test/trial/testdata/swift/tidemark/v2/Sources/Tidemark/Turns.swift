/// A high or a low water.
public struct Turn: Sendable, Hashable {
    public enum Kind: Sendable { case high, low }
    public let minute: Int
    public let height: Double
    public let kind: Kind
}

extension Ledger {
    /// High and low waters, in order.
    ///
    /// - Parameters:
    ///   - minutes: Where to look.
    ///   - least: How far a turn must be from the one before, in metres; smaller ones are ripples.
    public func turns(in minutes: Range<Int>, least: Double = 0.1) -> [Turn] { [] }

    /// The highest noted height of each tide, without low waters. Ripples count.
    public func peaks(in minutes: Range<Int>) -> [Turn] { [] }

    /// All stretches above a height, in order.
    public func spans(above height: Double, in minutes: Range<Int>) -> [Range<Int>] { [] }

    /// The first stretch above a height that lasts so long.
    ///
    /// - Parameters:
    ///   - height: It must be above this all the time.
    ///   - minutes: How long at least.
    ///   - start: Where to begin; a stretch that has begun before is cut there.
    /// - Returns: All of the stretch, also if it is longer; `nil` if there is none.
    public func window(above height: Double, lasting minutes: Int, from start: Int = 0) -> Range<Int>? { nil }

    /// The first stretch below a height that lasts so long.
    public func window(below height: Double, lasting minutes: Int, from start: Int = 0) -> Range<Int>? { nil }
}

extension Ledger {
    /// Both ledgers in one.
    ///
    /// - Parameters:
    ///   - other: Its minutes count from the same origin.
    ///   - clash: What becomes of minutes that both have. The options of this ledger do not count here.
    public func merged(with other: Ledger, taking clash: Clash = .keep) -> Ledger { self }

    /// The ledger later by some minutes, and higher by some metres.
    public func shifted(by minutes: Int, raised metres: Double = 0) -> Ledger { self }

    /// The ledger with heights from another datum.
    public func rebased(to datum: Datum) -> Ledger { self }
}

extension Ledger: Sequence {
    /// What was noted, by minute. Filled heights are not among them; see ``every(_:in:)``.
    public func makeIterator() -> AnyIterator<(minute: Int, height: Double)> { AnyIterator { nil } }

    /// A height each so many minutes, filled where it must be; minutes without a height are left out.
    public func every(_ step: Int, in minutes: Range<Int>) -> [(minute: Int, height: Double)] { [] }
}
