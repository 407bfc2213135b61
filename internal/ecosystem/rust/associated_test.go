package rust

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/work"
)

func TestAssociated_Types(t *testing.T) {
	checkValues(t, []valueCase{
		{"a result", "trait Make { type Out; fn make(&self) -> Self::Out; } impl Make for u8 { type Out = Circle; fn make(&self) -> Circle { loop {} } } fn f(n: u8) { n.make().zz; (1u8).make().zz }", "Circle Circle"},
		{"one for each type", "trait Make { type Out; fn make(&self) -> Self::Out; } impl Make for u8 { type Out = Circle; fn make(&self) -> Circle { loop {} } } impl Make for Point { type Out = Vector; fn make(&self) -> Vector { loop {} } } fn f(n: u8, p: Point) { n.make().zz; p.make().zz }", "Circle Vector"},
		{"a qualified path", "fn f(c: <Circle as Paint>::Color, o: Option<<Circle as Paint>::Color>) { c.zz; o.unwrap().zz }", "Point Point"},
		{"a path of a parameter", "fn f<T: Paint<Color = Vector>>(a: T::Color, b: <T as Paint>::Color, c: Vec<T::Color>) { a.zz; b.zz; c[0].zz }", "Vector Vector Vector"},
		{"a bound in a where clause", "fn f<T>(t: T) where T: Paint, T: Paint<Color = Circle> { t.paint().zz }", "Circle"},
		{"a type argument", "fn g<T: Paint>(t: T) -> T::Color { t.paint() } fn f(c: Circle) { g(c).zz }", "Point"},
		{"a reference", "fn g<T: Paint>(t: &T) -> Option<T::Color> { None } fn f(c: Circle) { g(&c).unwrap().zz }", "Point"},
		{"inside another type", "struct Own<T: Paint> { color: T::Color, list: Vec<T::Color> } fn f(o: Own<Circle>) { o.color.zz; o.list[0].zz }", "Point Point"},
		{"a supertrait", "trait Gloss: Paint { fn gloss(&self) -> Self::Color { self.paint() } } impl Gloss for Circle {} fn f(c: Circle) { c.gloss().zz }", "Point"},
		{"a bound of a supertrait", "trait Gloss: Paint<Color = Vector> {} fn f<T: Gloss>(t: T) { t.paint().zz }", "Vector"},
		{"two levels", "trait Node { type Leaf: Paint; fn leaf(&self) -> Self::Leaf; } impl Node for Point { type Leaf = Circle; fn leaf(&self) -> Circle { loop {} } } fn f(p: Point) { p.leaf().zz; p.leaf().paint().zz }", "Circle Point"},
		{"arguments of the trait", "trait To<T> { type Out; fn to(&self, t: T) -> Self::Out; } impl To<u8> for Point { type Out = Circle; fn to(&self, t: u8) -> Circle { loop {} } } fn f(p: Point) { p.to(1u8).zz }", "Circle"},
		{"Self in an implementation", "struct Own; impl Paint for Own { type Color = Circle; fn paint(&self) -> Self::Color { let c: Self::Color = loop {}; c } } fn f(o: Own) { o.paint().zz; o.twice().1.zz }", "Circle Circle"},
		{"a parameter of the implementation", "struct Own<T>(T); impl<T> Paint for Own<T> { type Color = T; fn paint(&self) -> T { loop {} } } fn f(a: Own<Circle>, b: Own<Own<Point>>) { a.paint().zz; b.paint().zz; b.paint().paint().zz }", "Circle Own Point"},
		{"trait objects", "fn f(p: &dyn Paint<Color = Vector>, b: Box<dyn Paint<Color = Circle>>) { p.paint().zz; b.paint().zz; p.twice().0.zz }", "Vector Circle Vector"},
		{"Output of functions", "fn g<F: Fn(u8) -> Circle>(h: F) -> F::Output { h(1) } fn f() { g(|_| Circle::new()).zz }", "Circle"},
		{"Output of another trait for functions", "trait Run: Sized { type Output; fn run(self) -> Result<Self::Output, u8>; } impl<F, T> Run for F where F: FnOnce(&u8) -> Result<T, u8> { type Output = T; fn run(self) -> Result<T, u8> { self(&1) } } fn g(n: &u8) -> Result<Circle, u8> { Err(1) } fn f() { g.run().zz; g.run().unwrap().zz }", "Result"},
		{"constants of traits", "trait Named { const ONE: Circle; const N: u8; } struct Own; impl Named for Own { const ONE: Circle = Circle::UNIT; const N: u8 = 1; } fn f<T: Named>() { T::ONE.zz; <T as Named>::ONE.zz; Own::ONE.zz; <Own as Named>::N.zz; Own::N.zz }", "Circle Circle Circle u8 u8"},
		{"constants of a generic trait", "trait Named<T> { const ONE: T; } struct Own; impl Named<Circle> for Own { const ONE: Circle = Circle::UNIT; } impl Named<Point> for Own { const ONE: Point = ORIGIN; } fn f() { Own::ONE.zz }", ""},
		{"literals as arguments", "struct Own<const N: usize = 1>; impl Own<1> { fn new() -> Self { Own } fn one(&self) -> Circle { loop {} } } impl Own<2> { fn one(&self) -> Point { loop {} } } impl<const N: usize> Own<N> { fn all(&self) -> Vector { loop {} } } fn f(a: Own<2>, b: Own<{ 1 + 1 }>) { Own::new().one().zz; Own::new().all().zz; a.one().zz; a.all().zz; b.all().zz }", "Circle Vector Point Vector Vector"},
		{"other literals of the same value", "struct Own<const N: i64>; impl Own<0x10> { fn one(&self) -> Circle { loop {} } } impl Own<-1_0i64> { fn one(&self) -> Point { loop {} } } fn f(a: Own<16>, b: Own<0b1_0000>, c: Own<16i64>, d: Own<-0xa>) { a.one().zz; b.one().zz; c.one().zz; d.one().zz }", "Circle Circle Circle Point"},
		{"constants of Self", "struct Own; impl Own { const ONE: Circle = Circle::UNIT; fn f() { Self::ONE.zz; Own::ONE.zz } }", "Circle Circle"},
	})
}

func TestAssociated_Iterators(t *testing.T) {
	checkValues(t, []valueCase{
		{"Item", "fn g<I: Iterator>(i: I) -> Option<I::Item> { None } fn f(v: Vec<Circle>) { g(v.into_iter()).unwrap().zz }", "Circle"},
		{"items of IntoIterator", "fn g<I: IntoIterator<Item = Circle>>(i: I) { for c in i { c.zz } } fn h<I>(i: I) where I: IntoIterator<Item = Point> { for p in i { p.zz } }", "Circle Point"},
		{"results of IntoIterator", "fn g<I: IntoIterator>(i: I) -> Vec<I::Item> { loop {} } fn f(v: Vec<Circle>) { g(v)[0].zz; g(grid())[0].zz; g([1u8])[0].zz }", "Circle Circle u8"},
		{"an iterator of the project", "struct Own<T>(T); impl<T> Iterator for Own<T> { type Item = (usize, T); fn next(&mut self) -> Option<(usize, T)> { None } } fn f(o: Own<Circle>) { for (i, c) in o { i.zz; c.zz } }", "usize Circle"},
		{"references", "struct Own(Vec<Circle>); impl<'a> IntoIterator for &'a Own { type Item = &'a Circle; type IntoIter = std::slice::Iter<'a, Circle>; fn into_iter(self) -> Self::IntoIter { self.0.iter() } } fn f(o: Own) { for c in &o { c.zz } }", "Circle"},
		{"impl Iterator", "fn g() -> impl Iterator<Item = (Circle, Point)> { std::iter::empty() } fn f() { for (c, p) in g() { c.zz; p.zz } g().map(|(c, _)| c).last().unwrap().zz }", "Circle Point Circle"},
		{"boxed iterators", "fn f(i: Box<dyn Iterator<Item = Circle>>, j: &mut dyn Iterator<Item = Point>) { for c in i { c.zz } j.next().unwrap().zz }", "Circle Point"},
		{"a double-ended iterator", "fn f(v: Vec<Circle>) { v.iter().next_back().unwrap().zz; v.iter().rev().enumerate().last().unwrap().1.zz }", "Circle Circle"},
		{"chained iterators", "fn f(v: Vec<Circle>) { v.iter().chain(v.iter()).next().unwrap().zz; v.iter().cycle().next().unwrap().zz; v.iter().step_by(2).next().unwrap().zz }", "Circle Circle Circle"},
		{"iterators with state", "fn f(v: Vec<Circle>) { v.iter().scan(ORIGIN, |s, c| { s.zz; Some(c.center) }).next().unwrap().zz; v.iter().inspect(|c| { c.zz; }).next(); }", "Point Point Circle"},
		{"flattened iterators", "fn f(v: Vec<Vec<Circle>>) { v.iter().flatten().next().unwrap().zz; v.iter().flat_map(|l| l.iter()).next().unwrap().zz }", "Circle Circle"},
		{"bounds of items", "fn flat<I: IntoIterator<Item: IntoIterator>>(i: I) {} fn f(n: usize) { let mut list: Vec<_> = (0..n).map(|_| None).collect(); flat(list.iter().cloned()); list[0] = Some(Circle::UNIT); list[0].zz; list[0].unwrap().zz; let made: Vec<_> = made(); flat(made.iter().cloned().flatten()); made[0].zz }", "Option Circle"},
		{"filters with results", "fn f(v: Vec<Circle>) { v.iter().filter_map(|c| Some(c.center)).next().unwrap().zz; v.iter().map_while(|c| Some(c.radius)).next().unwrap().zz }", "Point f64"},
		{"partitions and pairs", "fn f(v: Vec<Circle>) { let (a, b): (Vec<Circle>, Vec<Circle>) = v.into_iter().partition(|c| true); a[0].zz; b[0].zz }", "Circle Circle"},
		{"windows and chunks", "fn f(v: Vec<Circle>) { for w in v.windows(2) { w.zz; w[0].zz } for c in v.chunks(2) { c[0].zz } v.split_first().unwrap().0.zz }", "slice Circle Circle Circle"},
		{"ranges", "fn f() { for n in 0u16..3 { n.zz } for n in (0u64..=3).rev() { n.zz } (0u8..3).map(|n| n.zz) }", "u16 u64 u8"},
		{"characters", "fn f(s: String) { for (i, c) in s.char_indices() { i.zz; c.zz } s.chars().rev().next().unwrap().zz }", "usize char char"},
		{"sums and products", "fn f(v: Vec<u8>) { let n: u32 = v.iter().map(|x| *x as u32).sum(); n.zz; v.iter().map(|x| *x as u64).product::<u64>().zz }", "u32 u64"},
		{"minimum and maximum", "fn f(v: Vec<u8>, w: Vec<Circle>) { v.iter().max().unwrap().zz; v.iter().min().unwrap().zz; w.iter().min_by_key(|c| 1).unwrap().zz }", "u8 u8 Circle"},
	})
}

func TestAssociated_NestedTypesTakeFewSteps(t *testing.T) {
	const own = `trait Own { type Item; } struct Join<A, B>(A, B); fn join<A: Own, B: Own<Item = A::Item>>(a: A, b: B) -> Join<A, B> { Join(a, b) }
impl<A: Own, B: Own<Item = A::Item>> Own for Join<A, B> { type Item = A::Item; } `
	for _, c := range []struct{ name, before, step, after string }{
		{"an iterator", "use shapes::Circle; fn f(v: Vec<Circle>) { v.iter()", ".chain(v.iter())", ".last().unwrap().zz }"},
		{"an implementation that is absent", own + "pub struct Leaf; fn f(l: Leaf) { l.zz; let j = Leaf", "; let j = join(j, Leaf)", "; }"},
	} {
		steps := func(n int) (used int64) {
			w := typesWorld(t)
			err := work.Run(t.Context(), 1<<30, func(ctx context.Context) error {
				types, err := w.rust().Types(ctx, w.project)
				if err != nil {
					return err
				}
				defer types.(io.Closer).Close()
				f := &ecosystem.SourceFile{Name: "src/lib.rs", Dir: w.project, Text: []byte(c.before + strings.Repeat(c.step, n) + c.after)}
				if found := types.Uses([]*ecosystem.SourceFile{f})[f]; !slices.ContainsFunc(found, func(u ecosystem.TypedUse) bool { return strings.HasSuffix(u.Path, "::zz") }) {
					t.Errorf("%s: %v", c.name, found)
				}
				used = work.FromContext(ctx).Used()
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return used
		}
		// The first use reads the crates.
		if once, few, many := steps(0), steps(4), steps(8); many-once > 4*(few-once) {
			t.Errorf("%s: %d steps, and %d and %d more for nested types", c.name, once, few-once, many-once)
		}
	}
}
