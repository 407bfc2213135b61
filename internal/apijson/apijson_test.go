package apijson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/apijson"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/filetest"
)

func goPackage() *apidoc.Package {
	return &apidoc.Package{
		Name: "example.com/web", Style: apidoc.Style{Syntax: godoc.Syntax{}}, Imports: []apidoc.Ref{{Name: "http", Package: "net/http"}},
		Symbols: []apidoc.Symbol{
			{Path: "Client", Kind: apidoc.Type, Signature: "type Client[T any] struct {\n\thttp.Client\n}", Members: []apidoc.Symbol{
				{Path: "Client.Do", Kind: apidoc.Method, Signature: "func (c *Client[T]) Do(a, b Option, more ...http.Handler) (r T, err error)"},
			}},
			{Path: "Option", Kind: apidoc.Type, Signature: "type Option = func(*Unknown)"},
			{Path: "Max", Kind: apidoc.Const, Signature: "const Max = 10"},
		},
	}
}

func TestNewPackage_Declarations(t *testing.T) {
	p := apijson.NewPackage(goPackage())
	option := apijson.TypeText{Type: "Option", Refs: []apidoc.Ref{{Name: "Option", Path: "Option"}}}
	want := []apijson.Declaration{{
		Params: []apijson.Param{
			{Name: "a", TypeText: option}, {Name: "b", TypeText: option},
			{Name: "more", Variadic: true, TypeText: apijson.TypeText{Type: "...http.Handler", Refs: []apidoc.Ref{{Name: "http.Handler", Package: "net/http", Path: "Handler"}}}},
		},
		Results: []apijson.Result{{Name: "r", TypeText: apijson.TypeText{Type: "T"}}, {Name: "err", TypeText: apijson.TypeText{Type: "error"}}},
	}}
	if got := p.Symbols[0].Members[0].Declarations; !reflect.DeepEqual(got, want) {
		t.Errorf("the method is %+v, want %+v", got, want)
	}
	client := p.Symbols[0].Declarations[0]
	if len(client.TypeParams) != 1 || client.TypeParams[0].Name != "T" || len(client.Bases) != 1 || client.Bases[0].Refs[0].Package != "net/http" {
		t.Errorf("the type is %+v", client)
	}
	if option := p.Symbols[1].Declarations[0]; option.Type == nil || len(option.Params) != 0 || option.Type.Refs[0] != (apidoc.Ref{Name: "Unknown"}) {
		t.Errorf("the alias is %+v", option)
	}
	if value := p.Symbols[2].Declarations[0].Value; value != "10" || p.Symbols[2].Role != "value" {
		t.Errorf("the constant is %q, a %s", value, p.Symbols[2].Role)
	}
}

// TestPage_NamesEveryField checks that docs/json.md has every field of the format.
func TestPage_NamesEveryField(t *testing.T) {
	page := filetest.Read(t, "../../docs/json.md")
	known := map[string]bool{}
	for quoted := range bytes.SplitSeq(page, []byte("`")) {
		known[string(quoted)] = true
	}
	seen := map[reflect.Type]bool{}
	var visit func(t reflect.Type)
	visit = func(typ reflect.Type) {
		for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for f := range typ.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !f.IsExported() || name == "-" {
				continue
			}
			if name != "" && !known[name] {
				t.Errorf("docs/json.md does not name the field %s of %s", name, typ)
			}
			visit(f.Type)
		}
	}
	visit(reflect.TypeFor[apijson.Package]())
	visit(reflect.TypeFor[apijson.PackageSymbol]())
}

func TestNewPackage_MembersOnce(t *testing.T) {
	data, err := json.Marshal(apijson.NewPackage(goPackage()))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte(`"path":"Client.Do"`)); n != 1 || bytes.Count(data, []byte(`"symbols"`)) != 1 {
		t.Errorf("a member is written %d times: %s", n, data)
	}
}

func TestNewPackageSymbol_Warnings(t *testing.T) {
	p := goPackage()
	p.Warnings = []string{"The README could not be read."}
	if got := apijson.NewPackageSymbol(p, &p.Symbols[0], "").Warnings; got != nil {
		t.Errorf("a package that was read as a whole has the warnings %q", got)
	}
	p.Warnings = append(p.Warnings, ecosystem.Incomplete)
	if got := apijson.NewPackageSymbol(p, &p.Symbols[0], "").Warnings; !slices.Equal(got, []string{ecosystem.Incomplete}) {
		t.Errorf("a package that was read in part has the warnings %q", got)
	}
}

func BenchmarkNewPackageSymbol(b *testing.B) {
	p := goPackage()
	for i := range 60_000 {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: fmt.Sprintf("F%d", i), Kind: apidoc.Func, Signature: fmt.Sprintf("func F%d(o Option)", i)})
	}
	for b.Loop() {
		apijson.NewPackageSymbol(p, &p.Symbols[2], "")
	}
}
