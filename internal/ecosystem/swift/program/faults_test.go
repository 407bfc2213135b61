package program_test

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/program"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// library is the module Kite that the programs in the tests of faults import.
const library = `
public struct Kite: Sendable {
	public var tail: Tail?
	public var name: String
	public let wind: Wind
	public init(name: String, colour: Int = 0) {}
	public init?(parsing text: String) {}
	public func fly(to height: Int) -> Kite { self }
	public func land() {}
	public func tie(_ knots: Int..., tight: Bool = false) async throws -> Tail { fatalError() }
	public func each(_ limit: Int = 0, _ body: (Tail) -> Void, done: (() -> Void)? = nil) {}
	public static let red = Kite(name: "red")
	public static func make(_ name: String) -> Kite { red }
	func secret() {}
}
public struct Tail { public init() {}; public func cut() {}; public var length = 1 }
public enum Wind { case calm, breeze(speed: Int, from: String = ""), gust(Int, Int); public var isCalm: Bool { true } }
public protocol Flyer { var speed: Double { get }; func soar() }
extension Flyer { public func glide() {} }
open class Toy { public init() {}; open func play() -> Toy { self } }
public class Ball: Toy { public func roll() {} }
public struct Box<Item> { public var item: Item; public init(_ item: Item) { self.item = item }; public func take() -> Item { item } }
struct Hidden {}
`

// faultCase is a program in which each line ends with a comment that contains its faults, separated by bars.
type faultCase struct{ name, code string }

// expectFaults compares the faults in the file App.swift of programs with those in the comments of its lines. Further
// files and modules follow lines such as "-- other.swift" and "-- Module/file.swift".
func expectFaults(t *testing.T, cases []faultCase) {
	t.Helper()
	names := map[ecosystem.Fault]string{ecosystem.AbsentFault: "absent", ecosystem.UnexportedFault: "hidden", ecosystem.ArgumentsFault: "arguments", ecosystem.UndeclaredFault: "undeclared"}
	for _, tt := range cases {
		main, rest, _ := strings.Cut(tt.code, "\n-- ")
		files := map[string][]*source.File{"Kite": {source.Parse("Kite.swift", library)}}
		order := []string{"App", "Kite"}
		for part := range strings.SplitSeq(rest, "\n-- ") {
			name, text, _ := strings.Cut(part, "\n")
			module, file, ok := strings.Cut(name, "/")
			if !ok {
				module, file = "App", name
			}
			if files[module] == nil && module != "App" {
				order = append(order, module)
			}
			files[module] = append(files[module], source.Parse(file, text))
		}
		text := "import Kite" + main
		files["App"] = append(files["App"], source.Parse("App.swift", text))
		var modules []*program.Module
		for _, name := range order {
			modules = append(modules, &program.Module{Name: name, Package: name, Read: func() ([]*source.File, bool) { return files[name], true }})
		}
		p := program.New(modules)
		p.Load("App")
		faults := map[int][]string{}
		for _, u := range p.Uses("App", "App.swift", program.Tokenize(text)) {
			if u.Fault == ecosystem.NoFault {
				continue
			}
			fault := names[u.Fault] + " " + u.Path
			if u.Message != "" {
				fault += ": " + u.Message
			}
			line := strings.Count(text[:u.Start], "\n")
			faults[line] = append(faults[line], fault)
		}
		for i, line := range strings.Split(text, "\n") {
			_, want, _ := strings.Cut(line, " // ")
			if got := strings.Join(faults[i], " | "); got != want {
				t.Errorf("%s: the faults in line %d, %s, are\n%s\nwant\n%s", tt.name, i, strings.TrimSpace(line), got, want)
			}
		}
	}
}

func TestArguments_Labels(t *testing.T) {
	expectFaults(t, []faultCase{
		{"labels and their order", `
func moveBy(by dx: Int, _ dy: Int, to z: Int = 0) {}
moveBy(by: 1, 2)
moveBy(by: 1, 2, to: 3)
moveBy(1, 2) // arguments moveBy(by:_:to:): it needs an argument for by
moveBy(by: 1) // arguments moveBy(by:_:to:): it needs an argument for dy
moveBy(by: 1, dy: 2) // arguments moveBy(by:_:to:): it has no argument label dy
moveBy(by: 1, 2, 3) // arguments moveBy(by:_:to:): argument 3 needs a label or is not accepted
moveBy(by: 1, 2, to: 3, 4) // arguments moveBy(by:_:to:): it takes 3 arguments, but 4 are passed
moveBy(by: 1, 2, by: 3) // arguments moveBy(by:_:to:): the argument by is not accepted after the other arguments
`},
		{"the value of an initializer that does not accept the arguments", `
struct Pen { init(name: String) {}; func write() {} }
struct Cap { init(size: Int) {}; init?(parsing text: String) {}; func close() {} }
func f() {
	let p = Pen(nam: "") // arguments Pen.init(name:): it has no argument label nam
	p.wrote() // absent Pen.wrote
	Pen(nam: "").wrote() // arguments Pen.init(name:): it has no argument label nam | absent Pen.wrote
	let c = Cap(width: 1) // arguments Cap.init(size:): none of its declarations accepts these arguments; the closest one has no argument label width
	c.anything
}
`},
		{"no parameters", `
func stopNow() {}
stopNow()
stopNow(1) // arguments stopNow(): it takes no arguments, but 1 is passed
stopNow(1, 2) // arguments stopNow(): it takes no arguments, but 2 are passed
stopNow(now: true) // arguments stopNow(): it has no argument label now
`},
		{"a label that is a keyword or in backquotes", "\nfunc callF(for x: Int, `in` y: Int, where z: Int) {}\ncallF(for: 1, in: 2, where: 3)\ncallF(for: 1, `in`: 2, where: 3)\ncallF(for: 1, of: 2, where: 3) // arguments callF(for:in:where:): it has no argument label of\n"},
		{"variadic parameters", `
func sumUp(_ n: Int..., scale: Int = 1, of m: Int...) {}
sumUp()
sumUp(1, 2, 3)
sumUp(1, 2, scale: 3)
sumUp(of: 1, 2, 3)
sumUp(scale: 1, of: 2, 3)
sumUp(1, by: 2) // arguments sumUp(_:scale:of:): it has no argument label by
`},
		{"packs take any number of arguments", `
func all<each T>(_ t: repeat each T) {}
all(); all(1); all(1, "", x)
`},
		{"default values", `
func callF(_ a: Int = 0, b: Int = 0, c: Int) {}
callF(c: 1); callF(1, c: 1); callF(b: 1, c: 1); callF(1, b: 2, c: 3)
callF(1) // arguments callF(_:b:c:): it needs an argument for c
callF(c: 1, 2) // arguments callF(_:b:c:): argument 2 needs a label or is not accepted
callF(c: 1, b: 2) // arguments callF(_:b:c:): the argument b is not accepted after the other arguments
`},
		{"overloads", `
func putAt(_ a: Int) {}
func putAt(_ a: Int, at b: Int) {}
func putAt(all c: [Int]) {}
putAt(1); putAt(1, at: 2); putAt(all: [1])
putAt(1, in: 2) // arguments putAt(_:): none of its declarations accepts these arguments; the closest one has no argument label in
`},
		{"operators and literals as arguments", `
func applyTo(_ f: (Int, Int) -> Int, _ n: Int) {}
applyTo(+, -1); applyTo(<, 2); applyTo({ $0 + $1 }, 3)
applyTo(+) // arguments applyTo(_:_:): it needs an argument for n
`},
		{"arguments that contain commas", `
func takeOne(_ x: Any) {}
takeOne([1, 2]); takeOne((1, 2)); takeOne(a<b, c>(d))
takeOne(a < b, c > d) // arguments takeOne(_:): it takes 1 argument, but 2 are passed
takeOne(Box<Int>(1).take())
takeOne({ a, b in a }); takeOne(#selector(a, b)); takeOne("\(1, 2)")
takeOne(x ? y : z)
`},
		{"generic arguments", `
func makeAll<T, U>(_ t: T, with u: U) {}
makeAll(1, with: 2)
makeAll(Box<Int>(1), with: [String: Int]())
makeAll(1, by: 2) // arguments makeAll(_:with:): it has no argument label by
`},
		{"conditions in arguments are not decided", `
func callF(a: Int) {}
callF(
#if DEBUG
b: 1
#else
a: 1
#endif
)
`},
		{"functions of C may have the same name", `
func write(a: Int) {}
write(1, 2, 3)
`},
		{"names of functions with labels", `
func callF(a: Int, b: Int) {}
let g = callF(a:b:)
let h = [1].map(callF(a:b:))
`},
	})
}

func TestArguments_Closures(t *testing.T) {
	expectFaults(t, []faultCase{
		{"trailing closures", `
func runNow(_ n: Int = 0, _ body: () -> Void) {}
runNow { }
runNow(1) { }
runNow(1, { })
runNow() { }
runNow(2) // arguments runNow(_:_:): it needs an argument for body
`},
		{"several", `
func loadAll(_ url: Int, then: () -> Void, failed: (Error) -> Void = { _ in }, always: (() -> Void)? = nil) {}
loadAll(1) { }
loadAll(1) { } failed: { _ in }
loadAll(1) { } failed: { _ in } always: { }
loadAll(1, then: { }) { _ in }
loadAll(1) { } finally: { } // arguments loadAll(_:then:failed:always:): it has no argument label finally
loadAll { } // arguments loadAll(_:then:failed:always:): it needs an argument for url
loadAll(1) // arguments loadAll(_:then:failed:always:): it needs an argument for then
`},
		{"no closure", `
func callPlain(_ n: Int) {}
callPlain(1) { } // arguments callPlain(_:): it takes no trailing closure here
Kite.red.land { } // arguments Kite.land(): it takes no trailing closure here
`},
		{"a brace after a condition is no closure", `
func isTest(_ n: Int) -> Bool { true }
if isTest(1) { }
while isTest(1) { }
guard isTest(1) else { fatalError() }
if isTest(1), isTest(2) { }
for k in [1] where isTest(k) { }
switch isTest(1) { default: isTest(2) }
if isTest() { } // arguments isTest(_:): it needs an argument for n
`},
		{"a closure in a condition", `
func isTest(_ f: () -> Bool) -> Bool { f() }
if isTest({ true }) { }
if [1].contains(where: { $0 == 1 }) { }
if (isTest { true }) { }
`},
		{"a brace on the next line", `
func callF(_ body: () -> Void = {}) {}
callF()
{ print(1) }()
`},
		{"types of closures' parameters", `
let k = Kite(name: "")
k.each { $0.cut() }
k.each { $0.cute() } // absent Tail.cute
k.each { t in t.cute() } // absent Tail.cute
k.each { (t: Tail) in t.cute() } // absent Tail.cute
k.each { (t) -> Void in t.cute() } // absent Tail.cute
k.each(1) { [weak x = k.tail] t in t.cut(); x?.cut() }
k.each(1, { $0.length.x }) // absent x: Int has no member x, and no module of the project or of its packages adds one
k.each { _ in } done: { }
k.each { a, b in a.anything }
`},
	})
}

func TestArguments_Initializers(t *testing.T) {
	expectFaults(t, []faultCase{
		{"of another module", `
_ = Kite(name: "")
_ = Kite(name: "", colour: 1)
_ = Kite(parsing: "")?.land()
_ = Kite.init(name: "")
_ = Kite() // arguments Kite.init(name:colour:): none of its declarations accepts these arguments; the closest one needs an argument for name
_ = Kite(colour: 1) // arguments Kite.init(name:colour:): none of its declarations accepts these arguments; the closest one needs an argument for name
_ = Tail(x) // arguments Tail.init(): it takes no arguments, but 1 is passed
`},
		{"memberwise", `
struct P {
	let x: Int
	var y: Int
	var z = 1
	let fixed = 2
	var o: Int?
	var computed: Int { 1 }
	static var shared = 1
	var observed: Int = 0 { didSet {} }
}
_ = P(x: 1, y: 2)
_ = P(x: 1, y: 2, z: 3, o: 4, observed: 5)
_ = P(x: 1, y: 2, observed: 5)
_ = P(x: 1) // arguments P.init(x:y:z:o:observed:): it needs an argument for y
_ = P(x: 1, y: 2, fixed: 3) // arguments P.init(x:y:z:o:observed:): it has no argument label fixed
_ = P(x: 1, y: 2, computed: 3) // arguments P.init(x:y:z:o:observed:): it has no argument label computed
_ = P(y: 2, x: 1) // arguments P.init(x:y:z:o:observed:): it needs an argument for x
`},
		{"memberwise ones that are not certain", `
struct W { @Wrapped var a: Int } // absent Wrapped: neither the file's module nor one that it imports declares Wrapped
struct L { lazy var a = 1; var b: Int }
struct T { var (a, b) = (1, 2) }
_ = W(other: 1); _ = L(other: 1); _ = T(other: 1)
`},
		{"a struct with an initializer has no memberwise one", `
struct P { var x: Int; init(y: Int) { x = y } }
struct Q { var x: Int }
extension Q { init(y: Int) { x = y } }
_ = P(y: 1)
_ = P(x: 1) // arguments P.init(y:): it has no argument label x
_ = Q(x: 1); _ = Q(y: 1)
_ = Q(z: 1) // arguments Q.init(y:): none of its declarations accepts these arguments; the closest one has no argument label z
`},
		{"classes", `
class A { var x = 1; init(x: Int) {} ; convenience init() { self.init(x: 1) } }
class B: A { override init(x: Int) { super.init(x: x) } }
class C {}
_ = A(); _ = A(x: 1); _ = B(x: 1); _ = C()
_ = A(y: 1) // arguments A.init(x:): none of its declarations accepts these arguments; the closest one has no argument label y
_ = C(x: 1) // arguments C.init(): it has no argument label x
`},
		{"calls of self and super", `
class A { init(x: Int) {} ; convenience init() { self.init(y: 1) } } // arguments A.init(x:): none of its declarations accepts these arguments; the closest one has no argument label y
class B: A { override init(x: Int) { super.init(z: x) } } // arguments A.init(x:): none of its declarations accepts these arguments; the closest one has no argument label z
`},
		{"enumerations", `
enum E: Int { case a }
enum F { case b; init(n: Int) { self = .b } }
_ = E(rawValue: 1)?.rawValue
_ = F(n: 1)
_ = F(m: 1) // arguments F.init(n:): it has no argument label m
`},
		{"types as values", `
func make(_ t: Kite.Type) -> Kite { t.init(name: "") }
let type = Kite.self
let other: Kite = type.init(name: "")
`},
		{"protocols and aliases", `
typealias Glider = Kite
_ = Glider(name: "")
_ = Glider(nam: "") // arguments Kite.init(name:colour:): none of its declarations accepts these arguments; the closest one has no argument label nam
`},
	})
}

func TestArguments_Cases(t *testing.T) {
	expectFaults(t, []faultCase{
		{"associated values", `
_ = Wind.breeze(speed: 1)
_ = Wind.breeze(speed: 1, from: "")
_ = Wind.gust(1, 2)
_ = Wind.breeze(1) // arguments Wind.breeze(speed:from:): it needs an argument for speed
_ = Wind.breeze(pace: 1) // arguments Wind.breeze(speed:from:): it has no argument label pace
_ = Wind.gust(1) // arguments Wind.gust(_:_:): it needs an argument for Int
_ = Wind.gust(1, 2, 3) // arguments Wind.gust(_:_:): it takes 2 arguments, but 3 are passed
let f = Wind.gust
let g = Wind.breeze(speed:from:)
`},
		{"patterns may omit labels", `
func f(w: Wind) {
	switch w {
	case .calm: break
	case .breeze(let s, let f): print(s, f)
	case let .gust(a, b): print(a, b)
	}
	if case .breeze(speed: let s, from: _) = w { print(s) }
	if case Wind.gust = w { }
	if case let Wind.gust(a, _) = w { print(a) }
	guard case .gust(_, let n) = w else { return }
	for case .gust(let n, _) in [w] { print(n) }
	while case .calm = w { }
}
`},
		{"a case that does not exist", `
func f(w: Wind) {
	switch w {
	case .storm: break // absent Wind.storm
	case .breeze: break
	default: break
	}
	if case .clam = w { } // absent Wind.clam
	if w == .clam { } // absent Wind.clam
	_ = Wind.storm // absent Wind.storm
}
`},
	})
}

func TestArguments_Subscripts(t *testing.T) {
	expectFaults(t, []faultCase{
		{"labels", `
struct Grid {
	subscript(row: Int, column: Int) -> Kite { .red }
	subscript(named name: String, default d: Int = 0) -> Tail { Tail() }
	static subscript(i: Int) -> Tail { Tail() }
}
func f(g: Grid) {
	g[1, 2].land(); g[named: ""].cut(); g[named: "", default: 1].cut()
	g[1, 2].lannd() // absent Kite.lannd
	g[named: ""].cute() // absent Tail.cute
	g[nmed: ""].cut() // arguments Grid.subscript(_:_:): none of its declarations accepts these arguments; the closest one has no argument label nmed
	Grid[1].cute() // absent Tail.cute
	g[keyPath: \.x].anything // absent Grid.x
}
`},
		{"of systems", `
func f(a: [Kite], d: [String: Kite], s: Set<Kite>, e: [[Tail]]) {
	a[0].lannd() // absent Kite.lannd
	d[""]?.lannd() // absent Kite.lannd
	d["", default: .red].land()
	a[1...].anything; a[..<2].anything
	e[0][1].cute() // absent Tail.cute
	d[""]!.tail?.cute() // absent Tail.cute
}
`},
	})
}
