package macros

import (
	"strings"
	"testing"
)

func expand(t *testing.T, rules, input string) string {
	t.Helper()
	r, err := Parse(rules)
	if err != nil {
		t.Fatalf("%s: %v", rules, err)
	}
	out, err := r.Expand(input, "dep", &Budget{Steps: 1e6, Bytes: 1e6})
	if err != nil {
		return err.Error()
	}
	out = strings.NewReplacer("\x01", "", "\x02", "").Replace(out)
	return strings.Join(strings.Fields(out), " ")
}

func TestExpansion(t *testing.T) {
	for _, tc := range []struct{ name, rules, input, want string }{
		{"items are gated", `{ ($($item:item)*) => { $( #[cfg(feature = "rt")] $item )* } }`,
			"pub fn f<T>(x: T) -> Vec<T> { x } /// doc\npub mod m; use a::{b, c};",
			`# [ cfg ( feature = "rt" ) ] pub fn f < T > ( x : T ) -> Vec < T > { x } # [ cfg ( feature = "rt" ) ] # [ doc = r#" doc"# ] pub mod m ; # [ cfg ( feature = "rt" ) ] use a :: { b, c } ;`},
		{"repetitions nest", `($($a:ident: [$($b:expr),*]);* $(;)?) => { $($( $a($b); )*)* };`,
			"x: [1, 2 + 3]; y: [f(4)];", "x ( 1 ) ; x ( 2 + 3 ) ; y ( f ( 4 ) ) ;"},
		{"the first arm that matches is taken", `(@x $t:tt) => { one }; ($($t:tt)*) => { many };`, "a b c", "many"},
		{"types, visibilities and meta items are fragments", `($(#[$m:meta])* $v:vis struct $n:ident($t:ty);) => { $(#[$m])* $v struct $n($t); };`,
			`#[derive(Clone)] #[doc = "x"] pub(crate) struct A(Vec<Box<dyn Fn(u8) -> u8 + 'static>>);`,
			`# [ derive ( Clone ) ] # [ doc = "x" ] pub ( crate ) struct A ( Vec < Box < dyn Fn ( u8 ) -> u8 + 'static > > ) ;`},
		{"a visibility may be empty", `($v:vis $n:ident) => { $v fn $n(); }`, "f", "fn f ( ) ;"},
		{"$crate names the crate", `() => { $crate::a::b!(); }`, "", "©dep :: a :: b ! ( ) ;"},
		{"a repetition without turns is empty", `($($x:ident)* ; $y:ident) => { $($x)* $y }`, "; z", "z"},
		{"an optional part", `($x:ident $(= $y:expr)?) => { $x $(is $y)? }`, "a = 1 + 2", "a is 1 + 2"},
		{"closures and turbofish hold commas", `($($e:expr),*) => { $([$e])* }`, "|a, b| a, f::<A, B>()", "[ | a , b | a ] [ f :: < A , B > ( ) ]"},
		{"separators of two bytes", `($($k:literal => $v:ident)=>*) => { $($k)&&* }`, `"a" => b => "c" => d`, `"a" && "c"`},
		{"nothing matches", `(a) => { }`, "b", ErrNoMatch.Error()},
		{"an unbalanced call", `($($t:tt)*) => { $($t)* }`, "( a", ErrNoMatch.Error()},
	} {
		if got := expand(t, tc.rules, tc.input); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
	}
}
