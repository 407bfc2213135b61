package floors_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
)

// kindFloors are the floors that decide by the role of a symbol, not by the word that its
// language has for it.
var kindFloors = []string{
	"cmd/docent", "internal/docserver", "internal/teamserver", "internal/web", "internal/browse", "internal/lookup", "internal/resolve", "internal/catalog", "internal/depindex", "internal/audit", "internal/compare", "internal/check", "internal/apijson",
	"internal/answer", "internal/search", "internal/store", "internal/naming", "internal/apidoc",
}

// kindFile defines the kinds, and what they mean to programs.
const kindFile = "internal/apidoc/kind.go"

func TestDecisionsAboveAreMadeByRole(t *testing.T) {
	expectNone(t, checkKinds)
}

func TestADecisionByKindIsNamed(t *testing.T) {
	for _, tt := range []struct{ file, source, want string }{
		{"internal/answer/a.go", `package answer; var x = s.Kind == "init"`, `internal/answer/a.go:1 compares a kind with "init"`},
		{"internal/answer/a.go", `package answer; var x = "init" != s.Kind`, `internal/answer/a.go:1 compares a kind with "init"`},
		{"internal/answer/a.go", `package answer; var x = s.Kind != apidoc.Method`, `names the kind apidoc.Method`},
		{"internal/search/a.go", `package search; func f() { switch s.Kind { case apidoc.Class: } }`, `names the kind apidoc.Class`},
		{"internal/search/a.go", `package search; func f() { switch s.Kind { case "trait": } }`, `compares a kind with "trait"`},
		{"internal/browse/a.go", `package browse; var order = []apidoc.Kind{apidoc.Class}`, `names the kind apidoc.Class`},
		{"internal/apidoc/a.go", `package apidoc; var x = s.Kind == Class`, `compares a kind with Class`},
		{"internal/answer/a.go", `package answer; var x = s.Kind == t.Kind`, ""},
		{"internal/answer/a.go", `package answer; var x = s.Role() == apidoc.TypeRole`, ""},
		{"internal/answer/a_test.go", `package answer; var x = s.Kind == "init"`, ""},
		{"internal/ecosystem/npm/a.go", `package npm; var x = s.Kind == apidoc.Method`, ""},
		{"internal/compare/a.go", `package compare; var x = change.Kind == Removed`, ""},
	} {
		expectOne(t, checkKinds, tt.file, tt.source, tt.want)
	}
}

// checkKinds returns a sentence for each comparison of the kind of a symbol with a word and for
// each use of a constant of type Kind, and how many files it read.
func checkKinds(fsys fs.FS) (complaints []string, files int, err error) {
	kinds, err := constantsOfKind()
	if err != nil {
		return nil, 0, err
	}
	leaveOut := func(name string, dir bool) bool {
		if dir {
			return outside(fsys, name)
		}
		i := floorOf(path.Dir(name))
		return strings.HasSuffix(name, "_test.go") || name == kindFile || i < 0 || !slices.Contains(kindFloors, floors[i])
	}
	err = eachGoFile(fsys, ".", parser.SkipObjectResolution, leaveOut, func(file *goFile) error {
		files++
		within := file.Name.Name == "apidoc"
		compare := func(value ast.Expr) {
			switch e := value.(type) {
			case *ast.BasicLit:
				complaints = append(complaints, fmt.Sprintf("%s compares a kind with %s", file.line(value), e.Value))
			case *ast.Ident:
				if within && kinds[e.Name] {
					complaints = append(complaints, fmt.Sprintf("%s compares a kind with %s", file.line(value), e.Name))
				}
			}
		}
		ast.Inspect(file.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op != token.EQL && n.Op != token.NEQ {
					break
				}
				if isKind(n.X) {
					compare(n.Y)
				} else if isKind(n.Y) {
					compare(n.X)
				}
			case *ast.SwitchStmt:
				if isKind(n.Tag) {
					for _, clause := range n.Body.List {
						for _, value := range clause.(*ast.CaseClause).List {
							compare(value)
						}
					}
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "apidoc" && kinds[n.Sel.Name] {
					complaints = append(complaints, fmt.Sprintf("%s names the kind apidoc.%s", file.line(n), n.Sel.Name))
				}
			}
			return true
		})
		return nil
	})
	return complaints, files, err
}

// isKind reports whether an expression selects the kind of something.
func isKind(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Kind"
}

// constantsOfKind returns the names of the constants of type apidoc.Kind.
func constantsOfKind() (map[string]bool, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../"+kindFile, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			continue
		}
		for _, spec := range decl.Specs {
			spec := spec.(*ast.ValueSpec)
			if t, ok := spec.Type.(*ast.Ident); ok && t.Name == "Kind" {
				for _, name := range spec.Names {
					names[name.Name] = true
				}
			}
		}
	}
	return names, nil
}
