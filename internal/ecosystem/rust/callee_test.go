package rust

import "testing"

// callables are functions, methods, tuple structs and variants.
const callables = `
pub struct Pair(u8, u8); pub struct Unit; pub struct Many<T>(T, T); pub struct Named { a: u8 }
pub enum Shape { Dot, Line(u8, u8), Box { side: u8 } }
pub type Twice = Pair; pub type Form = Shape;
pub trait Grow { fn grow(&self, by: u8); fn seed(size: u8, age: u8) -> Self where Self: Sized; fn rest(self: Box<Self>) {} }
impl Grow for Pair { fn grow(&self, by: u8) {} fn seed(size: u8, age: u8) -> Self { loop {} } }
impl Pair { fn new(a: u8) -> Self { loop {} } fn swap(self) -> Self { self } fn put(&mut self, (a, b): (u8, u8), c: u8) -> &mut Self { self } fn owned(self: std::rc::Rc<Self>, n: u8) {} }
impl<T> Many<T> { fn of(a: T) -> Self { loop {} } fn first(&self) -> &T { &self.0 } fn map<U>(self, f: impl Fn(T) -> U) -> Many<U> { loop {} } }
`

func TestCallee_Arguments(t *testing.T) {
	checkFaults(t, callables, []faultCase{
		{"functions", "fn g(a: u8, b: u8) {} fn f() { g(1, 2); g(1); g(1, 2, 3); g(1, 2,) }", "arguments g, arguments g"},
		{"functions without parameters", "fn g() {} fn f() { g(); g(()); }", "arguments g"},
		{"functions of modules", "mod m { pub fn g(a: u8) {} } fn f() { m::g(1); m::g(); self::m::g(1, 2); crate::m::g(1) }", "arguments g, arguments g"},
		{"imported functions", "mod m { pub fn g(a: u8) {} } fn f() { use m::g as h; h(1); h() }", "arguments g"},
		{"parameters with comments", "fn g(a: u8, // one, or\n b: u8, // two, or none\n) {} fn h(/* a, */ a: u8 /* , b */) {} fn f() { g(1, 2); g(1); h(1) }", "arguments g"},
		{"patterns as parameters", "fn f(mut p: Pair) { p.put((1, 2), 3); p.put(1, 2, 3); p.put((1, 2)); }", "arguments Pair::put, arguments Pair::put"},
		{"methods", "fn f(p: Pair) { p.grow(1); p.grow(); p.grow(1, 2) }", "arguments Pair::grow, arguments Pair::grow"},
		{"methods with a path", "fn f(p: Pair) { Pair::grow(&p, 1); Pair::grow(&p); Pair::swap(p); Pair::swap() }", "arguments Pair::grow, arguments Pair::swap"},
		{"methods of a trait with a path", "fn f(p: Pair) { Grow::grow(&p, 1); Grow::grow(&p); <Pair as Grow>::grow(&p, 1); <Pair as Grow>::grow(1) }", "arguments grow, arguments Pair::grow"},
		{"associated functions", "fn f() { Pair::new(1); Pair::new(); Pair::seed(1, 2); Pair::seed(1) }", "arguments Pair::new, arguments Pair::seed"},
		{"associated functions of a parameter", "fn f<T: Grow>() { T::seed(1, 2); T::seed(1); }", "arguments seed"},
		{"a self with a type", "fn f(p: std::rc::Rc<Pair>, b: Box<Pair>) { p.clone().owned(1); p.owned(); b.rest() }", "arguments Pair::owned"},
		{"chains", "fn f(mut p: Pair) { p.put((1, 2), 3).put((1, 2)); Pair::new(1).swap().swap(1) }", "arguments Pair::put, arguments Pair::swap"},
		{"arguments that are calls", "fn g(a: u8) -> u8 { a } fn f() { g(g(1)); g(g()); g(g(1), 2) }", "arguments g, arguments g"},
		{"arguments that are closures", "fn g(a: impl Fn(u8, u8), b: u8) {} fn f() { g(|a, b| (), 1); g(|a, b| ()); g(move |_, _| {}, 1) }", "arguments g"},
		{"arguments with commas in brackets", "fn g<T>(a: T) {} fn f() { g((1, 2)); g([1, 2]); g::<(u8, u8)>((1, 2)); g(1, 2) }", "arguments g"},
		{"arguments that are comparisons", "fn g(a: bool, b: bool) {} fn f(n: u8) { g(n < 1, n > 2); g(n < 1) }", "arguments g"},
		{"functions with a variable number", "extern \"C\" { fn g(a: u8, ...); fn h(a: u8); } fn f() { unsafe { g(1); g(1, 2, 3); h(1); h() } }", "arguments h"},
		{"a function that a parameter hides", "fn g(a: u8) {} fn f(g: fn()) { g(); }", ""},
		{"a function that a variable hides", "fn g(a: u8) {} fn f() { let g = |a: u8, b: u8| (); g(1, 2); }", ""},
		{"a function of the block", "fn g(a: u8) {} fn f() { fn g() {} g(); g(1) }", "arguments g"},
		{"functions with lifetimes and constants", "fn g<'a, const N: usize, T>(a: &'a [T; N], b: u8) {} fn f() { g(&[1], 1); g::<1, u8>(&[1]) }", "arguments g"},
		{"asynchronous functions", "async fn g(a: u8) {} async fn f() { g(1).await; g().await }", "arguments g"},
		{"methods of a type and of a trait with the same receiver", "trait Swap { fn put(&mut self, a: u8); fn swap(&self) -> u8; } impl Swap for Pair { fn put(&mut self, a: u8) {} fn swap(&self) -> u8 { 0 } } fn f(mut p: Pair) { p.put((1, 2), 3); p.put(1); (&p).swap(1) }", "arguments Pair::put"},
		{"parameters with a cfg condition", "fn g(a: u8, #[cfg(missing)] b: u8) {} fn f() { g(1); g(1, 2) }", ""},
		{"a function that is a value", "fn g(a: u8) {} fn f() { let h = g; h(1); [1u8].into_iter().for_each(g); g() }", "arguments g"},
		{"an argument in a macro of the standard library", "fn g(a: u8) -> u8 { a } fn f() { println!(\"{}\", g()); assert!(g(1) > 0); vec![g(1, 2)] }", "arguments g, arguments g"},
		{"calls in a method of its own type", "impl Unit { fn a(&self, n: u8) { self.a(); Self::b(); Self::a(self, n) } fn b() { Self::b(1) } }", "arguments Unit::a, arguments Unit::b"},
	})
}

func TestCallee_Constructors(t *testing.T) {
	checkFaults(t, callables, []faultCase{
		{"tuple structs", "fn f() { Pair(1, 2); Pair(1); Pair(1, 2, 3) }", "arguments Pair, arguments Pair"},
		{"tuple structs with parameters", "fn f() { Many(1, 2); Many::<u8>(1, 2); Many(1) }", "arguments Many"},
		{"Self", "impl Pair { fn a() -> Self { Self(1, 2) } fn b() -> Self { Self(1) } }", "arguments Pair"},
		{"variants", "fn f() { Shape::Line(1, 2); Shape::Line(1); Shape::Dot; }", "arguments Shape::Line"},
		{"imported variants", "fn f() { use Shape::{Line, Dot as Spot}; Line(1, 2); Line(1, 2, 3); Spot; }", "arguments Shape::Line"},
		{"variants of Self", "impl Shape { fn a() { Self::Line(1, 2); Self::Line(); Self::Gone } }", "arguments Shape::Line, Shape::Gone"},
		{"variants of an alias", "fn f() { Form::Line(1, 2); Form::Line(1); Form::Gone }", "arguments Shape::Line, Shape::Gone"},
		{"variants of the prelude", "fn f() { Some(1); Some(); Ok::<u8, u8>(1); Err::<u8, u8>(1, 2) }", "arguments Option::Some, arguments Result::Err"},
		{"absent variants", "fn f(s: Shape) { Shape::Cube; Shape::Cube(1); if let Shape::Cube(_) = s {} }", "Shape::Cube, Shape::Cube, Shape::Cube"},
		{"associated functions of enums", "impl Shape { fn dot() -> Self { Shape::Dot } } fn f() { Shape::dot(); Shape::dott(); Shape::dot(1) }", "Shape::dott, arguments Shape::dot"},
		{"a variant that is off", "enum Own { A, #[cfg(missing)] B(u8) } fn f() { Own::A; Own::B(1); Own::C }", "Own::C"},
		{"a variant and a function of the same name", "impl Shape { fn Dot2(a: u8) {} } fn f() { Shape::Dot2(1); Shape::Dot2() }", "arguments Shape::Dot2"},
		{"absent associated functions", "fn f() { Pair::mew(1); Unit::new(); Named::new() }", "Pair::mew, Unit::new, Named::new"},
		{"associated constants", "impl Unit { const SIZE: u8 = 1; } fn f() { Unit::SIZE; Unit::SIZES; u8::MAX; u8::MAXIMUM }", "Unit::SIZES, u8::MAXIMUM"},
		{"results of constructors", "fn f() { Pair(1, 2).swap().0; Pair(1, 2).swop(); Many(1u8, 2).first().swop(); Shape::Line(1, 2).swop() }", "Pair::swop, u8::swop, Shape::swop"},
		{"constructors as functions", "fn f(o: Option<u8>) { o.map(Some).unwrap().unwrap().swop(); o.map(Unary).unwrap().swop() } struct Unary(u8);", "u8::swop, Unary::swop"},
	})
}

func TestCallee_Literals(t *testing.T) {
	checkFaults(t, callables, []faultCase{
		{"all fields", "fn f() { Named { a: 1 }; Named { a: 1, b: 1 }; }", "fields Named"},
		{"attributes of derives", "#[derive(Clone)] enum Own { #[doc = \"a\"] One(#[from] u8), Two { #[serde(default)] a: u8, b: u8 } } fn f() { Own::One(1, 2); Own::Two { b: 1 }; }", "arguments Own::One, arguments Own::Two"},
		{"fields that a build may lack", "struct Own { #[cfg(feature = \"a\")] a: u8, #[cfg_attr(feature = \"b\", cfg(unix))] b: u8 } enum Other { One(#[cfg(unix)] u8, u8) } fn f() { Own {}; Other::One(1); }", ""},
		{"a macro of the whole type", "#[marks::fields] enum Own { One(u8) } fn f() { Own::One(1, 2); }", ""},
		{"a field that an attribute macro may remove", "#[sea::compact] struct Own { a: u8, b: u8 } #[derive(Clone)] #[repr(C)] struct Two { a: u8, b: u8 } fn f() { Own { a: 1 }; Two { a: 1 }; }", "arguments Two"},
		{"a missing field", "struct Own { a: u8, b: u8 } fn f(o: Own) { Own { a: 1 }; Own { a: 1, ..o }; }", "arguments Own"},
		{"fields of variants", "fn f() { Shape::Box { side: 1 }; Shape::Box { side: 1, width: 1 }; }", "fields Shape::Box"},
		{"a missing field of a variant", "fn f() { Shape::Box {}; }", "arguments Shape::Box"},
		{"a field that a variable names", "fn f(a: u8, b: u8) { Named { a }; Named { a, b }; }", "fields Named"},
		{"Self", "impl Named { fn f() { Self { a: 1 }; Self { a: 1, c: 1 }; } }", "fields Named"},
		{"fields of tuple structs", "fn f() { Pair { 0: 1, 1: 2 }; Twice { 0: 1, 1: 2 }; }", ""},
		{"fields that are off", "struct Own { a: u8, #[cfg(missing)] b: u8 } fn f() { Own { a: 1 }; Own { a: 1, c: 2 }; }", "fields Own"},
		{"unions", "union Bits { a: u8, b: i8 } fn f() { Bits { a: 1 }; Bits { c: 1 }; }", "fields Bits"},
	})
}

func TestCallee_Patterns(t *testing.T) {
	checkFaults(t, callables, []faultCase{
		{"elements of variants", "fn f(s: Shape, o: Option<u8>) { match s { Shape::Line(a) => {} Shape::Line(a, b, c) => {} Shape::Line(a, ..) => {} Shape::Line(..) => {} _ => {} } if let Some(a, b) = o {} }",
			"arguments Shape::Line, arguments Shape::Line, arguments Option::Some"},
		{"elements of tuple structs", "fn f(p: Pair) { let Pair(a, b) = p; let Pair(a) = p; let Pair(.., b) = p; let Pair(a, b, c, d, ..) = p; }", "arguments Pair, arguments Pair"},
		{"fields of structs", "struct Own { a: u8, b: u8 } fn f(o: Own) { let Own { a, b } = o; let Own { a, .. } = o; let Own { a } = o; let Own { a: _, c: d, .. } = o; }", "arguments Own, fields Own"},
		{"fields of variants", "fn f(s: Shape) { if let Shape::Box { side: 1 } = s {} if let Shape::Box { ref width, side } = s {} if let Shape::Box {} = s {} }", "fields Shape::Box, arguments Shape::Box"},
		{"fields with conditions", "struct Own { a: u8, #[cfg(missing)] b: u8 } struct Two(u8, #[cfg(missing)] u8); fn f(o: Own, t: Two) { let Own { a } = o; let Own { a, b } = o; let Two(a) = t; let Two(a, b) = t; let Own { a, #[cfg(missing)] c } = o; }", "fields Own"},
		{"closures and parameters", "fn f(Pair(a): Pair) { [Pair(1, 2)].iter().map(|Pair(a, b, c)| a); }", "arguments Pair, arguments Pair"},
		{"unions", "union Bits { a: u8, b: i8 } fn f(u: Bits) { unsafe { let Bits { a } = u; let Bits { c } = u; } }", "fields Bits"},
	})
}

func TestCallee_Paths(t *testing.T) {
	checkValues(t, []valueCase{
		{"a method of a trait of a type that dereferences", "use std::sync::Arc; fn f(c: Arc<Circle>) { let d = Arc::clone(&c); d.zz; std::rc::Rc::clone(&std::rc::Rc::new(ORIGIN)).zz }", "Circle Point"},
		{"the only trait that may have a method", "trait Maker: Sized { fn maker() -> Self; fn again(&self) -> Circle; } impl<T: gone::Mark> Maker for T { fn maker() -> Self { loop {} } fn again(&self) -> Circle { loop {} } } struct Own<T>(T); fn f<T>(o: Own<T>, c: shapes::Gone) { Own::<Vec<u8>>::maker().zz; }", "Own"},
		{"integers", "fn f() { let n = 3; n.pow(2); n.zz(); 3.zz(); [1, 2].iter().max().unwrap().zz(); let m = 3; let o: u8 = m; m.zz(); 3.checked_add_signed(1); }", "i32 i32 i32 u8"},
		{"traits of one type of integers", "trait Zz { fn zz(&self) {} } impl Zz for u16 {} fn f() { 3.zz(); let n = 3; n.zz() }", ""},
		{"defaults of aliases", "type Both<T, E = Circle> = Result<T, E>; fn f(b: Both<u8>, c: Both<u8, Point>) { b.unwrap_err().zz; c.unwrap_err().zz }", "Circle Point"},
	})
}

func TestCallee_OtherBuilds(t *testing.T) {
	checkValues(t, []valueCase{
		{"a function", "struct Own; impl Own { #[cfg(target_os = \"none\")] const fn make() -> Circle { loop {} } #[cfg(not(target_os = \"none\"))] fn make() -> Circle { loop {} } } fn f() { Own::make().zz }", "Circle"},
		{"only in other builds", "struct Own; impl Own { #[cfg(target_os = \"none\")] fn make() -> Circle { loop {} } } fn f() { Own::make().zz; Own::zz() }", "Own"},
		{"an implementation of a trait", "struct Own; #[cfg(target_os = \"none\")] impl Paint for Own { type Color = Point; fn paint(&self) -> Point { loop {} } } #[cfg(not(target_os = \"none\"))] impl Paint for Own { type Color = Circle; fn paint(&self) -> Circle { loop {} } } fn f(o: Own) { o.paint().zz; o.twice().0.zz }", "Circle Circle"},
		{"an implementation for another type", "struct Own; #[cfg(target_os = \"none\")] impl Gone { fn zz(&self) {} } fn f(o: Own) { o.zz() }", "Own"},
		{"an implementation for the type", "struct Own; #[cfg(target_os = \"none\")] impl Own { fn zz(&self) {} } fn f(o: Own) { o.zz() }", ""},
	})
}

func TestCallee_GenericTraits(t *testing.T) {
	const get = "trait Get<T> { fn fetch(&self) -> T; } struct One; impl Get<Circle> for One { fn fetch(&self) -> Circle { loop {} } } struct Two; impl Get<Circle> for Two { fn fetch(&self) -> Circle { loop {} } } impl Get<Point> for Two { fn fetch(&self) -> Point { loop {} } } "
	checkValues(t, []valueCase{
		{"one implementation", get + "fn f() { Get::fetch(&One).zz; let c = Get::fetch(&One); c.zz }", "Circle Circle"},
		{"two implementations", get + "fn f() { Get::fetch(&Two).zz; let p: Point = Get::fetch(&Two); p.zz }", "Point"},
		{"arguments of the trait", get + "fn f() { Get::<Point>::fetch(&Two).zz; Get::<Circle>::fetch(&Two).zz; <Two as Get<Point>>::fetch(&Two).zz }", "Point Circle Point"},
		{"an alias", "struct Pair<T, S = u8>(T, S); type One<T> = Pair<Vec<T>>; impl<T, S> Pair<Vec<T>, S> { fn make(t: T) -> Self { loop {} } fn first(&self) -> T { loop {} } fn other(&self) -> S { loop {} } } fn f(c: Circle) { let one = One::make(c); one.first().zz; one.other().zz; One::<Point>::make(ORIGIN).first().zz }", "Circle u8 Point"},
		{"a parameter", get + "fn f<T: Get<Vector>>(t: T) { Get::fetch(&t).zz }", "Vector"},
		{"an implementation for all types", "trait Get<T> { fn fetch(&self) -> T; } #[derive(Clone)] struct One; impl Get<Circle> for One { fn fetch(&self) -> Circle { loop {} } } impl<A: Clone> Get<Point> for A { fn fetch(&self) -> Point { loop {} } } fn f() { Get::fetch(&One).zz; One.fetch().zz; let p: Point = Get::fetch(&One); p.zz }", "Point"},
		{"an implementation for all types with another trait", "trait Get<T> { fn fetch(&self) -> T; } struct One; impl Get<Circle> for One { fn fetch(&self) -> Circle { loop {} } } impl<A: Paint> Get<Point> for A { fn fetch(&self) -> Point { loop {} } } fn f() { Get::fetch(&One).zz; One.fetch().zz }", "Circle Circle"},
	})
}

func TestCallee_Generics(t *testing.T) {
	checkFaults(t, callables, []faultCase{
		{"arguments of functions", "fn g<T>() -> T { loop {} } fn f() { g::<Pair>().swap(); g::<Pair>().swop(); g::<Vec<Pair>>()[0].swop() }", "Pair::swop, Pair::swop"},
		{"arguments from values", "fn g<T>(t: T) -> Many<T> { loop {} } fn f() { g(Pair(1, 2)).first().swop(); g(Unit).first().swop() }", "Pair::swop, Unit::swop"},
		{"the second of two arguments", "fn g<A, B>() -> B { loop {} } fn f() { g::<Unit, Pair>().swap(); g::<Pair, Unit>().swap() }", "Unit::swap"},
		{"an argument after a lifetime", "fn g<'a, T>() -> &'a T { loop {} } fn f() { g::<Pair>().swop(); }", "Pair::swop"},
		{"an argument that is inferred", "fn f() { let v = [Pair(1, 2)].into_iter().collect::<Vec<_>>(); v[0].swop() }", "Pair::swop"},
		{"arguments of types", "fn f() { Many::<Pair>::of(Pair(1, 2)).first().swop(); Many::of(Unit).first().swop() }", "Pair::swop, Unit::swop"},
		{"arguments of methods", "fn f(m: Many<u8>) { m.map::<Pair>(|_| loop {}).first().swop() }", "Pair::swop"},
		{"results of closures", "fn f(m: Many<Pair>) { m.map(|p| { p.swop(); Unit }).first().swop() }", "Pair::swop, Unit::swop"},
		{"arguments of traits", "trait To<T> { fn to(&self) -> T; } impl To<Pair> for Unit { fn to(&self) -> Pair { loop {} } } fn f(u: Unit) { u.to().swap(); u.to().swop() }", "Pair::swop"},
		{"a declared result", "fn g() -> Many<Pair> { loop {} } fn f() { g().first().swap(); g().first().swop(); g().1.swop() }", "Pair::swop, Pair::swop"},
		{"impl Trait as a parameter", "fn g<U>(f: impl Fn(&Pair) -> U) -> U { loop {} } fn f() { g(|p| { p.swop(); Unit }).swop() }", "Pair::swop, Unit::swop"},
		{"a where clause with a function", "fn g<F, U>(f: F) -> U where F: FnOnce(Pair) -> U { loop {} } fn f() { g(|p| { p.swop(); Unit }).swop() }", "Pair::swop, Unit::swop"},
	})
}
