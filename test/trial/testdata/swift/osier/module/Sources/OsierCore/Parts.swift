/// What a basket is put together of.
public protocol Part: Sendable {
    /// Millimetres that it adds to the height.
    var height: Int { get }
    /// Grams of willow that it takes for a basket with so many stakes.
    func weight(stakes: Int) -> Int
    /// Rows after which it begins anew.
    static var period: Int { get }
}

extension Part {
    public static var period: Int { 2 }
    /// Twice the height for each stake.
    public func weight(stakes: Int) -> Int { 2 * height * stakes }
}

/// The bottom with its stakes.
public struct Base: Part {
    public let stakes: Int
    public var height: Int { 10 }
    public init(stakes: Int) { self.stakes = stakes }
}

/// The same row some times.
public struct Row: Part {
    /// How it passes the stakes.
    public enum Stroke: Sendable {
        /// Before one, behind one.
        case rand
        /// Before two, behind one, with three strands.
        case wale
        /// Two strands that twist between the stakes.
        case pair
    }

    public var height: Int { 6 * times }
    let times: Int

    /// - Parameter times: How often. `nil` goes on until the rod ends, which is about 4.
    public init(_ stroke: Stroke, times: Int? = nil) { self.times = times ?? 4 }
}

/// Puts parts together, with `if` and `for`.
@resultBuilder
public enum BasketBuilder {
    public static func buildExpression(_ part: some Part) -> [any Part] { [part] }
    public static func buildBlock(_ parts: [any Part]...) -> [any Part] { parts.flatMap { $0 } }
    public static func buildOptional(_ parts: [any Part]?) -> [any Part] { parts ?? [] }
    public static func buildArray(_ parts: [[any Part]]) -> [any Part] { parts.flatMap { $0 } }
}
