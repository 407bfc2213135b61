package macros

import (
	"strings"
	"testing"
)

// TestFragments_Grammar checks the extent of fragments for each construct of Rust's grammar. A bar follows the fragment.
func TestFragments_Grammar(t *testing.T) {
	for fragment, cases := range map[string][]string{
		"ty": {
			"A<B<<C as D>::E>>|, x", "impl A + use<'a, T>|, x", "&'a (dyn A + 'b)|, x", "[u8; { N + 1 }]|, x", "()|, x", "(A,)|, x", "A::<B>|, x",
			"Box<dyn for<'a> FnOnce(&'a u8) -> &'a u8>|, x", "unsafe fn()|, x", `extern "C" fn(u8, ...) -> !|, x`, "crate::A|, x", "self::A|; x", "Self|= x", "*const [u8]|, x",
			"dyn A<B = C> + 'static|=> x", "A<'a, 1, true>|, x", "impl ?Sized + A|, x", "dyn A|> x", "A<B>|>> x",
		},
		"expr": {
			"x = y|, z", "x += y|, z", "return|, x", "return a|, x", "break 'a 1|, x", "a..=b|, x", "..b|, x", "a..|, x", "..|, x", "move |a: u8| a + 1|, x", "|| a|, x",
			"async move { a }|, x", "match a { _ => b }|, x", "loop { break }|, x", "unsafe { a }|, x", "'a: loop {}|, x", "-a * !b|, x", "&raw const a|, x", "&mut a|, x", "a?.b.await|, x",
			"A { b, c: 1, ..d }|, x", "[1, 2, 3][0]|, x", "[0; 4]|, x", "(1, 2).0|, x", "a::b!{ c }|, x", "vec![1, 2]|; x", "a as u8|, x", "<A as B>::c(d)|, x", "a << 2 >> 1|, x", "a && b || c|=> x",
			"if let A = b { c } else if d { e } else { f }|, x", "while a { b }|, x", "for a in b {}|, x", "const { 1 }|, x", "a.b::<C, D>(e)|, x", "Vec::<A>::new()|, x", "{ a }.b()|, x",
		},
		"pat": {
			"&mut (a, b)|=> x", "A | B|if c", "| A|=> x", "[a, .., b]|=> x", "'a'..='z'|=> x", "-1|=> x", "A::B(..)|= x", "a @ Some(_)|=> x", "_|=> x", "A::<B>::C|=> x", "m!(a)|=> x", "ref a|, x", "1 | 2|in x",
		},
		"pat_param": {"A|| B", "Some(A | B)|=> x", "a @ 1..=2|, x"},
		"stmt":      {"a = b|; x", "let a|; x", "let Some(a) = b else { c }|; x", "a!(b)|; x", "struct A {}|; x", "if a { b }|; x"},
		"item": {
			"pub struct A<T>(T) where T: B;|x", "pub(crate) enum A { B(u8), C }|x", "extern crate a;|x", "macro_rules! a { () => {} }|x", "a::b! { c }|x", "a!(b);|x", "unsafe impl A for B {}|x",
			`pub const unsafe extern "C" fn a() {}|x`, "async fn a() {}|x", `unsafe extern "C" { fn a(); }|x`, "const _: () = ();|x", "static mut A: u8 = 1;|x", "type A<T> = B<T>;|x", "use a::{b, c as d};|x",
			"union A { a: u8 }|x", "trait A: B {}|x", "unsafe trait A {}|x", "mod a;|x", "mod a { b!(); }|x", "#[a] #[b(c)] fn d() {}|x", "impl<T> A<T> { fn b() {} }|x", "fn a<T>() -> B<T> where T: C {}|x", "struct A;|x", "const fn a() {}|x",
		},
		"literal":  {"-1|, x", `"a"|, x`, "true|, x", "b'a'|, x", "1.5e3|, x", "'a'|, x"},
		"vis":      {"pub(self)|x", "pub(super)|x", "pub(in crate::a)|x", "|x", "pub(crate)|x"},
		"meta":     {`a = "b"|, x`, "a|, x", "a(b = c)|, x", "a[b]|, x", "unsafe(no_mangle)|, x", "a::b|, x"},
		"block":    {"{ a; b }|x", "{}|x"},
		"tt":       {"(a b)|c", "a|b", "'a|b", "[a]|b"},
		"ident":    {"a|, x", "r#fn|, x", "self|, x"},
		"lifetime": {"'a|, x", "'static|x", "'_|x"},
	} {
		for _, c := range cases {
			i := strings.LastIndexByte(c, '|')
			if fragment == "pat_param" && strings.Contains(c, "||") {
				i-- // the bar after the fragment precedes one of the input
			}
			got := expand(t, "($f:"+fragment+" $($rest:tt)*) => { <$f> $($rest)* };", c[:i]+" "+c[i+1:])
			if got, want := strings.ReplaceAll(got, " ", ""), strings.ReplaceAll("<"+c[:i]+">"+c[i+1:], " ", ""); got != want {
				t.Errorf("%s: %s is read as %s, want %s", fragment, c, got, want)
			}
		}
	}
}

// TestFragments_NoMatch checks inputs that begin with no such fragment or end within it.
func TestFragments_NoMatch(t *testing.T) {
	for fragment, cases := range map[string][]string{
		"ty": {"", "1", "fn", "&", "<A as B>", "*A", "A<B"}, "expr": {"", ", a", "=> a", "else", "pub a"}, "pat": {"", "=> a", ", a"}, "path": {"", "::", "a::", "1", "<A>"},
		"item": {"", "a", "let a = b;", "a::b", "struct", "fn a()", "struct A", "use a", "a!(b)", "1"}, "literal": {"", "a", "- a", "(1)"}, "ident": {"", "1", "'a", "(a)", "_"}, "lifetime": {"", "a", "'a'"},
		"meta": {"", "1", "= a", "(a)"}, "block": {"", "a", "(a)"}, "tt": {""}, "stmt": {"", ", a"},
	} {
		for _, input := range cases {
			if got := expand(t, "($f:"+fragment+") => { $f }", input); got != ErrNoMatch.Error() {
				t.Errorf("%s matches %q: %s", fragment, input, got)
			}
		}
	}
}

// TestMatch_Repetitions checks separators, groups and metavariables of several depths.
func TestMatch_Repetitions(t *testing.T) {
	for _, c := range []struct{ name, rules, input, want string }{
		{"a separator that is missing", `($($a:ident),*) => { $($a)* }`, "a b", ErrNoMatch.Error()},
		{"a separator at the end", `($($a:ident),*) => { $($a)* }`, "a, b,", ErrNoMatch.Error()},
		{"an optional separator at the end", `($($a:ident),* $(,)?) => { $($a)* }`, "a, b,", "a b"},
		{"at least one", `($($a:ident)+) => { $($a)* }; () => { none }`, "", "none"},
		{"at most one", `($($a:ident)?) => { $($a)? }`, "a b", ErrNoMatch.Error()},
		{"groups of other brackets", `((a)) => { round }; ([a]) => { square }; ({a}) => { curly }`, "[a]", "square"},
		{"a group with more tokens", `((a)) => { one }; ($($t:tt)*) => { other }`, "(a b)", "other"},
		{"a group with repetitions", `($([$k:ident = $($v:literal)|+])*) => { $($k: $($v),+;)* }`, "[a = 1 | 2] [b = 3]", "a : 1 , 2 ; b : 3 ;"},
		{"two lists of the same length", `($($a:ident)* ; $($b:literal)*) => { $($a = $b;)* }`, "a b ; 1 2", "a = 1 ; b = 2 ;"},
		{"a metavariable of the outside in a repetition", `($n:ident: $($a:ident)*) => { $($n.$a;)* }`, "x: a b", "x . a ; x . b ;"},
		{"a repetition in an optional part", `($(with $($a:ident),+ ;)? $b:ident) => { [$($($a)+)?] $b }`, "with a, b; c", "[ a b ] c"},
		{"an optional part that is absent", `($(with $($a:ident),+ ;)? $b:ident) => { [$($($a)+)?] $b }`, "c", "[ ] c"},
		{"an operator that is no separator", `($($a:ident)+* ; $($b:ident)*+) => { $($a)* }`, "a c * ; b +", "a c"},
		{"keywords are tokens", `(fn $a:ident => $b:expr) => { $b }`, "fn a => 1", "1"},
		{"tokens of several characters", `($a:ident => $b:ident :: $c:ident ..= $d:ident) => { $a $d }`, "a => b :: c ..= d", "a d"},
		{"attributes and comments", `($(#[$m:meta])* $a:ident) => { $(#[$m])* $a }`, "/// text\n#[b] a", "# [ doc = r#\" text\"# ] # [ b ] a"},
	} {
		if got := expand(t, c.rules, c.input); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestParse_BadRules checks that rules which the compiler rejects have an error.
func TestParse_BadRules(t *testing.T) {
	for _, rules := range []string{"($($a:ident)) => { }", "($(a) b) => { }", "(a) { }", "(a) =>", "=> { }", "($($($a)) * ) => {}", "(", strings.Repeat("(", 10_000), strings.Repeat("($(", 5_000) + strings.Repeat(")*)", 5_000) + " => { }"} {
		if r, err := Parse(rules); err == nil {
			if _, err = r.Expand("a", "dep", &Budget{Steps: 1e6, Bytes: 1e6}); err == nil {
				t.Errorf("%.40s: no error", rules)
			}
		}
	}
}

// TestExpand_Budget ends expansions that take too many steps or write too much.
func TestExpand_Budget(t *testing.T) {
	for name, c := range map[string][2]string{
		"a long output":     {"($($a:ident)*) => { $($a " + strings.Repeat("word ", 1000) + ")* }", strings.Repeat("a ", 5000)},
		"attempts to match": {"($($($a:ident)* $b:literal)* x) => { }", strings.Repeat("a ", 20_000)},
	} {
		r, err := Parse(c[0])
		if err != nil {
			t.Fatal(err)
		}
		budget := &Budget{Steps: 1e5, Bytes: 1e5}
		if out, err := r.Expand(c[1], "dep", budget); err == nil || len(out) > 2e5 {
			t.Errorf("%s: %d bytes, error %v", name, len(out), err)
		}
	}
}
