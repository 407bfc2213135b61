package module

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// TestSyntax_Constructs parses every declaration of a package that contains every
// construct, and checks that every symbol has a role and every reference is resolved.
func TestSyntax_Constructs(t *testing.T) {
	p := constructs()
	checked := 0
	for _, module := range []string{"Constructs", "Second", "Umbrella"} {
		p.Module = module
		doc := read(t, p)
		doc.Style.Syntax = Syntax{}
		r := naming.NewResolver(doc)
		for s := range doc.All {
			d := r.Decl(s)
			if len(d.Parts) == 0 {
				t.Errorf("%s has no parts: %q", s.Path, s.Signature)
			}
			if err := d.Check(); err != nil {
				t.Error(err)
			}
			for i := range d.References(-1) {
				if p := d.Parts[i]; p.Target == nil && p.Flags&(apidoc.Local|apidoc.Builtin) == 0 {
					t.Errorf("%s: %s of %q is unknown", s.Path, d.PartText(i), s.Signature)
				}
				checked++
			}
			if s.Role() == 0 {
				t.Errorf("%s has no role", s.Path)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d references were checked", checked)
	}
}
