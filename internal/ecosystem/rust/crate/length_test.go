package crate

import (
	"strings"
	"testing"
)

// TestLengthsOfArrays checks that lengths that rustdoc shows as numbers are evaluated,
// and that others remain as written.
func TestLengthsOfArrays(t *testing.T) {
	for _, tc := range []struct{ name, length, want string }{
		{"a number", "512", "512"},
		{"a number with a type", "1_024usize", "1024"},
		{"a number of another base", "0xFF", "255"},
		{"a number with zeros", "010", "10"},
		{"a constant", "SIZE", "40"},
		{"a constant of a module", "sub::DEEP as usize", "41"},
		{"a constant that a module imports", "sub::SIZE", "40"},
		{"arithmetic by precedence", "SIZE + 2 * 3 - 1", "45"},
		{"shifts and masks", "1 << 4 | SIZE & 8", "24"},
		{"division and a rest", "(SIZE / 7) % 4", "1"},
		{"a size", "size_of::<u32>() + core::mem::size_of::<usize>()", "12"},
		{"a size of another type", "size_of::<Held>()", "size_of::<Held>()"},
		{"a parameter", "N", "N"},
		{"a parameter in arithmetic", "N + 1", "N + 1"},
		{"a parameter that hides a constant", "HIDDEN", "HIDDEN"},
		{"a constant that is not known", "OTHER", "OTHER"},
		{"a constant of itself", "ENDLESS", "ENDLESS"},
		{"less than nothing", "2 - SIZE", "2 - SIZE"},
		{"a number that is too large", "1 << 64", "1 << 64"},
		{"a sum that is too large", "18446744073709551615 + 1", "18446744073709551615 + 1"},
		{"a product that is too large", "18446744073709551615 * 2", "18446744073709551615 * 2"},
		{"division by zero", "1 / 0", "1 / 0"},
		{"a cast that cuts", "256 as u8", "256 as u8"},
		{"a call", "length()", "length()"},
		{"half of an expression", "SIZE +", "SIZE +"},
	} {
		p := read(t, sourceOf("src/lib.rs", `
			const SIZE: usize = 4 * 10; const HIDDEN: usize = 1; const ENDLESS: usize = ENDLESS + 1;
			mod sub { pub const DEEP: u32 = super::SIZE as u32 + 1; pub use super::SIZE; }
			pub struct Held;
			pub fn first<const N: usize, const HIDDEN: usize>(of: &[u8; `+tc.length+`]) {}`))
		got := find(t, p, "first").Signature
		compact := strings.NewReplacer(" ", "", "\n", "", ",", "", "::", "").Replace
		if want := "(of: &[u8; " + tc.want + "])"; !strings.HasSuffix(compact(got), compact(want)) {
			t.Errorf("%s: the function is %s, want %s", tc.name, got, want)
		}
	}
}

// TestSizesOfSelf evaluates the size of Self in implementations.
func TestSizesOfSelf(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
		pub trait Bytes { fn bytes(self) -> [u8; size_of::<Self>()]; }
		pub struct Held; impl Held { pub fn bytes(self) -> [u8; size_of::<Self>()] {} }
		#[rustc_doc_primitive = "u16"] mod prim_u16 {}
		impl u16 { pub const fn to_be_bytes(self) -> [[u8; size_of::<Self>()]; 2] {} }`))
	for path, want := range map[string]string{
		"Held::bytes":      "pub fn bytes(self) -> [u8; size_of<Self>()]",
		"Bytes::bytes":     "fn bytes(self) -> [u8; size_of<Self>()]",
		"u16::to_be_bytes": "pub const fn to_be_bytes(self) -> [[u8; 2]; 2]",
	} {
		if got := find(t, p, path).Signature; got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}
