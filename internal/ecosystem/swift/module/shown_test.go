package module

import (
	"strings"
	"testing"
)

func TestShown_Declarations(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"platforms on which a declaration cannot be used", `
@available(macOS, unavailable) public func a() {}
@available(iOS, introduced: 9, obsoleted: 12) public func b() {}
@available(tvOS, deprecated: 13, message: "Use a.") public func c() {}
@available(*, noasync) public func d() {}
@available(iOSApplicationExtension, unavailable) @available(macOS 12, *) public func e() {}
@available(*) public func f() {}
@available(watchOS, unavailable) public struct S { public func g() {}; @available(tvOS, unavailable) public func h() {} }
@available(visionOS, unavailable) extension S { public func i() {} }
`, `
@available(macOS, unavailable) | func a()
@available(iOS, obsoleted: 12) | func b()
@available(tvOS, deprecated: 13) | func c()
@available(*, noasync) | func d()
@available(iOSApplicationExtension, unavailable) | func e()
func f()
@available(watchOS, unavailable) | struct S
  func g()
  @available(tvOS, unavailable) | func h()
  @available(visionOS, unavailable) | func i()`},
		{"attributes about one platform are joined", `
@available(Linux, introduced: 5) @available(*, deprecated, message: "Old.") @available(*, deprecated, renamed: "b()") public func a() {}
@available(macOS, deprecated: 11) @available(macOS, obsoleted: 12) public func b() {}
`, `
func a() (deprecated: Old. Use b().)
@available(macOS, obsoleted: 12) | func b()`},
		{"overloads are one symbol, static ones another", `
public struct S {
  public func f(_ a: Int) {}
  public func f(_ a: String) -> Int { 1 }
  public static func f(_ a: Bool) {}
  public init(a: Int) {}
  public init(a: String) {}
  public subscript(i: Int) -> Int { 1 }
  public subscript(i: String) -> Int { get { 1 } set {} }
  @available(*, deprecated) public func f(_ a: Double) {}
}
`, `
struct S
  func f(_ a: Int) | func f(_ a: String) -> Int
  static func f(_ a: Bool)
  init(a: Int) | init(a: String)
  subscript(i: Int) -> Int { get } | subscript(i: String) -> Int { get set }
  func f(_ a: Double) (deprecated: Deprecated.)`},
		{"constraints of extensions", `
public protocol P { associatedtype A }
public struct Box<T> { public struct In {} }
extension Box<Int> { public func ints() {} }
extension Box where T: P, T.A == Int { public func f<U>(_ u: U) where U: P {}; public var x: Int { 1 } }
extension Box.In where T: P { public func g() {} }
extension Optional where Wrapped == Int { public var orZero: Int { 1 } }
extension Dictionary<String, [Int]> { public func pairs() {} }
extension P where A: Sequence { public func all() {} }
`, `
protocol P
  associatedtype A
  func all() where A : Sequence
struct Box<T>
  struct In
    func g() where T : P
  func ints() where T == Int
  func f<U>(_ u: U) where U : P, T : P, T.A == Int
  var x: Int where T : P, T.A == Int { get }
extension Optional
  var orZero: Int where Wrapped == Int { get }
extension Dictionary
  func pairs() where Key == String, Value == [Int]`},
		{"names with an underscore are not shown", `
prefix operator _+
infix operator <+> : _Sum
precedencegroup _Sum { higherThan: AdditionPrecedence }
public precedencegroup Sum { higherThan: AdditionPrecedence }
public prefix func _+ (a: Int) -> Int { a }
public func <+> (a: Int, b: Int) -> Int { a }
`, `
infix operator <+> : _Sum
precedencegroup Sum { higherThan: AdditionPrecedence }
func <+> (a: Int, b: Int) -> Int`},
		{"wrapped, lazy and global properties", `
@propertyWrapper public struct Clamped { public var wrappedValue: Int { 1 } }
public class C {
  @Clamped public var a: Int
  @MainActor public var b: Int = 1
  public lazy var c: Int = 1
  public final let d: Int
  public private(set) var e: Int
  @MainActor(unsafe) public static var f: Int = 1
}
`, `
@propertyWrapper struct Clamped
  var wrappedValue: Int { get }
class C
  @Clamped var a: Int { get set }
  @MainActor var b: Int
  lazy var c: Int { get set }
  final let d: Int
  var e: Int { get }
  @MainActor static var f: Int`},
	} {
		p := packageOf("-- M/a.swift --" + tt.source)
		if got := strings.Join(lines(read(t, p).Symbols, 0), "\n"); got != strings.TrimPrefix(tt.want, "\n") {
			t.Errorf("%s:\n%s\nwant%s", tt.name, got, tt.want)
		}
	}
}

func TestShown_MissingFiles(t *testing.T) {
	p := packageOf("-- M/a.swift --\npublic func f() {}\n")
	p.Targets[0].Files = append(p.Targets[0].Files, "M/gone.swift")
	doc := read(t, p)
	if len(doc.Symbols) != 1 || len(doc.Warnings) != 1 || doc.Warnings[0] != "These files could not be read: M/gone.swift." {
		t.Errorf("%d symbols, warnings %q", len(doc.Symbols), doc.Warnings)
	}
	p.Module = "Gone"
	if _, err := Read(t.Context(), p); err == nil || !strings.Contains(err.Error(), "has no module Gone") {
		t.Errorf("a module that does not exist: %v", err)
	}
}
