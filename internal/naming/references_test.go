package naming

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// spaced is a made-up syntax: "f a:A b:B=1 -> C" declares a function.
type spaced struct{}

func (spaced) Role(s *apidoc.Symbol) apidoc.Role {
	if s.Kind == apidoc.Field {
		return apidoc.FieldRole
	}
	return apidoc.CallableRole
}

func (spaced) Parts(s *apidoc.Symbol) []apidoc.Part {
	if s.Signature == "type T[E]" {
		var b apidoc.Parts
		b.Open(apidoc.DeclarationPart, 0)
		b.Open(apidoc.TypeParamPart, 7)
		b.Leaf(apidoc.NamePart, 7, 8)
		return b.List(8)
	}
	var b apidoc.Parts
	b.Open(apidoc.DeclarationPart, 0)
	b.Leaf(apidoc.NamePart, 0, 1)
	b.Open(apidoc.ParamPart, 2, apidoc.Shared)
	b.Leaf(apidoc.NamePart, 2, 3)
	b.Close(3)
	b.Open(apidoc.ParamPart, 4)
	b.Leaf(apidoc.NamePart, 4, 5)
	b.Open(apidoc.TypePart, 6)
	b.Leaf(apidoc.ReferencePart, 6, 9)
	b.Leaf(apidoc.ReferencePart, 10, 11)
	b.Leaf(apidoc.ReferencePart, 12, 13)
	b.Close(14)
	b.Leaf(apidoc.DefaultPart, 17, 18)
	b.Close(18, apidoc.Optional)
	return b.List(len(s.Signature))
}

func TestDecl_References(t *testing.T) {
	f := apidoc.Symbol{Path: "T.f", Signature: "f a,b:q.A<E,B> = 1"}
	p := &apidoc.Package{Style: apidoc.Style{Syntax: spaced{}}, Imports: []apidoc.Ref{{Name: "q", Package: "example.com/q"}}, Symbols: []apidoc.Symbol{{Path: "T", Signature: "type T[E]", Members: []apidoc.Symbol{f}}}}
	r := NewResolver(p)
	d := r.Decl(&p.Symbols[0].Members[0])
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	for i := range d.Within(0, apidoc.ParamPart) {
		if k := d.TypeOf(i); k < 0 || d.PartText(k) != "q.A<E,B>" {
			t.Errorf("the type of %s is part %d of %+v", d.PartText(i), k, d.Parts)
		}
	}
	if got := slices.Collect(d.References(-1)); len(got) != 3 || d.Parts[got[1]].Flags != apidoc.Local {
		t.Errorf("the references are %v of %v", got, d.Parts)
	}
}

// extending is a syntax in which the names of modules refer to the types that they extend.
type extending struct{}

func (extending) Role(s *apidoc.Symbol) apidoc.Role {
	if s.Kind == "extension" {
		return apidoc.ModuleRole
	}
	return apidoc.TypeRole
}

func (extending) Parts(s *apidoc.Symbol) []apidoc.Part {
	var b apidoc.Parts
	b.Open(apidoc.DeclarationPart, 0)
	if s.Kind == "extension" {
		b.Open(apidoc.NamePart, 0)
		b.Leaf(apidoc.ReferencePart, 0, len(s.Signature))
		b.Close(len(s.Signature))
	} else {
		b.Leaf(apidoc.NamePart, 0, len(s.Signature))
	}
	return b.List(len(s.Signature))
}

// TestResolver_Extension does not take an extension of a type for the type.
func TestResolver_Extension(t *testing.T) {
	p := &apidoc.Package{
		Style:   apidoc.Style{Syntax: extending{}},
		Imports: []apidoc.Ref{{Name: "A", Package: "other", Path: "A"}},
		Symbols: []apidoc.Symbol{{Path: "A", Kind: "extension", Signature: "A"}, {Path: "B", Kind: "type", Signature: "B"}},
	}
	r := NewResolver(p)
	for name, want := range map[string]apidoc.Ref{"A": {Name: "A", Package: "other", Path: "A"}, "B": {Name: "B", Path: "B"}} {
		if got, _ := r.Refer(&p.Symbols[1], name); got != want {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
	}
}

func TestResolver_Refer(t *testing.T) {
	p := &apidoc.Package{
		Imports: []apidoc.Ref{{Name: "http", Package: "net/http"}, {Name: "Deep", Package: "deep", Path: "a.Deep"}, {Name: "A", Package: "other", Path: "A"}},
		Symbols: []apidoc.Symbol{{Path: "A", Members: []apidoc.Symbol{{Path: "A.Inner"}, {Path: "A.f"}}}, {Path: "Inner"}},
	}
	s := &apidoc.Symbol{Path: "A.f", Refs: []apidoc.Ref{{Name: "X", Path: "Inner"}, {Name: "Y"}, {Name: "http", Package: "example.com/http"}}}
	r := NewResolver(p)
	for _, tt := range []struct {
		symbol *apidoc.Symbol
		name   string
		want   apidoc.Ref
	}{
		{s, "X", apidoc.Ref{Path: "Inner"}},
		{s, "X.y", apidoc.Ref{Path: "Inner.y"}},
		{s, "Y", apidoc.Ref{}},
		{s, "http.Handler", apidoc.Ref{Package: "example.com/http", Path: "Handler"}},
		{s, "http", apidoc.Ref{Package: "example.com/http"}},
		{s, "Inner", apidoc.Ref{Path: "A.Inner"}},
		{&p.Symbols[1], "Inner", apidoc.Ref{Path: "Inner"}},
		{&p.Symbols[1], "http.Handler", apidoc.Ref{Package: "net/http", Path: "Handler"}},
		{&p.Symbols[1], "Deep", apidoc.Ref{Package: "deep", Path: "a.Deep"}},
		{&p.Symbols[1], "Deep.B", apidoc.Ref{Package: "deep", Path: "a.Deep.B"}},
		{&p.Symbols[1], "A", apidoc.Ref{Path: "A"}},
		{&p.Symbols[1], "Nothing", apidoc.Ref{}},
	} {
		got, ok := r.Refer(tt.symbol, tt.name)
		if tt.want != (apidoc.Ref{}) {
			tt.want.Name = tt.name
		}
		if got != tt.want || ok != (tt.want != apidoc.Ref{}) {
			t.Errorf("%s in %s is %+v, %v; want %+v", tt.name, tt.symbol.Path, got, ok, tt.want)
		}
	}
}

func TestResolver_FieldsAreNotInScope(t *testing.T) {
	p := &apidoc.Package{Style: apidoc.Style{Syntax: spaced{}}, Symbols: []apidoc.Symbol{{Path: "A", Kind: apidoc.Type, Members: []apidoc.Symbol{{Path: "A.B", Kind: apidoc.Field}, {Path: "A.C", Kind: apidoc.Type}}}, {Path: "B", Kind: apidoc.Type}, {Path: "C", Kind: apidoc.Type}}}
	r := NewResolver(p)
	for name, want := range map[string]string{"B": "B", "C": "A.C"} {
		if ref, ok := r.Refer(&p.Symbols[0].Members[0], name); !ok || ref.Path != want {
			t.Errorf("%s is %+v, want %s", name, ref, want)
		}
	}
}
