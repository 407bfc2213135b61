package golang

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/version"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// IsSource implements ecosystem.SourceReader.
func (*Golang) IsSource(name string) bool { return path.Ext(name) == ".go" }

// SnippetName implements ecosystem.SourceReader.
func (*Golang) SnippetName() string { return "snippet.go" }

// Uses implements ecosystem.SourceReader. It reads names that are qualified by the name of an
// imported package. The compiler rejects package-level declarations that conflict with such a name,
// so one file is enough. If the text has no package clause, one is added, and statements are
// wrapped in a function.
func (g *Golang) Uses(f *ecosystem.SourceFile) ([]ecosystem.Use, []ecosystem.SyntaxError) {
	fset := token.NewFileSet()
	r := &usesReader{fset: fset, imports: map[string]string{}}
	var syntax *ast.File
	var err error
	syntax, r.shift, err = parseSource(fset, f.Name, f.Text, parser.AllErrors)
	var faults []ecosystem.SyntaxError
	if list, ok := errors.AsType[scanner.ErrorList](err); ok {
		for _, e := range list[:1] { // The other errors often follow from the first.
			faults = append(faults, ecosystem.SyntaxError{Position: ecosystem.Position{Line: e.Pos.Line, Column: e.Pos.Column}, Message: e.Msg})
		}
	}
	if syntax == nil {
		return nil, faults
	}
	tested, _ := strings.CutSuffix(syntax.Name.Name, "_test")
	for _, spec := range syntax.Imports {
		r.addImport(spec, tested)
	}
	r.elsewhere = godoc.IsElsewhere(f.Name, f.Text)
	ast.Inspect(syntax, r.visit)
	if g.requiresNewer(f, syntax.GoVersion) || godoc.IsUnsupported(f.Name, f.Text) || importsTinyGo(syntax) { // Another standard library than the project's may have the packages and names.
		r.uses = slices.DeleteFunc(r.uses, func(u ecosystem.Use) bool { return isStandard(u.Package) })
	}
	return r.uses, faults
}

// requiresNewer reports whether a file may need a newer release of Go than its project uses. goVersion is the release that the
// build constraint of the file requires, or "".
func (g *Golang) requiresNewer(f *ecosystem.SourceFile, goVersion string) bool {
	if goVersion == "" || f.Dir == "" {
		return goVersion != ""
	}
	finder, err := g.newFinder(question{path: "unsafe", project: filepath.Join(f.Dir, filepath.FromSlash(path.Dir(f.Name)))})
	return err != nil || version.Compare(goVersion, finder.toolchain().version) > 0
}

// importsTinyGo reports whether a file imports packages that only the standard library of TinyGo contains.
func importsTinyGo(syntax *ast.File) bool {
	return slices.ContainsFunc(syntax.Imports, func(spec *ast.ImportSpec) bool { return tinyGoImport().MatchString(spec.Path.Value) })
}

var tinyGoImport = lazyregexp.New(`^["\x60](?:machine|device|runtime/interrupt|runtime/volatile)["\x60/]`)

// isStandard reports whether an import path belongs to the standard library.
func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// parseSource parses a source file or a snippet. shift is the number of bytes inserted
// before the first line of a snippet.
func parseSource(fset *token.FileSet, name string, text []byte, mode parser.Mode) (syntax *ast.File, shift int, err error) {
	syntax, err = parser.ParseFile(fset, name, text, mode)
	if err != nil && !packageClause().Match(text) {
		for _, around := range snippets {
			if whole, failed := parser.ParseFile(fset, name, around[0]+string(text)+around[1], mode); failed == nil {
				return whole, len(around[0]), nil
			}
		}
		if whole, ok := parseStatements(fset, name, text, mode); ok {
			return whole, len(snippets[0][0]), nil
		}
	}
	return syntax, 0, err
}

// parseStatements parses a part of a file that consists of imports followed by statements.
func parseStatements(fset *token.FileSet, name string, text []byte, mode parser.Mode) (syntax *ast.File, ok bool) {
	whole := snippets[0][0] + string(text)
	file := token.NewFileSet()
	imports, err := parser.ParseFile(file, name, whole, parser.ImportsOnly)
	if err != nil || len(imports.Decls) == 0 {
		return nil, false
	}
	end := file.Position(imports.Decls[len(imports.Decls)-1].End()).Offset
	syntax, err = parser.ParseFile(fset, name, whole[:end]+";func _(){"+whole[end:]+"\n}", mode)
	return syntax, err == nil
}

// snippets are the prefixes and suffixes that make a part of a file a complete file. They do not
// add a line before the part.
var snippets = [][2]string{{"package p;", ""}, {"package p;func _(){", "\n}"}}

var packageClause = lazyregexp.New(`(?m)^\s*package\s`)

// usesReader collects the uses of packages in one file.
type usesReader struct {
	fset    *token.FileSet
	imports map[string]string // import paths by the names that the file gives them
	uses    []ecosystem.Use
	seen    map[*ast.SelectorExpr]bool // selectors that were already added with a call or literal
	shift   int                        // number of bytes inserted before the first line
	// elsewhere is true if the file is for another platform, where functions can have other
	// parameters and structs other fields.
	elsewhere bool
}

func (r *usesReader) position(p token.Pos) ecosystem.Position {
	return positionIn(r.fset, p, r.shift)
}

// positionIn returns the position of p in a file with shift bytes inserted before its first line.
func positionIn(fset *token.FileSet, p token.Pos, shift int) ecosystem.Position {
	position := fset.PositionFor(p, false)
	if position.Line == 1 {
		position.Column -= shift
	}
	return ecosystem.Position{Line: position.Line, Column: position.Column}
}

// addImport adds an import, unless the file is an external test of the imported package,
// because other test files can add to what that package exports.
func (r *usesReader) addImport(spec *ast.ImportSpec, tested string) {
	importPath, err := strconv.Unquote(spec.Path.Value)
	if err != nil || importPath == "" || importPath == "C" || importPath == "unsafe" || ecosystem.IsDirectory(importPath) || godoc.AssumedName(importPath) == tested {
		return
	}
	r.uses = append(r.uses, ecosystem.Use{Position: r.position(spec.Path.Pos()), Package: importPath, Text: spec.Path.Value, Import: true})
	switch {
	case spec.Name == nil:
		r.imports[godoc.AssumedName(importPath)] = importPath
	case spec.Name.Name != "_" && spec.Name.Name != ".":
		r.imports[spec.Name.Name] = importPath
	}
}

func (r *usesReader) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if sel := selector(n.Fun); sel != nil {
			r.add(sel, func(u *ecosystem.Use) { u.Args = args(n) })
		}
	case *ast.CompositeLit:
		if sel := selector(n.Type); sel != nil {
			r.add(sel, func(u *ecosystem.Use) {
				u.Type = true
				for _, element := range n.Elts {
					if kv, ok := element.(*ast.KeyValueExpr); ok {
						if key, ok := kv.Key.(*ast.Ident); ok {
							u.Fields = append(u.Fields, ecosystem.Field{Position: r.position(key.Pos()), Name: key.Name})
						}
					}
				}
			})
		}
	case *ast.SelectorExpr:
		r.add(n, func(*ecosystem.Use) {})
	}
	return true
}

// selector returns the qualified name in x without type arguments, or nil if x is not a
// qualified name.
func selector(x ast.Expr) *ast.SelectorExpr {
	switch x := x.(type) {
	case *ast.SelectorExpr:
		return x
	case *ast.IndexExpr:
		return selector(x.X)
	case *ast.IndexListExpr:
		return selector(x.X)
	}
	return nil
}

// add adds a use if the selector is qualified by an imported package.
func (r *usesReader) add(sel *ast.SelectorExpr, detail func(*ecosystem.Use)) {
	name, ok := sel.X.(*ast.Ident)
	if !ok || name.Obj != nil || r.seen[sel] || sel.Sel.Name == "_" {
		return
	}
	importPath := r.imports[name.Name]
	if importPath == "" {
		return
	}
	if r.seen == nil {
		r.seen = map[*ast.SelectorExpr]bool{}
	}
	r.seen[sel] = true
	u := ecosystem.Use{Position: r.position(sel.Sel.Pos()), Package: importPath, Path: sel.Sel.Name, Text: name.Name + "." + sel.Sel.Name}
	if !r.elsewhere {
		detail(&u)
	}
	r.uses = append(r.uses, u)
}

// args returns the arguments of a call. If the only argument is a call, it can represent several
// arguments.
func args(call *ast.CallExpr) *ecosystem.Args {
	a := &ecosystem.Args{Positional: len(call.Args)}
	if len(call.Args) == 1 {
		if _, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok {
			a.Positional, a.Spread = 0, true
		}
	}
	if call.Ellipsis.IsValid() {
		a.Positional--
	}
	return a
}
