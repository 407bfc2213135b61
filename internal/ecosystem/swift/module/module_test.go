package module

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestWhatModulesShow(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"members have the access that their place gives them", `
public struct S { var a = 1; public var b = 1; struct N { public var c = 1 } }
public extension S { func d() {}; private func e() {}; internal func f() {}; struct Inside { var g = 1; public var h = 1 } }
extension S { func i() {}; public func j() {} }
public protocol P { func k(); associatedtype T }
public enum E { case l, m }
struct Hidden { public func n() {} }
public extension Hidden { func o() {} }
public class _Private { public init() {} }
public func p(_ _value: Int) {}
@_spi(X) public func q() {}
@_spi(X) extension S { public func q() {} }
@available(*, unavailable) extension S { public func s() {} }
@usableFromInline func r() {}
@available(*, unavailable) public func s() {}
@_documentation(visibility: private) public func t() {}
package func u() {}
open class V { open func w() {}; public final func x() {} }
`, `
struct S
  var b: Int
  func d()
  struct Inside
    var h: Int
  func j()
protocol P
  func k()
  associatedtype T
enum E
  case l
  case m
open class V
  open func w()
  final func x()
`},
		{"conditions are decided for the platform, the rest is elsewhere", `
#if os(Linux) && !os(macOS)
public func linux() {}
#elseif os(macOS)
public func mac() {}
#else
public func others() {}
#endif
#if swift(>=5.5) && compiler(<99) && canImport(Foundation) && DEBUG
public func modern() {}
#endif
#if canImport(UIKit)
extension S { public func view() {} }
#endif
#if arch(x86_64) && targetEnvironment(simulator) || hasFeature(Macros)
public func macros() {}
#endif
public struct S {
  #if FLAG
  public var flag: Int
  #endif
}
#if swift(<4)
public func old() {}
#endif
`, `
func linux()
func modern()
func macros()
struct S
elsewhere:
func mac() (only os(macOS))
func others() (only !(os(Linux) && !os(macOS)) && !os(macOS))
func view() (only canImport(UIKit))
var flag: Int (only FLAG (off))
`},
		{"extensions are joined to their types across files and modules", `
-- M/a.swift --
import Other
public struct A { public struct B {} }
extension A.B.C { public func inC() {} }
extension Theirs.Inner { public func ours() {} }
extension Other.Theirs { public static func make() -> Self { Self() } }
public typealias Alias = A.B
extension Alias { public var viaAlias: Int { 1 } }
extension Array where Element == A { public func all() {} }
extension Dictionary.Keys { public func some() {} }
-- M/b.swift --
extension A.B { public struct C {} }
-- Other/c.swift --
public struct Theirs { public struct Inner {} ; public func notOurs() {} }
`, `
struct A
  struct B
    var viaAlias: Int { get }
    struct C
      func inC()
typealias Alias = A.B
extension Theirs.Inner
  func ours()
extension Theirs
  static func make() -> Self
extension Array
  func all() where Element == A
extension Dictionary.Keys
  func some()
`},
		{"a module that is re-exported is listed, a declaration alone too", `
-- M/a.swift --
@_exported import Inner
@_exported import struct Parts.One
@_exported import M
public func own() {}
-- Inner/b.swift --
@_exported import Deep
public func inner() {}
-- Deep/c.swift --
@_exported import Inner
public func deep() {}
-- Parts/d.swift --
public struct One { public init() {} }
public struct Two {}
extension One: Hashable { public func extra() {} }
`, `
func own()
func inner()
func deep()
struct One : Hashable
  init()
  func extra()
`},
		{"an alias that offers a type of another module has its members", `
-- M/a.swift --
import Inner
public typealias Deque<T> = Inner.Deque<T>
public struct T {}
public typealias Other = Inner.Deque
-- Inner/b.swift --
public struct Deque<T> { public init() {}; public struct Index {} }
extension Deque: Equatable where T: Equatable { public func f() {} }
`, `
typealias Deque<T> = Inner.Deque<T>
  init()
  struct Index
  func f() where T : Equatable
  extension Deque : Equatable where T : Equatable
struct T
typealias Other = Inner.Deque
`},
		{"conformances are said, conditional ones apart", `
protocol Secret {}
public protocol P: Q { func p() }
public protocol Q { func q() }
public struct S<T>: Secret, @unchecked Sendable { }
extension S: P where T: P { public func p() {}; public func q() {} }
extension S: Swift.CustomStringConvertible { public var description: String { "" } }
extension S: Equatable, Hashable where T: Hashable {}
@available(*, unavailable) extension S: Error {}
`, `
protocol P : Q
  func p()
protocol Q
  func q()
struct S<T> : @unchecked Sendable, CustomStringConvertible
  func p() where T : P
  func q() where T : P
  var description: String { get }
  extension S : P where T : P
  extension S : Equatable, Hashable where T : Hashable
`},
		{"members from protocols and superclasses are inherited", `
public protocol P { func required(); func optional() }
extension P { public func optional() {}; public func extra() {}; public func shadowed() {} }
extension P where Self: Hashable { public func hashed() {} }
public protocol Finer: P {}
extension Finer { public func extra() {} }
public struct F: Finer { public func required() {} }
extension P where Self == B { public static var b: B { B() } }
public struct A: P { public func required() {}; public func shadowed() {} }
public struct B: P, Hashable { public func required() {} }
open class C { public init() {}; open func c() {}; public func d() {} }
public class D: C { override public func c() {} }
`, `
protocol P
  func required()
  func optional()
  func extra()
  func shadowed()
  func hashed() where Self : Hashable
  static var b: B where Self == B { get }
protocol Finer : P
  func extra()
struct F : Finer
  func required()
  func extra() (from Finer)
  func optional() (from P)
  func shadowed() (from P)
struct A : P
  func required()
  func shadowed()
  func optional() (from P)
  func extra() (from P)
struct B : P, Hashable
  func required()
  func optional() (from P)
  func extra() (from P)
  func shadowed() (from P)
  func hashed() (from P)
  static var b: B { get } (from P)
open class C
  init()
  open func c()
  func d()
class D : C
  override func c()
  func d() (from C)
`},
		{"what the compiler makes is named", `
public enum Raw: String, Codable { case a, b = "bee" }
public struct Coded: Codable { public let x: Int }
public struct Own: Decodable { public init(from decoder: any Decoder) throws {} }
`, `
enum Raw : String, Codable
  case a
  case b = "bee"
  init?(rawValue: String)
struct Coded : Codable
  let x: Int
  init(from decoder: any Decoder) throws
struct Own : Decodable
  init(from decoder: any Decoder) throws
`},
		{"overloads stand together, those that are deprecated apart", `
public func f(_ x: Int) {}
public func g() {}
public func f(_ x: String) {}
@available(*, deprecated, renamed: "g()") public func f(_ x: Bool) {}
@available(*, deprecated, message: "Use h.") public struct Old { public func member() {} }
`, `
func f(_ x: Int) | func f(_ x: String)
func g()
func f(_ x: Bool) (deprecated: Use g().)
struct Old (deprecated: Use h.)
  func member() (deprecated: Use h.)
`},
		{"types that are not written are inferred from values", `
public struct V {
  public init() {}
  public init?(maybe: Int) {}
  public static let zero = V()
  public static let copy = zero, other = V.zero, maybe = V(maybe: 1)
  public static func make(_ n: Int = 0) -> V { V() }
  public static let made = make(), again = V.make(2)
  public var next: V { self }
  public static let chained = V().next.next
  public static let list = [1, 2.5], map = ["a": V()], range = 0..<10, text = "a" + "b", neg = -1, yes = !true
  public static let cast = 1 as Int64, closure = { () -> V in V() }(), tuple = (1, b: "x"), nested = Inner.Deep(), kind = Inner.a
  public static let optional = try? V(), generic = Box<Int>(), unknown = Box(1), choice = true ? 1 : 2, array = [V](), meta = V.self
  public static let loop = pool, conversion = UInt8(1), typed: Double = 1, regex = /a(b)(?<name>c)/, condition = 1 == 2
  public static let pool = loop
}
public enum Inner { case a; public struct Deep { public init() {} } }
public struct Box<T> { public init(_ t: T) {}; public init() {} }
public let (one, two) = (1, "2")
public protocol Backed { associatedtype Raw; static var load: (Raw) -> Self { get } }
extension V: Backed { public typealias Raw = [Int]; public static let load = c_load }
`, `
struct V : Backed
  init()
  init?(maybe: Int)
  static let zero: V
  static let copy: V
  static let other: V
  static let maybe: V?
  static func make(_ n: Int = 0) -> V
  static let made: V
  static let again: V
  var next: V { get }
  static let chained: V
  static let list: [Double]
  static let map: [String : V]
  static let range: Range<Int>
  static let text: String
  static let neg: Int = -1
  static let yes: Bool
  static let cast: Int64
  static let closure: V
  static let tuple: (Int, b: String)
  static let nested: Inner.Deep
  static let kind: Inner
  static let optional: V?
  static let generic: Box<Int>
  static let unknown: Box<Int>
  static let choice: Int
  static let array: [V]
  static let meta: V.Type
  static let loop
  static let conversion: UInt8
  static let typed: Double = 1
  static let regex: Regex<(Substring, Substring, name: Substring)>
  static let condition: Bool
  static let pool
  typealias Raw = [Int]
  static let load: ([Int]) -> V
enum Inner
  case a
  struct Deep
    init()
struct Box<T>
  init(_ t: T)
  init()
let one: Int
let two: String
protocol Backed
  associatedtype Raw
  static var load: (Raw) -> Self { get }
`},
		{"operators, subscripts, chains and closures decide types", `
import Foundation
public final class V {
  public init() {}
  public static func + (a: V, b: V) -> Sum { Sum() }
  public static func * (a: V, b: Int) -> V { V() }
  public static func * (a: V, b: Double) -> Sum { Sum() }
  public let name: String?, map: [String: V], list: [V]
  public static let sum = V() + V(), product = V() * 2, unsure = V() / V(), bits = UInt8(1) << Int(3)
  public static let none = nil as V?, cast = thing() as! [V], maybe = thing() as? V, compared = thing().x == 2 && other(), negated = !thing()
  public static let set = thing().environment["A"] != nil, env = ProcessInfo.processInfo.environment["A"], fallback = ProcessInfo.processInfo.environment["A"] ?? "b"
  public static let guess = thing() ?? 1, either = flag ? 1 : 2.5, unequal = flag ? 1 : "a", nothing = flag ? nil : V()
  public static let first = V().list[0], keyed = V().map["a"], chained = V().map["a"]?.list, forced = V().map["a"]!.name, counted = V().list.count
  public static let box = Box(V()), labeled = Pair(1, second: "a"), partly = Box(thing()), doubtful = Either(1), set1 = Set([1, 2]), mutex = Mutex([V]())
  public static let made = { let v = V(); v.use(); return v }(), typed = {
    var other: [Int] = []
    other.append(1)
    return other
  }(), branched = { if flag { return 1 }; return 2.0 }(), macro = SOME_MACRO(1), wait = Duration.seconds(3), result = Result<Int, Error>.success(1)
  public static let url = URL(fileURLWithPath: "a").appendingPathComponent("b"), letters = CharacterSet.letters.union(.decimalDigits).inverted, branch = if flag { 1 } else { 2 }
}
public struct Sum { public init() {} }
public struct Box<T> { public init(_ value: consuming T) {} }
public struct Pair<A, B> { public init(_ first: A, second: @autoclosure () -> B) {} }
public struct Either<T> { public init(_ a: T) {}; public init(_ b: [T]) {} }
let flag = true
`, `
final class V
  init()
  static func + (a: V, b: V) -> Sum
  static func * (a: V, b: Int) -> V | static func * (a: V, b: Double) -> Sum
  let name: String?
  let map: [String : V]
  let list: [V]
  static let sum: Sum
  static let product
  static let unsure
  static let bits: UInt8
  static let none: V?
  static let cast: [V]
  static let maybe: V?
  static let compared: Bool
  static let negated: Bool
  static let set: Bool
  static let env: String?
  static let fallback: String
  static let guess
  static let either: Double
  static let unequal
  static let nothing: V?
  static let first: V
  static let keyed: V?
  static let chained: [V]?
  static let forced: String?
  static let counted: Int
  static let box: Box<V>
  static let labeled: Pair<Int, String>
  static let partly
  static let doubtful
  static let set1: Set<Int>
  static let mutex: Mutex<[V]>
  static let made: V
  static let typed: [Int]
  static let branched
  static let macro
  static let wait: Duration
  static let result: Result<Int, Error>
  static let url: URL
  static let letters: CharacterSet
  static let branch
struct Sum
  init()
struct Box<T>
  init(_ value: consuming T)
struct Pair<A, B>
  init(_ first: A, second: @autoclosure () -> B)
struct Either<T>
  init(_ a: T) | init(_ b: [T])
`},
		{"requirements of generic types are required of what is put into them", `
public struct Box<T: Hashable> where T: Sendable {}
public typealias Pair<A, B> = (Box<A>, B)
public func plain<T>(_ b: Box<T>) {}
public func stated<T: Hashable & Sendable>(_ b: Box<T>) {}
public func alias<T, U>(_ b: Pair<T, U>) {}
public func concrete(_ b: Box<Int>) {}
`, `
struct Box<T> where T : Hashable, T : Sendable
typealias Pair<A, B> = (Box<A>, B)
func plain<T>(_ b: Box<T>) where T : Hashable, T : Sendable
func stated<T>(_ b: Box<T>) where T : Hashable, T : Sendable
func alias<T, U>(_ b: Pair<T, U>) where T : Hashable, T : Sendable
func concrete(_ b: Box<Int>)
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := read(t, packageOf(strings.TrimPrefix(test.source, "\n")))
			got := lines(out.Symbols, 0)
			if len(out.Elsewhere) > 0 {
				got = append(append(got, "elsewhere:"), lines(out.Elsewhere, 0)...)
			}
			if text := "\n" + strings.Join(got, "\n") + "\n"; text != test.want {
				t.Errorf("got%s\nwant%s", text, test.want)
			}
		})
	}
}

// TestHostile reads declarations that refer to each other in cycles, and very many
// declarations of one kind.
func TestHostile(t *testing.T) {
	var many strings.Builder
	many.WriteString("public struct S {}\n")
	for range 20_000 {
		many.WriteString("extension S { public func f() {} }\nextension Nowhere.Deep { public func g() {} }\n")
	}
	var deep strings.Builder
	for i := range 150 {
		fmt.Fprintf(&deep, "public struct S%d { ", i)
	}
	deep.WriteString(strings.Repeat("}", 150))
	for name, text := range map[string]string{
		"aliases":    "public typealias A = B\npublic typealias B = A\nextension A { public func f() {} }\npublic struct S: A { public static let x = A(), y = A.y }\n",
		"protocols":  "public protocol P: Q {}\npublic protocol Q: P {}\npublic struct S: P {}\nextension P { public func f() {} }\n",
		"classes":    "public class A: B { override public func f() {} }\npublic class B: A { override public func f() {} }\npublic class C: C {}\n",
		"nested":     "public struct S: S.T { public struct T: S.T {} }\npublic protocol P: P.T { associatedtype T: P.T }\n",
		"values":     "public let a = b, b = c, c = a\npublic struct S { public static let x = y.z, y = S.x }\n",
		"generics":   "public struct S<T: S<S<T>>> where T == S<T> {}\npublic func f<T>(_ x: S<S<S<T>>>) {}\npublic typealias A<T> = A<A<T>>\npublic func g<T>(_ x: A<T>) {}\n",
		"frozen":     "@frozen public struct S { public var t: T? }\n@frozen public struct T { public var s: [S] }\n",
		"extensions": many.String(),
		"deep":       deep.String(),
		"expression": "public let x = " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + "\npublic let y = " + strings.Repeat("[", 5000) + "\n",
		"exports":    "@_exported import A\n-- A/a.swift --\n@_exported import M\n@_exported import A\npublic func f() {}\n",
	} {
		p := packageOf("-- M/a.swift --\n" + text)
		read(t, p)
		if _, err := ReadGraph(context.Background(), p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
