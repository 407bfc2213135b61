import Tools

/// A board.
public struct Board<Wood, let n: Int>: Hashable where Wood: Hashable {
    /// In metres.
    public var length: Double
    public internal(set) var width = 1.0
    var hidden = 0
    public static let standard: Double = 2
    public lazy var tone: String = { "" }()
    @Clamped(0...1) public var gloss: Double = 0
    public weak var owner: AnyObject?

    /// Makes a board.
    public init(_ length: Double, of wood: Wood? = nil) { fatalError() }
    public init?(text: String) { nil }
    public init<S: Sequence>(all: S) throws where S.Element == Wood { fatalError() }

    public subscript(index: Int) -> Wood { get { fatalError() } set { } }
    public static subscript<T>(key k: T, default d: @autoclosure () -> T) -> T { d() }

    public mutating func cut(at position: Double) -> Self { self }
    public static func + (a: Self, b: Self) -> Self { a }
    public static prefix func - (a: Self) -> Self { a }
    public func callAsFunction(_ x: Int) {}
    public enum Side { case left, right }
    public struct Knot { public let size: Int }
    public static func == (a: Self, b: Self) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}

@propertyWrapper
public struct Clamped { public var wrappedValue: Double; public init(wrappedValue: Double, _ range: ClosedRange<Double>) { self.wrappedValue = wrappedValue } }

/// An error of boards.
public enum Flaw: String, Error, CaseIterable, Codable {
    /// Bent.
    case bent = "b"
    case split, rotten
}

public indirect enum Plan {
    case empty
    case step(name: String, _ next: Plan = .empty)
    case cut(Double), both(Plan, Plan)
    public var steps: Int { 0 }
}

@frozen public enum Unit: Int, Sendable { case metre = 1, inch }

public struct Options: OptionSet { public let rawValue: Int; public init(rawValue: Int) { self.rawValue = rawValue }; public static let dry = Options(rawValue: 1) }

extension Board { public func plane() {} ; func internalOne() {} }
public extension Board where Wood == String { var label: String { "" }; private func no() {} }
extension Board: CustomStringConvertible { public var description: String { "" } }
extension Blunt { public func again() -> Board<Int, 3>? { nil }; public func copy(_ other: Blunt) -> Blunt { self } }
extension Array where Element == Flaw { public var worst: Flaw? { first } }
