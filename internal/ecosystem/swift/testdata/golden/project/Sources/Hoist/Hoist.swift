import Boards

/// How heavy a load is.
public enum Weight: String, Codable, Sendable {
    case light, heavy = "very heavy"
    case unknown
    public static postfix func ++ (w: Weight) -> Weight { w }
}

postfix operator ++

/// A load, which is coded.
public struct Load: Codable, Hashable {
    public let name: String
    public var weight: Weight = .light { willSet { print(newValue) } didSet { print(oldValue) } }
    public var parts: [Load]?
    @available(*, deprecated, renamed: "name") public var title: String { name }
    enum CodingKeys: String, CodingKey { case name = "n", weight, parts }
}

/// What can be lifted.
public protocol Liftable<Cargo> {
    associatedtype Cargo
    /// Lifts it.
    ///
    /// - Parameter height: In metres.
    /// - Returns: What was lifted.
    /// - Throws: ``Jam`` if the rope is stuck.
    func lift(to height: Double) throws(Jam) -> Cargo
    static func make() -> Self
}

extension Liftable {
    public static func make() -> Self { fatalError() }
    public func liftAll(_ all: [Self]) -> [Cargo] where Cargo: Sendable { [] }
}

extension Liftable where Cargo == Load { public var total: Int { 0 } }

public struct Jam: Error { public let rope: Int; public init(rope: Int) { self.rope = rope } }

/// A rope with as many strands as its type says.
public struct Rope<let strands: Int, Material: ~Copyable>: ~Copyable {
    public init() {}
    public mutating func splice(_ other: consuming Rope) {}
    public func holds(_ load: borrowing Load, for time: Duration = .seconds(1)) -> Bool { true }
    deinit {}
}

extension Rope: Sendable where Material: Sendable {}

open class Crane: Liftable {
    public typealias Cargo = Load
    unowned let owner: Crane?
    public internal(set) var load: Load?
    public lazy var log: [String] = []
    public static let standard = Crane(), shared: Crane? = nil
    public required init() { owner = nil }
    public init?(owner: Crane) { self.owner = owner }
    open func lift(to height: Double) throws(Jam) -> Load { throw Jam(rope: 1) }
    public func swing<each T: Sendable>(_ all: repeat each T, then done: sending @escaping (repeat each T) -> Void) async {}
    public func hold(isolation: isolated (any Actor)? = #isolation, _ body: @Sendable () async throws -> Void) async rethrows {}
    open class var limit: Double { 10 }
    public class func check(_ ropes: inout [Int]..., strictly: @autoclosure () -> Bool = true) {}
    public subscript<K: Hashable>(key: K) -> K? where K: Sendable { get { nil } set {} }
    public static subscript(i: Int) -> Int { i }
    public func callAsFunction(_ load: Load) {}
    @MainActor public var title: String { get async throws { "" } }
    @_disfavoredOverload public func swing(_ x: Int) {}
    @available(macOS 14, iOS 17, *) @backDeployed(before: macOS 15) public func later() {}
    @available(*, unavailable, message: "No.") public func never() {}
}

public final class Winch: Crane {
    override public func lift(to height: Double) throws(Jam) -> Load { try super.lift(to: height) }
    override public class var limit: Double { 20 }
}

#if HEAVY
public func hoist(_ load: some Liftable<Load> & Sendable, by crane: any Liftable) -> some Collection<Int> { [1] }
#else
public func light() {}
#endif
#if os(macOS)
public func onlyMac() {}
#endif

public let (left, right) = (1, "r"), matrix = [[1.5]], pattern = /(?<key>\w+)=(.*)/
public typealias Handler<T> = @MainActor (Result<T, any Error>) async -> (first: T, Int)?
@freestanding(declaration, names: arbitrary) public macro tie(_ knots: Int...) = #externalMacro(module: "Macros", type: "Tie")
