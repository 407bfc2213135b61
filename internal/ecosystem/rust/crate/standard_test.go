package crate

import (
	"strings"
	"testing"
)

// TestDeclarationsOfTheStandardLibrary reads what only core has, as rustdoc shows it.
func TestDeclarationsOfTheStandardLibrary(t *testing.T) {
	p := read(t, of("src/lib.rs", `
#[rustc_builtin_macro] pub macro Clone($item: item) { /* built in */ }
#[rustc_builtin_macro(Default, attributes(default))] pub macro Default($item:item) {}
#[rustc_builtin_macro] pub macro test($item:item) {}
#[rustc_builtin_macro] pub macro wrap($e:expr) {}
#[must_use = "this returns the result, \
              and changes nothing"]
pub const fn made<T: [const] Destruct, F>(f: F) -> T where F: [const] FnOnce() -> T + [const] Destruct, T: [const] Destruct {}
#[rustc_legacy_const_generics(1, 0)] pub fn shift<const A: i32, const B: u8, T>(x: T) {}
#[rustc_legacy_const_generics(7)] pub fn wrong<const A: i32>() {}
#[cfg(target_has_atomic_load_store = "64")] pub struct Atomic;
`))
	var got []string
	for i := range p.Symbols {
		got = append(got, string(p.Symbols[i].Kind)+": "+strings.Join(strings.Fields(p.Symbols[i].Signature), " "))
	}
	want := strings.Split(`derive macro: #[derive(Clone)]
derive macro: #[derive(Default)] { // Attributes available to this derive: #[default] }
attribute macro: #[test]
macro: pub macro wrap($e:expr) { ... }
function: #[must_use = "this returns the result, and changes nothing"] pub const fn made<T, F>(f: F) -> T where F: [const] FnOnce() -> T,
function: pub fn shift<T>(B: u8, x: T, A: i32)
function: pub fn wrong<const A: i32>()
struct: pub struct Atomic;`, "\n")
	for _, line := range want {
		if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+line+"\n") {
			t.Errorf("there is no %s", line)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d declarations:\n%s", len(got), strings.Join(got, "\n"))
	}
}
