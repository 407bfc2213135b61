package macros

import (
	"strings"
	"testing"
)

// TestFragments_Extent checks how much of an input a fragment takes: the rest follows after a bar. A
// type, a path and an expression end as in Rust's grammar, and not at the next comma.
func TestFragments_Extent(t *testing.T) {
	for _, tc := range []struct{ fragment, input, want string }{
		{"ty", "u8, x", "u8 | , x"},
		{"ty", "&'a mut T, x", "& 'a mut T | , x"},
		{"ty", "&mut [T; 4] = y", "& mut [T ; 4] | = y"},
		{"ty", "*const T, x", "* const T | , x"},
		{"ty", "*mut *const u8 => y", "* mut * const u8 | => y"},
		{"ty", "fn(A, B) -> C, x", "fn (A , B) -> C | , x"},
		{"ty", `unsafe extern "C" fn(u8), x`, `unsafe extern "C" fn (u8) | , x`},
		{"ty", "for<'a> fn(&'a u8) -> &'a u8; x", "for < 'a > fn (& 'a u8) -> & 'a u8 | ; x"},
		{"ty", "impl Fn(A) -> B + Send, x", "impl Fn (A) -> B + Send | , x"},
		{"ty", "dyn for<'a> A<'a> + 'static, x", "dyn for < 'a > A < 'a > + 'static | , x"},
		{"ty", "FnMut(u8) -> Vec<u8> = y", "FnMut (u8) -> Vec < u8 > | = y"},
		{"ty", "<T as A<B>>::C<D>, x", "< T as A < B >> :: C < D > | , x"},
		{"ty", "::std::vec::Vec<Vec<u8>>, x", ":: std :: vec :: Vec < Vec < u8 >> | , x"},
		{"ty", "A<{ 1 + 2 }, -1, B = C>, x", "A < { 1 + 2 } , - 1 , B = C > | , x"},
		{"ty", "(A, B), x", "(A , B) | , x"},
		{"ty", "[T], x", "[T] | , x"},
		{"ty", "!, x", "! | , x"},
		{"ty", "_, x", "_ | , x"},
		{"ty", "a!(b), x", "a ! (b) | , x"},
		{"path", "a::b::<C>::d, x", "a :: b :: < C > :: d | , x"},
		{"path", "crate::a<B>, x", "crate :: a < B > | , x"},
		{"path", "Fn(A) -> B, x", "Fn (A) -> B | , x"},
		{"path", "<T>::A, x", "< T > :: A | , x"},
		{"vis", "pub(in a::b) x", "pub (in a :: b) | x"},
		{"vis", "pub (A)", "pub | (A)"},
		{"vis", "crate x", "| crate x"},
		{"pat", "A { b, .. } | C(1..=2), x", "A { b , .. } | C (1 ..= 2) | , x"},
		{"pat", "ref mut a @ 1.. => x", "ref mut a @ 1 .. | => x"},
		{"expr", "a::<B, C>(d), x", "a :: < B , C > (d) | , x"},
		{"expr", "|a, b| -> C { d }, x", "| a , b | -> C { d } | , x"},
		{"expr", "a < b, c > d", "a < b | , c > d"},
		{"expr", "if a { b } else { c }, x", "if a { b } else { c } | , x"},
		{"expr", "a as Vec<B>, x", "a as Vec < B > | , x"},
		{"expr", "a as Map<B, C> + 1, x", "a as Map < B , C > + 1 | , x"},
		{"expr", "a as, x", "a as | , x"},
		{"stmt", "let (a, b) = c, x", "let (a , b) = c | , x"},
		{"stmt", "let a: B<C, D> = 1; x", "let a : B < C , D > = 1 | ; x"},
		{"item", "impl<T> A for B<T> where T: C {} x", "impl < T > A for B < T > where T : C { } | x"},
		{"item", "pub const A: [u8; 2] = [1, 2]; x", "pub const A : [u8 ; 2] = [1 , 2] ; | x"},
		{"meta", "a::b(c), x", "a :: b (c) | , x"},
		{"meta", `doc = concat!("a", "b"), x`, `doc = concat ! ("a" , "b") | , x`},
		{"block", "{ a } x", "{ a } | x"},
		{"block", "a", ErrNoMatch.Error()},
		{"ty", "1", ErrNoMatch.Error()},
		{"path", "1", ErrNoMatch.Error()},
		{"lifetime", "a", ErrNoMatch.Error()},
	} {
		got := expand(t, "($f:"+tc.fragment+" $($rest:tt)*) => { $f | $($rest)* };", tc.input)
		if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(tc.want, " ", "") {
			t.Errorf("%s of %s:\n got %s\nwant %s", tc.fragment, tc.input, got, tc.want)
		}
	}
}
