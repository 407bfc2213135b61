package floors_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// revisions is the package that defines the features of each revision of MCP. Other code of the
// library calls its predicates.
const revisions = "mcp/internal/revision"

// ownDates is the file with the date of the messages between views and hosts, which have versions of their own.
const ownDates = "mcp/apps/version.go"

var (
	revisionDate  = regexp.MustCompile(`^20\d\d-\d\d-\d\d$`)
	revisionConst = regexp.MustCompile(`^V20\d{6}$`)
)

func TestOnlyOnePackageKnowsRevisionsByTheirDate(t *testing.T) {
	expectNone(t, checkRevisions)
}

func TestADecisionByRevisionIsNamed(t *testing.T) {
	for _, tt := range []struct {
		file, source string
		want         string // a part of the one complaint; empty wants none
	}{
		{"mcp/a.go", `package mcp; var x = revision.V20251125`, "mcp/a.go:1 decides by revision: revision.V20251125"},
		{"mcp/a.go", `package mcp; var x = r.Revision() >= "2026-07-28"`, `decides by revision: "2026-07-28"`},
		{"mcp/a.go", `package mcp; var x = rev >= revision.Latest`, "decides by revision: rev >= revision.Latest"},
		{"mcp/a.go", `package mcp; var x = r.rev.Modern()`, "decides by revision: r.rev.Modern"},
		{"mcp/otel/a.go", `package otel; var x = "2026-07-28"`, "decides by revision"},
		{"mcp/a.go", `package mcp; var x = rev != revision.None && rev.HasSessions()`, ""},
		{"mcp/a.go", `package mcp; var x = revision.Latest`, ""},
		{"mcp/a.go", "package mcp\n// since 2025-11-25\nvar x = `clients of 2025-11-25`", ""},
		{"mcp/a_test.go", `package mcp; var x = "2026-07-28"`, ""},
		{revisions + "/a.go", `package revision; var x = "2026-07-28"`, ""},
	} {
		expectOne(t, checkRevisions, tt.file, tt.source, tt.want)
	}
}

// checkRevisions returns a sentence for each expression of the library that
// decides by the name or order of a revision, and how many files it read.
func checkRevisions(fsys fs.FS) (complaints []string, files int, err error) {
	leaveOut := func(name string, dir bool) bool {
		return dir && (path.Base(name) == "testdata" || name == revisions) || strings.HasSuffix(name, "_test.go") || name == ownDates
	}
	err = eachGoFile(fsys, library, parser.SkipObjectResolution, leaveOut, func(file *goFile) error {
		files++
		ast.Inspect(file.File, func(n ast.Node) bool {
			if decidesByRevision(n) {
				complaints = append(complaints, fmt.Sprintf("%s decides by revision: %s (use a predicate of %s)", file.line(n), file.text(n), revisions))
			}
			return true
		})
		return nil
	})
	return complaints, files, err
}

func decidesByRevision(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		return err == nil && revisionDate.MatchString(text)
	case *ast.SelectorExpr:
		return n.Sel.Name == "Modern" || ofRevision(n) && revisionConst.MatchString(n.Sel.Name)
	case *ast.BinaryExpr:
		for _, e := range []ast.Expr{n.X, n.Y} {
			if sel, ok := e.(*ast.SelectorExpr); ok && ofRevision(sel) && sel.Sel.Name != "None" && !revisionConst.MatchString(sel.Sel.Name) {
				return true
			}
		}
	}
	return false
}

// ofRevision reports whether sel refers to a name of package revision.
func ofRevision(sel *ast.SelectorExpr) bool {
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "revision"
}
