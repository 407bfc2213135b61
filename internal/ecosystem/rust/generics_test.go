package rust

import "testing"

func TestGenerics_Parameters(t *testing.T) {
	checkValues(t, []valueCase{
		{"a default", "struct Own<A, B = Circle> { a: A, b: B } fn f(o: Own<u8>, p: Own<u8, Point>) { o.b.zz; p.b.zz }", "Circle Point"},
		{"a default that names another parameter", "struct Own<A, B = Vec<A>> { a: A, b: B } fn f(o: Own<Circle>) { o.a.zz; o.b[0].zz }", "Circle Circle"},
		{"a constant", "struct Own<T, const N: usize> { list: [T; N] } fn f(o: Own<Circle, 3>) { o.list[0].zz; o.list.first().unwrap().zz }", "Circle Circle"},
		{"a constant before a type of a function", "fn g<const N: usize, T>(list: [T; N]) -> T { loop {} } fn f() { g([Circle::new()]).zz; g::<1, Circle>([Circle::new()]).zz }", "Circle Circle"},
		{"a lifetime before a type", "struct Own<'a, T> { item: &'a T } impl<'a, T> Own<'a, T> { fn get(&self) -> &'a T { self.item } } fn f(o: Own<'_, Circle>) { o.item.zz; o.get().zz }", "Circle Circle"},
		{"an alias that sets one of two", "struct Own<A, B> { a: A, b: B } type Half<T> = Own<T, Point>; fn f(h: Half<Circle>) { h.a.zz; h.b.zz }", "Circle Point"},
		{"an alias that exchanges two", "struct Own<A, B> { a: A, b: B } type Back<A, B> = Own<B, A>; fn f(o: Back<Circle, Point>) { o.a.zz; o.b.zz }", "Point Circle"},
		{"other names in the implementation", "struct Own<A, B>(A, B); impl<X, Y> Own<Y, X> { fn first(&self) -> &Y { &self.0 } fn second(self) -> X { self.1 } } fn f(o: Own<Circle, Point>) { o.first().zz; o.second().zz }", "Circle Point"},
		{"implementations for different arguments", "struct Own<T>(T); impl Own<u8> { fn a(&self) -> Circle { loop {} } } impl Own<u16> { fn b(&self) -> Point { loop {} } } fn f(o: Own<u8>, p: Own<u16>) { o.a().zz; p.b().zz }", "Circle Point"},
		{"a parameter of the method that is given by an argument", "struct Own<T>(T); impl<T> Own<T> { fn with<U>(self, u: U) -> Own<(T, U)> { loop {} } } fn f(o: Own<Circle>) { o.with(ORIGIN).0.1.zz }", "Point"},
		{"a result that replaces the parameter", "struct Own<T>(T); impl<T> Own<T> { fn swap<U>(self, u: U) -> Own<U> { loop {} } } fn f(o: Own<Circle>) { o.swap(ORIGIN).swap(Vector(1)).0.zz }", "Vector"},
		{"Self with other arguments", "struct Own<T>(T); impl<T> Own<T> { fn made(t: T) -> Self { Own(t) } fn boxed(self) -> Box<Self> { loop {} } } fn f() { Own::made(ORIGIN).0.zz; Own(ORIGIN).boxed().0.zz }", "Point Point"},
		{"variants", "enum Own<T> { Full(T), Part { item: T }, None } fn f(o: Own<Circle>) { match o { Own::Full(c) => c.zz, Own::Part { item } => item.zz, Own::None => {} } }", "Circle Circle"},
		{"functions as arguments", "struct Own<F>(F); impl<F: Fn() -> Circle> Own<F> { fn call(&self) -> Circle { (self.0)() } } fn f() { Own(|| Circle::new()).call().zz }", "Circle"},
		{"nested arguments", "fn f(m: Option<Result<Vec<Circle>, Error>>) { m.unwrap().ok().unwrap().pop().unwrap().zz }", "Circle"},
		{"a parameter that hides a type", "struct Own<Circle>(Circle); fn f(o: Own<Point>) { o.0.zz; }", "Point"},
		{"a where clause on another type", "fn g<T>(t: T) -> Option<T> where Option<T>: Clone { None } fn f() { g(ORIGIN).unwrap().zz }", "Point"},
	})
}
