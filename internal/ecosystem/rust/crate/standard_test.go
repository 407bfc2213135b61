package crate

import (
	"strings"
	"testing"
)

// TestDeclarationsOfTheStandardLibrary checks that constructs that occur only in core
// are shown as in rustdoc.
func TestDeclarationsOfTheStandardLibrary(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
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

// TestWhatTheStandardLibraryAloneWrites reads selections by target, const
// implementations, and primitive types among arguments.
func TestWhatTheStandardLibraryAloneWrites(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
mod sys { pub type Raw = cfg_select! {
	// => a comment
	target_os = "uefi" => Vec<(u8, u16)>,
	_ => i32,
}; }
pub type Number = sys::Raw;
cfg_select! {
	any(windows, target_os = "none") => { pub fn windows() {} }
	// the others
	not(windows) => { pub fn unix() {} }
	_ => { pub fn neither() {} }
}
pub struct Held;
const impl Held { pub fn kept(&self) {} fn inner() {} }
impl const Copied for Held { fn copied(&self) {} }
#[cfg(target_has_atomic_load_store)] pub fn load() {}
pub fn hook(f: Box<dyn Fn(&u8) -> u8 + 'static + Sync + Send>, g: impl Fn() + 'static + Send) {}
#[rustc_doc_primitive = "slice"] mod prim_slice {}
#[rustc_doc_primitive = "pointer"] mod prim_pointer {}
impl AsRef<[u8]> for Held {}
impl<T> Unpin for * const T {}
`))
	for path, want := range map[string]string{
		"Number": "pub type Number = i32;", "unix": "pub fn unix()", "Held::kept": "pub const fn kept(&self)", "load": "pub fn load()",
		"hook": "pub fn hook(f: Box<dyn Fn(&u8) -> u8 + Sync + Send + 'static>, g: impl Fn() + 'static + Send)",
	} {
		if got := strings.Join(strings.Fields(find(t, p, path).Signature), " "); strings.NewReplacer("( ", "(", ", )", ")").Replace(got) != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	for path, want := range map[string]string{"slice": "impl AsRef<[u8]> for Held", "pointer": "impl<T> Unpin for *const T"} {
		if m := find(t, p, path).Members; len(m) != 1 || m[0].Signature != want {
			t.Errorf("%s has %v, want %s", path, m, want)
		}
	}
	if all := names(p.Symbols); strings.Contains(all, "windows") || strings.Contains(all, "neither") {
		t.Errorf("the crate has %s", all)
	}
}

func TestPlannedDeprecation(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `#[deprecated(since = "TBD", note = "a")] pub fn a() {} #[deprecated(since = "1.2", note = "b")] pub fn b() {}`))
	if a, b := p.Symbols[0].Deprecated, p.Symbols[1].Deprecated; a != "" || b != "deprecated since 1.2: b" {
		t.Errorf("the notices are %q and %q", a, b)
	}
}
