package rust

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// valueShapes is a crate whose types have operators, variants and traits. Only Other has the member zz.
const valueShapes = `use std::ops::{Add, AddAssign, Sub, Index, Mul, Neg, Not, Deref};
pub struct Other { pub zz: u8 }
#[derive(Clone, Debug, Default, PartialEq, PartialOrd)]
pub struct Circle { pub radius: f64, pub center: Point }
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Point { pub x: f64, pub y: f64 }
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector(pub i64);
pub struct Grid<T> { pub cells: Vec<T> }
pub struct Error { pub code: u32 }
pub enum Shape { Round(Circle), Line { from: Point, to: Point }, Many(Vec<Shape>), Empty }
impl Circle { pub const UNIT: Circle = Circle { radius: 1.0, center: ORIGIN }; pub fn new() -> Self { loop {} } pub fn area(&self) -> f64 { 0.0 } pub fn split<T>(self, f: impl Fn(Circle) -> T) -> T { f(self) } pub fn parsed<T: std::str::FromStr>(&self) -> Option<T> { None } }
pub const ORIGIN: Point = Point { x: 0.0, y: 0.0 };
pub static LARGE: Circle = Circle { radius: 9.0, center: ORIGIN };
impl Add for Point { type Output = Circle; fn add(self, _: Point) -> Circle { loop {} } }
impl Sub<Vector> for Point { type Output = Point; fn sub(self, _: Vector) -> Point { self } }
impl Mul<f64> for Point { type Output = Vector; fn mul(self, _: f64) -> Vector { loop {} } }
impl Mul<Vector> for Vector { type Output = Vector; fn mul(self, v: Vector) -> Vector { v } }
impl Mul<u8> for Vector { type Output = Point; fn mul(self, _: u8) -> Point { ORIGIN } }
impl AddAssign for Vector { fn add_assign(&mut self, _: Vector) {} }
impl Neg for Point { type Output = Vector; fn neg(self) -> Vector { loop {} } }
impl Not for Vector { type Output = Point; fn not(self) -> Point { ORIGIN } }
impl<T> Index<usize> for Grid<T> { type Output = T; fn index(&self, i: usize) -> &T { &self.cells[i] } }
impl<T> IntoIterator for Grid<T> { type Item = T; type IntoIter = std::vec::IntoIter<T>; fn into_iter(self) -> Self::IntoIter { self.cells.into_iter() } }
impl<T> Deref for Handle<T> { type Target = T; fn deref(&self) -> &T { &self.0 } }
pub struct Handle<T>(T);
pub fn grid() -> Grid<Circle> { loop {} }
pub fn handle() -> Handle<Circle> { loop {} }
pub fn pair() -> (Circle, Point) { loop {} }
pub fn maybe() -> Option<Circle> { None }
pub fn attempt() -> Result<Circle, Error> { loop {} }
pub fn shape() -> Shape { Shape::Empty }
pub async fn later() -> Circle { loop {} }
pub trait Paint { type Color; fn paint(&self) -> Self::Color; fn twice(&self) -> (Self::Color, Self::Color) { (self.paint(), self.paint()) } }
impl Paint for Circle { type Color = Point; fn paint(&self) -> Point { ORIGIN } }
`

// A valueCase has code that uses the field or method zz of values, and the paths that follow from their types.
type valueCase struct{ name, src, want string }

func checkValues(t *testing.T, cases []valueCase) {
	t.Helper()
	w := typesWorld(t)
	w.vendor("shapes", "1.0.0", "", map[string]string{".cargo-checksum.json": `{"files":{}}`, "src/lib.rs": valueShapes})
	rs := w.rust()
	for _, c := range cases {
		src := "#![allow(warnings)]\nuse shapes::*;\n" + c.src + "\n"
		filetest.Write(t, w.project, map[string]string{"src/lib.rs": src})
		got, err := w.faultsOf(rs, src)
		got = slices.DeleteFunc(got, func(path string) bool { return !strings.Contains(path, "::") }) // unknown words
		for i := range got {
			got[i] = strings.TrimSuffix(got[i], "::zz")
		}
		if want := strings.Fields(c.want); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %s\nthe types are %q, error %v; want %q", c.name, c.src, got, err, want)
		}
	}
}

func TestTypes_Operators(t *testing.T) {
	checkValues(t, []valueCase{
		{"arithmetic with numbers", "fn f(a: f64, n: u8) { (a + a).zz; (n * 2).zz; (n % 3 - 1).zz; (n << 2 >> 1).zz; (n & 1 | 2 ^ 3).zz }", "f64 u8 u8 u8 u8"},
		{"operators of traits", "fn f(p: Point, v: Vector) { (p + p).zz; (p - v).zz; (p * 2.0).zz; (v * v).zz }", "Circle Point Vector"},
		{"unary operators of traits", "fn f(p: Point, v: Vector) { (-p).zz; (!v).zz; (-p).0; (!v).x; (-p).x }", "Vector Point Vector::x"},
		{"unary operators of numbers", "fn f(a: f64, n: u8, b: bool) { (-a).zz; (!n).zz; (!b).zz }", "f64 u8 bool"},
		{"comparisons", "fn f(n: u8) { (n == 1).zz; (n != 1).zz; (n <= 1).zz; (n >= 1).zz; (n < 1).zz; (n > 1 && n < 2 || n == 3).zz }", "bool bool bool bool bool bool"},
		{"precedence", "fn f(p: Point, v: Vector) { (p - -p).x; (p + p).area(); (p - v + p).zz; (1 + 2 * 3 == 7).zz }", "Circle bool"},
		{"as", "fn f(n: u8, c: &Circle) { (n as u64).zz; (n as f64 * 1f64).zz; (c as *const Circle).zz; (n as usize as u16).zz; n as u32 > 2; (n as char).zz }", "u64 f64 pointer u16 char"},
		{"ranges", "fn f(a: usize, v: Vec<Circle>) { (a..9).zz; (a..=9).zz; (a..).zz; (..a).zz; (..=a).zz; (..).zz; v[1..].zz; v[..2][0].zz }", "Range RangeInclusive RangeFrom RangeTo RangeToInclusive RangeFull slice Circle"},
		{"references", "fn f(mut c: Circle) { (&c).zz; (&mut c).zz; (&&c).zz; (*&c).zz; (&raw const c); (&c as &Circle).zz }", "Circle Circle Circle Circle Circle"},
		{"assignments", "fn f(mut c: Circle, mut v: Vector, mut n: u8) { c = Circle::new(); c.zz; v += v; v.zz; n -= 1; n *= 2; n /= 2; n %= 2; n &= 1; n |= 1; n ^= 1; n <<= 1; n >>= 1; n.zz }", "Circle Vector u8"},
		{"a variable that is assigned later", "fn f() { let c; c = Circle::new(); c.zz }", "Circle"},
	})
}

func TestTypes_Literals(t *testing.T) {
	checkValues(t, []valueCase{
		{"strings and characters", `fn f() { "a".zz; r"a".zz; r#"a"#.zz; 'a'.zz; b'a'.zz; "a".to_string().zz }`, "str str str char u8 String"},
		{"C strings", `fn f() { c"a".zz }`, "CStr"},
		{"numbers with suffixes", "fn f() { 1u8.zz; 1_000i64.zz; 0xFFu16.zz; 1.5f32.zz; 0b1usize.zz; 1e3f64.zz }", "u8 i64 u16 f32 usize f64"},
		{"booleans", "fn f() { true.zz; false.zz }", "bool bool"},
		{"tuples", "fn f() { (Circle::new(), 1u8).0.zz; (1u8, 2u16).1.zz; ((1u8, Circle::new()), 2).0.1.zz; (Circle::new(),).0.zz; (Circle::new()).zz }", "Circle u16 Circle Circle Circle"},
		{"arrays", "fn f() { [Circle::new()][0].zz; [1u8; 4][0].zz; [Circle::new(), Circle::new()].first().unwrap().zz; b\"ab\"[0].zz }", "Circle u8 Circle u8"},
		{"structs", "fn f() { Point { x: 1.0, y: 2.0 }.zz; Vector(1).zz; Vector(1).0.zz; Circle { radius: 1.0, ..Circle::new() }.zz; Grid { cells: vec![Circle::new()] }.cells[0].zz }", "Point Vector i64 Circle Circle"},
		{"variants", "fn f() { Shape::Empty.zz; Shape::Round(Circle::new()).zz; Shape::Line { from: ORIGIN, to: ORIGIN }.zz; Some(Circle::new()).unwrap().zz }", "Shape Shape Shape Circle"},
		{"constants and statics", "fn f() { ORIGIN.zz; LARGE.zz; Circle::UNIT.zz; std::f64::consts::PI.zz; u8::MAX.zz }", "Point Circle Circle f64 u8"},
		{"macros of the standard library", `fn f() { vec![1u8].zz; vec![Circle::new(); 3][0].zz; format!("a").zz; matches!(1, 1).zz }`, "Vec Circle String bool"},
	})
}

func TestTypes_Patterns(t *testing.T) {
	checkValues(t, []valueCase{
		{"tuples", "fn f() { let (a, b) = pair(); a.zz; b.zz; let (.., c) = pair(); c.zz; let (d, ..) = (Circle::new(), 1, 2); d.zz; let (e,) = (Circle::new(),); e.zz; let (g) = Circle::new(); g.zz }", "Circle Point Point Circle Circle Circle"},
		{"references", "fn f(c: &Circle, v: Vec<Circle>) { let &Circle { ref center, .. } = c; center.zz; let ref d = Circle::new(); d.zz; for &Circle { radius, .. } in &v { radius.zz } }", "Point Circle f64"},
		{"mutable variables", "fn f() { let mut c = Circle::new(); c.zz; let (mut a, ref mut b) = pair(); a.zz; b.zz }", "Circle Circle Point"},
		{"fields with other names", "fn f(c: Circle) { let Circle { radius: r, center: Point { x, .. } } = c; r.zz; x.zz }", "f64 f64"},
		{"tuple structs", "fn f(v: Vector) { let Vector(n) = v; n.zz }", "i64"},
		{"variants", "fn f() { match shape() { Shape::Round(c) => c.zz, Shape::Line { from, to: t } => { from.zz; t.zz } Shape::Many(l) => l[0].zz, Shape::Empty => {} } }", "Circle Point Point Shape"},
		{"alternatives", "fn f() { match shape() { Shape::Line { from: p, .. } | Shape::Round(Circle { center: p, .. }) => p.zz, _ => {} } if let | Some(c) = maybe() { c.zz } }", "Point Circle"},
		{"bindings with a pattern", "fn f() { match maybe() { all @ Some(_) => all.unwrap().zz, None => {} } if let Some(c @ Circle { center, .. }) = &maybe() { c.zz; center.zz } }", "Circle Circle Point"},
		{"slices", "fn f(v: &[Circle]) { match v { [a] => a.zz, [a, b] => b.zz, [a, rest @ ..] => { a.zz; rest.zz; rest[0].zz } [] => {} } if let [.., z] = v { z.zz } }", "Circle Circle Circle slice Circle Circle"},
		{"constants and ranges", "fn f(n: u8, c: char) { match n { 0 => n.zz, 1..=5 => n.zz, 6..10 => n.zz, u8::MAX => n.zz, x @ (11 | 12) => x.zz, _ => {} } match -1i8 { -1 => {} -9..=-2 => {} _ => {} } match c { 'a'..='z' => c.zz, '0'.. => c.zz, _ => {} } }", "u8 u8 u8 u8 u8 char char"},
		{"strings and booleans", `fn f(s: &str, b: bool) { match s { "a" | "b" => s.zz, _ => {} } match (b, s) { (true, t) => t.zz, (false, _) => b.zz } }`, "str str bool"},
		{"let with else", "fn f() { let Some(c) = maybe() else { return }; c.zz; let Ok(d) = attempt() else { panic!() }; d.zz }", "Circle Circle"},
		{"while let and if let with conditions", "fn f(mut v: Vec<Circle>) { while let Some(c) = v.pop() { c.zz } if let Some(c) = maybe() && c.area() > 1.0 { c.zz } else { v.zz } }", "Circle Circle Vec"},
		{"guards", "fn f() { match maybe() { Some(c) if c.zz > 1 => c.zz, Some(c) => c.zz, None => {} } }", "Circle Circle Circle"},
		{"parameters", "fn f((a, b): (Circle, Point), [c, ..]: [Circle; 2], &d: &Point, Vector(e): Vector) { a.zz; b.zz; c.zz; d.zz; e.zz }", "Circle Point Circle Point i64"},
		{"loops", "fn f(v: Vec<(Circle, Point)>) { for (c, p) in v { c.zz; p.zz } for (i, (c, _)) in vec![pair()].into_iter().enumerate() { i.zz; c.zz } for c in grid() { c.zz } for n in 0u8..9 { n.zz } }", "Circle Point usize Circle Circle u8"},
		{"nested options", "fn f(o: Option<Result<Circle, Error>>) { match o { Some(Ok(c)) => c.zz, Some(Err(e)) => e.zz, None => {} } if let Some(Err(Error { code })) = o { code.zz } }", "Circle Error u32"},
	})
}

func TestTypes_Blocks(t *testing.T) {
	checkValues(t, []valueCase{
		{"the value of a block", "fn f() { { let c = Circle::new(); c }.zz; unsafe { Circle::new() }.zz; ({ Circle::new(); }).zz }", "Circle Circle"},
		{"if", "fn f(b: bool) { let c = if b { Circle::new() } else { Circle::new() }; c.zz; let p = if b { ORIGIN } else if !b { ORIGIN } else { panic!() }; p.zz }", "Circle Point"},
		{"an arm that returns", "fn f(b: bool) { let c = match b { true => Circle::new(), false => return }; c.zz; let d = if b { return } else { Circle::new() }; d.zz }", "Circle Circle"},
		{"match", "fn f() { let p = match shape() { Shape::Round(c) => c.center, Shape::Line { from, .. } => from, _ => ORIGIN }; p.zz; match 1 { _ => Circle::new() }.zz }", "Point Circle"},
		{"loops", "fn f() { 'a: loop { for i in 0..3u8 { while true { i.zz; continue 'a } break 'a } } loop { break }; Circle::new().zz }", "u8 Circle"},
		{"labelled blocks", "fn f() { 'a: { if true { break 'a } Circle::new().zz } }", "Circle"},
		{"items in blocks", "fn f() { const N: Point = ORIGIN; static S: Vector = Vector(1); fn g() -> Circle { loop {} } struct Inner { c: Circle } async fn h() {} N.zz; S.zz; g().zz; Inner { c: g() }.c.zz }", "Point Vector Circle Circle"},
		{"statements with attributes", "fn f() { #[allow(unused)] let c = Circle::new(); c.zz; #[cfg(missing)] let c = ORIGIN; c.zz; ; }", "Circle"},
		{"a shadowed variable", "fn f(c: Circle) { let c = c.center; c.zz; { let c = Vector(1); c.zz } c.zz }", "Point Vector Point"},
		{"a statement that ends with a block", "fn f() { if true { 1 } else { 2 }; match 1 { _ => {} } Circle::new().zz; unsafe { 1 }; { } ORIGIN.zz }", "Circle Point"},
		{"a chain after a block", "fn f() { match 1 { _ => maybe() }.unwrap().zz; unsafe { attempt() }?.zz; if true { maybe() } else { None }?.zz }", "Circle Circle Circle"},
		{"question marks", "fn f() -> Option<()> { maybe()?.zz; let c = maybe()?; c.zz; None }\nfn g() -> Result<(), Error> { attempt()?.zz; attempt().map_err(|e| e.zz)?; Ok(()) }", "Circle Circle Circle Error"},
		{"functions in functions", "fn f() { unsafe fn g(c: Circle) { c.zz } pub(crate) const fn h(p: Point) { p.zz } extern \"C\" fn i(v: Vector) { v.zz } }", "Circle Point Vector"},
	})
}

func TestTypes_Closures(t *testing.T) {
	checkValues(t, []valueCase{
		{"parameters from the call", "fn f() { Circle::new().split(|c| c.zz); maybe().map(|c| c.zz); vec![ORIGIN].iter().for_each(|p| p.zz) }", "Circle Circle Point"},
		{"results", "fn f() { Circle::new().split(|c| c.center).zz; maybe().map(|c| c.center).unwrap().zz; maybe().and_then(|c| Some(c.radius)).unwrap().zz; maybe().map(|_| { Vector(1) }).unwrap().zz }", "Point Point f64 Vector"},
		{"declared parameters and results", "fn f() { let g = |c: Circle, n: u8| -> Point { c.zz; n.zz; c.center }; g(Circle::new(), 1).zz }", "Circle u8 Point"},
		{"patterns", "fn f(v: Vec<(Circle, Point)>) { v.iter().map(|(c, p)| { c.zz; p.zz }); v.iter().for_each(|&(ref c, _)| c.zz) }", "Circle Point Circle"},
		{"move and async", "fn f(c: Circle) { let g = move || c.zz; let h = async move { c.zz }; maybe().map(move |d| d.zz) }", "Circle Circle Circle"},
		{"functions as arguments", "fn f() { fn g(c: Circle) -> Point { c.center } maybe().map(g).unwrap().zz; vec![1i64].into_iter().map(Vector).next().unwrap().zz }", "Point Vector"},
		{"functions as parameters", "fn f(g: fn(u8) -> Circle, h: impl Fn() -> Point, i: &dyn Fn(u8) -> Vector) { g(1).zz; h().zz; i(1).zz }", "Circle Point Vector"},
		{"a closure that is called later", "fn f() { let g = |n| Vector(n); g(1).zz; (|c: Circle| c.center)(Circle::new()).zz }", "Vector Point"},
		{"await", "async fn f() { later().await.zz; let c = later(); c.await.zz; async { ORIGIN }.await.zz }", "Circle Circle Point"},
	})
}

func TestTypes_Paths(t *testing.T) {
	checkValues(t, []valueCase{
		{"functions of types and traits", "fn f(c: Circle) { Circle::new().zz; Paint::paint(&c).zz; <Circle as Paint>::paint(&c).zz; <Circle>::new().zz; Circle::area(&c).zz; shapes::Circle::new().zz; ::shapes::pair().1.zz }", "Circle Point Point Circle f64 Circle Point"},
		{"Self", "struct Own { c: Circle } impl Own { fn make() -> Self { loop {} } fn f(self) { Self::make().zz; self.c.zz; Self { c: Circle::new() }.c.zz; self.zz } }", "Own Circle Circle Own"},
		{"type arguments", "fn f(c: Circle) { c.parsed::<Point2>().unwrap().zz; Vec::<Circle>::new()[0].zz; Option::Some::<Circle>(c).unwrap().zz; \"1\".parse::<u8>().unwrap().zz }\nstruct Point2; impl std::str::FromStr for Point2 { type Err = (); fn from_str(_: &str) -> Result<Self, ()> { Ok(Point2) } }", "Point2 Circle Circle u8"},
		{"type arguments from the declared type", "fn f(c: Circle) { let p: Option<Circle> = None; p.unwrap().zz; let v: Vec<Point> = Vec::new(); v[0].zz; let n: u16 = \"1\".parse().unwrap(); n.zz }", "Circle Point u16"},
		{"associated types", "fn f<T: Paint<Color = Vector>>(t: T, u: impl Paint<Color = Circle>) { t.paint().zz; u.paint().zz; t.twice().0.zz; Circle::new().twice().1.zz }", "Vector Circle Vector Point"},
		{"aliases", "type Ring = Circle; type Maybe<T> = Option<T>; fn f(r: Ring, m: Maybe<Point>) { r.zz; m.unwrap().zz; Ring::new().zz }", "Circle Point Circle"},
		{"imports with other names", "mod m { pub use shapes::Circle as Disc; pub fn disc() -> Disc { loop {} } } use m::{disc as make, Disc}; fn f(d: Disc) { d.zz; make().zz; m::disc().zz; self::m::disc().zz; crate::m::disc().zz }", "Circle Circle Circle Circle Circle"},
		{"references that are converted to pointers", "struct S { p: *mut Circle } fn zero<T>() -> T { loop {} } fn set(p: *mut Circle) {} fn f() { let mut a = zero(); set(&mut a); a.zz; let mut b = zero(); let p: *mut Circle = &mut b; b.zz; p.zz; let mut c = zero(); S { p: &mut c }; c.zz; let d = Some(p); d.unwrap().zz }", "pointer pointer"},
		{"smart pointers", "use std::{rc::Rc, sync::Arc, cell::RefCell, borrow::Cow}; fn f(a: Box<Circle>, b: Rc<Circle>, c: Arc<Circle>, d: RefCell<Circle>, e: Cow<'_, Circle>) { a.zz; b.zz; c.zz; d.borrow().zz; d.borrow_mut().zz; e.zz; handle().zz; handle().center.zz; b.clone().zz }", "Circle Circle Circle Circle Circle Circle Handle Point Circle"},
		{"indexes", "use std::collections::{HashMap, BTreeMap}; fn f(v: Vec<Circle>, a: [Point; 2], m: HashMap<String, Circle>, b: BTreeMap<u8, Vec<Point>>, s: &[Circle]) { v[0].zz; a[1].zz; m[\"a\"].zz; b[&1][0].zz; s[0].zz; grid()[0].zz; v[0].center.zz }", "Circle Point Circle Point Circle Circle Point"},
		{"methods with a result of Self", "fn f(c: Circle, p: &Point) { c.clone().zz; Circle::default().zz; p.clone().zz; Point::default().zz }", "Circle Circle Point Point"},
		{"type parameters of structs", "struct Own<T> { t: T, l: Vec<T> } impl<T> Own<T> { fn get(&self) -> &T { &self.t } } fn f(o: Own<Circle>, p: Own<Own<Point>>) { o.t.zz; o.l[0].zz; o.get().zz; p.get().get().zz; Own { t: ORIGIN, l: vec![] }.t.zz }", "Circle Circle Circle Point Point"},
		{"raw names", "struct r#Type { r#fn: Circle } fn f(r#match: r#Type) { r#match.r#fn.zz; r#match.zz }", "Circle Type"},
	})
}

func TestTypes_Iterators(t *testing.T) {
	checkValues(t, []valueCase{
		{"adapters", "fn f(v: Vec<Circle>) { v.iter().map(|c| c.center).next().unwrap().zz; v.iter().filter(|c| c.radius > 1.0).next().unwrap().zz; v.iter().enumerate().next().unwrap().1.zz; v.iter().zip(vec![ORIGIN]).next().unwrap().1.zz; v.iter().rev().skip(1).take(2).next().unwrap().zz; v.iter().peekable().peek().unwrap().zz }", "Point Circle Circle Point Circle Circle"},
		{"folds", "fn f(v: Vec<Circle>) { v.iter().map(|c| c.radius).sum::<f64>().zz; v.iter().fold(ORIGIN, |a, c| a).zz; v.iter().count().zz; v.iter().position(|c| true).unwrap().zz; v.iter().any(|c| c.zz) }", "f64 Point usize usize Circle"},
		{"collections", "use std::collections::HashMap; fn f(v: Vec<Circle>) { v.iter().map(|c| c.center).collect::<Vec<_>>()[0].zz; let m: HashMap<u8, Circle> = v.into_iter().map(|c| (1, c)).collect(); m[&1].zz; for (k, c) in &m { k.zz; c.zz } for c in m.values() { c.zz } }", "Point Circle u8 Circle Circle"},
		{"results", "fn f(v: Vec<Circle>) { v.first().unwrap().zz; v.last().zz; v.get(0).unwrap().zz; v.iter().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap().zz; v.iter().find(|c| true).unwrap().zz; v.len().zz }", "Circle Option Circle Circle Circle usize"},
		{"text", `fn f(s: &str) { s.chars().next().unwrap().zz; s.lines().next().unwrap().zz; for c in s.chars() { c.zz } for b in s.bytes() { b.zz } for w in s.split_whitespace() { w.zz } s.trim().zz; s[1..].zz }`, "char str char u8 str str str"},
		{"own iterators", "struct Own; impl Iterator for Own { type Item = Circle; fn next(&mut self) -> Option<Circle> { None } } fn f(o: Own) { for c in o { c.zz } } fn g(mut o: Own) { o.next().unwrap().zz; o.map(|c| c.center).next().unwrap().zz } fn h() -> impl Iterator<Item = Point> { loop {} } fn i() { for p in h() { p.zz } h().next().unwrap().zz }", "Circle Circle Point Point Point"},
	})
}

// TestTypes_Present lists the names of packages that exist, but not those of the project.
func TestTypes_ConditionalElements(t *testing.T) {
	checkValues(t, []valueCase{
		{"elements", "fn f(p: Point) { [#[cfg(windows)] p.zz, p.area()]; vec![#[cfg(windows)] p.zz]; }", "Point::area"},
		{"arguments", "fn f(p: Point, g: fn(u8)) { g(#[cfg(windows)] p.zz, #[cfg(unix)] p.area()) }", "Point::area"},
	})
}

func TestTypes_Initializers(t *testing.T) {
	checkValues(t, []valueCase{
		{"constants and statics", "const A: u8 = Circle::new().zz; static mut B: f64 = { use shapes::maybe as m; m().unwrap().zz };", "Circle Circle"},
		{"members of implementations and traits", "trait T { const A: u8 = ORIGIN.zz; } impl T for Own { const A: u8 = Self::B.zz; } struct Own; impl Own { const B: Circle = Circle::UNIT; }", "Point Circle"},
		{"the parameters of closures", "static A: fn(Point) -> u8 = |p| p.zz;", "Point"},
		{"types with equals signs", "const A: &dyn Iterator<Item = Circle> = &[Circle::UNIT.zz].into_iter();", "Circle"},
		{"code that other builds or macros replace", "#[cfg(windows)] const A: u8 = ORIGIN.zz; #[unread] static B: u8 = ORIGIN.zz; const C: u8; struct S<const N: u8> { a: u8 } const fn g(p: Point) { p.zz }", "Point"},
	})
}

// TestTypes_Arguments checks the number of arguments of functions that are values, and of methods of generic traits.
func TestTypes_Arguments(t *testing.T) {
	w := typesWorld(t)
	for src, want := range map[string]string{
		"fn f<F: Fn(u8) -> u8>(a: F, b: impl FnOnce(), c: fn(u8, u8)) { a(1, 2); b(1); c(1); a(1); b(); c(1, 2) }": "arguments a arguments b arguments c",
		"fn f() { let a = |x, y| x + y; a(1); a(1, 2); let b = g; b(1); b() } fn g() {}":                           "arguments a arguments b",
		"fn f(a: unsafe extern \"C\" fn(u8, ...), b: X, c: Option<fn()>) { a(1, 2); b(1); c(2) }":                  "",
		"fn f() { let a = g; a(1, 2); a() } #[unread] fn g() {}":                                                   "",
		"fn f() { let a = |#[cfg(windows)] x: u8, y: u8| y; a(1); a(1, 2) }":                                       "",
		"use shapes::Circle; fn f(c: Circle) -> u8 { c.into(1) }":                                                  "arguments Circle::into",
	} {
		if got, err := w.faults(src); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: the faults are %q, error %v; want %q", src, got, err, want)
		}
	}
}

func TestTypes_Present(t *testing.T) {
	w := typesWorld(t)
	src := "use shapes::Circle;\npub struct Own { circle: Circle }\nimpl Own { fn own(&self) {} }\nfn f(c: &Circle, o: Own, x: X) { c.area(); o.own(); o.circle.radius; x.area(); c.gone(); Circle::area(c); shapes::helper(1) }\n"
	filetest.Write(t, w.project, map[string]string{"src/lib.rs": src})
	types, err := w.rust().Types(t.Context(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	defer types.(io.Closer).Close()
	f := &ecosystem.SourceFile{Name: "src/lib.rs", Dir: w.project, Text: []byte(src)}
	var got []string
	for _, u := range types.Uses([]*ecosystem.SourceFile{f})[f] {
		if u.Fault == ecosystem.NoFault {
			got = append(got, u.Text)
		}
	}
	if want := "area radius area"; strings.Join(got, " ") != want {
		t.Errorf("the names that exist are %q, want %q", got, want)
	}
}
