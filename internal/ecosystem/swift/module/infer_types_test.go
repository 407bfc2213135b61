package module

import "testing"

func TestInfer_InTypes(t *testing.T) {
	expectDeclared(t, []struct{ name, source, want string }{
		{"members of the type itself", `
public struct S {
  public static let one = S(), two = Self(), three = make(), four = Self.make(), five = S.one.next
  public static let list = [one, two], pair = (one, 1), table = ["a": one]
  public static func make() -> S { S() }
  public var next: Self { self }
  public init() {}
  public let own = S.one
  public static let count = list.count, first = list.first, kind = Kind.a, raw = Kind.a.rawValue
  public enum Kind: String { case a }
}
`, `
struct S
  static let one: S
  static let two: S
  static let three: S
  static let four: S
  static let five: S
  static let list: [S]
  static let pair: (S, Int)
  static let table: [String : S]
  static func make() -> S
  var next: Self { get }
  init()
  let own: S
  static let count: Int
  static let first: S?
  static let kind: S.Kind
  static let raw
  enum Kind : String
    case a
    init?(rawValue: String)
`},
		{"a generic type's parameters are not known", `
public struct Box<T> {
  public init(_ t: T) {}
  public static func make(_ t: T) -> Box<T> { Box(t) }
  public var value: T { fatalError() }
  public let other = unknown()
}
public let a = Box(1), b = Box<String>("").value, c = Box([1.5]).value, d = Box.make("x")
`, `
struct Box<T>
  init(_ t: T)
  static func make(_ t: T) -> Box<T>
  var value: T { get }
  let other
let a: Box<Int>
let b
let c
let d
`},
		{"values of another module", `
-- M/a.swift --
import Other
public let a = Theirs(), b = Theirs.shared, c = Other.Theirs.shared.name, d = load(), e = Other.load()
public struct Own: Named {}
public let f = Own().title, g = Own.common
-- Other/b.swift --
public struct Theirs { public init() {}; public static let shared = Theirs(); public var name: String { "" } }
public func load() -> [Theirs] { [] }
public protocol Named {}
extension Named { public var title: String { "" }; public static var common: Int { 1 } }
`, `
let a: Theirs
let b: Theirs
let c: String
let d: [Theirs]
let e: [Theirs]
struct Own : Named
  var title: String { get } (from Named)
  static var common: Int { get } (from Named)
let f: String
let g: Int
`},
		{"overloads that labels decide", `
public struct S { public init() {} }
public struct T { public init() {} }
public func pick(_ a: Int) -> S { S() }
public func pick(named a: Int) -> T { T() }
public func pick(a: Int, b: Int = 0) -> [S] { [] }
public func twice(_ a: Int) -> S { S() }
public func twice(_ a: String) -> T { T() }
public let a = pick(1), b = pick(named: 1), c = pick(a: 1), d = pick(a: 1, b: 2), e = twice(1)
`, `
struct S
  init()
struct T
  init()
func pick(_ a: Int) -> S
func pick(named a: Int) -> T
func pick(a: Int, b: Int = 0) -> [S]
func twice(_ a: Int) -> S | func twice(_ a: String) -> T
let a: S
let b: T
let c: [S]
let d: [S]
let e: S
`},
		{"effects and casts", `
public func risky() throws -> Int { 1 }
public func later() async -> [Int] { [] }
public let a = try! risky(), b = try? risky(), d = 1 as Any, e = risky as () throws -> Int, f = later
public let g = "a" as NSString, h = [1, 2] as Set<Int>, i = (1, 2) as (Int, Double)
`, `
func risky() throws -> Int
func later() async -> [Int]
let a: Int
let b: Int?
let d: Any
let e: () throws -> Int
let f
let g: NSString
let h: Set<Int>
let i: (Int, Double)
`},
		{"enumerations with payloads", `
public enum E { case plain, one(Int), many(a: Int, b: String = "") }
public let a = E.plain, b = E.one(1), c = E.many(a: 1), d: E = .one(2), e = [E.plain, .one(1)], f = E.one
`, `
enum E
  case plain
  case one(Int)
  case many(a: Int, b: String = "")
let a: E
let b: E
let c: E
let d: E
let e
let f
`},
		{"private and lazy properties", `
public struct S {
  public private(set) var a = 1
  public lazy var b = "x"
  public static var c = [String: [Int]]()
  public var d = Optional<Int>.none, e = Array<Int>(), f = Dictionary<String, Int>()
  public var g = 1 { didSet {} }
  var hidden = 1
}
`, `
struct S
  var a: Int { get }
  lazy var b: String { mutating get set }
  static var c: [String : [Int]]
  var d: Optional<Int>
  var e: Array<Int>
  var f: Dictionary<String, Int>
  var g: Int { get set }
`},
		{"conditional values", `
public let flag = true
public let a = flag ? "x" : "y", b = flag ? 1 : nil, c = flag ? [1] : [], d = flag ? other : 1
public let e = Int("1") ?? 0, f = ["a"].first ?? "b", g = (flag ? 1 : 2) + 3
`, `
let flag: Bool = true
let a: String
let b: Int?
let c
let d
let e: Int
let f: String
let g: Int
`},
	})
}

func TestInherit_Members(t *testing.T) {
	expectDeclared(t, []struct{ name, source, want string }{
		{"through a chain of classes", `
open class A { public init() {}; open func f() {}; open func g() {}; public static let s = 1; func hidden() {} }
open class B: A { override open func g() {} }
public class C: B { public func h() {} }
open class Over { public init() {}; open func f(_ a: Int) {}; open func f(_ a: String) {}; open var v: Int { 1 } }
open class Mid: Over { override open func f(_ a: Int) {}; override open var v: Int { 2 } }
public final class Leaf: Mid {}
`, `
open class A
  init()
  open func f()
  open func g()
  static let s: Int = 1
open class B : A
  open override func g()
  open func f() (from A)
  static let s: Int = 1 (from A)
class C : B
  func h()
  open override func g() (from B)
  open func f() (from A)
  static let s: Int = 1 (from A)
open class Over
  init()
  open func f(_ a: Int) | open func f(_ a: String)
  open var v: Int { get }
open class Mid : Over
  open override func f(_ a: Int)
  open override var v: Int { get }
final class Leaf : Mid
  open override func f(_ a: Int) (from Mid)
  open override var v: Int { get } (from Mid)
  open func f(_ a: String) (from Over)
`},
		{"from protocols with constraints on the type", `
public protocol P { associatedtype Item; func f() }
extension P where Item == Int { public func ints() {} }
extension P where Item: Hashable { public func hashes() {} }
extension P where Self: AnyObject { public func objects() {} }
public struct I: P { public typealias Item = Int; public func f() {} }
public final class S: P { public typealias Item = String; public func f() {} }
public struct V: P { public struct Item {}; public func f() {} }
`, `
protocol P
  associatedtype Item
  func f()
  func ints() where Item == Int
  func hashes() where Item : Hashable
  func objects() where Self : AnyObject
struct I : P
  typealias Item = Int
  func f()
  func ints() where Item == Int (from P)
  func hashes() where Item : Hashable (from P)
final class S : P
  typealias Item = String
  func f()
  func hashes() where Item : Hashable (from P)
  func objects() (from P)
struct V : P
  struct Item
  func f()
`},
		{"types of a protocol's requirements", `
public protocol P { associatedtype Item; func get() -> Item; var all: [Item] { get } }
extension P { public func first() -> Item? { nil }; public func pair() -> (Item, Self) { fatalError() } }
public struct S: P { public func get() -> Int { 1 }; public var all: [Int] { [] } }
`, `
protocol P
  associatedtype Item
  func get() -> Item
  var all: [Item] { get }
  func first() -> Item?
  func pair() -> (Item, Self)
struct S : P
  func get() -> Int
  var all: [Int] { get }
  func first() -> Item? (from P)
  func pair() -> (Item, Self) (from P)
`},
	})
}
