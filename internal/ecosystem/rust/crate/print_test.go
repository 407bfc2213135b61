package crate

import "testing"

func TestReceiversWithoutANamedLifetime(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", "pub struct A; impl A { pub fn a(&'_ self) {} pub fn b(&'_ mut self) {} pub fn c<'x>(&'x self) {} pub fn d(self: &'_ Self) {} }"))
	for name, want := range map[string]string{"A::a": "pub fn a(&self)", "A::b": "pub fn b(&mut self)", "A::c": "pub fn c<'x>(&'x self)", "A::d": "pub fn d(&self)"} {
		if got := find(t, p, name).Signature; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
