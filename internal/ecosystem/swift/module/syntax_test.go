package module

import (
	"testing"
)

// TestSyntax_Constructs understands every declaration of a package with every construct,
// with a role for every symbol.
func TestSyntax_Constructs(t *testing.T) {
	p := constructs()
	checked := 0
	for _, module := range []string{"Constructs", "Second", "Umbrella"} {
		p.Module = module
		doc := read(t, p)
		doc.Style.Syntax = Syntax{}
		for s := range doc.All {
			d := doc.Decl(s)
			if len(d.Parts) == 0 {
				t.Errorf("%s has no parts: %q", s.Path, s.Signature)
			}
			if err := d.Check(); err != nil {
				t.Error(err)
			}
			checked++
			if doc.Role(s) == 0 {
				t.Errorf("%s has no role", s.Path)
			}
		}
	}
	if checked < 400 {
		t.Errorf("only %d declarations were checked", checked)
	}
}
