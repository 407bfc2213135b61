import Boards

/// Joins boards.
public protocol Joint<Part>: AnyObject, Sendable {
    associatedtype Part: Hashable = Int where Part: Sendable
    associatedtype Strength
    static var kinds: [String] { get }
    var parts: [Part] { get set }
    init(parts: [Part])
    func join(_ a: Part, with b: Part) async throws -> Strength
    subscript(i: Int) -> Part { get }
    /// Can be left out.
    func check() -> Bool
    static func < (a: Self, b: Self) -> Bool
}

extension Joint {
    public func check() -> Bool { true }
    /// For all joints.
    public func describe() -> String { "" }
}

extension Joint where Part == Int { public var sum: Int { 0 } }

public protocol Movable { func move(by: Double) }
public protocol Both: Movable, Joint where Strength == Double {}
public typealias Any2 = Movable & Sendable

/// A hinge.
open class Hinge: Movable {
    open var angle: Double { get { 0 } set { } }
    public final let pin: String
    public class var common: Int { 1 }
    public init(pin: String) { self.pin = pin }
    public convenience init() { self.init(pin: "") }
    public required init(from other: Hinge) { pin = other.pin }
    deinit {}
    open func move(by: Double) {}
    open class func make() -> Hinge { Hinge() }
    public func fixed() {}
    @objc public dynamic func selector(_ sender: Any?) {}
}

public final class Door: Hinge { public override func move(by x: Double) {}; public required init(from other: Hinge) { super.init(pin: "") }; public var handle: (any Joint)? }

/// Works alone.
public actor Robot {
    public var jobs: [String] = []
    public init() {}
    public func work(on job: String) async -> Bool { true }
    public nonisolated var id: Int { 1 }
    public nonisolated func stop() {}
}

@globalActor public actor BenchActor { public static let shared = BenchActor() }
@BenchActor public final class Bench { public var load = 0 }
@dynamicMemberLookup public struct Drawer { public subscript(dynamicMember m: String) -> Int { 0 } }
@resultBuilder public enum Stack { public static func buildBlock(_ parts: String...) -> [String] { parts } }
public struct Moveonly: ~Copyable { public consuming func use() {}; public borrowing func look() {} }
infix operator <+>: AdditionPrecedence
precedencegroup Fitting { higherThan: AdditionPrecedence associativity: left }
public func <+> (a: Hinge, b: Hinge) -> Hinge { a }
