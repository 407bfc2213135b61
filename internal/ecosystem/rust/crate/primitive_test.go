package crate

import (
	"strings"
	"testing"
)

func TestTypesOfTheLanguage(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
#[rustc_builtin_macro] #[macro_export] macro_rules! include { ($file:expr $(,)?) => {{}} }
include!("primitive_docs.rs");
pub mod str { pub fn of() {} }
use crate::str;
impl str { pub fn split_once(&self) {} }
impl<T> [T] { pub const fn iter(&self) {} fn private(&self) {} }
impl<T, const N: usize> [T; N] { pub fn map(self) {} }
impl<T> *const T { pub fn is_null(self) -> bool {} }
pub struct Vec<T>(T);
impl<T> Deref for Vec<T> { type Target = [T]; }
pub struct String;
impl Deref for String { type Target = str; }
pub trait Deref { type Target: ?Sized; }
`, "src/primitive_docs.rs", `
#[rustc_doc_primitive = "str"]
/// Text.
mod prim_str {}
#[rustc_doc_primitive = "slice"] mod prim_slice {}
#[rustc_doc_primitive = "array"] mod prim_array {}
#[rustc_doc_primitive = "pointer"] mod prim_pointer {}
mod prim_other { pub struct Hidden; }
`))
	var got []string
	for i := range p.Symbols {
		s := &p.Symbols[i]
		for j := range s.Members {
			if m := &s.Members[j]; m.Kind == "method" {
				got = append(got, string(s.Kind)+" "+m.Path+" "+m.From)
			}
		}
		if s.Path == "str" && s.Doc != "Text." {
			t.Errorf("str says %q", s.Doc)
		}
	}
	all := "|" + strings.Join(got, "|") + "|"
	for _, want := range []string{
		"primitive type str::split_once ", "primitive type slice::iter ", "primitive type array::map ", "primitive type pointer::is_null ",
		"struct Vec::iter slice", "struct String::split_once str",
	} {
		if !strings.Contains(all, "|"+want+"|") {
			t.Errorf("there is no %s", want)
		}
	}
	if strings.Contains(all, "private") || len(got) != 6 {
		t.Errorf("got %q", got)
	}
}
