package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// goPackages are the packages of the standard library that are checked in addition to the project's
// dependencies.
var goPackages = strings.Fields("net/http encoding/json go/types go/ast context os io/fs text/template crypto/tls database/sql log/slog net net/netip testing time bufio reflect html/template archive/zip encoding/xml")

// goAnswers returns the types in the declarations of packages, according to go/types.
func goAnswers(dir string) ([]judged, error) {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	required, err := exec.Command("go", "-C", dir, "list", "-f", `{{if not .Indirect}}{{if not .Main}}{{.Path}}/...{{end}}{{end}}`, "-m", "all").Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules: %w", err)
	}
	list := exec.Command("go", append([]string{"-C", dir, "list", "-e", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,DepOnly,Name"}, append(strings.Fields(string(required)), goPackages...)...)...)
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := list.Start(); err != nil {
		return nil, err
	}
	l := &goLoader{fset: token.NewFileSet(), loaded: map[string]*types.Package{"unsafe": types.Unsafe}}
	var all []judged
	for in := json.NewDecoder(out); ; {
		var p goPackage
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("list the packages: %w", err)
		}
		found, err := l.load(&p)
		if err != nil {
			return nil, err
		}
		if !p.DepOnly && p.Name != "main" && !strings.Contains("/"+p.ImportPath+"/", "/internal/") {
			all = append(all, found...)
		}
	}
	return all, list.Wait()
}

// goPackage is the output of go list for a package.
type goPackage struct {
	ImportPath, Dir, Name string
	GoFiles               []string
	ImportMap             map[string]string
	DepOnly               bool
}

type goLoader struct {
	fset   *token.FileSet
	loaded map[string]*types.Package
}

// load checks a package whose dependencies are loaded, and returns its exported declarations.
func (l *goLoader) load(p *goPackage) ([]judged, error) {
	if p.ImportPath == "unsafe" {
		return nil, nil
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(l.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{
		IgnoreFuncBodies: true, Error: func(error) {}, Sizes: types.SizesFor("gc", build.Default.GOARCH),
		Importer: importer(func(path string) (*types.Package, error) {
			if mapped, ok := p.ImportMap[path]; ok {
				path = mapped
			}
			if found := l.loaded[path]; found != nil {
				return found, nil
			}
			return nil, fmt.Errorf("%s is not loaded", path)
		}),
	}
	l.loaded[p.ImportPath], _ = config.Check(p.ImportPath, l.fset, files, info) // errors in a package do not matter here
	if p.DepOnly {
		return nil, nil
	}
	var all []judged
	add := func(symbol string, node ast.Node) {
		j := judged{Language: "go", Package: p.ImportPath, Symbol: symbol}
		for n := range ast.Preorder(node) {
			if id, ok := n.(*ast.Ident); ok {
				if t, ok := info.Uses[id].(*types.TypeName); ok {
					j.References = append(j.References, l.reference(id.Name, t))
				}
			}
		}
		all = append(all, j)
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				symbol := d.Name.Name
				if d.Recv != nil {
					symbol = receiver(d.Recv.List[0].Type) + "." + symbol
				}
				if d.Name.IsExported() && ast.IsExported(symbol) {
					add(symbol, &ast.FuncDecl{Recv: d.Recv, Name: d.Name, Type: d.Type})
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						if spec.Name.IsExported() {
							add(spec.Name.Name, withoutHidden(spec))
						}
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							if name.IsExported() && spec.Type != nil {
								add(name.Name, spec.Type)
							}
						}
					}
				}
			}
		}
	}
	return all, nil
}

// reference returns the reference for the name of a type.
func (l *goLoader) reference(name string, t *types.TypeName) reference {
	if _, param := t.Type().(*types.TypeParam); param || t.Pkg() == nil || t.Parent() != t.Pkg().Scope() {
		return reference{Name: name, None: true}
	}
	at := l.fset.Position(t.Pos())
	return reference{Name: name, Declared: t.Name(), At: []string{at.Filename + ":" + strconv.Itoa(at.Line)}, Hidden: !t.Exported()}
}

// withoutHidden returns a type without the fields and methods that are not exported, because
// documentation omits them.
func withoutHidden(spec *ast.TypeSpec) ast.Node {
	f := func(list *ast.FieldList) *ast.FieldList {
		out := &ast.FieldList{}
		for _, field := range list.List {
			if len(field.Names) == 0 || field.Names[0].IsExported() {
				out.List = append(out.List, &ast.Field{Names: field.Names, Type: field.Type})
			}
		}
		return out
	}
	out := &ast.TypeSpec{Name: spec.Name, TypeParams: spec.TypeParams, Type: spec.Type}
	switch t := spec.Type.(type) {
	case *ast.StructType:
		out.Type = &ast.StructType{Fields: f(t.Fields)}
	case *ast.InterfaceType:
		out.Type = &ast.InterfaceType{Methods: f(t.Methods)}
	}
	return out
}

// receiver returns the name of the type of a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.ParenExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// importer is a types.Importer.
type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }
