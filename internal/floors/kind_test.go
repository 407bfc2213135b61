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
	"cmd/docent", "internal/docserver", "internal/web", "internal/lookup", "internal/compare", "internal/check", "internal/apijson", "internal/answer", "internal/search",
	"internal/apidoc",
}

// kindExceptions are kinds by which these floors decide: no role tells them from others.
var kindExceptions = []string{"CallSignature", "Piece", "AssocType", "Impl", "Trait", "Attribute", "Var", "Field", "Type"}

func TestDecisionsAboveAreMadeByRole(t *testing.T) {
	expectNone(t, checkKinds)
}

func TestADecisionByKindIsNamed(t *testing.T) {
	for _, tt := range []struct{ file, source, want string }{
		{"internal/answer/a.go", `package answer; var x = s.Kind == "init"`, `internal/answer/a.go:1 compares a kind with "init"`},
		{"internal/answer/a.go", `package answer; var x = s.Kind != apidoc.Method`, `compares a kind with apidoc.Method`},
		{"internal/search/a.go", `package search; func f() { switch s.Kind { case apidoc.Class: } }`, `compares a kind with apidoc.Class`},
		{"internal/search/a.go", `package search; func f() { switch s.Kind { case "trait": } }`, `compares a kind with "trait"`},
		{"internal/answer/a.go", `package answer; var x = s.Kind == t.Kind`, ""},
		{"internal/answer/a.go", `package answer; var x = s.Kind == apidoc.CallSignature`, ""},
		{"internal/answer/a_test.go", `package answer; var x = s.Kind == "init"`, ""},
		{"internal/ecosystem/npm/a.go", `package npm; var x = s.Kind == apidoc.Method`, ""},
		{"internal/compare/a.go", `package compare; var x = change.Kind == Removed`, ""},
	} {
		expectOne(t, checkKinds, tt.file, tt.source, tt.want)
	}
}

// checkKinds returns a sentence for each comparison of the kind of a symbol with a word,
// and how many files it read.
func checkKinds(fsys fs.FS) (complaints []string, files int, err error) {
	leaveOut := func(name string, dir bool) bool {
		if dir {
			return outside(fsys, name)
		}
		i := floorOf(path.Dir(name))
		return strings.HasSuffix(name, "_test.go") || name == "internal/apidoc/kind.go" || i < 0 || !slices.Contains(kindFloors, floors[i])
	}
	err = eachGoFile(fsys, ".", parser.SkipObjectResolution, leaveOut, func(file *goFile) error {
		files++
		complain := func(value ast.Expr) {
			if word := kindWord(value); word != "" {
				complaints = append(complaints, fmt.Sprintf("%s compares a kind with %s", file.line(value), word))
			}
		}
		ast.Inspect(file.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if (n.Op == token.EQL || n.Op == token.NEQ) && isKind(n.X) {
					complain(n.Y)
				}
			case *ast.SwitchStmt:
				if isKind(n.Tag) {
					for _, clause := range n.Body.List {
						for _, value := range clause.(*ast.CaseClause).List {
							complain(value)
						}
					}
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

// kindWord returns the word that an expression stands for, "" if it stands for none or if
// deciding by it is allowed.
func kindWord(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok && x.Name == "apidoc" && !slices.Contains(kindExceptions, e.Sel.Name) {
			return "apidoc." + e.Sel.Name
		}
	}
	return ""
}
