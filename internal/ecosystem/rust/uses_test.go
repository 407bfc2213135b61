package rust

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// usesOf returns the uses in a file, one a string: position, module, name.
func usesOf(dir, name, src string) (all []string) {
	uses, _ := (&Rust{}).Uses(&ecosystem.SourceFile{Name: name, Dir: dir, Text: []byte(src)})
	for _, u := range uses {
		s := strings.TrimSpace(fmt.Sprintf("%d:%d %s %s", u.Line, u.Column, u.Package, u.Path))
		if u.Args != nil {
			s += fmt.Sprintf(" (%d)", u.Args.Positional)
		}
		all = append(all, s)
	}
	return all
}

func TestUses_Rust(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"Cargo.toml": "[package]\nname = \"p\"\n[dependencies]\na = \"1\"\ng = \"1\"\n[target.'cfg(unix)'.dependencies]\nl.workspace = true\n[dev-dependencies]\ni = \"1\"\n",
	})
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"use", "use a::b::{self, c::D, E as F, *};\npub use ::g::H;\nuse std::fmt;\nextern crate i;\n",
			[]string{"1:5 a", "1:21 a::b::c D", "1:24 a::b E", "2:11 g", "2:14 g H", "3:10 std fmt"}},
		{"paths", "fn f() { a::b::c(1); a::b::D::new(); D::e(); x.y::<a::F>(); $crate::g(); }\n",
			[]string{"1:16 a::b c (1)", "1:28 a::b D", "1:55 a F"}},
		{"calls", "fn f() { a::b(1, |x, y| (x, y), [2, 3], move || c, g(4, 5)); a::c(); a::d(x::<T, U>()); a::e!(1); a::f(x,); }\n",
			[]string{"1:13 a b (5)", "1:65 a c (0)", "1:73 a d", "1:92 a e", "1:102 a f (1)"}},
		{"what the project has", "mod a;\nuse crate::b::C;\nuse self::d::E;\nuse a::F;\nfn g() { a::h(); u8::max(1, 2); Self::i(); str::from_utf8(j) }\n", nil},
		{"crates that are not required", "use z::Y;\nfn f() { z::x() }\n", []string{"1:5 z"}},
		{"crates that may be modules", "use super::*;\nuse z::Y;\n", nil},
		{"imported modules", "use a::b;\nfn f() { b::c() }\n", []string{"1:5 a", "1:8 a b"}},
		{"conditions", "#[cfg(feature = \"x\")]\nuse a::B;\n#[cfg(unix)]\nmod c { use d::E; fn f() { g::h() } }\n#[cfg(test)]\nmod t { use i::J; }\n#[derive(K)]\nuse l::M;\n",
			[]string{"6:13 i", "6:16 i J", "8:5 l", "8:8 l M"}},
		{"a file under a condition", "#![cfg(windows)]\nuse a::B;\n", nil},
		{"strings and comments", "// use a::B;\n/// use c::D;\nconst S: &str = \"use e::F;\";\nmacro_rules! m { () => { g::h() } }\n", []string{"4:29 g h (0)"}},
	} {
		if got := usesOf(dir, "src/lib.rs", tt.src); !slices.Equal(got, tt.want) {
			t.Errorf("%s: the uses are\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

func TestUses_RustLeavesOutModules(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"src/main.rs": "", "src/db/mod.rs": "", "src/ui.rs": ""})
	got := usesOf(dir, "src/main.rs", "use db::A;\nuse ui::B;\nuse other::C;\n")
	if want := []string{"3:5 other", "3:12 other C"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %v, want %v", got, want)
	}
}

func FuzzUses(f *testing.F) {
	for _, seed := range []string{"use a::{b, c::{self, D}};\n", "#[cfg(x)]\nfn f() { a::b() }", "use {", "#![cfg(", "a::b::C::d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		uses, _ := (&Rust{}).Uses(&ecosystem.SourceFile{Name: "a.rs", Text: []byte(src)})
		for _, u := range uses {
			if u.Line < 1 || u.Column < 1 || u.Package == "" {
				t.Errorf("%+v", u)
			}
		}
	})
}
