package godoc

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// TestMembersAreWhatTheTypeCheckerFinds compares the names, kinds and types of the
// members that Read lists for every exported type with those that the type checker
// finds. Read does not use the type checker.
func TestMembersAreWhatTheTypeCheckerFinds(t *testing.T) {
	packages := []string{
		"archive/zip", "bufio", "crypto/tls", "database/sql", "debug/elf", "encoding/xml",
		"go/types", "io/fs", "log/slog", "net", "net/http", "os", "reflect", "sync/atomic",
		"testing", "text/template/parse",
	}
	if os.Getenv("DOCENT_LIVE") == "1" {
		packages = allStd(t)
	}
	cgo := build.Default.CgoEnabled
	build.Default.CgoEnabled = false // The importer would otherwise run cgo.
	t.Cleanup(func() { build.Default.CgoEnabled = cgo })
	source := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for _, name := range packages {
		if name == "unsafe" || name == "builtin" {
			continue // not written in Go
		}
		t.Run(name, func(t *testing.T) {
			checked, err := source.Import(name)
			if err != nil {
				t.Skipf("go/types cannot check the package on this machine, and this test compares with it; to run it, install the sources of Go: %v", err)
			}
			compareWithTypes(t, readStd(t, name), checked)
		})
	}
}

func compareWithTypes(t *testing.T, pkg *apidoc.Package, checked *types.Package) {
	t.Helper()
	for i := range pkg.Symbols {
		s := &pkg.Symbols[i]
		obj, ok := checked.Scope().Lookup(s.Path).(*types.TypeName)
		if !ok {
			continue
		}
		want := selectable(obj.Type(), checked)
		got := map[string]bool{}
		for _, m := range s.Members {
			name := m.Path[len(s.Path)+1:]
			if got[name] {
				t.Errorf("%s is listed twice", m.Path)
			}
			got[name] = true
			sel := want[name]
			if sel == nil {
				t.Errorf("%s (from %q) cannot be selected", m.Path, m.From)
				continue
			}
			if _, isVar := sel.(*types.Var); isVar != (m.Kind == apidoc.Field) {
				t.Errorf("%s is a %s", m.Path, m.Kind)
			}
			if m.From != "" {
				compareType(t, m, name, sel.Type(), checked)
			}
		}
		for name := range want {
			if !got[name] && !takesInternal(want[name].Type()) {
				t.Errorf("%s.%s is missing", s.Path, name)
			}
		}
	}
}

// takesInternal reports whether a method takes an empty struct of an internal package, in which
// case users of its type cannot call it.
func takesInternal(t types.Type) bool {
	fn, ok := t.(*types.Signature)
	if !ok {
		return false
	}
	for v := range fn.Params().Variables() {
		named, ok := types.Unalias(v.Type()).(*types.Named)
		if !ok || named.Obj().Pkg() == nil || !isInternal(named.Obj().Pkg().Path()) {
			continue
		}
		if s, ok := named.Underlying().(*types.Struct); ok && s.NumFields() == 0 {
			return true
		}
	}
	return false
}

// selectable returns the fields and methods that can be selected from a variable of
// type t.
func selectable(t types.Type, pkg *types.Package) map[string]types.Object {
	names := map[string]bool{}
	collectNames(t, names, map[types.Type]bool{})
	all := map[string]types.Object{}
	for name := range names {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, pkg, name); obj != nil && obj.Exported() {
			all[name] = obj
		}
	}
	return all
}

// collectNames gathers every name of a field or method in t and in the types that it
// embeds.
func collectNames(t types.Type, names map[string]bool, seen map[types.Type]bool) {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if seen[t] {
		return
	}
	seen[t] = true
	if n, ok := t.(*types.Named); ok {
		for m := range n.Methods() {
			names[m.Name()] = true
		}
	}
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	switch u := u.(type) {
	case *types.Struct:
		for f := range u.Fields() {
			names[f.Name()] = true
			if f.Embedded() {
				collectNames(f.Type(), names, seen)
			}
		}
	case *types.Interface:
		for m := range u.Methods() {
			names[m.Name()] = true
		}
	}
}

// compareType compares the signature that Read wrote for a promoted symbol with the
// type that the type checker determines.
func compareType(t *testing.T, m apidoc.Symbol, name string, typ types.Type, pkg *types.Package) {
	t.Helper()
	text := m.Signature
	switch {
	case m.Kind == apidoc.Field:
		text = strings.TrimPrefix(text, name+" ")
		if tagged, ok := strings.CutSuffix(text, "`"); ok {
			text = tagged[:strings.LastIndexByte(tagged, '`')]
		}
	case strings.HasPrefix(text, "func ("):
		_, params, _ := strings.Cut(text, ") "+name+"(")
		text = "func(" + params
	default:
		text = "func" + strings.TrimPrefix(text, name)
	}
	x, err := parser.ParseExpr(text)
	if err != nil {
		t.Errorf("%s has signature %s: %v", m.Path, m.Signature, err)
		return
	}
	want, err := parser.ParseExpr(types.TypeString(typ, func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		return p.Name()
	}))
	if err != nil {
		t.Fatal(err)
	}
	// An import may be renamed, so only the presence of a qualifier is compared.
	if got, want := canonical(x), canonical(want); got != want && qualifier.ReplaceAllString(got, "_.") != qualifier.ReplaceAllString(want, "_.") {
		t.Errorf("%s has signature %s, but its type is\n%s, not\n%s", m.Path, m.Signature, want, got)
	}
}

var qualifier = regexp.MustCompile(`\b\w+\.`)

// canonical prints a type without the names of parameters and the tags of
// fields, and with the methods of interfaces sorted.
func canonical(x ast.Expr) string {
	ast.Inspect(x, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok {
			f.Tag = nil
		}
		if t, ok := n.(*ast.InterfaceType); ok {
			slices.SortFunc(t.Methods.List, func(a, b *ast.Field) int {
				return strings.Compare(fmt.Sprint(a.Names), fmt.Sprint(b.Names))
			})
		}
		fn, ok := n.(*ast.FuncType)
		if !ok {
			return true
		}
		for _, list := range []*ast.FieldList{fn.Params, fn.Results} {
			if list == nil {
				continue
			}
			var flat []*ast.Field
			for _, f := range list.List {
				for range max(1, len(f.Names)) {
					flat = append(flat, &ast.Field{Type: f.Type})
				}
			}
			list.List = flat
		}
		return true
	})
	var b strings.Builder
	if err := format.Node(&b, token.NewFileSet(), x); err != nil {
		return err.Error()
	}
	s := strings.Join(strings.Fields(b.String()), " ")
	return strings.NewReplacer("interface{}", "any", "interface { }", "any").Replace(s)
}
