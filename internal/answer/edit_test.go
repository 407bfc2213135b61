package answer

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/apidoc/decltest"
)

func TestReplace_PartsMoveWithTheText(t *testing.T) {
	d := parsed(goSyntax, apidoc.Func, "func F(a A, b B) (c C)")
	short := replace(d, []edit{{5, 6, "Long"}, {12, 15, "x"}})
	if err := short.Check(); err != nil {
		t.Error(err)
	}
	const want = `declaration func Long(a A, x) (c C)
  name Long
  parameter a A
    name a
    type A
      reference A
  parameter x
  result c C
    name c
    type C
      reference C
`
	if got := decltest.Outline(*short); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func FuzzReplace(f *testing.F) {
	f.Add("type T = { a: string; b?: U; } & V", 9, 12, 20, 30)
	f.Add("function f(a: A): B", 0, 8, 18, 19)
	f.Fuzz(func(t *testing.T, signature string, a, b, c, e int) {
		d := parsed(npmSyntax, apidoc.Type, signature)
		if a < 0 || a > b || b > c || c > e || e > len(signature) {
			return
		}
		for _, i := range []int{a, b, c, e} {
			if i < len(signature) && signature[i] >= 0x80 {
				return
			}
		}
		if err := replace(d, []edit{{a, b, "x"}, {c, e, ""}}).Check(); err != nil {
			t.Error(err)
		}
	})
}

func TestClauseComments_AfterBriefComments(t *testing.T) {
	r := NewRenderer(&apidoc.Package{})
	d := parsed(goSyntax, apidoc.Type, "type T struct {\n\t// A is the first of all fields, which are many more\n\t// than anyone would care to read about in one go. It is set.\n\tA int\n}")
	for _, shorten := range []func(*apidoc.Decl) (*apidoc.Decl, bool){
		func(d *apidoc.Decl) (*apidoc.Decl, bool) { return r.briefComments(d, 0) }, r.clauseComments,
	} {
		short, cut := shorten(d)
		if !cut || len(short.Text) >= len(d.Text) {
			t.Errorf("%q is not shorter", short.Text)
		}
		d = short
	}
	if got := withoutComments(d).Text; got != "type T struct {\n\tA int\n}" {
		t.Errorf("got %q", got)
	}
}
