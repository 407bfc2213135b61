package rust

import "testing"

func TestOperators_Traits(t *testing.T) {
	checkValues(t, []valueCase{
		{"an operator with an argument of the implementation", "struct Own<T>(T); impl<T> std::ops::Add<T> for Own<T> { type Output = Own<T>; fn add(self, _: T) -> Own<T> { self } } fn f(o: Own<Circle>) { (o + Circle::new()).zz; }", "Own"},
		{"an operator of references", "struct Own; impl std::ops::Add<&Own> for &Own { type Output = Circle; fn add(self, _: &Own) -> Circle { loop {} } } fn f(a: Own, b: Own) { (&a + &b).zz }", "Circle"},
		{"shifts", "struct Own; impl std::ops::Shl<u8> for Own { type Output = Circle; fn shl(self, _: u8) -> Circle { loop {} } } fn f(o: Own) { (o << 1u8).zz; }", "Circle"},
		{"bits", "struct Own; impl std::ops::BitOr for Own { type Output = Circle; fn bitor(self, _: Own) -> Circle { loop {} } } impl std::ops::BitAnd for Own { type Output = Point; fn bitand(self, _: Own) -> Point { loop {} } } fn f() { (Own | Own).zz; (Own & Own).zz }", "Circle Point"},
		{"remainders and quotients", "struct Own; impl std::ops::Rem<u8> for Own { type Output = Circle; fn rem(self, _: u8) -> Circle { loop {} } } impl std::ops::Div for Own { type Output = f32; fn div(self, _: Own) -> f32 { 0.0 } } fn f() { (Own % 2u8).zz; (Own / Own).zz }", "Circle f32"},
		{"an index of a range", "fn f(v: Vec<Circle>, s: String) { v[1..2].zz; v[1..2][0].zz; s[..1].zz; v[..][0].zz }", "slice Circle str Circle"},
		{"an index of a trait", "struct Own; impl std::ops::Index<&str> for Own { type Output = Circle; fn index(&self, _: &str) -> &Circle { loop {} } } fn f(o: Own) { o[\"a\"].zz; o[\"a\"].center.zz }", "Circle Point"},
		{"a dereference", "fn f(h: Handle<Circle>, b: Box<Point>, r: &&Circle) { (*b).zz; (**r).zz; (*h).center.zz }", "Point Circle Point"},
		{"a member of two dereferences", "fn f(h: Handle<Handle<Circle>>, b: std::rc::Rc<Box<Point>>) { h.radius.zz; b.x.zz; h.center.x.zz }", "f64 f64 f64"},
		{"casts bind more tightly", "fn f(n: u8) { (n as u16 + 1).zz; (-1i8 as i32).zz; (n as u32 as u64 * 2).zz }", "u16 i32 u64"},
		{"a question mark of an option and of a result", "fn f() -> Option<u8> { maybe()?.center.zz; Some(1) } fn g() -> Result<u8, Error> { attempt()?.center.zz; Ok(1) }", "Point Point"},
		{"comparisons of members", "fn f(c: Circle) { (c.radius < 1.0).zz; (c.center == ORIGIN).zz; (c.area() >= c.radius).zz }", "bool bool bool"},
		{"lazy operators", "fn f(a: bool, b: bool) { (a && !b).zz; (a || b && a).zz; (a ^ b).zz }", "bool bool bool"},
	})
}

func TestPatterns_Nested(t *testing.T) {
	checkValues(t, []valueCase{
		{"a tuple in an option", "fn f(o: Option<(Circle, Point)>) { if let Some((c, p)) = o { c.zz; p.zz } }", "Circle Point"},
		{"a reference in an option", "fn f(o: &Option<Circle>) { if let Some(c) = o { c.zz } match o { &Some(ref c) => c.zz, _ => {} } }", "Circle Circle"},
		{"a struct in a variant", "fn f(s: Shape) { if let Shape::Round(Circle { radius, center: Point { x, y: up } }) = s { radius.zz; x.zz; up.zz } }", "f64 f64 f64"},
		{"a slice in a tuple", "fn f(p: (&[Circle], Point)) { let ([a, .., b], c) = p else { return }; a.zz; b.zz; c.zz }", "Circle Circle Point"},
		{"the rest of a tuple in the middle", "fn f() { let (a, .., z) = (Circle::new(), 1, 2, ORIGIN); a.zz; z.zz }", "Circle Point"},
		{"the rest of a tuple struct", "struct Own(Circle, u8, Point); fn f(o: Own) { let Own(a, ..) = o; a.zz; let Own(.., p) = o; p.zz; let Own(b, .., q) = o; b.zz; q.zz }", "Circle Point Circle Point"},
		{"the fields of a tuple struct by number", "struct Own(Circle, Point); fn f(o: Own) { let Own { 0: c, 1: p } = o; c.zz; p.zz }", "Circle Point"},
		{"a type argument", "struct Own<T> { item: T } fn f(o: Own<Circle>) { let Own { item } = o; item.zz; let Own::<Circle> { item: i } = o; i.zz }", "Circle Circle"},
		{"a binding of a range", "fn f(n: u16) { match n { low @ 0..=9 => low.zz, high @ 10.. => high.zz } }", "u16 u16"},
		{"a binding in an alternative", "fn f(r: Result<Circle, Circle>) { match r { Ok(c) | Err(c) => c.zz } let (Ok(d) | Err(d)) = r; d.zz }", "Circle Circle"},
		{"an imported variant", "use Shape::{Round, Line}; fn f(s: Shape) { match s { Round(c) => c.zz, Line { from, .. } => from.zz, _ => {} } }", "Circle Point"},
		{"variants of Self", "enum Own { A(Circle), B { p: Point } } impl Own { fn f(self) { match self { Self::A(c) => c.zz, Self::B { p } => p.zz } } }", "Circle Point"},
		{"a constant that is no binding", "const N: u8 = 1; fn f(n: u8, c: Circle) { match n { N => c.zz, other => other.zz } }", "Circle u8"},
		{"a variable with the name of an outer one", "fn f(c: Circle) { if let Some(c) = Some(c.center) { c.zz } c.zz }", "Point Circle"},
		{"a mutable reference", "fn f(mut o: Option<Circle>) { if let Some(ref mut c) = o { c.zz } while let Some(c) = o.as_mut() { c.zz } }", "Circle Circle"},
		{"a closure with a nested pattern", "fn f(v: Vec<(u8, Option<Circle>)>) { v.iter().for_each(|(n, o)| { n.zz; o.zz }); v.into_iter().map(|(_, o)| o.unwrap().zz) }", "u8 Option Circle"},
		{"an entry of a map", "use std::collections::BTreeMap; fn f(m: BTreeMap<u8, (Circle, Point)>) { for (k, (c, p)) in m { k.zz; c.zz; p.zz } }", "u8 Circle Point"},
		{"chains of conditions", "fn f(o: Option<Circle>, s: Shape) { if let Some(c) = o { c.zz } else if let Shape::Round(d) = s { d.zz } else { o.zz } }", "Circle Circle Option"},
	})
}
