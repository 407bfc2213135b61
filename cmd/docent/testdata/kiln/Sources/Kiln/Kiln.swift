/// Fires pots.
public actor Kiln {
    /// How a kiln is made.
    public struct Options: Sendable {
        /// Degrees. Not set: 900.
        public var heat: Int?
        /// Where the heat comes from. Not set: gas.
        public var source: Source?
        public init() {}
    }

    /// Where heat comes from.
    public enum Source: Sendable { case gas, wood(Wood) }

    public init(options: Options = Options()) {}
    public init(copying other: Plan, with glaze: Glaze?) {}

    /// Fires pots.
    public func fire(_ pots: [Pot], until stage: Stage, progress: (Progress) -> Void) async throws(KilnError) -> [Pot: Outcome] { [:] }
    public func load(_ pot: Pot, on shelf: Shelf = .middle) -> Bool { true }
    public func glaze<C: Coat>(_ pot: inout Pot, with coat: C, by brush: some Brush) {}
    public func cool(to stage: Stage?, vents: Set<Vent> = []) -> Curve { Curve() }
    public static func merged(_ plans: Plan...) -> Plan { Plan() }
    public subscript(shelf: Shelf) -> [Pot] { [] }
    public func check(_ rules: [any Rule], against plan: Plan) -> Result<Curve, KilnError> { fatalError() }
    public func follow(_ curve: Curve, handler: @escaping Handler) {}
}

/// A pot.
public struct Pot: Hashable, Sendable { public var clay: Clay }
public enum Clay: Sendable { case red, white, porcelain(grade: Int) }
public struct Wood: Sendable { public let kind: String }
public enum Stage: Sendable { case drying, biscuit, glost }
public struct Progress: Sendable { public let degrees: Int }
public enum KilnError: Error { case cold, cracked(Pot) }
public struct Outcome: Sendable { public let whole: Bool }
public enum Shelf: Sendable { case top, middle, bottom }
public protocol Coat { var colour: Colour { get } }
public struct Colour: Sendable { public let name: String }
public struct Glaze: Coat { public let colour: Colour }
public protocol Brush { func stroke(_ colour: Colour) }
public struct Vent: Hashable, Sendable { public let side: String }
public struct Curve: Sendable { public var points: [Int] = [] }
public struct Plan: Sendable { public var stages: [Stage] = [] }
public protocol Rule { func allows(_ plan: Plan) -> Bool }
public typealias Handler = (Progress) -> Void

extension Pot {
    public init(of clay: Clay, turnedBy potter: Potter) { self.clay = clay }
    public func painted(_ colour: Colour, at spot: Spot) -> Pot { self }
}
public struct Potter: Sendable { public let name: String }
public struct Spot: Sendable { public let x: Int, y: Int }

/// Sorts pots for a firing.
public func sorted(_ pots: [Pot], by order: Order, in shelf: Shelf) -> [Pot] { pots }
public enum Order: Sendable { case height, width }
public func plan(for pots: [Pot], budget: Budget) -> Plan { Plan() }
public struct Budget: Sendable { public var wood: [Wood] = [] }
