package crate

import (
	"strings"
	"testing"
)

// TestMacroCode_EqualNames reads many items that have the same name and refer to it.
func TestMacroCode_EqualNames(t *testing.T) {
	c := &macroCode{parts: map[string][]*macroPart{}}
	for range 30_000 {
		c.add("f", "fn f() { f() }")
	}
	c.add("g", "fn g() { quote! { impl Mark for #name {} } }")
	if !c.addsTraits("fn mark() { f(); g() }") || c.addsTraits("fn mark() { f() }") {
		t.Error("only the first macro adds an implementation of a trait")
	}
}

func TestQuotedTraits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		traits     int
		ok         bool
	}{
		{"a trait", "quote! { impl #generics Mark for #name #types #where { fn mark(&self) {} } }", 1, true},
		{"several", "let a = quote!(unsafe impl Mark for #name {}); quote_spanned! {span=> #[automatically_derived] impl<'a> Other<'a> for #name {} }", 2, true},
		{"the type itself", "quote! { impl #name { fn mark(&self) {} } }", 0, false},
		{"the type itself after a trait", "quote! { impl Mark for #name {} impl #name { fn mark(&self) {} } }", 0, false},
		{"a bound with for", "quote! { impl #name where T: for<'a> Mark<'a> { fn mark(&self) {} } }", 0, false},
		{"a header", "let head = quote! { impl #generics #name }; quote! { #head { fn mark(&self) {} } }", 0, false},
		{"impl Trait in a signature", "quote! { impl Mark for #name { fn mark(&self, a: impl Into<u8>) -> impl Mark { a } } }", 1, true},
		{"a dereference", "quote! { impl ::std::ops::Deref for #name { type Target = #target; } }", 0, false},
		{"a macro", "quote! { impl Mark for #name {} ::marks::more! { #name } }", 0, false},
		{"the type itself in a repetition", "quote! { impl Mark for #name {} #( impl #name { fn #marks(&self) {} } )* }", 0, false},
		{"a trait that the macro declares", "quote! { trait #mark { fn mark(&self) {} } impl #mark for #name {} }", 0, false},
		{"a macro in parentheses", "quote! { impl Mark for #name {} ::marks::more!(#name [1]); }", 0, false},
		{"macros in functions", "quote! { impl Mark for #name { fn mark(&self) { assert!(true); println!(\"a\"); let a = vec![1]; let b = more!(a, [1]) + 1; other!(b) } } }", 1, true},
		{"an open call of a macro", "quote! { impl Mark for #name {} ::marks::more!(", 0, false},
		{"text", `format!("impl {} {{ fn mark() {{}} }}", name)`, 0, false},
		{"syntax", "let item: ItemImpl = parse(); let token = Token![impl];", 0, false},
		{"code of the macro", "// impl\nimpl Parse { fn f() -> impl Iterator { panic!(\"no items\") } }", 0, true},
		{"a long header", "quote! { " + strings.Repeat("impl ", 2*maxQuoted) + "Mark for #name {} }", 0, false},
		{"a long call", "quote! { impl Mark for #name {} " + strings.Repeat("more!(", maxQuoted) + strings.Repeat(")", maxQuoted) + " }", 0, false},
		{"open brackets", "quote! { impl ", 0, false},
	} {
		if traits, ok := quotedTraits(c.text); ok != c.ok || ok && traits != c.traits {
			t.Errorf("%s: %d implementations of traits, %v", c.name, traits, ok)
		}
	}
}
