package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// goModule is a module whose packages the go command has compiled.
type goModule struct {
	dir      string
	fset     *token.FileSet
	packages []*goPackage
	importer types.Importer
}

// goPackage is a package as go list prints it.
type goPackage struct {
	ImportPath, Dir, Export, ForTest string
	GoFiles, TestGoFiles, CgoFiles   []string
	Module                           *struct {
		Path string
		Main bool
	}
}

// readGoModule compiles the packages of a module and all that they import.
func readGoModule(ctx context.Context, dir string) (*goModule, error) {
	out, err := output(ctx, dir, "go", "list", "-e", "-export", "-deps", "-test", "-json=ImportPath,Dir,Export,ForTest,GoFiles,TestGoFiles,CgoFiles,Module", "./...")
	if err != nil {
		return nil, err
	}
	m := &goModule{dir: dir, fset: token.NewFileSet()}
	exports := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &goPackage{}
		if err := decoder.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.ForTest != "" || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		exports[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Main && len(p.CgoFiles) == 0 && p.Export != "" {
			m.packages = append(m.packages, p)
		}
	}
	m.importer = importer.ForCompiler(m.fset, "gc", func(importPath string) (io.ReadCloser, error) {
		if exports[importPath] == "" {
			return nil, fmt.Errorf("%s is not compiled", importPath)
		}
		return os.Open(exports[importPath])
	})
	return m, nil
}

// check type-checks a package, of which the file called changed, if any, has another text. It returns the files and the
// errors.
func (m *goModule) check(p *goPackage, info *types.Info, changed string, text []byte) (files []*ast.File, faults []types.Error) {
	for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles) {
		name = filepath.Join(p.Dir, name)
		var src any
		if name == changed {
			src = text
		}
		file, err := parser.ParseFile(m.fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			faults = append(faults, types.Error{Fset: m.fset, Msg: err.Error()})
			continue
		}
		files = append(files, file)
	}
	conf := types.Config{Importer: m.importer, Error: func(err error) {
		if e, ok := errors.AsType[types.Error](err); ok {
			faults = append(faults, e)
		}
	}}
	_, _ = conf.Check(p.ImportPath, m.fset, files, info) // the error is the first of faults
	return files, faults
}

// mutants returns all mistakes in uses of packages: imported paths, names, members, keys of struct literals, numbers of
// arguments, and values of another type. Those in packages of the module itself are of kinds that begin with "own".
func (m *goModule) mutants() (all []mutant, err error) {
	for _, p := range m.packages {
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		files, faults := m.check(p, info, "", nil)
		if len(faults) > 0 {
			continue
		}
		for _, file := range files {
			name := m.fset.PositionFor(file.Pos(), false).Filename
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			rel, err := filepath.Rel(m.dir, name)
			if err != nil {
				return nil, err
			}
			change := func(kind string, p *types.Package, from, to token.Pos, by string) {
				start, end := m.fset.PositionFor(from, false), m.fset.PositionFor(to, false)
				if p != nil && m.isOwn(p.Path()) {
					kind = "own " + kind
				}
				all = append(all, mutant{
					file: filepath.ToSlash(rel), kind: kind, line: start.Line, from: string(text[start.Offset:end.Offset]), to: by, offset: start.Offset, original: text,
				})
			}
			exchange := func(kind string, p *types.Package, name *ast.Ident) {
				change(kind, p, name.Pos(), name.End(), exchanged(name.Name))
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ImportSpec:
					if importPath, err := strconv.Unquote(n.Path.Value); err == nil && !m.isOwn(importPath) {
						change("package", nil, n.Path.Pos(), n.Path.End(), strconv.Quote(exchanged(importPath)))
					}
				case *ast.SelectorExpr:
					if s := info.Selections[n]; s != nil && s.Obj().Pkg() != nil {
						exchange("member", s.Obj().Pkg(), n.Sel)
					} else if obj := info.Uses[n.Sel]; obj != nil && obj.Pkg() != nil && obj.Pkg().Path() != p.ImportPath {
						exchange("use", obj.Pkg(), n.Sel)
					}
				case *ast.KeyValueExpr:
					if key, ok := n.Key.(*ast.Ident); ok {
						if field, ok := info.Uses[key].(*types.Var); ok && field.IsField() {
							exchange("field", field.Pkg(), key)
						}
					}
				case *ast.CallExpr:
					fn := calledFunction(info, n)
					if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() == p.ImportPath {
						break
					}
					before := len(all)
					if k := len(n.Args) - 1; k < 0 {
						change("arguments", fn.Pkg(), n.Rparen, n.Rparen, "nil")
					} else if start := n.Args[k]; k > 0 && (n.Pos()+token.Pos(k))%2 == 0 {
						change("arguments", fn.Pkg(), n.Args[k-1].End(), start.End(), "")
					} else {
						change("arguments", fn.Pkg(), start.End(), start.End(), ", nil")
						change("value", fn.Pkg(), start.Pos(), start.End(), "struct{}{}")
					}
					for i := range all[before:] {
						all[before+i].first = m.fset.PositionFor(n.Pos(), false).Line
					}
				}
				return true
			})
		}
	}
	return all, nil
}

// isOwn reports whether a package belongs to the module.
func (m *goModule) isOwn(importPath string) bool {
	root := m.packages[0].Module.Path
	return importPath == root || strings.HasPrefix(importPath, root+"/")
}

// calledFunction returns the function or method that is called, or nil if it is none with a name.
func calledFunction(info *types.Info, call *ast.CallExpr) *types.Func {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	fn, _ := info.Uses[sel.Sel].(*types.Func)
	return fn
}

// judge returns the mistakes that the compiler reports in their lines.
func (m *goModule) judge(all []mutant) []mutant {
	return slices.DeleteFunc(all, func(u mutant) bool {
		name := filepath.Join(m.dir, filepath.FromSlash(u.file))
		for _, p := range m.packages {
			if p.Dir != filepath.Dir(name) {
				continue
			}
			_, faults := m.check(p, nil, name, u.text())
			return !slices.ContainsFunc(faults, func(e types.Error) bool {
				at := m.fset.PositionFor(e.Pos, false)
				return at.Filename == name && at.Line == u.line
			})
		}
		return true
	})
}
