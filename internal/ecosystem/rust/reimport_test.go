package rust

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestTypes_ChangedImports changes the imports of a file between two checks, whose results must be those of a first check.
func TestTypes_ChangedImports(t *testing.T) {
	w := typesWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"src/lib.rs":   "macro_rules! local { () => {} }\nmod more;\nmod user;\nmod other;\n#[path = \"twin.rs\"] mod one;\n#[path = \"twin.rs\"] mod two;\n",
		"src/more.rs":  "pub struct More;\npub struct Less;\npub trait Extra { fn extra(&self) {} }\nimpl Extra for More {}\nimpl Extra for shapes::Circle {}\n",
		"src/other.rs": "fn f() { super::user::made().area(); super::user::made().absent(); }",
	})
	const circle = "use shapes::Circle;\n"
	check := func(rs *Rust, name string) (found []string, stale bool) {
		types, err := rs.Types(t.Context(), w.project)
		if err != nil {
			t.Fatal(err)
		}
		defer types.(io.Closer).Close()
		stale = types.(*typeChecker).stale
		var files []*ecosystem.SourceFile
		for _, name := range []string{name, "src/other.rs"} {
			text, err := os.ReadFile(filepath.Join(w.project, name))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, &ecosystem.SourceFile{Name: name, Dir: w.project, Text: text})
		}
		uses := types.Uses(files)
		for _, f := range files {
			for _, u := range uses[f] {
				if u.Fault != ecosystem.NoFault {
					found = append(found, u.Path)
				}
			}
		}
		return found, stale
	}
	for _, c := range []struct {
		name, file, before, after string
		replaced                  bool
		want                      []string
	}{
		{"another type in bodies", "", circle + "fn f(x: u8) { Circle::first(); }", "use super::more::More as Circle;\nfn f(x: u8) { Circle::second(); }", true, []string{"More::second"}},
		{"a trait", "", circle + "fn f() { super::more::More.extra() }", circle + "use super::more::Extra;\nfn f() { super::more::More.extra(); super::more::More.none() }", true, []string{"More::none"}},
		{"a trait without a name", "", circle + "use super::more::Extra as _;\nfn f() { super::more::More.extra() }", circle + "fn f() { super::more::More.extra() }", true, nil},
		{"a trait for a module in the file", "", circle + "use super::more::Extra;\nmod tests { use super::*; fn f() { crate::more::More.extra() } }", circle + "mod tests { use super::*; fn f() { crate::more::More.extra() } }", true, nil},
		{"the first import", "", "fn f() { super::more::Less.none() }", circle + "fn f() { Circle::first() }", false, []string{"Circle::first"}}, // macros may be in scope
		{"a type in a signature", "", circle + "pub fn made() -> Circle { todo!() }", "use super::more::More as Circle;\npub fn made() -> Circle { todo!() }", false, []string{"More::area", "More::absent"}},
		{"a type that a module in the file imports", "", circle + "use super::more::More as A;\nmod tests { use super::A; fn f() { A::first() } }", circle + "use super::more::Less as A;\nmod tests { use super::A; fn f() { A::first() } }", false, []string{"Less::first"}},
		{"a glob", "", circle + "use super::more::*;\nfn f() { More::first() }", circle + "use super::more::Less as More;\nfn f() { More::first() }", false, []string{"Less::first"}},
		{"a public import", "", circle + "pub use super::more::More as A;\nfn f() { A::first() }", circle + "pub use super::more::Less as A;\nfn f() { A::first() }", false, []string{"Less::first"}},
		{"a condition", "", circle + "#[cfg(all())] use super::more::More as A;\nfn f() { A::first() }", circle + "#[cfg(any())] use super::more::More as A;\nfn f() { A::first() }", false, nil},
		{"a call of a macro", "", circle + "local!();\nfn f() { Circle::first() }", "use super::more::More as Circle;\nlocal!();\nfn f() { Circle::first() }", false, []string{"More::first"}},
		{"a file of two modules", "src/twin.rs", circle + "fn f() { Circle::first() }", "use super::more::More as Circle;\nfn f() { Circle::first() }", false, []string{"More::first"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := "src/user.rs"
			filetest.Write(t, w.project, map[string]string{"src/user.rs": circle + "pub fn made() -> Circle { todo!() }", "src/twin.rs": ""})
			if c.file != "" {
				file = c.file
			}
			filetest.Write(t, w.project, map[string]string{file: c.before})
			rs := w.rust()
			check(rs, file)
			filetest.Write(t, w.project, map[string]string{file: c.after})
			got, stale := check(rs, file)
			first, _ := check(w.rust(), file)
			if !slices.Equal(got, first) {
				t.Errorf("found %q, but %q in a first check", got, first)
			}
			for _, want := range c.want {
				if !slices.Contains(got, want) {
					t.Errorf("found %q, want %q", got, c.want)
				}
			}
			if stale == c.replaced {
				t.Errorf("the crate is read again: %v", stale)
			}
		})
	}
}
