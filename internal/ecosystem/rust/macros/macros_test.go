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

func TestExpansionIsBounded(t *testing.T) {
	r, err := Parse(`($($t:tt)*) => { $($t $($t)*)* $($t)* };`)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []Budget{{Steps: 1000, Bytes: 1 << 20}, {Steps: 1 << 20, Bytes: 100}} {
		if _, err := r.Expand(strings.Repeat("a ", 5000), "dep", &b); err == nil {
			t.Error("an expansion past its budget succeeds")
		}
	}
	if _, err := Parse(strings.Repeat("(", 100_000)); err == nil {
		t.Error("nested brackets are rules")
	}
}

func TestPatternsArePrinted(t *testing.T) {
	r, err := Parse(`{ ($($x:expr),* $(,)?) => { a }; (@in $y:ident) => { b } }`)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.Patterns(), "|"); got != "($($x:expr),* $(,)?)|(@ in $y:ident)" {
		t.Errorf("the patterns are %s", got)
	}
}

// FuzzExpand matches anything against anything.
func FuzzExpand(f *testing.F) {
	f.Add(`($($(#[$m:meta])* $v:vis fn $n:ident($($a:ident: $t:ty),*) $b:block)*) => { $($v fn $n($($a: $t),*) $b)* }`, `pub fn a(b: Vec<u8>) { c } fn d() {}`)
	f.Add(`($($k:literal => $e:expr),* ; $p:path, $l:lifetime) => { $([$k, $e])* $p $crate }`, `"a" => 1 + 2, 'b' => |x, y| x; a::b::<C>, 'd`)
	f.Fuzz(func(t *testing.T, rules, input string) {
		if len(rules)+len(input) > 1<<13 {
			return
		}
		r, err := Parse(rules)
		if err != nil {
			return
		}
		r.Patterns()
		b := Budget{Steps: 100_000, Bytes: 1 << 16}
		if out, err := r.Expand(input, "dep", &b); err == nil && len(out) > 1<<16+len(rules)+len(input) {
			t.Errorf("%d bytes are written", len(out))
		}
	})
}
