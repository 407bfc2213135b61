package naming

import (
	"fmt"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// TestResolver_LongLists finds the same references in a list that has an index as in a list that
// is scanned.
func TestResolver_LongLists(t *testing.T) {
	refs := []apidoc.Ref{{Name: "a", Path: "first"}, {Name: "a", Path: "second"}, {Name: "unknown"}, {Name: "mod", Package: "other"}, {Name: "ns.Type", Path: "Type"}}
	for i := range maxScanned {
		refs = append(refs, apidoc.Ref{Name: fmt.Sprint("name", i), Path: fmt.Sprint("path", i)})
	}
	r := NewResolver(&apidoc.Package{})
	for _, name := range []string{"a", "a.b", "unknown", "unknown.b", "mod", "mod.Type", "ns", "ns.Type", "ns.Type.field", "name7", "missing", "missing.b", ""} {
		ref, found, ok := r.among(refs, name, ".")
		wantRef, wantFound, wantOK := among(refs, name, ".")
		if ref != wantRef || found != wantFound || ok != wantOK {
			t.Errorf("%q: %+v, %t, %t, want %+v, %t, %t", name, ref, found, ok, wantRef, wantFound, wantOK)
		}
	}
	if ref, _, _ := r.among(refs, "a.b", "."); ref != (apidoc.Ref{Name: "a.b", Path: "first.b"}) {
		t.Errorf("the first of two references is %+v", ref)
	}
}
