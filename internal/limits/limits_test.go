// Package limits writes docs/limits.md: the constants in the code that bound what is
// read, kept and printed, with their values and comments.
package limits

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/docent-mcp/docent/internal/filetest"
)

const intro = `# Limits

The constants that bound what docent and the library ` + "`mcp`" + ` read and keep. This page is generated from the code:
` + "`go test ./internal/limits -update`" + ` rewrites it. Input beyond a limit is refused with an error, or left out, and the
answer says what is missing. The lengths of the parts of an answer are not listed.

[Security](../SECURITY.md) says what the limits are for. The limits of a server that you build with ` + "`mcp`" + ` are options:
` + "`mcp.Limits`, `mcp.TaskOptions` and `mcp.HTTPOptions`" + ` document them with their defaults.
`

// rendering contains the packages whose constants limit the lengths of parts of an answer.
var rendering = map[string]bool{"internal/answer": true, "internal/search": true, "internal/depindex": true}

// limit is a constant that bounds something.
type limit struct {
	name, value, meaning string
}

// isLimit reports whether a constant is a limit by its name.
func isLimit(name string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(name[:1])+name[1:], "max")
	return ok && rest != "" && unicode.IsUpper(rune(rest[0]))
}

// limitsOf returns the limits of the package in a directory, and the synopsis of the
// package.
func limitsOf(dir string) (list []limit, synopsis string, err error) {
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, "", err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, "", err
		}
		files = append(files, file)
		if file.Doc != nil && synopsis == "" {
			synopsis = doc.Synopsis(file.Doc.Text()) //nolint:staticcheck // links do not matter here
		}
	}
	// Imports are not resolved: limits are made of literals and other constants of
	// their package.
	info := types.Info{Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}, Importer: noImports{}}
	_, _ = config.Check(dir, fset, files, &info)
	for _, file := range files {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			shared := "" // shared is a comment that describes several constants.
			for _, spec := range group.Specs {
				spec := spec.(*ast.ValueSpec)
				shared = cmp.Or(spec.Doc.Text(), shared)
				for _, name := range spec.Names {
					c, ok := info.Defs[name].(*types.Const)
					if !ok || !isLimit(name.Name) || c.Val().Kind() != constant.Int {
						continue
					}
					text := cmp.Or(spec.Doc.Text(), spec.Comment.Text(), group.Doc.Text())
					if text == "" && strings.Contains(shared, name.Name) {
						text = shared
					}
					text = strings.Join(strings.Fields(text), " ")
					value, _ := constant.Int64Val(c.Val())
					list = append(list, limit{name.Name, number(value, text), meaning(name.Name, text)})
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b limit) int { return strings.Compare(a.name, b.name) })
	return list, synopsis, nil
}

type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s is not read", path)
}

// meaning returns the comment of a constant without the words that repeat its name.
func meaning(name, text string) string {
	for _, verb := range []string{" bounds ", " limits ", " is the ", " is how ", " is "} {
		if rest, ok := strings.CutPrefix(text, name+verb); ok {
			if verb == " is how " {
				rest = "how " + rest
			}
			text = rest
			break
		}
	}
	return strings.ReplaceAll(strings.TrimSuffix(text, "."), "|", `\|`)
}

// number writes a value for people: sizes in bytes with their unit, others with commas.
func number(value int64, text string) string {
	if strings.Contains(text, "byte") || strings.Contains(text, "size") {
		for _, unit := range []struct {
			shift uint
			name  string
		}{{30, "GiB"}, {20, "MiB"}, {10, "KiB"}} {
			if size := int64(1) << unit.shift; value >= size && value%size == 0 {
				return fmt.Sprintf("%d %s", value>>unit.shift, unit.name)
			}
		}
	}
	digits := fmt.Sprint(value)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// writePage returns the text of docs/limits.md.
func writePage(root string) (string, error) {
	var dirs []string
	for _, top := range []string{"cmd", "internal", "mcp"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == "testdata" || rendering[filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))] {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return fs.SkipDir // a module of its own
			}
			dirs = append(dirs, path)
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	var b strings.Builder
	b.WriteString(intro)
	for _, dir := range dirs {
		list, synopsis, err := limitsOf(dir)
		if err != nil {
			return "", err
		}
		if len(list) == 0 {
			continue
		}
		name, err := filepath.Rel(root, dir)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n## %s\n\n", filepath.ToSlash(name))
		if synopsis != "" {
			b.WriteString(synopsis + "\n\n")
		}
		b.WriteString("| constant | value | bounds |\n|---|---|---|\n")
		for _, l := range list {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", l.name, l.value, l.meaning)
		}
	}
	return b.String(), nil
}

func TestLimits_ThePageIsUpToDate(t *testing.T) {
	want, err := writePage("../..")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(want, "\n| `") < 150 {
		t.Errorf("only %d limits were found", strings.Count(want, "\n| `"))
	}
	filetest.Golden(t, "../../docs/limits.md", want)
}

func TestLimits_EachHasAComment(t *testing.T) {
	text, err := writePage("../..")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text) {
		if strings.HasSuffix(line, "|  |\n") {
			t.Errorf("a limit has no comment: %s", line)
		}
	}
}

func TestLimits_Values(t *testing.T) {
	for _, tt := range []struct {
		value      int64
		text, want string
	}{
		{64 << 20, "maximum size in bytes", "64 MiB"},
		{1 << 20, "maximum number of nodes", "1,048,576"},
		{600, "maximum size in bytes", "600"},
		{20_000, "", "20,000"},
	} {
		if got := number(tt.value, tt.text); got != tt.want {
			t.Errorf("%d: got %s, want %s", tt.value, got, tt.want)
		}
	}
	if got := meaning("maxNear", "maxNear bounds the names that an error lists."); got != "the names that an error lists" {
		t.Errorf("got %q", got)
	}
}
