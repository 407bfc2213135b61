package module

import (
	"strings"
	"testing"
)

// expectDeclared compares the declarations of modules, one per line, with what the compiler prints.
func expectDeclared(t *testing.T, cases []struct{ name, source, want string }) {
	t.Helper()
	for _, tt := range cases {
		if got := strings.Join(lines(read(t, packageOf(strings.TrimPrefix(tt.source, "\n"))).Symbols, 0), "\n"); got != strings.Trim(tt.want, "\n") {
			t.Errorf("%s: got\n%s\nwant%s", tt.name, got, tt.want)
		}
	}
}

func TestRequirements_OfGenericTypes(t *testing.T) {
	expectDeclared(t, []struct{ name, source, want string }{
		{"in a protocol's extension", `
public struct Box<T> where T: Hashable {}
public protocol Shelf { associatedtype Item; associatedtype Key: Hashable }
extension Shelf {
  public func put(_ b: Box<Item>) {}
  public func key(_ b: Box<Key>) {}
  public func own(_ b: Box<Self>) {}
  public func some<T>(_ b: Box<T>) {}
}
`, `
struct Box<T> where T : Hashable
protocol Shelf
  associatedtype Item
  associatedtype Key : Hashable
  func put(_ b: Box<Item>) where Self.Item : Hashable
  func key(_ b: Box<Key>)
  func own(_ b: Box<Self>) where Self : Hashable
  func some<T>(_ b: Box<T>) where T : Hashable
`},
		{"requirements that are stated in another form", `
public struct Box<T: Equatable> {}
public func a<T: Hashable>(_ b: Box<T>) {}
public func b<T: Comparable>(_ b: Box<T>) {}
public func c<T>(_ b: Box<T>) where T: Equatable {}
public func d(_ b: Box<some Hashable>) {}
public func e<T>(_ b: [Box<T>], _ c: (Box<T>) -> Void) -> Box<T>? { nil }
`, `
struct Box<T> where T : Equatable
func a<T>(_ b: Box<T>) where T : Hashable
func b<T>(_ b: Box<T>) where T : Comparable
func c<T>(_ b: Box<T>) where T : Equatable
func d(_ b: Box<some Hashable>)
func e<T>(_ b: [Box<T>], _ c: (Box<T>) -> Void) -> Box<T>? where T : Equatable
`},
		{"requirements of associated types", `
public struct Lines<C> where C: Collection, C.Element: StringProtocol {}
public func lines<C>(_ l: Lines<C>) {}
public func words<C>(_ l: Lines<C>) where C: RandomAccessCollection {}
`, `
struct Lines<C> where C : Collection, C.Element : StringProtocol
func lines<C>(_ l: Lines<C>) where C : Collection, C.Element : StringProtocol
func words<C>(_ l: Lines<C>) where C : RandomAccessCollection, C.Element : StringProtocol
`},
		{"equal types", `
public struct Pair<A, B> where A: Sequence, B == A.Element {}
public func f<A, B>(_ p: Pair<A, B>) {}
`, `
struct Pair<A, B> where A : Sequence, B == A.Element
func f<A, B>(_ p: Pair<A, B>) where A : Sequence, B == A.Element
`},
		{"classes", `
open class Base {}
public struct Holder<T: Base> {}
public func f<T>(_ h: Holder<T>) {}
public func g<T: Base>(_ h: Holder<T>) {}
`, `
open class Base
struct Holder<T> where T : Base
func f<T>(_ h: Holder<T>) where T : Base
func g<T>(_ h: Holder<T>) where T : Base
`},
	})
}

func TestExtensions_Constraints(t *testing.T) {
	expectDeclared(t, []struct{ name, source, want string }{
		{"of a generic type", `
public struct Box<T> { public var t: T }
extension Box where T: Hashable { public func a() {} }
extension Box where T == Int { public func b() {}; public var c: T { 1 } }
extension Box where T: Collection, T.Element == String { public func d() {} }
extension Box<Double> { public func e() {} }
extension Box { public func f() where T: Error {}; public struct In { public var u: T } }
`, `
struct Box<T>
  var t: T
  func a() where T : Hashable
  func b() where T == Int
  var c: T where T == Int { get }
  func d() where T : Collection, T.Element == String
  func e() where T == Double
  func f() where T : Error
  struct In
    var u: T
`},
		{"of a protocol", `
public protocol P { associatedtype A; associatedtype B }
extension P where A == B { public func same() {} }
extension P where Self: AnyObject { public func object() {} }
extension P where A: Sequence, A.Element == B { public func all() {} }
`, `
protocol P
  associatedtype A
  associatedtype B
  func same() where A == B
  func object() where Self : AnyObject
  func all() where A : Sequence, A.Element == B
`},
		{"conditional conformances", `
public struct Box<T> { public var t: T }
public protocol P { func p() }
extension Box: Equatable where T: Equatable {}
extension Box: P where T == Int { public func p() {} }
extension Box: Sequence, IteratorProtocol where T: IteratorProtocol { public mutating func next() -> T.Element? { nil } }
`, `
struct Box<T>
  var t: T
  func p() where T == Int
  mutating func next() -> T.Element? where T : IteratorProtocol
  extension Box : Equatable where T : Equatable
  extension Box : P where T == Int
  extension Box : Sequence, IteratorProtocol where T : IteratorProtocol
protocol P
  func p()
`},
	})
}

func TestDeclarations_Features(t *testing.T) {
	expectDeclared(t, []struct{ name, source, want string }{
		{"properties", `
public struct S {
  public var a: Int, b = 2
  public private(set) var c: String = ""
  public internal(set) static var d = true
  public let e: Int
  public lazy var f: [Int] = []
  public var g: Int { get throws { 1 } }
  public var h: Int { get async { 1 } }
  public var i: Int { get { 1 } nonmutating set {} }
  public var j: Int = 1 { didSet {} }
  public var k: Int { mutating get { 1 } }
  public static var l: Int { 1 }
  @usableFromInline var m: Int
}
`, `
struct S
  var a: Int
  var b: Int
  var c: String { get }
  static var d: Bool { get }
  let e: Int
  lazy var f: [Int] { mutating get set }
  var g: Int { get throws }
  var h: Int { get async }
  var i: Int { get nonmutating set }
  var j: Int { get set }
  var k: Int { mutating get }
  static var l: Int { get }
`},
		{"functions", `
public func a(_ x: inout Int, y z: String = "a", w: Int...) throws -> [Int]? { nil }
public func b() async throws(Bad) -> Never { fatalError() }
public func c(_ f: @escaping @Sendable (Int) async -> Void, _ g: @autoclosure () throws -> Bool) rethrows {}
public func d<each T>(_ t: repeat each T) -> (repeat each T) { (repeat each t) }
public func e(_ x: borrowing Int, _ y: consuming [Int], _ z: sending Int) {}
public func f(_ x: some Collection<Int>, _ y: any P & Q) -> some P { x }
@discardableResult public func g() -> Int { 1 }
@MainActor public func h() {}
@available(iOS 13, macOS 10.15, *) public func i() {}
@inlinable public func j() {}
public struct Bad: Error {}
public protocol P {}
public protocol Q {}
`, `
func a(_ x: inout Int, y z: String = "a", w: Int...) throws -> [Int]?
func b() async throws(Bad) -> Never
func c(_ f: @escaping @Sendable (Int) async -> Void, _ g: @autoclosure () throws -> Bool) rethrows
func d<each T>(_ t: repeat each T) -> (repeat each T)
func e(_ x: borrowing Int, _ y: consuming [Int], _ z: sending Int)
func f(_ x: some Collection<Int>, _ y: any P & Q) -> some P
@discardableResult func g() -> Int
@MainActor func h()
func i()
func j()
struct Bad : Error
protocol P
protocol Q
`},
		{"classes", `
open class A {
  public init(x: Int) {}
  public required init?(y: Int) {}
  public convenience init() { self.init(x: 1) }
  open func f() {}
  public final func g() {}
  public class func h() {}
  open class var i: Int { 1 }
  open subscript(i: Int) -> Int { 1 }
  deinit {}
}
public final class B: A {
  override public func f() {}
  override public class func h() {}
}
public actor C { public func run() {}; public nonisolated func peek() {}; public init() {} }
`, `
open class A
  init(x: Int)
  required init?(y: Int)
  convenience init()
  open func f()
  final func g()
  class func h()
  open class var i: Int { get }
  open subscript(i: Int) -> Int { get }
final class B : A
  override func f()
  override class func h()
  final func g() (from A)
  open class var i: Int { get } (from A)
  open subscript(i: Int) -> Int { get } (from A)
actor C
  func run()
  nonisolated func peek()
  init()
`},
		{"enumerations", `
public enum A: Int, CaseIterable { case a = 1, b; case c }
public indirect enum B<T> { case leaf(T), node(B<T>, value: T? = nil), none }
@frozen public enum C { case a; public static func make() -> C { .a } }
public enum D { public static let x = 1 }
`, `
enum A : Int, CaseIterable
  case a = 1
  case b
  case c
  init?(rawValue: Int)
indirect enum B<T>
  case leaf(T)
  case node(B<T>, value: T? = nil)
  case none
enum C
  case a
  static func make() -> C
enum D
  static let x: Int = 1
`},
		{"protocols", `
public protocol P<Item>: AnyObject, Sendable {
  associatedtype Item: Hashable = Int
  associatedtype Other where Other: Sequence, Other.Element == Item
  init(x: Int)
  static var shared: Self { get }
  var name: String { get set }
  func f(_ i: Item) async throws
  subscript(i: Item) -> Int { get }
  static func == (a: Self, b: Self) -> Bool
}
`, `
protocol P<Item> : AnyObject, Sendable
  associatedtype Item : Hashable = Int
  associatedtype Other : Sequence where Other.Element == Item
  init(x: Int)
  static var shared: Self { get }
  var name: String { get set }
  func f(_ i: Item) async throws
  subscript(i: Item) -> Int { get }
  static func == (a: Self, b: Self) -> Bool
`},
		{"property wrappers, builders and macros", `
@propertyWrapper public struct Wrap<V> { public var wrappedValue: V; public var projectedValue: Int { 1 }; public init(wrappedValue: V) {} }
public struct S { @Wrap public var a: Int = 1; @Wrap var hidden = 2 }
@resultBuilder public enum Build { public static func buildBlock(_ x: Int...) -> [Int] { x } }
public func make(@Build _ body: () -> [Int]) {}
@freestanding(expression) public macro stringify<T>(_ v: T) -> (T, String) = #externalMacro(module: "M", type: "S")
@attached(member) public macro Add() = #externalMacro(module: "M", type: "A")
@dynamicMemberLookup public struct D { public subscript(dynamicMember n: String) -> Int { 1 } }
`, `
@propertyWrapper struct Wrap<V>
  var wrappedValue: V
  var projectedValue: Int { get }
  init(wrappedValue: V)
struct S
  @Wrap var a: Int { get set }
@resultBuilder enum Build
  static func buildBlock(_ x: Int...) -> [Int]
func make(@Build _ body: () -> [Int])
@freestanding(expression) macro stringify<T>(_ v: T) -> (T, String)
@attached(member) macro Add()
@dynamicMemberLookup struct D
  subscript(dynamicMember n: String) -> Int { get }
`},
		{"operators and aliases", `
infix operator <+>: AdditionPrecedence
prefix operator √
public struct N { public static func <+> (a: N, b: N) -> N { a }; public static prefix func √ (a: N) -> N { a } }
public func <+> (a: Int, b: Int) -> Int { a }
public typealias Pair<T> = (first: T, second: T)
public typealias Handler = @Sendable (Result<Int, any Error>) -> Void
`, `
infix operator <+> : AdditionPrecedence
prefix operator √
struct N
  static func <+> (a: N, b: N) -> N
  prefix static func √ (a: N) -> N
func <+> (a: Int, b: Int) -> Int
typealias Pair<T> = (first: T, second: T)
typealias Handler = @Sendable (Result<Int, any Error>) -> Void
`},
		{"names that need backquotes", "\npublic enum K { case `default`, `self`; public static func `init`(`in`: Int) {} }\npublic func `class`(for `where`: Int) {}\n", "\nenum K\n  case `default`\n  case `self`\n  static func `init`(in: Int)\nfunc `class`(for where: Int)\n"},
	})
}

func TestGraph_Relations(t *testing.T) {
	const source = `
public protocol Base { func base(); var name: String { get } }
public protocol Derived: Base { associatedtype Item; func own() }
extension Base { public func base() {}; public func extra() {} }
public struct S: Derived { public typealias Item = Int; public func own() {}; public var name: String { "" } }
open class A: Base { public var name: String { "" }; open func f() {}; public init(x: Int) {} }
public class B: A { override public func f() {}; override public init(x: Int) { super.init(x: x) } }
public struct G<T> {}
extension G: Base where T: Base { public var name: String { "" } }
public enum E: Error { case a }
`
	for _, tt := range []struct {
		kind RelationKind
		want string
	}{
		{InheritsFrom, "B A"},
		{RequirementOf, "Base.base() Base\nBase.name Base\nDerived.Item Derived\nDerived.own() Derived"},
		{Overrides, "B.f() A.f()\nB.init(x:) A.init(x:)"},
		{DefaultImplementationOf, "Base.base() Base.base()"},
		{InheritedMember, "A.base() Base.base()\nA.extra() Base.extra()\nG.base() Base.base()\nG.extra() Base.extra()\nS.base() Base.base()\nS.extra() Base.extra()"},
	} {
		if got := relations(t, source, tt.kind); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.kind, got, tt.want)
		}
	}
}
