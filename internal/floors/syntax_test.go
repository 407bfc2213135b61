package floors_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// syntaxFloors are the floors that read the parts of declarations and not their text.
var syntaxFloors = []string{
	"internal/web", "internal/browse", "internal/lookup", "internal/resolve", "internal/catalog", "internal/depindex", "internal/compare", "internal/check", "internal/apijson",
	"internal/answer", "internal/search", "internal/naming", "internal/apidoc",
}

// keywordSyntax matches a text that begins or ends with a keyword as declarations have it, the name
// of a constructor or an operator of types. bracketSyntax matches a text that consists of brackets
// other than parentheses.
var (
	keywordSyntax = regexp.MustCompile(`^(func|fn|def|class|struct|interface|enum|trait|impl|protocol|typealias|type|const|let|var|pub|readonly|abstract|export)( $| ?[({<\[]|=$)` +
		`|(^|[ )])(struct|interface|enum|class|trait) ?\{$|^(__init__|__new__|constructor|init)$|^ ?(=>|->) ?$|^ \? $|^@(property|cached_property|overload|staticmethod|classmethod)`)
	bracketSyntax = regexp.MustCompile(`^\s*[{}\[\]<][{}\[\]<>]*\s*$|^[(){}\[\]<>]{2,}$`)
)

// syntaxExceptions are the files with strings that look like syntax, and the reasons for them.
var syntaxExceptions = map[string]string{
	"internal/answer/boilerplate.go":       "HTML in prose",
	"internal/answer/inplace.go":           "removes Markdown's brackets",
	"internal/answer/listing.go":           "writes members in braces below a declaration",
	"internal/answer/writer.go":            "writes members in braces below a declaration",
	"internal/answer/signature.go":         "marks names of methods in a set",
	"internal/apidoc/kind.go":              "the words for kinds",
	"internal/apidoc/path.go":              "labels of arguments and computed names in paths",
	"internal/apidoc/role.go":              "the names of roles",
	"internal/apidoc/decltest/typed.go":    "declarations of no language, for tests",
	"internal/apidoc/decltest/decltest.go": "flags in an outline",
	"internal/check/ignore.go":             "patterns of file names",
	"internal/compare/call.go":             "calls in the user's code",
	"internal/compare/text.go":             "writes a type with its parameters",
	"internal/compare/used.go":             "matches in the user's code",
	"internal/depindex/depindex.go":        "escapes HTML",
	"internal/naming/labels.go":            "labels of arguments in paths",
	"internal/naming/select.go":            "separates the paths that people write",
	"internal/search/index.go":             "calls of values, in paths",
	"internal/search/query.go":             "a word that people search for",
	"internal/web/guard.go":                "addresses of IPv6",
	"internal/web/refer.go":                "references in prose",
}

func TestDeclarationsAreReadByTheirParts(t *testing.T) {
	expectNone(t, checkSyntax)
}

func TestSyntaxAboveTheReadersIsNamed(t *testing.T) {
	for _, tt := range []struct{ file, source, want string }{
		{"internal/answer/a.go", `package answer; var x = strings.HasPrefix(s, "func ")`, `internal/answer/a.go:1 knows the syntax "func "`},
		{"internal/answer/a.go", `package answer; var x = strings.CutPrefix(s, "func (")`, `knows the syntax "func ("`},
		{"internal/answer/a.go", "package answer; var x = strings.Contains(s, ` interface {`)", "knows the syntax ` interface {`"},
		{"internal/search/a.go", `package search; var x = name == "__init__"`, `knows the syntax "__init__"`},
		{"internal/search/a.go", `package search; var x = strings.HasPrefix(name, "impl ")`, `knows the syntax "impl "`},
		{"internal/compare/a.go", `package compare; var x = strings.Cut(s, " => ")`, `knows the syntax " => "`},
		{"internal/compare/a.go", `package compare; var x = c == '{'`, `knows the syntax '{'`},
		{"internal/check/a.go", `package check; var x = strings.Cut(s, "{\n")`, `knows the syntax "{\n"`},
		{"internal/apidoc/a.go", `package apidoc; var x = strings.Cut(s, " ? ")`, `knows the syntax " ? "`},
		{"internal/compare/a.go", `package compare; var x = strings.HasSuffix(s.Signature, "*/")`, `searches the text of a declaration for "*/"`},
		{"internal/compare/a.go", `package compare; var x = strings.IndexByte(d.Text, ':')`, `searches the text of a declaration for ':'`},
		{"internal/compare/a.go", `package compare; var x = strings.Contains(s.Signature, "\n")`, ""},
		{"internal/compare/a.go", `package compare; var x = strings.Contains(s.Signature, name)`, ""},
		{"internal/answer/a.go", `package answer; var x = "export is missing"`, ""},
		{"internal/answer/a.go", `package answer; var x = " (" + s + ")"`, ""},
		{"internal/answer/a.go", "package answer; type t struct { x int `json:\"func \"` }", ""},
		{"internal/answer/a_test.go", `package answer; var x = "func "`, ""},
		{"internal/compare/text.go", `package compare; var x = "=>"`, ""},
		{"internal/ecosystem/npm/a.go", `package npm; var x = "=>"`, ""},
	} {
		expectOne(t, checkSyntax, tt.file, tt.source, tt.want)
	}
}

// isDeclarationText reports whether an expression is the text of a symbol's declaration.
func isDeclarationText(x ast.Expr) bool {
	field, ok := x.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	d, ok := field.X.(*ast.Ident)
	return field.Sel.Name == "Signature" || ok && d.Name == "d" && field.Sel.Name == "Text"
}

// checkSyntax returns a sentence for each string and character that looks like the syntax of a
// language, for each search of a declaration's text for anything but the end of a line, and for each
// exception that is not needed, and how many files it read.
func checkSyntax(fsys fs.FS) (complaints []string, files int, err error) {
	used := map[string]bool{}
	leaveOut := func(name string, dir bool) bool {
		if dir {
			return outside(fsys, name)
		}
		i := floorOf(path.Dir(name))
		return strings.HasSuffix(name, "_test.go") || i < 0 || !slices.Contains(syntaxFloors, floors[i])
	}
	err = eachGoFile(fsys, ".", parser.SkipObjectResolution, leaveOut, func(file *goFile) error {
		files++
		ast.Inspect(file.File, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok && field.Tag != nil {
				field.Tag = nil
			}
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 2 && isDeclarationText(call.Args[0]) {
				if lit, ok := call.Args[1].(*ast.BasicLit); ok && lit.Value != `"\n"` && lit.Value != `'\n'` {
					complaints = append(complaints, fmt.Sprintf("%s searches the text of a declaration for %s", file.line(lit), lit.Value))
				}
			}
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING && lit.Kind != token.CHAR {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil || !keywordSyntax.MatchString(text) && !bracketSyntax.MatchString(text) {
				return true
			}
			line := file.line(lit)
			name, _, _ := strings.Cut(line, ":")
			if used[name] = true; syntaxExceptions[name] == "" {
				complaints = append(complaints, fmt.Sprintf("%s knows the syntax %s", line, lit.Value))
			}
			return true
		})
		return nil
	})
	if files > 50 {
		for name := range syntaxExceptions {
			if !used[name] {
				complaints = append(complaints, name+" needs no exception")
			}
		}
	}
	return complaints, files, err
}
