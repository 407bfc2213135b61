package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

// outline formats items with their kinds and names.
func outline(f *File) string {
	names := map[ItemKind]string{
		Module: "mod", Use: "use", ExternCrate: "extern crate", Func: "fn", Struct: "struct", Union: "union", Enum: "enum", Variant: "variant", Field: "field", Trait: "trait",
		TraitAlias: "alias", Impl: "impl", TypeAlias: "type", Const: "const", Static: "static", MacroRules: "rules", MacroDecl: "macro", MacroCall: "call", ForeignMod: "extern", ConstBlock: "block",
	}
	var b strings.Builder
	var write func(items []*Item)
	write = func(items []*Item) {
		for i, it := range items {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(names[it.Kind])
			if it.Name != "" {
				b.WriteString(" " + it.Name)
			}
			if len(it.Items) > 0 {
				b.WriteString("(")
				write(it.Items)
				b.WriteString(")")
			}
		}
	}
	write(f.Items)
	return b.String()
}

func TestItems(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"bodies are skipped", `fn a() { "}" ; '}' ; b'}' ; r#"}"# ; /* } /* } */ */ // }
			let x: &'a str = 'b; } fn b() {}`, "fn a fn b"},
		{"raw strings that look like others", `fn a() { br##"}"#"## ; cr"}" ; "\"}" ; r"\" } struct B;`, "fn a struct B"},
		{"lifetimes are no characters", `impl<'a> A<'a> { fn f(&'a self) -> &'a u8 { 'l: loop { break 'l } } } fn g() {}`, "impl(fn f) fn g"},
		{"qualifiers", `pub(crate) const unsafe extern "C" fn a(); async fn b() {} pub(in a::b) default fn c() {} safe fn d(); const X: u8 = 1; extern "C" { fn e(); static S: u8; type T; }`,
			"fn a fn b fn c fn d const X extern(fn e static S type T)"},
		{"types with braces and arrows", `fn a<F: Fn() -> [u8; { 1 + 2 }]>(f: F) -> Foo<{ N }> where F: Fn(&u8) -> u8, { } struct B<const N: usize = { 3 }> where [u8; N]: Sized, { x: u8 }`, "fn a struct B(field x)"},
		{"structs", `struct A; struct B(pub u8, #[x] crate::C); pub union U { a: u8, b: Map<u8, u8> } enum E { A, B(u8) = 1, C { x: u8, }, }`,
			"struct A struct B(field 0 field 1) union U(field a field b) enum E(variant A variant B(field 0) variant C(field x))"},
		{"words that are names, too", `fn union() {} mod auto {} type macro_rules = u8; const default: u8 = 0; union! { x } static safe: u8 = 1;`, "fn union mod auto type macro_rules const default call union static safe"},
		{"implementations", `impl Fn(A) -> B for X {} unsafe impl<T> !Send for T where T: X {} impl dyn for<'a> Fn(&'a u8) {} impl X for for<'a> fn(&'a u8) {}`, "impl impl impl impl"},
		{"macros", `macro_rules! a { ($x:ident) => { } } b! { } c::d!(x); pub macro e($x:ident) { } thread_local!(static X: u8 = 1);`, "rules a call b call c::d macro e call thread_local"},
		{"traits", `pub unsafe trait A<T>: B + 'static where T: C { type D<'a>: E where Self: 'a; const F: u8; fn g(&self) {} } auto trait H {} trait I = A + B;`, "trait A(type D const F fn g) trait H alias I"},
		{"what cannot be read loses itself alone", `fn a() {} fn ) struct ; struct C; ]] enum D {}`, "fn a struct C enum D"},
		{"implementations in functions", `fn f() { use a::B; m!(); if c { impl B for C {} } fn g() { unsafe impl D for C {} } let x = 1; } fn h() -> impl B { simple() }`, "fn f block(use fn g block(impl) block(impl)) fn h"},
		{"items in constants", `const _: () = { use a::B; impl B for C {} let x = 1; };`, "block _(use impl)"},
		{"a shebang, a mark and a feature", "\uFEFF#!/usr/bin/env rust\n#![no_std]\nfn a() {}", "fn a"},
		{"attributes before a shebang's look", "#![no_std]\nfn a() {}", "fn a"},
	} {
		if got := outline(Parse(tc.text)); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

func TestUses(t *testing.T) {
	f := Parse("pub use a::{self, b::*, c as d, e::{f, self as g}, r#type}; use ::h; use crate::i as _;")
	var got []string
	for _, it := range f.Items {
		for _, u := range it.Uses {
			got = append(got, fmt.Sprintf("%s>%s%v", strings.Join(u.Path, "::"), u.As, u.Glob))
		}
	}
	want := "a>afalse a::b>true a::c>dfalse a::e::f>ffalse a::e>gfalse a::type>typefalse ::h>hfalse crate::i>_false"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// TestPartsOfItems compares types and values that are read without splitting them into
// tokens with those that are split.
func TestPartsOfItems(t *testing.T) {
	for text, want := range map[string]string{
		"const A: super::B = 5u32;":               "super::B|5u32||",
		"const A : *const  B = -1i32;":            "*const  B|-1i32||",
		"const A: Vec<u8> = b::C ;":               "Vec<u8>|b::C||",
		"type A = &mut B // x\n;":                 "&mut B|||",
		"trait A: where Self: Sized {}":           "|||Self: Sized",
		"trait A: B + C where Self: Sized {}":     "||B + C|Self: Sized",
		"impl A for b::C where D: E {}":           "b::C|||D: E",
		"type A where B: C = D where E: F;":       "D|||E: F",
		"const A: B = C as wherever::D;":          "B|C as wherever::D||",
		"static A: u8 = 1 /* ; */ + 2; struct B;": "u8|1 /* ; */ + 2||",
	} {
		f := Parse(text)
		it := f.Items[0]
		if got := strings.Join([]string{it.Type.Text(text), it.Value.Text(text), it.Bounds.Text(text), it.Where.Text(text)}, "|"); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
		if end := int(it.End); end != strings.IndexByte(text, ';')+1 && end != len(text) && !strings.Contains(text, "*/") {
			t.Errorf("%s: it ends at %d", text, end)
		}
	}
}

func TestFormat(t *testing.T) {
	for text, want := range map[string]string{
		"& 'a  mut  dyn Fn( & str )->Option< u8 >+Send": "&'a mut dyn Fn(&str) -> Option<u8> + Send",
		"( A , )":                        "(A,)",
		"Fn(A,B,)":                       "Fn(A, B)",
		"Map<K,V,>":                      "Map<K, V>",
		"crate :: a :: B<super::C>":      "B<C>",
		"::std::io::Result<()>":          "::std::io::Result<()>",
		"<T as Trait>::Item":             "<T as Trait>::Item",
		"for<'a> fn(&'a u8)->u8":         "for<'a> fn(&'a u8) -> u8",
		"[ u8 ; N ]":                     "[u8; N]",
		"impl Iterator<Item=u8>+use<'a>": "impl Iterator<Item = u8> + use<'a>",
		"*const *mut T":                  "*const *mut T",
		"T: ?Sized + 'a /* comment */ ":  "T: ?Sized + 'a",
		"const N:usize = 3":              "const N: usize = 3",
		"&dyn Fn()":                      "&dyn Fn()",
		"A<>":                            "A",
		"std::ops::Add :: <T>":           "std::ops::Add<T>",
		"r#type::X":                      "type::X",
		"extern \"C\" fn(u8, ...) -> !":  "extern \"C\" fn(u8, ...) -> !",
	} {
		if got := Format(text); got != want {
			t.Errorf("%s is written %s, want %s", text, got, want)
		}
	}
}

func TestDocComments(t *testing.T) {
	for comment, want := range map[string]string{
		"/// a": " a", "//!b": "b", "/** c */": " c ", "/**\n * d\n *  e\n */": " d\n  e", "/**\n   f\n*/": "   f",
	} {
		if got := CommentText(comment); got != want {
			t.Errorf("%q says %q, want %q", comment, got, want)
		}
	}
	for literal, want := range map[string]string{`"a\n\u{41}\x42\"\\"`: "a\nAB\"\\", `r#"\n"#`: `\n`, "\"a\\\n   b\"": "ab"} {
		if got, ok := Unquote(literal); !ok || got != want {
			t.Errorf("%s is %q, want %q", literal, got, want)
		}
	}
}

// TestReadingIsLinear reads texts for which a simple parser would take quadratic time.
func TestReadingIsLinear(*testing.T) {
	for _, part := range []string{"'\\", "/*", "r#", "(", "{", "<", "#[", "fn a(", "use a::{", "\"", "struct A<", "enum A{", "impl", "pub(in ", "a!", "mod a{", "r####\"", "/** */", "const _: () = {"} {
		Parse(strings.Repeat(part, 1<<20/len(part)))
		Format(strings.Repeat(part, 1<<16/len(part)))
	}
}

func demo(tb testing.TB) []string {
	tb.Helper()
	var all []string
	dir := "../crate/testdata/demo/src"
	if d := os.Getenv("DOCENT_RUST_CORPUS"); d != "" {
		dir = d
	}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".rs") {
			return err
		}
		b, err := os.ReadFile(path)
		all = append(all, string(b))
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// FuzzParse reads arbitrary text: all spans must lie within it, and the size of the
// result must be bounded by its length.
func FuzzParse(f *testing.F) {
	for _, text := range demo(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := Parse(text)
		items := 0
		var check func(all []*Item)
		check = func(all []*Item) {
			for _, it := range all {
				items++
				for _, s := range []Span{it.Generics, it.Params, it.Output, it.Bounds, it.Where, it.Type, it.Trait, it.Value, it.ABI, it.Body, it.VisPath, {it.Start, it.End}} {
					if s.Start < 0 || int(s.End) > len(text) {
						t.Fatalf("%s has a span %v of %d bytes", it.Name, s, len(text))
					}
				}
				for _, a := range append(it.Attrs, it.Inner...) {
					ParseMeta(a.Body.Text(text))
					if a.Kind != Punct {
						CommentText(a.Body.Text(text))
					}
				}
				check(it.Items)
			}
		}
		check(file.Items)
		if items > len(text)+1 {
			t.Errorf("%d items in %d bytes", items, len(text))
		}
	})
}

// FuzzFormat formats, splits and cuts arbitrary text.
func FuzzFormat(f *testing.F) {
	f.Add("&'a dyn for<'b> Fn(&'b str) -> Option<<T as X>::Y> + Send")
	f.Add("crate::a::B<{ N + 1 }, (A,), [u8; 4]>")
	f.Fuzz(func(t *testing.T, text string) {
		if got := Format(text); len(got) > 3*len(text)+8 {
			t.Errorf("%d bytes became %d", len(text), len(got))
		}
		Split(text)
		Cut(text, ':')
		PathOf(text)
		Squeeze(text)
		Unquote(text)
		ParseMeta(text)
		s := Scanner{Text: text, Fragments: true}
		for n := 0; s.Next().Kind != EOF; n++ {
			if n > len(text) {
				t.Fatal("the scanner stands still")
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	texts := demo(b)
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			Parse(text)
		}
	}
}

func TestItemsAreBounded(t *testing.T) {
	const more = 100
	f := Parse(strings.Repeat("struct A;", MaxItems+more))
	if f.Count != MaxItems+1 || len(f.Items) != MaxItems || f.Lost == 0 {
		t.Errorf("%d items are read of %d, %d counted, %d lost", len(f.Items), MaxItems+more, f.Count, f.Lost)
	}
	if f := Parse("struct A { b: u8 } mod c { fn d() {} }"); f.Count != 4 || f.Lost != 0 {
		t.Errorf("%d items are counted, and %d lost", f.Count, f.Lost)
	}
}

// TestParseOutline compares the items of implementations that are read later with those that are
// read with the file.
func TestParseOutline(t *testing.T) {
	body := "{\n/* " + strings.Repeat("x", 2*minBody) + " */\n}\n"
	for _, text := range []string{
		"//! x\nmod a { impl<T> B for C<T> where T: D { #![allow(x)] /// y\n pub fn f(&self) -> [u8; { 1 }] { '}' } const G: u8 = 1; h! {} } }\n" +
			"impl E {} impl F { //! z\n} unsafe impl !G for H; impl I { fn j() {} impl K { fn l() {} } }\nfn m() {}",
		"fn a() " + body + "impl B {\n\nfn c() " + body + "}\ntrait D { fn e() " + body + "fn f(); }\nimpl G { const H: u8 = 1; fn i() " + body + "}\n#[j]\npub fn k<T>() where T: L " + body + "impl M {} struct N;\nimpl O { fn p() " + body,
	} {
		f, want := ParseOutline(nil, text), Parse(text)
		if strings.Contains(text, "xxx") != f.Shortened() || f.Shortened() && strings.Contains(f.Text, "xxx") || len(f.Items) != len(want.Items) {
			t.Errorf("before the implementations are read: %q", f.Text)
		}
		// describe formats items with their lines and the text of some of their parts.
		var describe func(file *File, items []*Item) string
		describe = func(file *File, items []*Item) (all string) {
			for _, it := range items {
				in := file
				if it.Kind == Impl {
					in = Parse(text)
					f.ReadImpl(nil, it, in)
					if again := f.ReadImpl(nil, it, in); again != 0 {
						t.Errorf("%d items are read twice", again)
					}
				}
				line := 1 + strings.Count(file.Text[:it.Start], "\n") + file.RemovedLines(it.Start)
				all += fmt.Sprintf("%d:%d:%s:%d:%s:%s:%d:%d(%s) ", it.Kind, line, it.Name, it.Flags, it.Type.Text(file.Text), it.Where.Text(file.Text), len(it.Attrs), len(it.Inner), describe(in, it.Items))
			}
			return all
		}
		if got, want := describe(f, f.Items), describe(want, want.Items); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
