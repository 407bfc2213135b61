package crate

import (
	"strings"
	"testing"

	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

func TestConditionsOfBuildScripts(t *testing.T) {
	for _, tc := range []struct{ name, script, want string }{
		{"from a version on", `fn main() { if minor >= 63 { println!("cargo:rustc-cfg=has"); } }`, "always with"},
		{"in the newer form", `fn main() { if rustc.minor>=63 { println!("cargo::rustc-cfg=has"); } }`, "always with"},
		{"of several parts", "fn main() {\n    let x = 1;\n    // since 1.79: {\n    if (c.minor >= 79 && c.channel == Stable) || c.minor >= 80\n    {\n        println!(\"cargo:rustc-cfg=has\");\n    }\n}", "always with"},
		{"behind another block", `fn main() { if minor < 50 { old(); } if minor >= 63 { if a { b(); } println!("cargo:rustc-cfg=has"); } }`, "always with"},
		{"below a version", `fn main() { if minor < 63 { println!("cargo:rustc-cfg=has"); } }`, "always without"},
		{"not from a version on", `fn main() { if !(minor >= 63) { println!("cargo:rustc-cfg=has"); } }`, "always without"},
		{"of something else", `fn main() { if probe("x") { println!("cargo:rustc-cfg=has"); } }`, "always without"},
		{"in a loop", `fn main() { for x in [">= 1"] { println!("cargo:rustc-cfg=has"); } }`, "always without"},
		{"that is always set", `fn a() { return } fn main() { a(); println!("cargo::rustc-cfg=has"); }`, "always with"},
		{"after a return", `fn main() { if a() { return; } println!("cargo:rustc-cfg=has"); }`, "always without"},
		{"of a statement with an attribute", `fn main() { #[cfg(a)] println!("cargo:rustc-cfg=has"); }`, "always without"},
		{"of a closure", `fn main() { a().then(|| println!("cargo:rustc-cfg=has")); }`, "always without"},
		{"of another function", `fn probe() { println!("cargo:rustc-cfg=has"); }`, "always without"},
		{"of check-cfg alone", `fn main() { if minor >= 63 { println!("cargo:rustc-check-cfg=cfg(has)"); } }`, "always without"},
		{"that another program prints", `fn main() { if minor >= 63 { println!("other-rustc-cfg=has"); } }`, "always without"},
		{"not closed", `fn main() { if minor >= 63 { println!("cargo:rustc-cfg=has`, "always with"},
	} {
		p := read(t, sourceOf("build.rs", tc.script, "src/lib.rs", "pub fn always() {} #[cfg(has)] pub fn with() {} #[cfg(not(has))] pub fn without() {}"))
		if got := names(p.Symbols); got != tc.want {
			t.Errorf("a condition %s: got %s, want %s", tc.name, got, tc.want)
		}
	}
}

func TestBuildScript_ValuesFromFeatures(t *testing.T) {
	for on, want := range map[string]string{"": "New", "v1_9": "Old", "std": "New"} {
		src := sourceOf("build.rs", "fn main() { let v = find(); println!(r#\"cargo::rustc-cfg=made_version=\"1.{v}\"\"#); }",
			"src/lib.rs", "#[cfg(made_version=\"1.9\")] pub struct Old;\n#[cfg(made_version=\"1.10\")] pub struct New;")
		src.Declared, src.Features = []string{"std", "v1_9", "v1_10", "v2"}, []string{on}
		if got := names(read(t, src).Symbols); got != want {
			t.Errorf("with %q, it has %s, want %s", on, got, want)
		}
	}
}

// TestBuildScript_HighestVersion reads a crate whose highest version has fewer characters than an older one.
func TestBuildScript_HighestVersion(t *testing.T) {
	src := sourceOf("build.rs", "fn main() { let v = find(); println!(r#\"cargo::rustc-cfg=made_version=\"{v}\"\"#); }",
		"src/lib.rs", "#[cfg(made_version=\"1.10\")] pub struct Old;\n#[cfg(made_version=\"2.0\")] pub struct New;\n#[cfg(made_version=\"1.10.1\")] pub struct Patch;")
	src.Declared = []string{"v1_10", "v1_10_1", "v2_0"}
	if got := names(read(t, src).Symbols); got != "New" {
		t.Errorf("it has %s, want New", got)
	}
}

// TestBuildScript_GeneratedText tells which scripts write only the declarations in their literals.
func TestBuildScript_GeneratedText(t *testing.T) {
	for script, want := range map[string]bool{
		`use std::fs; const M: &str = "\
pub mod __private$$ {
    pub use crate::private::kept;
}
"; fn main() { println!("cargo:rustc-cfg={}", x); fs::write(out, M.replace("$$", "1")); }`: true,
		`fn main() { fs::write(out, "pub struct Plain { pub a: u8 }"); }`:    true,
		`fn main() { fs::write(out, format!("pub fn {}() {{}}", name)); }`:   false,
		`fn main() { fs::write(out, format!("pub fn set_{name}() {{}}")); }`: false,
		`fn main() { fs::write(out, "pub use crate::private::*;"); }`:        false,
		`fn main() { fs::write(out, "impl A { fn b() {} }"); }`:              false,
		`fn main() { fs::write(out, "other! { a }; pub fn a() {}"); }`:       false,
		`fn main() { fs::write(out, fs::read_to_string("names")); }`:         false,
		`use phf_codegen::Map; fn main() {}`:                                 false,
		`mod generate; fn main() {}`:                                         false,
		`fn main() { fs::write(out, r"pub fn a() {}"); }`:                    false,
	} {
		k, err := newWorld(t.Context(), nil).open(sourceOf("src/lib.rs", "", "build.rs", script))
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := k.generatedText(); ok != want || ok && !strings.Contains(text, "pub ") {
			t.Errorf("the text of %s is %q, %v; want %v", script, text, ok, want)
		}
	}
}
