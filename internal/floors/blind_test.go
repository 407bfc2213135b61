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

// blind lists the packages that must not depend on a particular language. They get the differences
// between languages from ecosystem.Info and apidoc.Style.
var blind = []string{
	"cmd/docent", "internal/languages", "internal/teamserver", "internal/docserver", "internal/web", "internal/browse", "internal/lookup", "internal/resolve", "internal/catalog", "internal/answer", "internal/search", "internal/store", "internal/ecosystem",
	"internal/project", "internal/fetch", "internal/fingerprint", "internal/cachedir", "internal/archive", "internal/markup", "internal/apicodec", "internal/naming", "internal/spelling", "internal/apidoc",
}

// ofOneLanguage are packages on these floors that read the files of one
// language.
var ofOneLanguage = []string{
	"internal/project/cargo", "internal/project/gomod", "internal/project/npmlock", "internal/project/pep440", "internal/project/pep508", "internal/project/pylock", "internal/project/swiftpm",
}

// listsLanguages is the file that contains the list of languages.
const listsLanguages = "internal/languages/languages.go"

// languageWord finds the name of a language within a text or an identifier.
var languageWord = regexp.MustCompile(`(?i)npm|golang|typescript|javascript|python|pypi|cargo|crates|swift|(?:^|[^t])rust|^go$`)

func TestNothingAboveAsksWhichLanguageItIs(t *testing.T) {
	expectNone(t, checkBlind)
}

func TestAFileThatNamesALanguageIsNamed(t *testing.T) {
	for _, tt := range []struct {
		file, source string
		want         string // a part of the one complaint; empty wants none
	}{
		{"internal/answer/a.go", `package answer; var x = l.NPM`, `internal/answer/a.go:1 names a language: NPM`},
		{"internal/answer/a.go", `package answer; func isPython() {}`, `names a language: isPython`},
		{"internal/store/a.go", `package store; var x = id == "go"`, `names a language: "go"`},
		{"cmd/docent/a.go", `package main; import _ "` + module + `/internal/ecosystem/npm"`, `names a language: "` + module + `/internal/ecosystem/npm"`},
		{"internal/ecosystem/a.go", `package ecosystem; var x = "as cargo does"`, `names a language: "as cargo does"`},
		{"internal/ecosystem/npm/a.go", `package npm; const npm = "npm"`, ""},
		{"internal/answer/a_test.go", `package answer; const npm = "npm"`, ""},
		{"internal/answer/a.go", "package answer\n// npm, as an example\nvar x = `see the go command, trust it`", ""},
		{"internal/answer/a.go", `package answer; func f() { wait.Go(func() {}) }`, ""},
		{"internal/answer/a.go", `package answer; var x = language == golden.Go`, `names a language: Go`},
		{"internal/cachedir/a.go", `package cachedir; import _ "golang.org/x/sys/windows"`, ""},
		{listsLanguages, `package main; import _ "` + module + `/internal/ecosystem/npm"`, ""},
	} {
		expectOne(t, checkBlind, tt.file, tt.source, tt.want)
	}
}

// checkBlind returns a sentence for each identifier and text of these packages that contains the
// name of a language, and the number of files that it read. Tests and comments may contain names of
// languages.
func checkBlind(fsys fs.FS) (complaints []string, files int, err error) {
	leaveOut := func(name string, dir bool) bool {
		if dir {
			return outside(fsys, name)
		}
		i := floorOf(path.Dir(name))
		return strings.HasSuffix(name, "_test.go") || name == listsLanguages || i < 0 || !slices.Contains(blind, floors[i]) ||
			slices.ContainsFunc(ofOneLanguage, func(dir string) bool { return under(name, dir) })
	}
	err = eachGoFile(fsys, ".", parser.SkipObjectResolution, leaveOut, func(file *goFile) error {
		files++
		started := map[*ast.Ident]bool{} // started contains the names in calls of sync.WaitGroup.Go.
		ast.Inspect(file.File, func(n ast.Node) bool {
			text := ""
			switch n := n.(type) {
			case *ast.CallExpr:
				method, ok := n.Fun.(*ast.SelectorExpr)
				if ok && len(n.Args) == 1 && method.Sel.Name == "Go" {
					_, function := n.Args[0].(*ast.FuncLit)
					started[method.Sel] = function
				}
			case *ast.ImportSpec: // The names of other modules are ignored.
				return strings.HasPrefix(n.Path.Value, `"`+module)
			case *ast.Ident:
				if !started[n] {
					text = n.Name
				}
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					text, _ = strconv.Unquote(n.Value)
					text = strings.TrimPrefix(text, "golang.org/x/")    // an import
					text = strings.TrimPrefix(text, "text/javascript;") // the media type of a page's scripts
				}
			}
			if languageWord.MatchString(text) {
				complaints = append(complaints, fmt.Sprintf("%s names a language: %s", file.line(n), file.text(n)))
			}
			return true
		})
		return nil
	})
	return complaints, files, err
}
