package program_test

import "testing"

func TestShapes_Calls(t *testing.T) {
	const project = ": no function reelIn of the project and its packages accepts these arguments: "
	expectFaults(t, []faultCase{
		{"methods of unknown values", `
y.reelIn(spool: 1)
y.reelIn(spool: 1, quickly: true)
y.reelIn(1) // absent reelIn` + project + `it needs an argument for spool
y.reelIn(spool: 1, quickly: true, 3) // absent reelIn` + project + `it takes 2 arguments, but 3 are passed
y.reelIn(
	spool: 1,
	2 // absent reelIn` + project + `argument 2 needs a label or is not accepted
)
let f = y.reelIn
let g = y.reelIn(spool:quickly:)
reelIn(spool: 1, 2) // absent reelIn` + project + `argument 2 needs a label or is not accepted
-- other.swift
struct Reel { func reelIn(spool: Int, quickly: Bool = false) {} }
`},
		{"overloads", `
y.reelIn(1)
y.reelIn(spool: 1)
y.reelIn(spool: 1, 2) // absent reelIn: no function reelIn of the project and its packages accepts these arguments: none of its declarations accepts these arguments; the closest one takes 1 argument, but 2 are passed
-- other.swift
struct Reel { func reelIn(spool: Int) {} }
extension Reel { func reelIn(_ n: Int) {} }
`},
		{"properties", `
y.reelSize(1) // absent reelSize: no function reelSize is declared in the modules that App imports, directly or indirectly, only properties that cannot be called
y.onReel(1)
y.reeler(1)
y.anyReel(1)
-- other.swift
struct Reeler { func callAsFunction(_ n: Int) {} }
struct Reel<T> { var reelSize = 1; var onReel: (Int) -> Void; var reeler: Reeler; var anyReel: T }
`},
		{"names that a system declares", `
y.write(1)
y.index(of: 1, reelIn: 2) // absent reelIn: no function index in the project and its packages has the argument label reelIn
y.index(of: 1, where: 2)
let a = Date(reelIn: 1) // absent reelIn: no function Date in the project and its packages has the argument label reelIn
let b = Date(timeIntervalSince1970: 1)
let c = Date(spooledAt: 1)
let d = timespec(tv_reel: 1)
extension Reel { static func g() -> Self { Self(spooledWith: 1) } }
func h<Tag: Spooled>(_ t: Tag) { Tag(spooledBy: 1) }
y.append(1, 2, 3)
-- other.swift
struct Reel { func write(spool: Int) {}; func append() {}; init(spooledWith: Int) {} }
protocol Spooled { init(spooledBy: Int) }
extension Date { init(spooledAt: Int) { self.init() } }
`},
		{"methods of types", `
Reel.reelIn(y)
let z = y.map(Reel.reelIn)
type(of: y).reelIn(y)
for t in types { t.reelIn(y)(spool: 1) }
-- other.swift
struct Reel { func reelIn(spool: Int) {} }
`},
		{"functions that macros generate", `
y.reelIn(id: 1)
y.load(completion: z)
y.tether(completion: z) // absent completion: no function tether in the project and its packages has the argument label completion
y.add(1)
y.add.spool
-- other.swift
struct Reel { func reelIn(spool: Int) {}; @Completing func load() async {}; @Built func tether(knot: Int) {}; func add() {} }
@Client struct Rope { var reelIn: (_ id: Int) -> Void }
@resultBuilder struct Built {}
@attached(member, names: named(init), named(` + "`add`" + `)) macro Adding() = #externalMacro(module: "M", type: "A")
`},
		{"modules that are not imported", `
y.reelIn(1)
-- other.swift
struct Reel { func reelIn(spool: Int) {}; func reelIn(_ n: Int) {} }
-- Dock/Dock.swift
public struct Dock { public func reelIn(rope: Int) {} }
-- third.swift
import Kite
`},
		{"names that the file declares", `
func f() { func reelIn(_ n: Int) {} ; reelIn(1) }
func g(reelIn: (Int) -> Void) { reelIn(1) ; y.reelIn(1) }
-- other.swift
struct Reel { func reelIn(spool: Int) {} }
`},
		{"patterns", `
func f() {
	switch y {
	case .reeled(let a): break
	case let (.reeled(a), .reeled(b)): break
	case (.reeled(1), _), .reeled(2): break
	default: break
	}
	if case .reeled(3) = y, z.reeled(4) {}
	for case .reeled(5) in y {}
	do { try g() } catch .reeled(6) {}
}
-- other.swift
enum Reel { case reeled(spool: Int) }
`},
		{"values whose members have any name", `
y.reelIn(1) // absent reelIn` + project + `it needs an argument for spool
y.reelIn.spool
-- other.swift
struct Reel { func reelIn(spool: Int) {} }
@dynamicMemberLookup struct Bag { subscript(dynamicMember name: String) -> Int { 1 } }
`},
		{"functions with any name", `
y.reelIn(1)
-- other.swift
struct Reel { func reelIn(spool: Int) {} }
@dynamicMemberLookup struct Bag { subscript(dynamicMember name: String) -> (Int) -> Int { { $0 } } }
`},
		{"values with any name that can be called", `
y.reelIn(1)
-- other.swift
struct Reel { func reelIn(spool: Int) {}; func callAsFunction(x: Int) {} }
@dynamicMemberLookup struct Bag { subscript(dynamicMember name: String) -> Reel { Reel() } }
`},
		{"a type that contains one whose members have any name", `
func f(b: Bag) { b.anything } // absent Bag.anything
func f(i: Bag.Inner) { i.anything }
-- other.swift
struct Bag { @dynamicMemberLookup struct Inner { subscript(dynamicMember name: String) -> Int { 1 } } }
`},
	})
}

func TestShapes_Initializers(t *testing.T) {
	expectFaults(t, []faultCase{
		{"implicit initializers", `
y.add(.init(spoolSize: 1, knotCount: 2))
y.add(.init(spoolSize: 1))
y.add(.init(spoolSize: 1, knots: 2)) // absent knots: no function init in the project and its packages has the argument label knots
y.add(.init(spoolSize: 1, description: 2)) // absent init: no function init of the project and its packages accepts these arguments: it has no argument label description
y.add(.init(description: 2))
-- other.swift
struct Reel { init(spoolSize: Int, knotCount: Int = 1) {} }
`},
		{"structures and types with macros", `
y.add(.init(spoolSize: 1))
y.add(.init(spoolWidth: 1, spoolSize: 2))
y.add(.init(knotCount: 1))
-- other.swift
struct Reel { var spoolSize: Int; var spoolWidth = 1 }
struct Bobbin { var spoolWidth: Int; var spoolSize: Int }
@Memberwise class Knot { var knotCount: Int }
`},
		{"types of systems", `
let a = Data(spoolSize: 1)
let b = Data(spoolSize: 1, 2) // absent Data: no function Data of the project and its packages accepts these arguments: it takes 1 argument, but 2 are passed
let c = Data(count: 1)
-- other.swift
extension Data { init(spoolSize: Int) { self.init() } }
`},
	})
}

func TestShapes_Members(t *testing.T) {
	const instances = ": in all modules that App imports, directly or indirectly, reelSize is no member of a type, but of its instances, so a value is missing before the dot"
	expectFaults(t, []faultCase{
		{"members of methods", `
y.reelIn.spool // absent reelIn: in all modules that App imports, directly or indirectly, reelIn is a method, and must be called
y.reelIn().spool
let f = y.reelIn
let g = y.reelIn.self
let h = y.dual.spool
-- other.swift
struct Reel { func reelIn() -> Reel { self }; var spool = 1; func dual() {} }
struct Line { var dual: Reel }
`},
		{"elements of tuples", `
y.pair.reelIn.spool
y.pair.reelIn(1)
y.ends().first?.knot.spool
y.all.first?.bend.spool
y.run { $0.splice.spool }
y.coil.spool // absent coil: in all modules that App imports, directly or indirectly, coil is a method, and must be called
-- other.swift
struct Reel { func reelIn() {}; func knot() {}; func bend() {}; func splice() {}; func coil() {}; func run(_ f: ((splice: Reel, n: Int)) -> Void) {} }
typealias Pair = (reelIn: (Int) -> Void, size: Int)
func ends() -> [(knot: Reel, size: Int)] { [] }
let all = [(bend: Reel(), size: 1)], one = Line(coil: 1)
`},
		{"members of types that a subscript looks up", `
y.select(.reelSize)
-- other.swift
struct Reel { var reelSize: Int }
@dynamicMemberLookup struct Column { static subscript<V>(dynamicMember path: KeyPath<Reel, V>) -> Column { x } }
`},
		{"implicit members", `
y.use(.reelSize) // absent reelSize` + instances + `
y.use([.reelSize]) // absent reelSize` + instances + `
let a: Y = .reelSize // absent reelSize` + instances + `
y.use(\.reelSize)
y.use(.shared)
y.use(.tiny)
y
	.reelSize
func f() -> Y { return .reelSize } // absent reelSize` + instances + `
y.use(.made)
-- other.swift
struct Reel { var reelSize: Int; static let shared = Reel(reelSize: 1); var tiny: Int }
enum Line { case tiny }
@Macro struct Bobbin { var made: Int }
`},
	})
}

func TestExtensions_OfArrays(t *testing.T) {
	expectFaults(t, []faultCase{
		{"aliases of arrays", `
func f(a: [Int], b: [Int: Int]) {
	a.reelAll()
	a.reelNone() // absent reelNone: Array has no member reelNone, and no module of the project or of its packages adds one
	b.reelSome()
}
-- other.swift
typealias Spools = [Int]
enum Shed { typealias Ropes = [Int: Int] }
extension Spools { func reelAll() {} }
extension Shed.Ropes { func reelSome() {} }
`},
	})
}

func TestUnreachable_NotImported(t *testing.T) {
	const no = ": no module that App imports, directly or indirectly, declares a member "
	expectFaults(t, []faultCase{
		{"members of modules that nothing imports", `
y.winchIn(rope: 1) // absent winchIn` + no + `winchIn
y.slipped // absent slipped` + no + `slipped
y.use(.moored) // absent moored` + no + `moored
y.caulk()
y.somethingElse()
y.inner
-- Dock/Dock.swift
public struct Dock { public func winchIn(rope: Int) {}; public func caulk() {}; var inner = 1 }
extension Dock { public var slipped: Bool { true } }
public enum Mooring { case moored }
-- other.swift
func f() { z.caulk() }
`},
	})
}
