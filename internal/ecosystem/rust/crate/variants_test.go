package crate

import (
	"strings"
	"testing"
)

func TestMethodsThatTellVariants(t *testing.T) {
	src := sourceOf("src/lib.rs", `
		#[derive(Clone, derive_more::IsVariant)]
		pub enum Event<T> { FocusGained, HTTPGet(T), #[is_variant(ignore)] Left, Key2 { a: u8 }, #[cfg(windows)] Gone }
		#[derive(strum::EnumIs)] pub enum Kind { Key2, #[strum(disabled)] Off }
		#[derive(IsVariant)] pub struct NoEnum;`)
	p := read(t, src)
	methods := func(name string) string {
		var all []string
		for _, m := range find(t, p, name).Members {
			if m.Kind == "method" {
				all = append(all, m.Name())
			}
		}
		return strings.Join(all, " ")
	}
	for name, want := range map[string]string{"Event": "is_focus_gained is_http_get is_key_2", "Kind": "is_key2", "NoEnum": ""} {
		if got := methods(name); got != want {
			t.Errorf("%s has %s, want %s", name, got, want)
		}
	}
	m := find(t, p, "Event::is_http_get")
	if m.Signature != "#[must_use]\npub const fn is_http_get(&self) -> bool" || m.Line != 3 || !strings.Contains(m.Doc, "of type `HTTPGet`") {
		t.Errorf("the method is %+v", m)
	}
}
