package macros

import (
	"strings"
	"testing"

	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
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
		{"$crate names the crate", `() => { $crate::a::b!(); }`, "", "©dep::a::b ! ( ) ;"},
		{"a repetition without turns is empty", `($($x:ident)* ; $y:ident) => { $($x)* $y }`, "; z", "z"},
		{"a name after a literal", `($($a:ident: $e:expr)+) => { $($a($e);)+ }`, `x: "1" y: 2 as u8`, `x ( "1" ) ; y ( 2 as u8 ) ;`},
		{"an optional part", `($x:ident $(= $y:expr)?) => { $x $(is $y)? }`, "a = 1 + 2", "a is 1 + 2"},
		{"closures and turbofish hold commas", `($($e:expr),*) => { $([$e])* }`, "|a, b| a, f::<A, B>()", "[ | a , b | a ] [ f :: < A , B > ( ) ]"},
		{"separators of two bytes", `($($k:literal => $v:ident)=>*) => { $($k)&&* }`, `"a" => b => "c" => d`, `"a" && "c"`},
		{"words that begin no expression", `($e:expr) => { expression }; (pub const $e:expr) => { constant $e }`, "pub const A", "constant A"},
		{"nothing matches", `(a) => { }`, "b", ErrNoMatch.Error()},
		{"an unbalanced call", `($($t:tt)*) => { $($t)* }`, "( a", ErrNoMatch.Error()},
	} {
		if got := expand(t, tc.rules, tc.input); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

// TestFragmentsOfOtherMacros checks that a macro that receives a fragment from another
// macro sees it as one token tree.
func TestFragmentsOfOtherMacros(t *testing.T) {
	for _, tc := range []struct{ fragment, input, inner, want string }{
		{"ty", "Vec<u8>", `($t:tt) => { one $t }; ($($t:tt)*) => { many }`, "one Vec < u8 >"},
		{"ty", "Vec<u8>", `(Vec $($r:tt)*) => { tokens }; ($t:ty) => { type $t }`, "type Vec < u8 >"},
		{"ty", "Vec<u8>", `($t:ty) => { $t }`, "Vec < u8 >"},
		{"ty", "u8", `(u8) => { token }; ($t:ty) => { type }`, "token"},
		{"expr", "1 + 2", `($e:expr) => { [$e] }`, "[ 1 + 2 ]"},
		{"expr", "1 + 2", `($a:tt + $b:tt) => { split }; ($a:tt) => { whole }`, "whole"},
		{"literal", "-1", `($l:literal) => { literal $l }; ($t:tt) => { other }`, "literal - 1"},
		{"expr", "1 + 2", `($s:stmt; $t:tt) => { $t $s }; ($s:stmt) => { $s; }`, "1 + 2 ;"},
		{"path", "a::b", `($p:path) => { use $p; }`, "use a :: b ;"},
		{"path", "a::b", `($p:ty) => { type $p; }`, "type a :: b ;"},
		{"vis", "pub(crate)", `($v:vis $n:ident) => { $v fn $n(); }`, "pub ( crate ) fn end ( ) ;"},
		{"vis", "", `($v:vis $n:ident) => { $v fn $n(); }`, "fn end ( ) ;"},
		{"item", "pub fn f() {}", `($i:item) => { #[a] $i }`, "# [ a ] pub fn f ( ) { }"},
		{"meta", "cfg(a)", `($m:meta) => { #[$m] }`, "# [ cfg ( a ) ]"},
		{"block", "{ a }", `($b:block) => { fn f() $b }`, "fn f ( ) { a }"},
		{"tt", "(a b)", `(($a:ident $b:ident)) => { $b $a }`, "b a"},
		{"ident", "a", `(b) => { b }; (a) => { a }`, "a"},
		{"lifetime", "'a", `($l:lifetime) => { &$l u8 }`, "& 'a u8"},
		{"pat", "A | B", `($p:pat) => { match $p }; ($t:tt) => { other }`, "match A | B"},
	} {
		outer, err := Parse("($f:" + tc.fragment + ") => { $f }")
		if err != nil {
			t.Fatal(err)
		}
		budget := Budget{Steps: 1e6, Bytes: 1e6}
		passed, err := outer.Expand(tc.input, "dep", &budget)
		if err != nil {
			t.Errorf("%s as %s: %v", tc.input, tc.fragment, err)
			continue
		}
		if tc.fragment == "vis" {
			passed += " end"
		}
		if got := expand(t, tc.inner, passed); got != tc.want {
			t.Errorf("%s, passed on as %s: got %s, want %s", tc.input, tc.fragment, got, tc.want)
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

// FuzzExpand matches arbitrary input against arbitrary macros.
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
