package module

import (
	"fmt"
	"strings"
	"testing"
)

// inferred are the declarations that the values of TestInfer_Values use.
const inferred = `
import Foundation
public struct Point {
  public var x: Int
  public var y: Double
  public init(x: Int, y: Double = 0) {}
  public static let zero = Point(x: 0)
  public static func make() -> Point { zero }
  public func scaled(by f: Double) -> Self { self }
  public func named(_ names: String..., at: Int = 0) -> String { "" }
  public subscript(i: Int) -> String { "" }
  public var optional: Point? { nil }
  public subscript(row: Int, column: Int) -> Double { 1 }
  public enum Kind { case a, b(Int) }
  public static func + (a: Point, b: Point) -> Point { a }
}
public struct Box<T> {
  public var value: T
  public init(_ v: T) {}
  public init(pair a: T, _ b: Int) {}
  public init(all: T...) {}
}
open class Node {
  public init?(name: String) {}
  public convenience init(_ n: Int) {}
  public var next: Node { self }
}
public protocol Named { var name: String { get } }
public extension Named { static var common: Int { 1 }; var length: Int { 1 } }
public struct Tag: Named { public var name: String; public init() {} }
public typealias Place = Point
public func load() throws -> String { "" }
public func generic<T>(_ t: T) -> T { t }
`

func TestInfer_Values(t *testing.T) {
	rows := []struct{ value, want string }{
		{"1", "Int"}, {"-1", "Int"}, {"~1", "Int"}, {"1.5", "Double"}, {"0x1p3", "Double"}, {"true", "Bool"}, {"!true", "Bool"}, {`"s"`, "String"}, {`"\(1)"`, "String"}, {"nil", ""},
		{"[1, 2]", "[Int]"}, {"[1, 2.5]", "[Double]"}, {`[1, "a"]`, ""}, {"[]", ""}, {`["a" : 1]`, "[String : Int]"}, {"[1 : [2]]", "[Int : [Int]]"}, {"[:]", ""}, {"[:] as [String : Int]", "[String : Int]"},
		{`(1, "a")`, "(Int, String)"}, {"(x: 1, y: 2.0)", "(x: Int, y: Double)"}, {"(1)", "Int"}, {"(1, unknown)", ""},
		{"#file", "String"}, {"#line", "Int"}, {"#column", "Int"}, {"#function", "String"}, {"#unknown", ""},
		{"1 + 2", "Int"}, {"1 + 2.5", "Double"}, {"2.5 * 1", "Double"}, {"1 == 2", "Bool"}, {"1 < 2 && true", "Bool"}, {`"a" + "b"`, "String"},
		{"1 ..< 5", "Range<Int>"}, {"1...5", "ClosedRange<Int>"}, {"1...", "PartialRangeFrom<Int>"}, {"Point...", ""}, {"..<unknown", ""}, {"...5", "PartialRangeThrough<Int>"}, {"..<5", "PartialRangeUpTo<Int>"}, {`"a"..."z"`, "ClosedRange<String>"}, {"1...nil", ""},
		{"true ? 1 : 2", "Int"}, {"true ? 1 : 2.5", "Double"}, {"true ? nil : Point.zero", "Point?"}, {"true ? Point.zero : nil", "Point?"}, {`true ? 1 : "a"`, ""}, {"true ? (false ? 1 : 2) : 3", "Int"}, {"true ? false ? 1 : 2 : 3", "Int"},
		{"1 as UInt8", "UInt8"}, {"1 as? UInt8", "UInt8?"}, {"1 as! UInt8", "UInt8"}, {"1 is Int", "Bool"}, {`"a" as Any`, "Any"},
		{"Point(x: 1)", "Point"}, {"Point(x: 1, y: 2)", "Point"}, {"Point.init(x: 1)", "Point"}, {"Place(x: 1)", "Place"}, {"M.Point(x: 1)", "Point"}, {"Point.zero", "Point"}, {"Point.make()", "Point"}, {"Point.make().scaled(by: 2)", "Point"},
		{"Point.zero.x", "Int"}, {"Point.zero[0]", "String"}, {"Point.zero[0, 1]", "Double"}, {"Node(1)[1]", ""}, {"Point[0]", ""}, {`Point.zero.named("a", "b", at: 1)`, "String"}, {"Point.zero.named()", "String"}, {"Point.zero.unknown", ""}, {"Point.zero\n  .scaled(by: 1)\n  .y", "Double"},
		{"Point.zero.optional", "Point?"}, {"Point.zero.optional?.x", "Int?"}, {"Point.zero.optional!.x", "Int"}, {"Point.zero.optional ?? .zero", "Point"}, {"Point.zero.optional?.x ?? 1", "Int"}, {"Point.zero.optional ?? Point.zero.optional", "Point?"},
		{"Point.Kind.a", "Point.Kind"}, {"Point.Kind.b(1)", "Point.Kind"}, {"Point.self", "Point.Type"}, {"Point.zero + Point.zero", "Point"},
		{"Box(1)", "Box<Int>"}, {`Box<String>("")`, "Box<String>"}, {"Box(pair: 1.5, 2)", "Box<Double>"}, {"Box(all: 1, 2)", ""}, {"Box(unknown)", ""}, {"Box(Box(1))", "Box<Box<Int>>"},
		{`Node(name: "")`, "Node?"}, {`Node(name: "")!`, "Node"}, {"Node(1)", "Node"}, {"Node(1).next.next", "Node"},
		{"Tag().name", "String"}, {"Tag().length", "Int"}, {"Tag.common", "Int"}, {"try! load()", "String"}, {"try? load()", "String?"}, {"generic(1)", ""}, {"unknown()", ""},
		{"[Point.zero]", "[Point]"}, {"[Point.zero][0]", "Point"}, {"[Point.zero].count", "Int"}, {"[Point.zero].first", "Point?"}, {`["a" : Point.zero]["a"]`, "Point?"}, {`["a" : 1].keys`, "Dictionary<String, Int>.Keys"}, {`["a", "b"].joined(separator: ",")`, "String"},
		{`"abc".count`, "Int"}, {`"abc".isEmpty`, "Bool"}, {`"abc".uppercased()`, "String"}, {"Int.max", "Int"}, {"UInt8.bitWidth", "Int"}, {"Double.pi", "Double"}, {"Int.zero", "Int"},
		{`Int("1")`, "Int?"}, {`Bool("true")`, "Bool?"}, {"Int(Tag().name)", "Int?"}, {"Int(exactly: 1.5)", "Int?"}, {`URL(string: "a")`, "URL?"}, {`URL(fileURLWithPath: "a")`, "URL"}, {`Int("1f", radix: 16)`, "Int?"}, {"Int(1.5)", "Int"}, {"String(1)", "String"}, {"Double(1)", "Double"}, {"Array(repeating: 0, count: 3)", "[Int]"}, {"[Int]()", "[Int]"}, {"[String : Int]()", "[String : Int]"}, {"Set<Int>()", "Set<Int>"}, {"Set([1, 2])", "Set<Int>"}, {"Array([1])", "[Int]"}, {"Array(1)", ""}, {"Array(repeating: unknown, count: 3)", ""}, {"Optional.some(1)", ""},
		{"{ 1 }()", "Int"}, {"{ () -> Double in 1 }()", "Double"}, {"{ let a = Point.zero; return a.x }()", "Int"}, {"{ let a = Point.zero; return a }()", "Point"}, {"{ let a = Point.zero; return a + a }()", ""}, {"{\n  var p = Point.zero\n  p.x = 1\n  return p\n}()", "Point"}, {"{ let a: UInt8 = 1; return a }()", "UInt8"}, {"{ for i in 0..<3 { print(i) }; return 1.5 }()", "Double"}, {"{ (a: Int) -> String in \"\" }", "(Int) -> String"}, {"{ (a: [Int], b: Point?) -> () in }", "([Int], Point?) -> ()"}, {"{ (a) -> Int in 1 }", ""}, {"{ (a: Int) in a }", ""}, {"{ $0 }", ""},
		{"if true { 1 } else { 2 }", ""}, {"switch 1 { default: 2 }", ""}, {"/a(b)c/", "Regex<(Substring, Substring)>"}, {"/[(]/", "Regex<Substring>"}, {"/a(?:b)?/", "Regex<Substring>"}, {`/\(a/`, "Regex<Substring>"},
		{"ProcessInfo.processInfo", "ProcessInfo"}, {"FileManager.default", "FileManager"}, {"FileManager.unknown", ""}, {"DispatchQueue.main", "DispatchQueue"}, {"DispatchQueue.unknown", ""},
	}
	var text strings.Builder
	text.WriteString("-- M/a.swift --" + inferred)
	for i, row := range rows {
		fmt.Fprintf(&text, "public let v%d = %s\n", i, row.value)
	}
	doc := read(t, packageOf(text.String()))
	for i, row := range rows {
		name := fmt.Sprintf("v%d", i)
		s := doc.At(name)
		if s == nil {
			t.Errorf("%s is not read", row.value)
			continue
		}
		got, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(s.Signature, "let "+name), ": "), " = ")
		if got != row.want {
			t.Errorf("%s has the type %q, want %q", row.value, got, row.want)
		}
	}
}
