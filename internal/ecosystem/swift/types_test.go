package swift

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// kiteSource is the code of a module that a project uses.
const kiteSource = `
public protocol Flyer { func fly(to height: Int) -> Self; var speed: Double { get } }
extension Flyer { public func land() {} }
public struct Kite: Flyer, Sendable {
    public var tail: Tail?
    public let name: String
    var hidden = 1
    public init(name: String, colour: Int = 0) {}
    public init?(parsing text: String) {}
    public func fly(to height: Int) -> Kite { self }
    public var speed: Double { 0 }
    public func tie(_ knots: Int..., tight: Bool = false) async throws -> Tail { fatalError() }
    public func each(_ limit: Int = 0, _ body: (Tail) -> Void, done: (() -> Void)? = nil) {}
    public static let red = Kite(name: "red")
    public static func make(_ name: String) -> Kite { red }
    @available(*, deprecated, renamed: "fly(to:)") public func soar() {}
    public enum Wind { case calm; case breeze(speed: Int, from: String = "") ; public var isCalm: Bool { true } }
    public var wind: Wind { .calm }
    public func sail(_ wind: Wind?, among: [Wind] = []) {}
}
public struct Basket<Item> { public var first: Item ; public init(_ first: Item) { self.first = first } ; public func take() -> Item { first } }
public struct Tail { public func cut() {} ; public init() {} }
@dynamicMemberLookup public struct Box<T> { public init(_ t: T) {} ; public subscript(dynamicMember name: String) -> Int { 0 } }
open class Toy { public init() {} ; open func play() {} }
public class Ball: Toy { public func roll() {} }
public typealias Glider = Kite
public extension Tail { struct Knot { public func pull() {} } ; enum Mood { case happy } }
public func makeKite(named name: String, _ body: () -> Void = {}) -> Kite { Kite(name: name) }
func hiddenFunction() {}
struct HiddenType {}
`

// kiteProject creates a project that uses kiteSource, and other files.
func kiteProject(t *testing.T, others map[string]string) *world {
	t.Helper()
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"Package.swift":               fmt.Sprintf(app, `.package(url: "`+kite+`", from: "1.0.0")`, `.product(name: "KiteCore", package: "swift-kite")`),
		"Package.resolved":            resolved(pin("swift-kite", kite, "1.4.2", commitA)),
		".build/workspace-state.json": state(fetched("swift-kite", kite, "1.4.2", commitA)),
		"Sources/App/main.swift":      "",
	})
	filetest.Write(t, w.project, others)
	files := library("swift-kite", "KiteCore")
	files["Sources/KiteCore/kite.swift"] = kiteSource
	filetest.Write(t, filepath.Join(w.project, ".build/checkouts/swift-kite"), files)
	return w
}

// wrongUses returns the wrong uses in a file of a project that uses kiteSource: line, column, fault and path.
func wrongUses(t *testing.T, src string, others map[string]string) []string {
	t.Helper()
	w := kiteProject(t, others)
	return wrongUsesIn(t, w.swift(), w.project, src)
}

func wrongUsesIn(t *testing.T, sw *Swift, dir, src string) (wrong []string) {
	t.Helper()
	types, err := sw.Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	file := &ecosystem.SourceFile{Name: "Sources/App/main.swift", Dir: dir, Text: []byte("import KiteCore\n" + src)}
	names := map[ecosystem.Fault]string{ecosystem.AbsentFault: "absent", ecosystem.UnexportedFault: "hidden", ecosystem.ArgumentsFault: "arguments", ecosystem.UndeclaredFault: "undeclared"}
	for _, u := range types.Uses([]*ecosystem.SourceFile{file})[file] {
		if u.Fault != ecosystem.NoFault {
			wrong = append(wrong, strings.TrimSpace(fmt.Sprintf("%d:%d %s %s %s", u.Line-1, u.Column, names[u.Fault], u.Path, u.Message)))
		}
	}
	return wrong
}

const nobody = ", and no module of the project or of its packages adds one"

const missing = "neither the file's module nor one that it imports declares "

const undeclared = "neither the project nor a package that it uses declares "

func TestTypes_Faults(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"names of a module", "let a = KiteCore.Kyte(name: 1)\nlet b: KiteCore.Kite = KiteCore.makeKite(named: \"\")\nKiteCore.hiddenFunction()\nKiteCore.HiddenType()\n", []string{"1:18 absent Kyte", "3:10 hidden hiddenFunction()", "4:10 hidden HiddenType"}},
		{"initializers", "_ = Kite(name: x)\n_ = Kite(nam: x)\n_ = Kite()\n_ = Glider(name: x, colour: 1, size: 2)\n_ = Kite.init(parsing: x, 1)\n_ = Tail(1 + x)\n",
			[]string{
				"2:10 arguments Kite.init(name:colour:) none of its declarations accepts these arguments; the closest one has no argument label nam",
				"3:5 arguments Kite.init(name:colour:) none of its declarations accepts these arguments; the closest one needs an argument for name",
				"4:32 arguments Kite.init(name:colour:) none of its declarations accepts these arguments; the closest one has no argument label size",
				"5:27 arguments Kite.init(parsing:) none of its declarations accepts these arguments; the closest one takes 1 argument, but 2 are passed",
				"6:10 arguments Tail.init() it takes no arguments, but 1 is passed",
			}},
		{"functions", "makeKite(named: x)\nmakeKite(x)\nmakeKite(named: x) { }\nmakeKite(named: x, y, z)\nlet f = makeKite(named:_:)\n", []string{"2:10 arguments makeKite(named:_:) it needs an argument for named", "4:23 arguments makeKite(named:_:) it takes 2 arguments, but 3 are passed"}},
		{"static members", "_ = Kite.red.speed\n_ = Kite.blue\nKite.make(x).lannd()\nKite.make(x).land()\nKite.make()\n", []string{"2:10 absent Kite.blue", "3:14 absent Kite.lannd", "5:6 arguments Kite.make(_:) it needs an argument for name"}},
		{"members of variables", "let k = Kite(name: x)\nk.fly(to: 1).land()\nk.fly(at: 1)\nk.hidden += 1\nk.tail?.cut()\nk.tail?.cute()\nk.tail!.cut(1)\nk.hashValue\nk.tail.map { $0.x }\n",
			[]string{"3:7 arguments Kite.fly(to:) none of its declarations accepts these arguments; the closest one has no argument label at", "4:3 hidden Kite.hidden", "6:9 absent Tail.cute", "7:13 arguments Tail.cut() it takes no arguments, but 1 is passed", "8:3 absent Kite.hashValue", "9:17 absent Tail.x"}},
		{"variadic arguments and closures", "let k = Kite(name: x)\ntry await k.tie(1, 2, 3, tight: true).cut()\ntry await k.tie(1, tigt: true)\nk.each { t in t.x }\nk.each(1) { _ in } done: { }\nk.each(1) { _ in } don: { }\nk.each(1, { _ in }, done: nil)\nk.each(1)\n",
			[]string{"3:20 arguments Kite.tie(_:tight:) it has no argument label tigt", "4:17 absent Tail.x", "6:25 arguments Kite.each(_:_:done:) it has no argument label don", "8:3 arguments Kite.each(_:_:done:) it needs an argument for body"}},
		{"enums", "let w: Kite.Wind = .calm\n_ = w.isCalm\n_ = w.isWild\n_ = Kite.Wind.breeze(speed: 1)\n_ = Kite.Wind.breeze(sped: 1)\n_ = Kite.Wind.storm\nif case Kite.Wind.breeze(let s, _) = w { }\n",
			[]string{"3:7 absent Kite.Wind.isWild", "5:22 arguments Kite.Wind.breeze(speed:from:) it has no argument label sped", "6:15 absent Kite.Wind.storm"}},
		{"parameters and scopes", "func f(k: Kite, t: inout Tail?, _ other: [Kite]) {\n  k.lannd()\n  if let t { t.cute() }\n  t.cute()\n  for k in other { k.lannd() }\n  let g = { (k: Int) in k.lannd() }\n  guard let k = k.tail else { return }\n  k.cute()\n  k.land\n}\n",
			[]string{"2:5 absent Kite.lannd", "3:16 absent Tail.cute", "5:22 absent Kite.lannd", "6:27 absent lannd Int has no member lannd" + nobody, "8:5 absent Tail.cute", "9:5 absent Tail.land"}},
		{"cases of a switch", "func f(k: Kite) {\n  switch x {\n  case 1:\n    let k = Tail()\n    k.cute()\n  case 2: k.lannd()\n  case let k: k.lannd()\n  default: k.cut()\n  }\n}\n", []string{"5:7 absent Tail.cute", "6:13 absent Kite.lannd", "8:14 absent Kite.cut"}},
		{"own types", "struct Shop { var k: Kite\n  func f() { k.lannd(); self.k.lannd(); self.x(); g() }\n  func g() {} }\n", []string{"2:16 absent Kite.lannd", "2:32 absent Kite.lannd", "2:46 absent Shop.x"}},
		{"extensions", "extension Kite { func swoop() -> Tail { tail! }\n func g() { swoop().cute(); lannd() } }\nfunc f(k: Kite) { k.swoop().cut() }\n", []string{"2:21 absent Tail.cute"}},
		{"superclasses", "final class Cube: Ball { func f() { roll(); play(); self.play(); self.plai() } }\nBall().roll(1)\n", []string{"1:71 absent Cube.plai", "2:13 arguments Ball.roll() it takes no arguments, but 1 is passed"}},
		{"unknown supertypes and macros", "final class A: Unknown { func f() { self.x() } }\n@Observed struct B { func f() { self.x() } }\nstruct C: Equatable, View { func f() { self.x() } }\nBox(1).anything\n", nil},
		{"protocols of systems", "struct C: Collection { func f(_ i: Index) { self.x(); self.map { $0 }; let n: C.Index = i; C.y } }\nstruct R: RangeReplaceableCollection { init(a: Int) {} }\n_ = R(repeating: 1, count: 2)\n", []string{"1:50 absent C.x", "1:94 absent C.y"}},
		{"aliases of several protocols", "protocol P { func p() }\nprotocol Q { func q() }\ntypealias Both = P & Q\ntypealias Loop = P & Loop\nfinal class A: Both { func f() { self.p(); self.q(); self.r() } }\nstruct B: Loop { func f() { self.p() } }\n", []string{"5:59 absent A.r"}},
		{"shadowed names", "func f<Kite>(k: Kite) { k.x(); Kite.y() }\nfunc g() { struct Tail { var z = 1 }\n Tail().z\n let makeKite = { (i: Int) in 1 }\n makeKite(1) }\nfunc h() { inner(1)\n func inner(_ i: Int) {} }\n", []string{"1:27 absent Kite.x", "1:37 absent Kite.y"}},
		{"conditions", "#if os(Linux)\nKiteCore.Kyte()\nlet k = 1\n#else\nlet k = 2\n#endif\nk.x()\n", nil},
		{"closures of statements", "if makeKite(named: x).name == y { Kite.red.lannd() }\nwhile Kite.red.tail?.cute() != nil { }\nguard let t = Kite.red.tail else { fatalError() }\nt.cute()\n", []string{"1:44 absent Kite.lannd", "2:22 absent Tail.cute", "4:3 absent Tail.cute"}},
		{"weak self", "class Shop { var k = 1\n func f() { g { [weak self] in self?.y(); guard let self else { return }\n self.z(); self.k } }\n func g(_ f: () -> Void) {} }\n", []string{"2:38 absent Shop.y", "3:7 absent Shop.z"}},
		{"generic arguments and arrays", "func f(b: Basket<Kite>, kites: [Kite]) {\n b.first.lannd()\n b.take().tail?.cute()\n for k in kites { k.lannd() }\n kites[0].lannd(); kites.first?.lannd(); kites.map { $0.x }\n let c = Basket<Tail>(Tail())\n c.first.cute()\n Basket(Tail()).first.x\n}\n",
			[]string{"2:10 absent Kite.lannd", "3:17 absent Tail.cute", "4:21 absent Kite.lannd", "5:11 absent Kite.lannd", "5:33 absent Kite.lannd", "5:57 absent Kite.x", "7:10 absent Tail.cute", "8:23 absent Tail.x"}},
		{"closures of calls", "func f(k: Kite) {\n k.each { $0.cute() }\n k.each(1) { tail in tail.cute() } done: { x() }\n k.each(1, { (t) in t.cute() })\n k.each { g { $0.x() } }\n}\n", []string{"2:14 absent Tail.cute", "3:27 absent Tail.cute", "4:23 absent Tail.cute"}},
		{"members without a type", "func f(k: Kite) {\n let w: Kite.Wind = .clam\n k.sail(.clam, among: [.calm, .storm])\n k.sail(.breeze(sped: 1))\n k.sail(nil); k.sail(.none)\n switch k.wind { case .clam: x() ; case .breeze(let s, _), .storm: y(); default: z() }\n}\n",
			[]string{"2:22 absent Kite.Wind.clam", "3:10 absent Kite.Wind.clam", "3:32 absent Kite.Wind.storm", "4:17 arguments Kite.Wind.breeze(speed:from:) it has no argument label sped", "6:24 absent Kite.Wind.clam", "6:61 absent Kite.Wind.storm"}},
		{"implicitly unwrapped optionals", "class A { var t: Tail!\n func f() { t.cut(); t.cute(); self.t.map { $0.x }; let u = t; u.cute(); u?.cute() } }\n", []string{"2:24 absent Tail.cute", "2:48 absent Tail.x", "2:77 absent Tail.cute"}},
		{"initializers of the class and its superclass", "final class Cube: Ball {\n override init() { super.init(size: 1) }\n convenience init(n: Int) { self.init(m: n) }\n func f() { super.roll(); super.rol() } }\n",
			[]string{"2:31 arguments Ball.init() it has no argument label size", "3:39 arguments Cube.init() none of its declarations accepts these arguments; the closest one has no argument label m", "4:33 absent Ball.rol"}},
		{"memberwise initializers", "struct P { let x: Int; var y = 1; var z: Int?; let c = 1\n static let o = 1; var s: Int { 1 }; var w: Int = 0 { didSet {} } }\n_ = P(x: 1)\n_ = P(x: 1, y: 2, z: 3, w: 1)\n_ = P(y: 2)\n_ = P(x: 1, s: 1)\nclass Q { convenience init(n: Int) { self.init() } }\n_ = Q(a: 1)\nstruct W { @Wrapped var a: Int }\n_ = W(b: 1)\nstruct O { private var a = 1 ; var b: Int }\n_ = O(b: 1)\n_ = O(a: 1, b: 1)\n_ = O(c: 1)\n",
			[]string{"5:7 arguments P.init(x:y:z:w:) it needs an argument for x", "6:13 arguments P.init(x:y:z:w:) it has no argument label s", "8:7 arguments Q.init(n:) none of its declarations accepts these arguments; the closest one has no argument label a", "9:13 absent Wrapped " + missing + "Wrapped", "14:7 arguments O.init(a:b:) it has no argument label c"}},
		{"members without a type that are expected", "func f(k: Kite) -> Kite.Wind {\n if k.wind == .clam { return .storm }\n var w = k.wind\n w = .gust\n g { return .x }\n return .breeze(sped: 1)\n}\nvar calm: Kite.Wind { .clam }\nfunc h(w: Kite.Wind = .gust) -> Kite? { .init(x) }\n@Built var built: Kite.Wind { .x }\n",
			[]string{"2:16 absent Kite.Wind.clam", "2:31 absent Kite.Wind.storm", "4:7 absent Kite.Wind.gust", "6:17 arguments Kite.Wind.breeze(speed:from:) it has no argument label sped", "8:24 absent Kite.Wind.clam", "9:24 absent Kite.Wind.gust"}},
		{"comparisons with other types", "enum Size { case small; static func == (a: Size, b: Other) -> Bool { true } }\nfunc f(s: Size) { s == .big; s = .big }\n", []string{"2:35 absent Size.big"}},
		{"payloads of enum cases", "enum E { case a(Kite, n: Tail?), b }\nfunc f(e: E) {\n switch e { case .a(let k, let t): k.lannd(); t.cut(); t?.cute()\n case .b: k.x }\n if case let .a(k, n: _) = e { k.lannd() }\n if case let E.a(k, n) = e { k.x }\n if case .a(let both) = e { both.x }\n}\n", []string{"3:38 absent Kite.lannd", "3:59 absent Tail.cute", "5:34 absent Kite.lannd"}},
		{"subscripts", "struct S { subscript(i: Int, wide w: Bool = false) -> Kite { .red } }\nfunc f(s: S, list: [Kite]) { s[1].lannd()\n s[1, wide: true].lannd()\n s[1, tall: true].x\n list[named: 1].x; list[0].x }\nextension Array { subscript(named n: Int) -> Tail { Tail() } }\nfunc g(list: [Kite], i: Int) { list[i].x }\n",
			[]string{"2:35 absent Kite.lannd", "3:19 absent Kite.lannd", "4:7 arguments S.subscript(_:wide:) it has no argument label tall", "5:28 absent Kite.x", "7:40 absent Kite.x"}},
		{"functions as values", "typealias Body = (Kite) -> Tail\nfunc run(_ b: Body) {}\nfunc later(k: Kite? = nil, _ b: ((_ t: Tail) -> Void)? = nil) {}\nfunc f(next: (Tail) async -> Kite) {\n run { $0.lannd() }\n run { k in k.land() }\n next(x).lannd()\n later { $0.cute() }\n}\nstruct T { let make: () throws -> Kite\n func f() { make().lannd() } }\n",
			[]string{"5:11 absent Kite.lannd", "7:10 absent Kite.lannd", "8:13 absent Tail.cute", "11:20 absent Kite.lannd"}},
		{"extensions of protocols from which those of systems inherit", "extension Error { func log() {} }\nstruct E: LocalizedError {}\nfunc f(e: E) { e.log(); e.logg() }\n", []string{"3:27 absent E.logg"}},
		{"types in public extensions", "extension Tail { func f(k: Knot) { k.pull(); k.push() } }\n", []string{"1:48 absent Tail.Knot.push"}},
		{"cases of enums in public extensions", "_ = Tail.Mood.happy\n_ = Tail.Mood.sad\n", []string{"2:15 absent Tail.Mood.sad"}},
		{"extensions of an alias of a type with a name of the module", "typealias Far = KiteCore.Tail\nstruct Tail { var mine = 1 }\nextension Far { func f(t: Tail) { t.mine; t.cut() } }\n", []string{"3:45 absent Tail.cut"}},
		{"property wrappers of supertypes", "@propertyWrapper struct Wrap { var wrappedValue = 1 }\nprotocol Model {}\nextension Model { typealias Field = Wrap }\nstruct M: Model { @Field var a: Int; func f() { self.x() } }\n@Flyer struct Z { func f() { self.x() } }\n", []string{"4:54 absent M.x"}},
		{"generic parameters", "protocol Named { var name: String { get } }\nfunc f<T: Named, U>(t: T, u: U, e: [T]) where U: Flyer { t.name; t.nam; u.land(); u.lannd(); e.map { $0.nme } }\nstruct S<B: Named> { var b: B; func f() { b.name; b.nam; self.b.nam }\n func g() where B: Flyer { b.land() } }\nextension S where B: Flyer { func h() { b.speed; b.sped } }\nfunc g(s: S<Kite>) { s.b.tail; s.b.tale }\nstruct R<B> { let b: B\n func f() where B == Kite { b.tail } ; typealias A = B ; func g(a: A) { a.x } }\nfunc i<K: Named, V>(m: [K: V], k: K, v: V, s: S<V>) { k.x; v.x }\nextension W<Kite> { func f() { w.tail } }\nstruct W<B> { let w: B; func f() { w.tail } }\nstruct V<B> { let v: B; func f() { v.x } }\ntypealias KV = V<Kite>\nextension KV { func g() { v.tail } }\nstruct X<B> { let x: B; typealias Y = B ; func f() where Y: Named { x.name } }\nfunc h<each T, let n: Int>(t: repeat each T, a: R<Int>.A) { a.x }\n",
			[]string{"2:68 absent T.nam", "2:85 absent U.lannd", "2:105 absent T.nme", "3:53 absent B.nam", "3:65 absent B.nam", "5:52 absent B.sped", "6:36 absent Kite.tale"}},
		{"generic functions", "func pick<T>(_ t: T.Type, from s: String) throws -> T { fatalError() }\nfunc same<T>(_ t: T, _ u: T?) -> T { t }\nfunc run<T>(_ f: (Kite) throws -> T) -> T { f(.red) }\nfunc f(k: Kite) {\n pick(Tail.self, from: x).cute(); pick([Kite].self, from: x).first?.lannd()\n same(k, nil).lannd(); same(k, Tail()).x; run { $0.tail! }.cute(); run { k in return k.lannd() }\n run { $0.tail }?.cute()\n let a = try pick(Kite.self, from: y)\n a.lannd() }\n",
			[]string{"5:27 absent Tail.cute", "5:69 absent Kite.lannd", "6:15 absent Kite.lannd", "6:60 absent Tail.cute", "6:88 absent Kite.lannd", "7:19 absent Tail.cute", "9:4 absent Kite.lannd"}},
		{"types in functions", "func f() {\n struct Shop { let k: Kite, u: Unit; func g() { k.lannd(); self.x }; enum Unit { case a } }\n let s = Shop(k: .red, u: .b)\n s.k.lannd(); s.u.x; s.y; Shop(c: 1)\n @Unknown struct Hut { func g() { self.x } }\n class Den: Shed {}\n Den().z; Hut().z\n class Shed { func m() {} }\n { struct Tail { var n = 1 }; Tail().n }()\n do { struct Twin { var a = 1 } }\n do { struct Twin { var b = 1 }; Twin().b; Twin().c }\n}\nfunc g(s: Shop) {}\n",
			[]string{"2:51 absent Kite.lannd", "2:65 absent Shop.x", "3:28 absent Shop.Unit.b", "4:6 absent Kite.lannd", "4:19 absent Shop.Unit.x", "4:24 absent Shop.y", "4:32 arguments Shop.init(k:u:) it has no argument label c", "5:3 absent Unknown " + missing + "Unknown", "7:8 absent Den.z", "13:11 absent Shop " + missing + "Shop"}},
		{"patterns with types, literals of arrays and transformed collections", "func f(x: Any, kites: [Kite]) {\n do { } catch let e as Fault { e.code; e.cod }\n switch x { case let k as Kite: k.lannd()\n default: y }\n for k in [Kite.red, .red] { k.x }\n for k in [Kite.red, Kite(name: x)] { k.lannd() }\n kites.map { $0.tail! }.first?.cute(); kites.compactMap(\\.tail).first?.x; kites.compactMap { k in k.tail }[0].cute()\n kites.first.map { $0.lannd() }; kites.first.flatMap { $0.tail }?.cute()\n}\nstruct Fault: Error { var code = 1 }\n",
			[]string{"2:42 absent Fault.cod", "3:35 absent Kite.lannd", "6:41 absent Kite.lannd", "7:32 absent Tail.cute", "7:72 absent Tail.x", "7:111 absent Tail.cute", "8:23 absent Kite.lannd", "8:67 absent Tail.cute"}},
		{"variables after a subscript with a default value", "func f(d: [String: Int], k: Kite) {\n let t = Tail(), n = d[x, default: 0]\n t.cute()\n switch k.wind {\n case .calm: let t = 1\n default: t.cute()\n } }\n", []string{"3:4 absent Tail.cute", "6:13 absent Tail.cute"}},
		{"arguments of property wrappers", "@propertyWrapper struct Flag<V> { var wrappedValue: V\n init(name: Kite.Wind = .calm, help: String = x) {} }\nextension Flag where V == Int { init(wrappedValue: V, count: Int) {} }\nextension Tail { typealias Mark = Flag }\nstruct S { @Flag(name: .calm) var a: Bool; @Flag(name: .clam) var b = x; @Flag(count: 1) var c = 1; @Flag(nam: .calm) var d: Bool\n @Tail.Mark(nam: .calm) var e: Bool; @Unknown(x: 1) var f: Int; @Flag(help: y) private var g: Int }\n",
			[]string{"5:57 absent Kite.Wind.clam", "5:107 arguments Flag.init(name:help:) none of its declarations accepts these arguments; the closest one has no argument label nam", "6:13 arguments Flag.init(name:help:) none of its declarations accepts these arguments; the closest one has no argument label nam", "6:39 absent Unknown " + missing + "Unknown"}},
		{"functions with the name of a property", "struct S { var k: Kite; func k(_ n: Int, wide: Bool) -> Tail { Tail() }\n var g: () -> Tail; func g(n: Int) {}\n var b: Built; func b(n: Int) {} }\nstruct Built { func callAsFunction() {} }\nfunc f(s: S) { s.k.lannd(); s.k(1, wide: x).cute(); s.k(1, tall: x); s.g(); s.g(1); s.b() }\n",
			[]string{"5:20 absent Kite.lannd", "5:45 absent Tail.cute", "5:60 arguments S.k(_:wide:) it has no argument label tall"}},
		{"types in types of arguments", "protocol Keyed { associatedtype Value }\nstruct Mine: Keyed { typealias Value = Kite }\nstruct Other: Keyed { func f(v: Value) {} }\nstruct Store { subscript<K: Keyed>(_ k: K.Type) -> K.Value? { nil }; func all<K: Keyed>(_ k: K.Type) -> [K.Value] { [] } }\nfunc f(s: Store) { s[Mine.self]?.lannd(); s.all(Mine.self)[0].lannd(); s[Other.self]?.x }\n",
			[]string{"5:34 absent Kite.lannd", "5:63 absent Kite.lannd"}},
		{"closures in closures", "func two(_ f: (Kite, Tail) -> Void) {}\nfunc f() { two { $1.x; $0.y($1, by: { $0.z == $1.name }); $1.w } }\n", []string{"2:21 absent Tail.x", "2:27 absent Kite.y", "2:62 absent Tail.w"}},
		{"comparisons in tests", "func f(k: Kite) { XCTAssertEqual(k.wind, .clam); XCTAssertEqual(.calm, k.wind); XCTAssertEqual(x, .storm) }\n", []string{"1:43 absent Kite.Wind.clam"}},
		{"types that have the name of a nested one", "extension Kite.Wind { init?(w: Wind) { w.x; w.y } }\nstruct Wind { var x = 1 }\nextension Kite { struct Range {} }\nextension Kite.Range { init(r: Range<Int>) { r.lowerBound } }\nextension Kite { struct Rig { var t: Tail; func f() { t.cut(); t.cute() } } }\n", []string{"5:66 absent Tail.cute"}},
		{"associated types of systems", "struct S: ExpressibleByDictionaryLiteral, OptionSet { init(dictionaryLiteral e: (Int, String)...) {} }\nfunc f(v: S.Value, e: S.Element, l: S.Values) {}\n", []string{"2:39 absent S.Values"}},
		{"aliases of protocols of systems", "#if X\ntypealias Safe = Sendable\n#else\ntypealias Safe = Any\n#endif\nstruct S: Safe { func f() { self.x() } }\n", []string{"6:34 absent S.x"}},
		{"raw values", "enum Size: Int { case small }\nlet s = Size(rawValue: 1)\ns.x()\nif let s { s.big }\n", []string{"4:14 absent Size.big"}},
		{"names that nothing declares", "let a = x.wnid\nlet b = y.fly(form: 1, colur: 2)\nmakeKtie(named: z)\nvar c: Taill?\nlet d: Basekt<Int> = .init(z)\n@MainActor func f(z: Kiet) {}\n",
			[]string{"3:1 absent makeKtie " + missing + "a function makeKtie", "4:8 absent Taill " + missing + "Taill", "5:8 absent Basekt " + missing + "Basekt", "6:22 absent Kiet " + missing + "Kiet", "1:11 absent wnid " + undeclared + "wnid", "2:15 absent form no function fly in the project and its packages has the argument label form", "2:24 absent colur no function fly in the project and its packages has the argument label colur"}},
		{"names that resemble others and may be declared", "import Unknown\nlet a = x.wnid\n", nil},
		{"names that the file declares", "func f(wnid: Int, Kiet: Int) { x.wnid(); Kiet() }\nlet tali = 1\nx.tali\n#if DEBUG\nx.birght\n#endif\nx.birght\n", nil},
		{"types with the name of a modifier", "struct Outer { enum final { case a; init() { self = .a }; func f() { self.b; self = .b } } }\n", nil},
		{"values of systems", "protocol P {}\nextension P { func p() {} }\nextension Int: P {}\nextension Sequence { func own() {} }\nfunc f(s: String, kites: [Kite], named: [String: Kite], i: Int?, ids: Set<Int>) {\n s.utf8; s.bytes; s.count.own; s.own()\n kites.filter { $0.lannd() }.first?.lannd(); kites.sorted { $0.land(); return $1.x }\n named[s]?.lannd(); named.x\n i!.p(); i?.q(); ids.insert(1); ids.q\n let t = \"a\", n = 1\n t.q; n.q; (t + t).q\n}\n",
			[]string{"6:12 absent bytes String has no member bytes" + nobody, "6:27 absent own Int has no member own" + nobody, "7:37 absent Kite.lannd", "7:20 absent Kite.lannd", "7:82 absent Kite.x", "8:12 absent Kite.lannd", "8:27 absent x Dictionary has no member x" + nobody,
				"9:13 absent q Int has no member q" + nobody, "9:37 absent q Set has no member q" + nobody, "11:4 absent q String has no member q" + nobody, "11:20 absent q String has no member q" + nobody}},
		{"extensions of types with brackets", "extension [Kite]: Flyer {}\nextension [Kite] { func own() {} }\nextension Kite? { func opt() {} }\nfunc f(kites: [Kite], k: Kite!) { kites.own(); k.opt() }\n", nil},
		{"declarations with the name of one in a system", "struct S: Collection { func first(name: String) -> Kite? { nil } }\nfunc f(s: S) { s.first { $0 }?.lannd(); s.q }\n", []string{"2:43 absent S.q"}},
		{"values of systems that others extend", "import UIKit\nextension String: Unknown {}\nfunc f(s: String, b: Bool) { s.q; b.q }\n", nil},
		{"types that nothing declares", "let a = Gadget(x)\nlet b = Gadget.x, c = String(1)\nfunc f<Gadget>() { Gadget() }\nfunc g() { struct Gadget {}; Gadget() }\nextension String { func h() { Gadget() } }\nstruct S: Unknown { func h() { Gadget() } }\nstruct O<Gadget> { struct I {} }\nextension O.I { func h() { Gadget(); I.CodingKeys.a; CodingKeys.a } }\n#if X\nGadget()\n#endif\n",
			[]string{"1:9 absent Gadget " + missing + "Gadget", "2:9 absent Gadget " + missing + "Gadget"}},
		{"written types", "func f<T>(a: Gadget, b: [T: Kite.Wind]?, c: (_ g: Kite.Wnd) -> Gizmo) -> Kite.Wind.Type { let x: Sprocket<Int> = a }\nprotocol P { associatedtype Cog; func f(c: Cog, d: Self.Cog) -> Gear }\nstruct S<Cog>: Unknown { let c: Cog, g: Gear }\n",
			[]string{"1:14 absent Gadget " + missing + "Gadget", "1:56 absent Kite.Wnd", "1:64 absent Gizmo " + missing + "Gizmo", "1:98 absent Sprocket " + missing + "Sprocket", "2:65 absent Gear " + missing + "Gear"}},
		{"calls of types without initializers", "enum Size { case small }\nenum Raw: Int { case small }\nprotocol Shape { init(a: Int) }\nextension Shape { static func f() { Self(a: 1); self.init(a: 1) } }\nfunc g<T: Shape>(t: T.Type) { T(a: 1); t.init(a: 1); Shape(a: 1); Size(); Raw(a: 1); Raw(rawValue: 1) }\nprotocol Both {}\nfunc Both(n: Int) {}\nfunc h() { Both(n: 1) }\n",
			[]string{"5:54 arguments Shape it is a protocol, and cannot be called", "5:67 arguments Size it is an enum without initializers, and cannot be called", "5:75 arguments Raw it is an enum without initializers, and cannot be called"}},
		{"attributes", "@propertyWrapper struct Wrap { var wrappedValue = 1 }\ntypealias Alias = Wrap\nstruct S { @Wrap var a: Int; @Alias var b: Int; @Tail var c: Int; @Wrapp var d: Int; @State var e: Int }\nstruct U: Unknown { @Tail var a: Int; @Other var b: Int }\n",
			[]string{"3:50 arguments Tail it is no property wrapper, result builder or global actor, and cannot be an attribute", "3:68 absent Wrapp " + missing + "Wrapp"}},
		{"types that a system may declare", "import Foundation\nlet a = NSGadget(x), b = Gadget(x)\n", []string{"2:26 absent Gadget " + missing + "Gadget"}},
		{"types that a macro may declare", "@Mocked protocol Gadget {}\nlet a = GadgetMock(x)\n", nil},
		{"brackets that do not match", "func f() { Kite.blue ) }\n", nil},
	} {
		if got := wrongUses(t, c.src, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: the faults are\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestTypes_MembersOfOtherFiles(t *testing.T) {
	const src = "Kite.red.swoop()\nKite.red.swop()\n"
	if got := wrongUses(t, src, map[string]string{"Sources/App/more.swift": "import KiteCore\nextension KiteCore.Kite { func swoop() {} }\n"}); !slices.Equal(got, []string{"2:10 absent Kite.swop"}) {
		t.Errorf("with an extension: %q", got)
	}
	if got := wrongUses(t, "typealias K = Kite\n"+src, map[string]string{"Sources/App/more.swift": "import KiteCore\nextension K { func swop() {} }\n"}); !slices.Equal(got, []string{"2:10 absent Kite.swoop"}) {
		t.Errorf("with an extension of an alias: %q", got)
	}
	if got := wrongUses(t, "func f(k: Kite) { k.land() }\n", map[string]string{"Sources/App/more.swift": "private struct Kite {}\n"}); got != nil {
		t.Errorf("with a private type of another file: %q", got)
	}
	if got := wrongUses(t, src, map[string]string{"Sources/App/more.swift": "import KiteCore\nextension Kite: Unknown { }\n"}); got != nil {
		t.Errorf("with an unknown protocol: %q", got)
	}
	if got := wrongUses(t, "let a = x.wnid\n", map[string]string{"Sources/App/more.swift": "let a = systemValue.wnid\n"}); got != nil {
		t.Errorf("with another use of the name: %q", got)
	}
}

func TestTypes_Reuse(t *testing.T) {
	w := kiteProject(t, map[string]string{"Sources/App/more.swift": "import KiteCore\nextension Kite { func swoop() {} }\n"})
	sw := w.swift()
	sw.now = func() time.Time { return time.Now().Add(time.Minute) } // the files have not just changed
	check := func(what string, reuse bool, want ...string) {
		t.Helper()
		last := sw.checked.Load()
		if got := wrongUsesIn(t, sw, w.project, "Kite.red.swoop()\nKite.red.dive()\n"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
		if reused := sw.checked.Load() == last; reused != reuse {
			t.Errorf("%s: packages were reused: %v, want %v", what, reused, reuse)
		}
	}
	check("at first", false, "2:10 absent Kite.dive")
	check("without a change", true, "2:10 absent Kite.dive")
	filetest.Write(t, w.project, map[string]string{"Sources/App/more.swift": "import KiteCore\nextension Kite { func dive() { } }\n"})
	check("after a change of an own file", true, "1:10 absent Kite.swoop")
	check("after this", true, "1:10 absent Kite.swoop")
	filetest.Write(t, w.project, map[string]string{"Sources/App/.saved.swift": "import KiteCore\nextension Kite { func swoop() {} }\n"})
	if err := os.Rename(filepath.Join(w.project, "Sources/App/.saved.swift"), filepath.Join(w.project, "Sources/App/more.swift")); err != nil {
		t.Fatal(err)
	}
	check("after a file was replaced", true, "2:10 absent Kite.dive")
	check("after that", true, "2:10 absent Kite.dive")
	filetest.Write(t, w.project, map[string]string{"Sources/App/more.swift": "import KiteCore\nextension Kite { func dive() { } }\n"})
	check("after a change of the new file", true, "1:10 absent Kite.swoop")
	filetest.Write(t, w.project, map[string]string{"Sources/App/other.swift": "import KiteCore\nextension Kite { func swoop() {} }\n"})
	check("after a new file", false)
	filetest.Write(t, w.project, map[string]string{".build/checkouts/swift-kite/Sources/KiteCore/more.swift": "extension Kite { func loop() {} }\n"})
	check("after a change of a package", false)
	sw.now = time.Now
	sw.checked.Store(nil)
	check("after recent changes", false)
	check("soon after this", false)
}

func TestTypes_MissingImport(t *testing.T) {
	const src = "import Foundation\nlet a = Gadget(x)\n"
	others := map[string]string{
		"Package.swift":         fmt.Sprintf(app, `.package(url: "`+kite+`", from: "1.0.0")`, `.product(name: "KiteCore", package: "swift-kite"), "Other"`) + "\npackage.targets.append(.target(name: \"Other\"))\n",
		"Sources/Other/a.swift": "public struct Gadget {}\nstruct Widget {}\npublic struct Just {}\n",
	}
	for source, want := range map[string][]string{
		src:                      {"2:9 absent Gadget neither the file's module nor one that it imports declares Gadget, which Other declares"},
		src + "import Other\n":   nil,
		src + "import SwiftUI\n": nil,
		src + "import UIKit\n":   {"2:9 absent Gadget neither the file's module nor one that it imports declares Gadget, which Other declares"},
		src + "import Combine\n": {"2:9 absent Gadget neither the file's module nor one that it imports declares Gadget, which Other declares"},
		src + "import Combine\nlet b = Just(x)\n": {"2:9 absent Gadget neither the file's module nor one that it imports declares Gadget, which Other declares"},
		src + "let b = Just(x)\n":                 {"2:9 absent Gadget neither the file's module nor one that it imports declares Gadget, which Other declares", "3:9 absent Just neither the file's module nor one that it imports declares Just, which Other declares"},
		"import Foundation\nlet a = Widget(x)\n":  {"2:9 absent Widget neither the file's module nor one that it imports declares Widget"},
	} {
		if got := wrongUses(t, source, others); !slices.Equal(got, want) {
			t.Errorf("in %q: %q, want %q", source, got, want)
		}
	}
}

func TestTypes_NotImported(t *testing.T) {
	w := kiteProject(t, nil)
	checkout := filepath.Join(w.project, ".build/checkouts/swift-kite")
	files := library("swift-kite", "KiteCore")
	filetest.Write(t, checkout, map[string]string{
		"Package.swift":               strings.TrimSpace(files["Package.swift"]) + "\npackage.targets.append(.target(name: \"Wheels\"))\npackage.targets.append(.testTarget(name: \"WheelTests\"))\n",
		"Sources/Wheels/a.swift":      "public struct Wheel {}\nstruct Spoke {}\n",
		"Tests/WheelTests/a.swift":    "public struct Rim {}\n",
		"Sources/KiteCore/kite.swift": kiteSource,
	})
	const src = "import Foundation\nfinal class T: XCTestCase { func f(w: Wheel) { Wheel(x); Spoke(x); Rim(x) } }\n"
	want := []string{"2:39 absent Wheel " + missing + "Wheel, which Wheels declares", "2:48 absent Wheel " + missing + "Wheel, which Wheels declares", "2:58 absent Spoke " + missing + "Spoke", "2:68 absent Rim " + missing + "Rim"}
	if got := wrongUsesIn(t, w.swift(), w.project, src); !slices.Equal(got, want) {
		t.Errorf("the faults are %q, want %q", got, want)
	}
}

func TestTypes_ModulesInC(t *testing.T) {
	const src = "import CSea\nlet a = Wheel(1), b = Anchor(1), c = Unknown(1)\n"
	for name, test := range map[string]struct {
		file, text, settings string
		want                 []string
	}{
		"a header without the name":   {"Sources/CSea/include/sea.h", "typedef struct { int x; } Anchor;", "", []string{"2:9 absent Wheel " + missing + "Wheel, which Far declares"}},
		"a header with the name":      {"Sources/CSea/include/sea.h", "typedef struct { int x; } Anchor; typedef int Wheel;", "", nil},
		"another included file":       {"Sources/CSea/include/sea.h", "#include \"names.inc\"", "", nil},
		"an included header":          {"Sources/CSea/include/sea.h", "#include \"empty.h\"\n#include <stdio.h>\ntypedef int Anchor;", "", []string{"2:9 absent Wheel " + missing + "Wheel, which Far declares"}},
		"a macro that builds names":   {"Sources/CSea/include/sea.h", "#define PART(T) typedef int T##el", "", nil},
		"names that Swift shortens":   {"Sources/CSea/include/sea.h", "typedef struct Wh *WheelRef; typedef enum { A } AnchorCode;", "", nil},
		"a private header":            {"Sources/CSea/hidden.h", "typedef int Wheel; typedef int Anchor;", "", nil},
		"a header of another target":  {"Sources/COther/include/other.h", "typedef int Wheel, Anchor;", `, dependencies: ["COther"]`, nil},
		"a target of another package": {"Sources/CSea/include/sea.h", "", `, dependencies: [.product(name: "KiteCore", package: "swift-kite")]`, nil},
	} {
		got := wrongUses(t, src, map[string]string{
			"Package.swift": fmt.Sprintf(app, `.package(url: "`+kite+`", from: "1.0.0")`, `.product(name: "KiteCore", package: "swift-kite"), "CSea"`) +
				"\npackage.targets += [.target(name: \"CSea\"" + test.settings + "), .target(name: \"COther\"), .target(name: \"Far\")]\n",
			"Sources/CSea/sea.c": "", "Sources/CSea/include/empty.h": "", "Sources/COther/other.c": "", "Sources/COther/include/empty.h": "",
			"Sources/Far/far.swift": "public struct Wheel {}\npublic struct Anchor {}\n",
			test.file:               test.text,
		})
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestTypes_ChangedHeader(t *testing.T) {
	w := kiteProject(t, map[string]string{
		"Package.swift":      fmt.Sprintf(app, `.package(url: "`+kite+`", from: "1.0.0")`, `.product(name: "KiteCore", package: "swift-kite"), "CSea"`) + "\npackage.targets += [.target(name: \"CSea\"), .target(name: \"Far\")]\n",
		"Sources/CSea/sea.c": "", "Sources/CSea/include/sea.h": "", "Sources/Far/far.swift": "public struct Wheel {}\n",
	})
	sw := w.swift()
	sw.now = func() time.Time { return time.Now().Add(time.Minute) } // the files have not just changed
	const src = "import CSea\nlet a = Wheel(1)\n"
	if got, want := wrongUsesIn(t, sw, w.project, src), []string{"2:9 absent Wheel " + missing + "Wheel, which Far declares"}; !slices.Equal(got, want) {
		t.Errorf("at first: %q, want %q", got, want)
	}
	filetest.Write(t, w.project, map[string]string{"Sources/CSea/include/sea.h": "typedef int Wheel;\n"})
	if got := wrongUsesIn(t, sw, w.project, src); got != nil {
		t.Errorf("after a change of the header: %q", got)
	}
}

func TestTypes_Undeclared(t *testing.T) {
	manifest := func(dependencies string) map[string]string {
		return map[string]string{
			"Package.swift": `// swift-tools-version:5.9
import PackageDescription
let package = Package(name: "app", dependencies: [.package(url: "` + kite + `", from: "1.0.0")], targets: [
    .executableTarget(name: "App", dependencies: [` + dependencies + `]),
    .target(name: "app-tools", dependencies: [.product(name: "KiteCore", package: "swift-kite")]),
    .target(name: "Other"),
])
`,
			"Sources/app-tools/a.swift": "", "Sources/Other/a.swift": "",
		}
	}
	const src = "import app_tools\n@testable import Other\n#if X\nimport Other\n#endif\nimport Foundation\nimport Unknown\n"
	for dependencies, want := range map[string][]string{
		`"app-tools"`: {"2:18 undeclared  the target App does not depend on Other"},
		`"Other"`:     {"0:8 undeclared  the target App does not depend on KiteCore", "1:8 undeclared  the target App does not depend on app_tools"},
		`.target(name: "app-tools"), .byName(name: "Other")`:         nil,
		`.product(name: "Far", package: "far")`:                      nil,
		`.product(name: "KiteCore", package: "swift-kite"), "Other"`: {"1:8 undeclared  the target App does not depend on app_tools"},
	} {
		if got := wrongUses(t, src, manifest(dependencies)); !slices.Equal(got, want) {
			t.Errorf("with the dependencies %s:\n%s\nwant\n%s", dependencies, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestTypes_UnreachableMembers(t *testing.T) {
	const src = "x.spin(); x.fly(to: 1); y.spin\nz.grip()\n"
	others := map[string]string{
		"Package.swift":             fmt.Sprintf(app, `.package(url: "`+kite+`", from: "1.0.0")`, `.product(name: "KiteCore", package: "swift-kite"), "Middle"`) + "\npackage.targets.append(.target(name: \"Middle\"))\npackage.targets.append(.target(name: \"Far\"))\n",
		"Sources/Middle/a.swift":    "public struct Hand { public func grip() {} }\n",
		"Sources/Far/a.swift":       "public struct Wheel { public func spin() {} ; public func grip() {} }\n",
		"Sources/App/main.swift":    "import KiteCore\n" + src, // the file itself contains the name
		"Sources/App/another.swift": "",
	}
	spin := "absent spin no module that App imports, directly or indirectly, declares a member spin"
	grip := "2:3 absent grip no module that App imports, directly or indirectly, declares a member grip"
	for other, want := range map[string][]string{
		"":                 {"1:3 " + spin, "1:27 " + spin, grip},
		"import Middle\n":  {"1:3 " + spin, "1:27 " + spin},
		"import Far\n":     nil,
		"import UIKit\n":   nil,
		"import Unknown\n": nil,
		"enum E { case\na,\nspin(Int), grip(Int) }\n": {
			"1:3 absent spin no function spin of the project and its packages accepts these arguments: it needs an argument for Int", "2:3 absent grip no function grip of the project and its packages accepts these arguments: it needs an argument for Int",
		},
		"#if X\nimport UIKit\n#endif\n":  {"1:3 " + spin, "1:27 " + spin, grip},
		"#if X\nimport WinSDK\n#endif\n": {"1:3 " + spin, "1:27 " + spin, grip},
		"let w = (spin: 1, grip: 2)\n":   nil,
	} {
		others["Sources/App/another.swift"] = other
		if got := wrongUses(t, src, others); !slices.Equal(got, want) {
			t.Errorf("with %q: %q, want %q", other, got, want)
		}
	}
	others["Sources/App/another.swift"] = ""
	if got := wrongUses(t, "#if X\nimport UIKit\n#endif\n"+src, others); got != nil {
		t.Errorf("in a file that imports UIKit under a condition: %q", got)
	}
}

func TestTypes_ArgumentLabels(t *testing.T) {
	const label = " has the argument label "
	for src, want := range map[string][]string{
		"x.fly(at: 1); x.fly(to: 1); x.unknown(at: 1); fly(at: 1)\n":                                             {"1:7 absent at no function fly in the project and its packages" + label + "at", "1:51 absent at no function fly in the project and its packages" + label + "at"},
		"switch x { case .breeze(rate: let s): s; case .calm, .breeze(rate: 1): 1 ; case .storm(rate: _): 2 }\n": nil,
		"if case let A.breeze(rate: s) = x { s }\n":                                                              nil,
		"func f() { func fly(at: Int) {}; fly(at: 1) }\nfunc g() { struct S { static func each(at: Int) {} }; S.each(at: 1) }\nfunc h<T>() { enum E { case a, b(at: Int) }; E.b(at: 1); func b<T>(_ n: T, rate: Int) {}; b(x, rate: 1) }\n": nil,
		"extension Tail { func fly(at: Int) {} }\nx.fly(at: 1)\n":                              nil,
		"struct S { func callAsFunction(at: Int) {} }\nx.fly(at: 1)\n":                         nil,
		"import Foundation\nlet a = Generated.self, b = Generated.B()\nx.fly(at: 1)\n":         nil,
		"import UIKit\nx.fly(at: 1)\n":                                                         nil,
		"func f() { struct S { let at: Int, rate: Int }; let y: Z = .init(at: 1, rate: 2) }\n": nil,
		"#fly(at: 1); @fly(at: 1) func f() {}; x.append(contentsOf: y); x.append(path: y)\n":   nil,
		"x.each(1, with: 2); let y: Z = .init(colour: 1, paint: 2)\n":                          {"1:11 absent with no function each in the project and its packages" + label + "with", "1:49 absent paint no function init in the project and its packages" + label + "paint"},
	} {
		if got := wrongUses(t, src, map[string]string{"Sources/App/others.swift": "let c = Generated.C()\n"}); !slices.Equal(got, want) {
			t.Errorf("in %q: %q, want %q", src, got, want)
		}
	}
}

func TestFind_MisspelledModule(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"Package.swift":               fmt.Sprintf(app, `.package(url: "`+kite+`", from: "1.0.0"), .package(url: "https://example.com/mona/swift-wind", from: "1.0.0")`, `.product(name: "KiteCore", package: "swift-kite"), .product(name: "WindTunnel", package: "swift-wind")`),
		"Package.resolved":            resolved(pin("swift-kite", kite, "1.4.2", commitA)),
		".build/workspace-state.json": state(fetched("swift-kite", kite, "1.4.2", commitA)),
	})
	filetest.Write(t, filepath.Join(w.project, ".build/checkouts/swift-kite"), library("swift-kite", "KiteCore"))
	for name, want := range map[string]string{"KiteCroe": "KiteCore", "WindTunel": "WindTunnel"} {
		if e := w.failure(name, ""); e.Foreign || !slices.Equal(e.Near, []string{want}) {
			t.Errorf("%s: foreign %v, near %q; want a certain error near %s", name, e.Foreign, e.Near, want)
		}
	}
	if e := w.failure("Unrelated", ""); !e.Foreign {
		t.Error("a module that a package may contain which is not checked out is reported")
	}
}

// TestTypes_SeveralFiles checks many files in one call, which reads them concurrently.
func TestTypes_SeveralFiles(t *testing.T) {
	const count = 40
	others := map[string]string{}
	for i := range count {
		others[fmt.Sprintf("Sources/App/part%d.swift", i)] = fmt.Sprintf("import KiteCore\nfunc part%d(k: Kite) { k.fly(to: 1); k.lannd%d() }\n", i, i)
	}
	w := kiteProject(t, others)
	types, err := w.swift().Types(t.Context(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	files := make([]*ecosystem.SourceFile, count)
	for i := range files {
		name := fmt.Sprintf("Sources/App/part%d.swift", i)
		files[i] = &ecosystem.SourceFile{Name: name, Dir: w.project, Text: []byte(others[name])}
	}
	uses := types.Uses(files)
	for i, f := range files {
		var wrong []string
		for _, u := range uses[f] {
			if u.Fault != ecosystem.NoFault {
				wrong = append(wrong, u.Path)
			}
		}
		if want := []string{fmt.Sprintf("Kite.lannd%d", i)}; !slices.Equal(wrong, want) {
			t.Errorf("%s: got %v, want %v", f.Name, wrong, want)
		}
	}
}

// TestTypes_Declarations checks the declarations that do not accept the arguments of calls.
func TestTypes_Declarations(t *testing.T) {
	w := kiteProject(t, nil)
	types, err := w.swift().Types(t.Context(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	src := "import KiteCore\nstruct Point { var x: Int; func move(by d: Int) {} }\n_ = Point(y: 1)\nPoint(x: 1).move(to: 1)\nBall(1)\nTail().cut(1)\n"
	file := &ecosystem.SourceFile{Name: "Sources/App/main.swift", Dir: w.project, Text: []byte(src)}
	var got []string
	for _, u := range types.Uses([]*ecosystem.SourceFile{file})[file] {
		if u.Fault == ecosystem.ArgumentsFault {
			got = append(got, u.Declaration)
		}
	}
	if want := []string{"init(x: Int)", "func move(by d: Int)", "init()", "func cut()"}; !slices.Equal(got, want) {
		t.Errorf("the declarations are %q, want %q", got, want)
	}
}
