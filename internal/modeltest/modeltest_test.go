package modeltest_test

import (
	"reflect"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/modeltest"
)

func TestText_EveryField(t *testing.T) {
	for _, empty := range []any{apidoc.Package{}, apidoc.Symbol{}, apidoc.Group{}, apidoc.Example{}, apidoc.Section{}, apidoc.Subpackage{}, apidoc.Ref{}, apidoc.Provenance{}} {
		before := textOf(empty)
		typ := reflect.TypeOf(empty)
		for i := range typ.NumField() {
			f := typ.Field(i)
			if !f.IsExported() || f.Name == "Style" {
				continue
			}
			v := reflect.New(typ).Elem()
			switch f.Type.Kind() {
			case reflect.String:
				v.Field(i).SetString("x")
			case reflect.Bool:
				v.Field(i).SetBool(true)
			case reflect.Int:
				v.Field(i).SetInt(1)
			case reflect.Slice:
				v.Field(i).Set(reflect.MakeSlice(f.Type, 1, 1))
			default:
				v.Field(i).Field(0).SetString("x")
			}
			if textOf(v.Interface()) == before {
				t.Errorf("the text of %s does not contain %s", typ, f.Name)
			}
		}
	}
}

// textOf returns the text of a package that contains one value.
func textOf(v any) string {
	p := apidoc.Package{}
	switch v := v.(type) {
	case apidoc.Package:
		p = v
	case apidoc.Symbol:
		p.Symbols = []apidoc.Symbol{v}
	case apidoc.Group:
		p.Groups = []apidoc.Group{v}
	case apidoc.Example:
		p.Examples = []apidoc.Example{v}
	case apidoc.Section:
		p.Sections = []apidoc.Section{v}
	case apidoc.Subpackage:
		p.Subpackages = []apidoc.Subpackage{v}
	case apidoc.Ref:
		p.Imports = []apidoc.Ref{v}
	case apidoc.Provenance:
		p.Provenance = v
	}
	return modeltest.Text(&p)
}
