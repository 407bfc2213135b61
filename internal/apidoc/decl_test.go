package apidoc

import "testing"

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
