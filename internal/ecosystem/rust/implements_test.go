package rust

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// A faultCase is a program, and the faults in it, separated by commas.
type faultCase struct{ name, src, want string }

// checkFaults reads programs that begin with the same declarations.
func checkFaults(t *testing.T, declarations string, cases []faultCase) {
	t.Helper()
	w := typesWorld(t)
	rs := w.rust()
	for _, c := range cases {
		src := "#![allow(warnings)]\n" + declarations + c.src + "\n"
		filetest.Write(t, w.project, map[string]string{"src/lib.rs": src})
		if got, err := w.faultsOf(rs, src); err != nil || strings.Join(got, ", ") != c.want {
			t.Errorf("%s: the faults are %q, error %v; want %q", c.name, got, err, c.want)
		}
	}
}

// implementers are types that implement one of two traits, and types that refer to others, which have a method if no implementation
// applies to the type that refers to them.
const implementers = `
pub struct Plain; pub struct Drawn; pub struct Cell<T>(T); pub struct Two<A, B>(A, B);
impl<T> std::ops::Deref for Cell<T> { type Target = T; fn deref(&self) -> &T { &self.0 } }
impl<A, B> std::ops::Deref for Two<A, B> { type Target = B; fn deref(&self) -> &B { &self.1 } }
pub trait Draw { fn draw(&self) {} }
pub trait Show { fn show(&self) {} }
impl Draw for Drawn {}
`

func TestImplements_Blanket(t *testing.T) {
	checkFaults(t, implementers, []faultCase{
		{"for all types", "impl<T> Show for T {} fn f(p: Plain, n: u8, s: &str, u: ()) { p.show(); n.show(); s.show(); u.show(); p.draw() }", "Plain::draw"},
		{"with a bound", "impl<T: Draw> Show for T {} fn f(d: Drawn, p: Plain) { d.show(); p.show() }", "Plain::show"},
		{"with a bound in a where clause", "impl<T> Show for T where T: Draw {} fn f(d: Drawn, p: Plain) { d.show(); p.show() }", "Plain::show"},
		{"with two bounds", "pub trait Last {} impl<T: Draw + Last> Show for T {} struct Both; impl Draw for Both {} impl Last for Both {} fn f(d: Drawn, b: Both) { d.show(); b.show() }", "Drawn::show"},
		{"with bounds in both places", "pub trait Last {} impl<T: Draw> Show for T where T: Last {} struct Late; impl Last for Late {} fn f(d: Drawn, l: Late) { d.show(); l.show() }", "Drawn::show, Late::show"},
		{"through another one", "pub trait Last { fn last(&self) {} } impl<T: Draw> Show for T {} impl<T: Show> Last for T {} fn f(d: Drawn, p: Plain) { d.last(); p.last() }", "Plain::last"},
		{"that require each other", "pub trait Last { fn last(&self) {} } impl<T: Last> Show for T {} impl<T: Show> Last for T {} fn f(p: Plain) { p.show(); p.last() }", "Plain::show, Plain::last"},
		{"for references", "impl<T: Draw> Show for &T {} fn f(d: Drawn, p: Plain) { (&d).show(); (&p).show() }", "Plain::show"},
		{"for boxes", "impl<T: Draw> Show for Box<T> {} fn f(d: Box<Drawn>, p: Box<Plain>, e: Drawn) { d.show(); p.show(); e.show() }", "Plain::show, Drawn::show"},
		{"with a bound that the type itself satisfies", "impl<T: Into<String>> Show for T {} impl From<Drawn> for String { fn from(_: Drawn) -> String { loop {} } } fn f(d: Drawn) { d.show(); d.draw(); d.shown() }", "Drawn::shown"},
		{"with bounds that types have without an implementation", "impl<T: Sized + Send + Sync + Unpin> Show for T {} fn f(p: Plain) { p.show(); p.draw() }", "Plain::draw"},
		{"with a lifetime", "impl<'a, T: Draw + 'a> Show for T {} fn f(d: Drawn, p: Plain) { d.show(); p.show() }", "Plain::show"},
		{"with a bound for all lifetimes", "impl<T> Show for T where for<'a> T: Draw + 'a {} fn f(d: Drawn) { d.show(); d.shown() }", "Drawn::shown"},
		{"for functions", "impl<F: Fn(u8) -> u8> Show for F {} fn f(p: Plain, g: fn(u8) -> u8) { g.show(); p.show() }", "Plain::show"},
	})
}

func TestImplements_Conditional(t *testing.T) {
	checkFaults(t, implementers, []faultCase{
		{"one argument", "impl<T: Draw> Show for Cell<T> {} fn f(d: Cell<Drawn>, p: Cell<Plain>) { d.show(); p.show() }", "Cell::show"},
		{"nested arguments", "impl<T: Draw> Draw for Cell<T> {} fn f(d: Cell<Cell<Drawn>>, p: Cell<Cell<Plain>>) { d.draw(); p.draw() }", "Cell::draw"},
		{"two arguments", "impl<A: Draw, B> Show for Two<A, B> {} fn f(a: Two<Drawn, Plain>, b: Two<Plain, Drawn>) { a.show(); b.show() }", "Two::show"},
		{"a certain argument", "impl Show for Cell<Drawn> {} fn f(d: Cell<Drawn>, p: Cell<Plain>) { d.show(); p.show() }", "Cell::show"},
		{"one implementation for each argument", "impl Show for Cell<Drawn> {} impl Show for Cell<u8> {} fn f(d: Cell<Drawn>, n: Cell<u8>, p: Cell<Plain>) { d.show(); n.show(); p.show() }", "Cell::show"},
		{"a condition on the whole type", "impl<T> Show for Cell<T> where Cell<T>: Draw {} impl Draw for Cell<u8> {} fn f(n: Cell<u8>, p: Cell<Plain>) { n.show(); p.show() }", "Cell::show"},
		{"inherent methods for an argument", "impl Cell<Drawn> { fn paint(&self) {} } fn f(d: Cell<Drawn>, p: Cell<Plain>) { d.paint(); p.paint() }", "Cell::paint"},
		{"a method with a condition of its own", "impl<T> Cell<T> { fn paint(&self) where T: Draw {} fn wipe(&self) {} } fn f(d: Cell<Drawn>) { d.paint(); d.wipe(); d.wiped() }", "Cell::wiped"},
		{"an associated type", "impl<I: Iterator<Item = Drawn>> Show for I {} fn f(d: std::vec::IntoIter<Drawn>, p: std::vec::IntoIter<Plain>) { d.show(); p.show() }", "IntoIter::show"},
		{"a bound on an associated type", "impl<I: Iterator> Show for I where I::Item: Draw {} fn f(d: std::vec::IntoIter<Drawn>, p: std::vec::IntoIter<Plain>) { d.show(); p.show() }", "IntoIter::show"},
		{"a number of elements", "pub struct Row<const N: usize>; impl<const N: usize> Show for Row<N> {} fn f(r: Row<3>) { r.show(); r.draw() }", "Row::draw"},
		{"an argument with a default", "pub struct Ink<T = Drawn>(T); impl<T: Draw> Show for Ink<T> {} impl<T> std::ops::Deref for Ink<T> { type Target = T; fn deref(&self) -> &T { &self.0 } } fn f(i: Ink, p: Ink<Plain>) { i.show(); p.show() }", "Ink::show"},
		{"a cfg condition that is false", "#[cfg(missing)] impl Show for Plain {} #[cfg(not(missing))] impl Show for Drawn {} fn f(d: Drawn, p: Plain) { d.show(); p.draw() }", "Plain::draw"},
	})
}

func TestImplements_Bounds(t *testing.T) {
	checkFaults(t, implementers, []faultCase{
		{"a parameter", "fn f<T: Draw>(t: T) { t.draw(); t.show() }", "Draw::show"},
		{"a parameter in a where clause", "fn f<T>(t: T) where T: Draw { t.draw(); t.show() }", "Draw::show"},
		{"a parameter of the type", "impl<T: Draw> Cell<T> { fn f(&self) { self.0.draw(); self.0.show() } }", "Draw::show"},
		{"a parameter with two bounds", "fn f<T: Draw + Show>(t: T) { t.draw(); t.show(); t.hide() }", "Draw::hide"},
		{"a supertrait", "pub trait Paint: Draw {} fn f<T: Paint>(t: T) { t.draw(); t.show() }", "Paint::show"},
		{"a supertrait of a supertrait", "pub trait Paint: Draw {} pub trait Gloss: Paint {} fn f(t: &dyn Gloss) { t.draw(); t.show() }", "Gloss::show"},
		{"a supertrait in a where clause", "pub trait Paint where Self: Draw {} fn f(t: impl Paint) { t.draw(); t.show() }", "Paint::show"},
		{"a default method", "pub trait Paint: Draw { fn paint(&self) { self.draw(); self.paint(); self.show() } }", "Paint::show"},
		{"a blanket implementation for a bound", "impl<T: Draw> Show for T {} fn f<T: Draw, U: Clone>(t: T, u: U) { t.show(); u.show() }", "Clone::show"},
		{"a blanket implementation for a supertrait", "pub trait Paint: Draw {} impl<T: Draw> Show for T {} fn f<T: Paint>(t: T) { t.show(); t.hide() }", "Paint::hide"},
		{"a blanket implementation for trait objects", "impl<T: Draw + ?Sized> Show for T {} fn f(d: &dyn Draw, b: Box<dyn Draw>) { d.show(); b.show(); d.hide() }", "Draw::hide"},
		{"methods of a trait object", "impl dyn Draw { fn paint(&self) {} } fn f(d: &dyn Draw) { d.paint(); d.show() }", "Draw::show"},
		{"a result", "fn g() -> impl Draw { Drawn } fn f() { g().draw(); g().show() }", "Draw::show"},
		{"a boxed result", "fn g() -> Box<dyn Draw + Send> { loop {} } fn f() { g().draw(); g().show() }", "Box::show"},
		{"a reference to a parameter", "fn f<T: Draw>(a: &T, b: &mut T, c: Option<T>) { a.draw(); b.show(); c.draw() }", "Draw::show, Option::draw"},
		{"a parameter of a closure", "fn g<F: Fn(&Drawn)>(f: F) {} fn f() { g(|d| d.draw()); g(|d| d.show()) }", "Drawn::show"},
	})
}

func TestImplements_Negative(t *testing.T) {
	checkFaults(t, "#![feature(negative_impls)]\n"+implementers, []faultCase{
		{"a negative implementation", "impl !Draw for Plain {} fn f(p: Plain, d: Drawn) { d.draw(); p.draw() }", "Plain::draw"},
		{"a negative implementation of a bound", "impl !Draw for Plain {} impl<T: Draw> Show for T {} fn f(p: Plain, d: Drawn) { d.show(); p.show() }", "Plain::show"},
	})
}

func TestImplements_Scope(t *testing.T) {
	checkFaults(t, implementers, []faultCase{
		{"a trait of a module that has no implementation", "mod m { pub trait Far { fn far(&self) {} } } use m::Far; fn f(p: Plain) { p.far() }", "Plain::far"},
		{"a trait that is imported without a name", "mod m { pub trait Far { fn far(&self) {} } impl Far for super::Plain {} } use m::Far as _; fn f(p: Plain, d: Drawn) { p.far(); d.far() }", "Drawn::far"},
		{"an implementation in another module", "mod m { impl super::Show for super::Plain {} } fn f(p: Plain, d: Drawn) { p.show(); d.show() }", "Drawn::show"},
		{"an implementation in a function", "fn g() { impl Show for Plain {} } fn f(p: Plain, d: Drawn) { p.show(); d.show() }", "Drawn::show"},
		{"an implementation in a function that is read later", "fn f(p: Plain, d: Drawn) { p.show(); d.show() } fn g() { let n = 1; if n == 1 { unsafe impl Show for Plain {} } }", "Drawn::show"},
		{"an implementation in a function of another module", "fn f(p: Plain, d: Drawn) { p.show(); p.paint(); d.show() } mod m { fn g() { use super::*; impl Show for Plain {} impl Plain { pub fn paint(&self) {} } } }", "Drawn::show"},
		{"an implementation in a method", "fn f(p: Plain, d: Drawn) { p.show(); d.show() } impl Drawn { fn g(&self) { fn h() { impl Show for Plain {} } } }", "Drawn::show"},
		{"an implementation in a default method", "fn f(p: Plain, d: Drawn) { p.show(); d.show() } trait Late { fn g(&self) { impl Show for Plain {} } }", "Drawn::show"},
		{"an implementation in a constant", "fn f(p: Plain, d: Drawn) { p.show(); d.show() } pub static N: u8 = {\n    // impl Show\n    impl Show for Plain {}\n    1 };", "Drawn::show"},
		{"an implementation for a local type", "fn f(p: Plain, d: Drawn) { p.show(); d.show() } fn g() { struct Plain; impl Show for Plain {} }", "Plain::show, Drawn::show"},
		{"an implementation in a function that is off", "fn f(p: Plain, d: Drawn) { p.show(); d.show() } #[cfg(missing)] fn g() { impl Show for Plain {} }", "Drawn::show"},
		{"an implementation for an alias", "type Other = Plain; impl Show for Other {} fn f(p: Plain, d: Drawn) { p.show(); d.show() }", "Drawn::show"},
		{"an implementation for an imported name", "mod m { use super::{Plain as Flat, Show as Seen}; impl Seen for Flat {} } fn f(p: Plain, d: Drawn) { p.show(); d.show() }", "Drawn::show"},
		{"an implementation by a macro", "macro_rules! show { ($($t:ty),*) => { $(impl Show for $t {})* } } show!(Plain, Cell<u8>); fn f(p: Plain, c: Cell<u8>, d: Drawn) { p.show(); c.show(); d.show() }", "Drawn::show"},
	})
}

func TestImplements_References(t *testing.T) {
	checkFaults(t, implementers, []faultCase{
		{"to a type", "impl Show for &Plain {} fn f(p: Plain, r: &Plain, d: Drawn) { p.show(); r.show(); d.show() }", "Drawn::show"},
		{"to a mutable type", "impl Show for &mut Plain {} fn f(mut p: Plain, r: &mut Plain, d: Drawn) { p.show(); r.show(); d.show() }", "Drawn::show"},
		{"to a mutable type, by value", "pub trait Take: Sized { fn take(self) {} } impl Take for &mut Plain {} impl<'a> Take for &'a mut Cell<u8> {} fn f(mut p: Plain, r: &mut Plain, c: &mut Cell<u8>, d: Drawn) { p.take(); r.take(); c.take(); d.take() }", "Drawn::take"},
		{"to a parameter", "pub trait Take: Sized { fn take(self) {} } impl<V: Draw + ?Sized> Take for &mut V {} fn f(d: &mut Drawn, p: &mut Plain, mut o: Drawn) { d.take(); o.take(); p.take() }", "Plain::take"},
		{"to a parameter that is known by a bound", "pub trait Take: Sized { fn take(self) {} } impl<V: Draw> Take for &mut V {} fn f<T: Draw, U: Clone>(t: &mut T, mut o: T, u: &mut U) { t.take(); o.take(); u.take() }", "Clone::take"},
		{"in a generic function", "pub trait Take<T>: Sized { fn take(self, t: T) {} } impl<V: Draw> Take<u8> for &mut V {} fn f<V>(v: &mut V, mut w: V) where V: Draw { v.take(1); w.take(1); w.took() }", "Draw::took"},
		{"with a bound on the reference", "fn f<V>(mut v: V) where for<'a> &'a mut V: Show { (&mut v).show(); v.show(); v.draw() }", "Show::draw"},
		{"to a trait object", "impl Show for &mut dyn Draw {} fn f(mut b: Box<dyn Draw>, d: &mut dyn Draw) { d.show(); b.show(); d.hide() }", "Draw::hide"},
		{"to a slice and an array", "impl<T> Show for &mut [T] {} impl<T, const N: usize> Draw for &mut [T; N] {} fn f(mut v: Vec<u8>, mut a: [u8; 2]) { v.show(); a.show(); a.draw(); v.draw() }", "Vec::draw"},
		{"with different associated types", "pub trait Conv { type Out; fn conv(self) -> Self::Out where Self: Sized { loop {} } } struct A; struct B; struct C; impl A { fn a(&self) {} } impl B { fn b(&self) {} } impl C { fn c(&self) {} } impl Conv for Plain { type Out = A; } impl Conv for &Plain { type Out = B; } impl Conv for &mut Plain { type Out = C; } fn f(p: Plain) { (&p).conv().b(); p.conv().a() } fn g(p: &mut Plain) { p.conv().c() }", ""},
		{"with an inherent method by value", "pub trait Take: Sized { fn take(self, n: u8) {} } impl Take for &mut Plain {} impl Plain { fn take(self) {} } fn f(p: &mut Plain) { p.take(1) }", ""},
		{"with another method of a trait", "pub trait Take: Sized { fn take(self, n: u8) {} } impl Take for &mut Plain {} pub trait Other { fn take(self); } impl Other for Plain { fn take(self) {} } fn f(p: &mut Plain) { p.take(1) }", ""},
		{"after another method of a trait", "pub trait Other { fn take(self); } impl Other for Plain { fn take(self) {} } pub trait Take: Sized { fn take(self, n: u8) {} } impl Take for &mut Plain {} fn f(p: &mut Plain) { p.take(1) } fn g(p: &mut Plain) { p.took() }", "Plain::took"},
		{"of a parameter, after another method of a trait", "pub trait Other { fn take(self); } impl<T> Other for T where T: Show { fn take(self) {} } impl Show for Plain {} pub trait Take: Sized { fn take(self, n: u8) {} } impl<T: Show> Take for &mut T {} fn f(p: &mut Plain) { p.take(1) }", ""},
		{"with an inherent function of the referenced type", "pub trait Take: Sized { fn take(self, n: u8) {} } impl Take for &mut Cell<u8> {} impl Cell<u8> { fn take(this: Self) {} } fn f(c: &mut Cell<u8>) { c.take(1) }", ""},
		{"of a parameter with a method", "pub trait Step { fn step(self, n: u8) -> u8 where Self: Sized { n } } pub trait Walk { fn step(self); } impl<V: Walk> Step for &mut V {} fn f<V: Walk>(v: &mut V) { v.step(1); (&mut *v).step(1) }", ""},
		{"of a parameter, with an associated type", "pub trait Conv { type Out; fn conv(self) -> Self::Out where Self: Sized { loop {} } } impl<V: Draw> Conv for &mut V { type Out = Plain; } impl<V: Show> Conv for Cell<V> { type Out = Drawn; } fn f<V: Draw>(v: &mut V) { v.conv().draw() } fn g(mut d: Drawn) { d.conv().draw() }", ""},
		{"iterators", "struct Nums; struct Item; impl Item { fn item(&self) {} } impl Iterator for &mut Nums { type Item = Item; fn next(&mut self) -> Option<Item> { None } } fn f(mut n: Nums, m: &mut Nums) { for i in &mut n { i.item() } m.map(|i| i.item()); n.next(); (&mut n).rev().for_each(|i| i.gone()) }", "Item::gone"},
		{"through a dereference", "impl Show for &mut Plain {} fn f(mut c: Cell<Plain>, d: Cell<Drawn>) { c.show(); d.show() }", "Cell::show"},
	})
}

func TestImplements_Macros(t *testing.T) {
	checkFaults(t, implementers, []faultCase{
		{"a macro whose name another macro gets", "macro_rules! show { ($t:ident) => { impl Show for Plain {} impl<T> Show for (T,) {} impl Drawn { fn shown(&self) {} } } } shapes::each!(show, 0, 12); fn f(p: Plain, d: Drawn, c: Cell<u8>) { p.show(); (d,).show(); d.shown(); c.area() }", "Cell::area, each"},
		{"a module with the name of a macro of the standard library", "mod vec {} mod m { pub use shapes::Circle as format; } use m::format; fn f() { vec![1u8].gone(); format!(\"a\").gone() }", "Vec::gone, gone"},
		{"a macro with the name of one of the standard library", "macro_rules! format { ($($t:tt)*) => { Plain } } fn f() { format!(15; \"a\").show(); format!(\"a\").gone(); vec![1u8].gone() }", "Vec::gone, gone"},
	})
}

func TestImplements_Inference(t *testing.T) {
	checkFaults(t, implementers, []faultCase{
		{"a method of a trait that is not in scope", "mod m { pub trait Far { fn iter(&self) {} } impl Far for Vec<super::Drawn> {} } fn g<B: Default>() -> (B, B) { loop {} } fn f() { let (a, b): (Vec<_>, Vec<_>) = g(); b.iter().map(|p| p.radius); let c: &Vec<Plain> = &a; for p in &a { p.draw() } }", "Plain::draw"},
		{"a trait with one implementation", "mod m { pub trait Far { fn far(&self) {} } impl Far for Vec<super::Drawn> {} impl<T: Far> super::Show for T {} } fn f() { let mut v = Vec::new(); v.show(); v.push(Plain); v[0].draw() }", "Plain::draw"},
		{"several inherent methods with conditions that are not known", "pub trait Far<T> {} made! { Far } impl<T: Far<u8>> Cell<T> { fn paint(&self, n: u8) {} } impl<T: Far<u16>> Cell<T> { fn paint(&self) {} } fn f(c: Cell<Plain>) { c.paint(); c.paint(1); c.painted() }", "Cell::painted"},
	})
}

func TestImplements_Attributes(t *testing.T) {
	checkFaults(t, implementers, []faultCase{
		{"a function that an attribute may change", "#[shapes::task] fn task(n: u8) -> Plain { Plain } fn f() { task().draw(); task(1).draw() } #[inline] #[must_use] fn plain(n: u8) -> Plain { Plain } fn g() { plain().draw() }", "arguments plain, Plain::draw"},
		{"code that an attribute may rewrite", "#[shapes::hook] fn task(p: Plain) { p.draw(); fn inner(p: Plain) { p.draw() } } #[tokio::test] pub(crate) async fn plain(p: Plain) { #[shapes::hook] fn local(p: Plain) { p.draw() } #[inline] fn stays(p: Plain) { p.draws() } p.draw() }", "Plain::draws, Plain::draw"},
		{"items that an attribute may rewrite", "#[shapes::hook] impl Plain { fn task(&self) { self.draw() } } #[shapes::hook] mod m { fn f(p: super::Plain) { p.draw() } } #[cfg_attr(all(), shapes::hook)] trait Far { fn f(p: Plain) { p.draw() } } #[shapes::hook] const N: u8 = 1; fn f(p: &Drawn) { p.drew() }", "Drawn::drew"},
		{"a method that an attribute may change", "impl Plain { #[shapes::task] fn task(self, n: u8) -> Plain { self } #[instrument] fn plain(&self) -> Plain { Plain } } fn f(p: Plain) { Plain::task(p).draw(); p.task().draw(); p.plain().draw() }", "Plain::draw"},
	})
}
