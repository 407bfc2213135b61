package crate

import (
	"strings"
	"testing"
)

// TestPrefixesOfLinks uses one name in three namespaces, which the prefix of a link, or
// the text after the name, distinguishes.
func TestPrefixesOfLinks(t *testing.T) {
	for target, want := range map[string]string{
		"both": "made::t::both", "struct@both": "made::t::both", "type@both": "made::t::both", "mod@t": "made::t",
		"fn@both": "made::v::both", "function@both": "made::v::both", "value@both": "made::v::both", "both()": "made::v::both", "method@T::act": "made::t::T::act",
		"macro@both": "made::both", "both!": "made::both", "crate::v::both": "made::v::both", "prim@u8": "u8", "T<u8>": "made::t::T",
		"trait@Clone": "std::clone::Clone",
	} {
		src := sourceOf("src/lib.rs", `
			#[macro_export] macro_rules! both { () => {} }
			pub mod t { pub struct both {} pub struct T; impl T { pub fn act(&self) {} } }
			pub mod v { pub fn both() {} }
			use t::both; use t::T; use v::both;
			/// See [`+"`"+target+"`"+`].
			pub fn documented() {}`)
		got := find(t, read(t, src), "documented").Doc
		if got = strings.TrimSuffix(strings.TrimPrefix(got, "See `"), "`."); got != want {
			t.Errorf("[%s] leads to %s, want %s", target, got, want)
		}
	}
}

// TestRenamedTypesInHeaders checks that headers show the original names of types that were
// imported under other names, as in rustdoc.
func TestRenamedTypesInHeaders(t *testing.T) {
	src := sourceOf("src/lib.rs", `
		mod inner { pub struct Real<T>(T); pub struct Other; pub trait Act<T> {} }
		pub use inner::{Real, Other, Act};
		use inner::Real as Alias; use inner::Other as Another; use inner::Act as Does; use std::fmt::Display as Shown;
		impl<T> Shown for Alias<T> {}
		impl Does<Another> for Alias<u8> {}
		impl From<Another> for Alias<Another> {}
		impl<'a, T> PartialEq<Alias<T>> for &'a Alias<T> {}`)
	var headers []string
	for _, m := range find(t, read(t, src), "Real").Members {
		if m.Kind == "impl" {
			headers = append(headers, m.Signature)
		}
	}
	for _, want := range []string{
		"impl<T> Display for Real<T>", "impl Act<Other> for Real<u8>", "impl From<Other> for Real<Other>", "impl<'a, T> PartialEq<Real<T>> for &'a Real<T>",
	} {
		found := false
		for _, h := range headers {
			found = found || h == want
		}
		if !found {
			t.Errorf("%s is not among %s", want, strings.Join(headers, "; "))
		}
	}
}

// TestRenamedTypesThatUsersKnow checks that a type is shown under the name by which the
// crate re-exports it.
func TestRenamedTypesThatUsersKnow(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
		mod inner { pub struct Const; pub struct Other; }
		pub use inner::{Const as Value, Other};
		pub mod user { use crate::Value; use crate::inner::Other as Alias; pub fn take(v: Value, w: Alias) -> Option<Value> {} }
		pub use user::take;`))
	if got, want := find(t, p, "take").Signature, "pub fn take(v: Value, w: Other) -> Option<Value>"; got != want {
		t.Errorf("the function is %s, want %s", got, want)
	}
}

// TestHiddenImportsBesideGlobs checks that a name that a hidden import binds is listed if
// a glob also imports it.
func TestHiddenImportsBesideGlobs(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
		mod inner { pub struct Both; pub struct Mine; pub struct Another; }
		mod other { pub struct Mine; pub struct Gone; }
		#[doc(hidden)] pub use inner::Both;
		#[doc(hidden)] pub use other::{Mine, Gone};
		pub use inner::*;`))
	if got := names(p.Symbols); got != "Another Both" {
		t.Errorf("the crate exports %s", got)
	}
}
