package mcp_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The exported API must equal testdata/api.txt, so that no change to it is
// accidental.
func TestAPIIsWhatItWas(t *testing.T) {
	const golden = "testdata/api.txt"
	var lines []string
	for _, dir := range []string{".", "ratelimit", "host"} {
		lines = append(lines, surface(t, dir)...)
	}
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		must(t, os.MkdirAll(filepath.Dir(golden), 0o755))
		must(t, os.WriteFile(golden, []byte(got), 0o644))
		return
	}
	data, err := os.ReadFile(golden)
	must(t, err)
	before := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for _, line := range before {
		if !slices.Contains(lines, line) {
			t.Errorf("gone:  %s", line)
		}
	}
	for _, line := range lines {
		if !slices.Contains(before, line) {
			t.Errorf("added: %s", line)
		}
	}
	if t.Failed() {
		t.Log("If this is meant to be, run: go test ./mcp -run TestAPI -update")
	}
}

// surface lists the exported API of the package in dir, one line per name,
// without comments.
func surface(t *testing.T, dir string) []string {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	must(t, err)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		must(t, err)
		files = append(files, file)
	}
	if len(files) == 0 {
		t.Fatalf("%s: %v", dir, fs.ErrNotExist)
	}
	pkg, err := doc.NewFromFiles(fset, files, "example.com/"+dir)
	must(t, err)
	s := &surveyor{fset: fset, pkg: pkg.Name}
	s.values(pkg.Consts)
	s.values(pkg.Vars)
	s.funcs(pkg.Funcs)
	for _, typ := range pkg.Types {
		s.values(typ.Consts)
		s.values(typ.Vars)
		s.funcs(typ.Funcs)
		s.funcs(typ.Methods)
		for _, spec := range typ.Decl.Specs {
			if spec := spec.(*ast.TypeSpec); spec.Name.Name == typ.Name {
				s.typ(spec)
			}
		}
	}
	slices.Sort(s.lines)
	return slices.Compact(s.lines)
}

type surveyor struct {
	fset  *token.FileSet
	pkg   string
	lines []string
}

func (s *surveyor) add(format string, args ...any) {
	s.lines = append(s.lines, s.pkg+": "+fmt.Sprintf(format, args...))
}

func (s *surveyor) text(node any) string {
	var b strings.Builder
	if err := printer.Fprint(&b, s.fset, node); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func (s *surveyor) funcs(all []*doc.Func) {
	for _, f := range all {
		decl := *f.Decl
		decl.Doc, decl.Body = nil, nil
		s.add("%s", s.text(&decl))
	}
}

// values lists constants with their values, and variables with their types.
func (s *surveyor) values(all []*doc.Value) {
	for _, group := range all {
		for i, spec := range group.Decl.Specs {
			spec := spec.(*ast.ValueSpec)
			for j, name := range spec.Names {
				line := fmt.Sprintf("%s %s", group.Decl.Tok, name)
				if spec.Type != nil {
					line += " " + s.text(spec.Type)
				}
				switch {
				case group.Decl.Tok == token.CONST && j < len(spec.Values):
					line += " = " + s.text(spec.Values[j])
				case group.Decl.Tok == token.CONST:
					line += fmt.Sprintf(" // number %d", i) // has the value of an earlier iota expression
				}
				if name.IsExported() {
					s.add("%s", line)
				}
			}
		}
	}
}

// typ lists a type and its exported members.
func (s *surveyor) typ(spec *ast.TypeSpec) {
	head := "type " + spec.Name.Name
	if spec.TypeParams != nil {
		head += s.text(spec.TypeParams)
	}
	switch under := spec.Type.(type) {
	case *ast.StructType:
		s.add("%s struct", head)
		for _, field := range under.Fields.List {
			if len(field.Names) == 0 {
				s.add("%s struct, %s", head, s.text(field.Type)+tag(field))
			}
			for _, name := range field.Names {
				if name.IsExported() {
					s.add("%s struct, %s %s", head, name, s.text(field.Type)+tag(field))
				}
			}
		}
	case *ast.InterfaceType:
		s.add("%s interface", head)
		for _, method := range under.Methods.List {
			if len(method.Names) == 0 {
				s.add("%s interface, %s", head, s.text(method.Type))
			} else {
				s.add("%s interface, %s%s", head, method.Names[0], strings.TrimPrefix(s.text(method.Type), "func"))
			}
		}
		if under.Incomplete { // some methods are not exported
			s.add("%s interface, closed", head)
		}
	default:
		if spec.Assign.IsValid() {
			head += " ="
		}
		s.add("%s %s", head, s.text(under))
	}
}

func tag(field *ast.Field) string {
	if field.Tag == nil {
		return ""
	}
	return " " + field.Tag.Value
}
