package apidoc

import (
	"slices"
	"testing"
)

// spaced is a made-up syntax: "f a:A b:B=1 -> C" declares a function.
type spaced struct{}

func (spaced) Role(s *Symbol) Role {
	if s.Kind == Field {
		return FieldRole
	}
	return CallableRole
}

func (spaced) Parts(s *Symbol) []Part {
	if s.Signature == "type T[E]" {
		var b Parts
		b.Open(DeclarationPart, 0)
		b.Open(TypeParamPart, 7)
		b.Leaf(NamePart, 7, 8)
		return b.List(8)
	}
	var b Parts
	b.Open(DeclarationPart, 0)
	b.Leaf(NamePart, 0, 1)
	b.Open(ParamPart, 2, Shared)
	b.Leaf(NamePart, 2, 3)
	b.Close(3)
	b.Open(ParamPart, 4)
	b.Leaf(NamePart, 4, 5)
	b.Open(TypePart, 6)
	b.Leaf(ReferencePart, 6, 9)
	b.Leaf(ReferencePart, 10, 11)
	b.Leaf(ReferencePart, 12, 13)
	b.Close(14)
	b.Leaf(DefaultPart, 17, 18)
	b.Close(18, Optional)
	return b.List(len(s.Signature))
}

func TestDecl_References(t *testing.T) {
	f := Symbol{Path: "T.f", Signature: "f a,b:q.A<E,B> = 1"}
	p := &Package{Style: Style{Syntax: spaced{}}, Imports: []Ref{{Name: "q", Package: "example.com/q"}}, Symbols: []Symbol{{Path: "T", Signature: "type T[E]", Members: []Symbol{f}}}}
	r := NewResolver(p)
	d := r.Decl(&p.Symbols[0].Members[0])
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	for i := range d.Within(0, ParamPart) {
		if k := d.TypeOf(i); k < 0 || d.PartText(k) != "q.A<E,B>" {
			t.Errorf("the type of %s is part %d of %+v", d.PartText(i), k, d.Parts)
		}
	}
	if got := slices.Collect(d.References(-1)); len(got) != 3 || d.Parts[got[1]].Flags != Local {
		t.Errorf("the references are %v of %v", got, d.Parts)
	}
}

// extending is a syntax in which the names of modules refer to the types that they extend.
type extending struct{}

func (extending) Role(s *Symbol) Role {
	if s.Kind == "extension" {
		return ModuleRole
	}
	return TypeRole
}

func (extending) Parts(s *Symbol) []Part {
	var b Parts
	b.Open(DeclarationPart, 0)
	if s.Kind == "extension" {
		b.Open(NamePart, 0)
		b.Leaf(ReferencePart, 0, len(s.Signature))
		b.Close(len(s.Signature))
	} else {
		b.Leaf(NamePart, 0, len(s.Signature))
	}
	return b.List(len(s.Signature))
}

// TestResolver_Extension does not take an extension of a type for the type.
func TestResolver_Extension(t *testing.T) {
	p := &Package{
		Style:   Style{Syntax: extending{}},
		Imports: []Ref{{Name: "A", Package: "other", Path: "A"}},
		Symbols: []Symbol{{Path: "A", Kind: "extension", Signature: "A"}, {Path: "B", Kind: "type", Signature: "B"}},
	}
	r := NewResolver(p)
	for name, want := range map[string]Ref{"A": {Name: "A", Package: "other", Path: "A"}, "B": {Name: "B", Path: "B"}} {
		if got, _ := r.Refer(&p.Symbols[1], name); got != want {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
	}
}

func TestResolver_Refer(t *testing.T) {
	p := &Package{
		Imports: []Ref{{Name: "http", Package: "net/http"}, {Name: "Deep", Package: "deep", Path: "a.Deep"}, {Name: "A", Package: "other", Path: "A"}},
		Symbols: []Symbol{{Path: "A", Members: []Symbol{{Path: "A.Inner"}, {Path: "A.f"}}}, {Path: "Inner"}},
	}
	s := &Symbol{Path: "A.f", Refs: []Ref{{Name: "X", Path: "Inner"}, {Name: "Y"}, {Name: "http", Package: "example.com/http"}}}
	r := NewResolver(p)
	for _, tt := range []struct {
		of   *Symbol
		name string
		want Ref
	}{
		{s, "X", Ref{Path: "Inner"}},
		{s, "X.y", Ref{Path: "Inner.y"}},
		{s, "Y", Ref{}},
		{s, "http.Handler", Ref{Package: "example.com/http", Path: "Handler"}},
		{s, "http", Ref{Package: "example.com/http"}},
		{s, "Inner", Ref{Path: "A.Inner"}},
		{&p.Symbols[1], "Inner", Ref{Path: "Inner"}},
		{&p.Symbols[1], "http.Handler", Ref{Package: "net/http", Path: "Handler"}},
		{&p.Symbols[1], "Deep", Ref{Package: "deep", Path: "a.Deep"}},
		{&p.Symbols[1], "Deep.B", Ref{Package: "deep", Path: "a.Deep.B"}},
		{&p.Symbols[1], "A", Ref{Path: "A"}},
		{&p.Symbols[1], "Nothing", Ref{}},
	} {
		got, ok := r.Refer(tt.of, tt.name)
		if tt.want != (Ref{}) {
			tt.want.Name = tt.name
		}
		if got != tt.want || ok != (tt.want != Ref{}) {
			t.Errorf("%s in %s is %+v, %v; want %+v", tt.name, tt.of.Path, got, ok, tt.want)
		}
	}
}

func TestResolver_FieldsAreNotInScope(t *testing.T) {
	p := &Package{Style: Style{Syntax: spaced{}}, Symbols: []Symbol{{Path: "A", Kind: Type, Members: []Symbol{{Path: "A.B", Kind: Field}, {Path: "A.C", Kind: Type}}}, {Path: "B", Kind: Type}, {Path: "C", Kind: Type}}}
	r := NewResolver(p)
	for name, want := range map[string]string{"B": "B", "C": "A.C"} {
		if ref, ok := r.Refer(&p.Symbols[0].Members[0], name); !ok || ref.Path != want {
			t.Errorf("%s is %+v, want %s", name, ref, want)
		}
	}
}

func TestDecl_CheckFindsFaults(t *testing.T) {
	for _, parts := range [][]Part{
		{{Role: NamePart, End: 1, Parent: -1}},
		{{Role: DeclarationPart, End: 4, Parent: -1}, {Role: NamePart, Start: 2, End: 5}},
		{{Role: DeclarationPart, End: 4, Parent: -1}, {Role: NamePart, Start: 2, End: 4}, {Role: TypePart, Start: 3, End: 4}},
		{{Role: DeclarationPart, End: 4, Parent: -1}, {Role: NamePart, Start: 1, End: 2}},
		{{Role: DeclarationPart, End: 4, Parent: -1}, {Start: 1, End: 3}},
		{{Role: DeclarationPart, End: 4, Parent: 0}},
	} {
		if d := (&Decl{Text: "é\u00e9", Parts: parts}); d.Check() == nil {
			t.Errorf("%+v passes", parts)
		}
	}
}
