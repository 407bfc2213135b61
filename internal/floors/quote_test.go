package floors_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// decoders are packages whose errors may repeat their input, a file or an
// answer of any size, by import path.
var decoders = []string{
	"encoding/json", "encoding/xml", "encoding/pem", "encoding/base64", "encoding/hex", "go/parser", "go/format", "crypto/x509", "crypto/tls",
	"archive/zip", "archive/tar", "compress/gzip", "compress/flate", "compress/zlib", "net/url", "html", "golang.org/x/net/html",
	"golang.org/x/mod/modfile", "golang.org/x/mod/module", "golang.org/x/mod/semver", "golang.org/x/mod/sumdb/dirhash",
	"github.com/go-json-experiment/json", "github.com/go-json-experiment/json/jsontext", "github.com/BurntSushi/toml", "github.com/pelletier/go-toml/v2",
	"gopkg.in/ini.v1", "gopkg.in/yaml.v3", "github.com/goccy/go-yaml", "github.com/tailscale/hujson",
}

func TestErrorsOfDecodersAreQuotedWithinABound(t *testing.T) {
	complaints, calls, err := checkQuotes(os.DirFS(repositoryRoot(t)))
	if err != nil {
		t.Fatal(err)
	}
	if calls < 30 {
		t.Fatalf("only %d calls of decoders were looked at", calls)
	}
	for _, c := range complaints {
		t.Error(c)
	}
}

func TestAnErrorThatIsNotQuotedIsNamed(t *testing.T) {
	const head = "package p\nimport (\"encoding/json\"; \"fmt\"; \"os\"; \"x/quote\")\nfunc f(b []byte) error {\n"
	for body, bad := range map[string]bool{
		"err := json.Unmarshal(b, &b); return fmt.Errorf(\"x: %w\", err)":                                             true,
		"if err := json.Unmarshal(b, &b); err != nil { return fmt.Errorf(\"x: %w\", err) }; return nil":               true,
		"err := json.NewDecoder(os.Stdin).Decode(&b); println(err.Error()); return nil":                               true,
		"d := json.NewDecoder(os.Stdin); err := d.Decode(&b); return fmt.Errorf(\"x: %w\", err)":                      true,
		"err := json.Unmarshal(b, &b); return fmt.Errorf(\"x: %w\", quote.Error(err))":                                false,
		"err := json.Unmarshal(b, &b); return fmt.Errorf(\"x: %w\", quote.Error(first(err)))":                         false,
		"err := json.Unmarshal(b, &b); return fmt.Errorf(\"x: %w\", first(err))":                                      true,
		"err := json.Unmarshal(b, &b); return err":                                                                    false,
		"err := json.Unmarshal(b, &b); if err == nil { _, err = os.Stat(\"\") }; return fmt.Errorf(\"x: %w\", err)":   false,
		"_, err := os.Stat(\"\"); return fmt.Errorf(\"x: %w\", err)":                                                  false,
		"text := quote.Error(json.Unmarshal(b, &b)).Error(); println(text); return nil":                               false,
		"_, err := json.Marshal(b); if err == nil { err = json.Unmarshal(b, &b) }; return fmt.Errorf(\"x: %v\", err)": true,
	} {
		got, _, err := checkQuotes(fstest.MapFS{"internal/p/a.go": {Data: []byte(head + body + "\n}")}})
		if err != nil {
			t.Fatal(err)
		}
		if (len(got) > 0) != bad {
			t.Errorf("%s: %q", body, got)
		}
	}
}

// checkQuotes lists the places of docent that format the error of a decoder, or
// take its text, without package quote, and counts the calls of decoders whose
// error has a name. An error counts as that of the call that was last assigned
// to its name before, in the order of the text.
func checkQuotes(fsys fs.FS) (complaints []string, calls int, err error) {
	leaveOut := func(name string, dir bool) bool {
		if !dir {
			return strings.HasSuffix(name, "_test.go")
		}
		return path.Base(name) == "testdata" || slices.Contains([]string{"vendor", "mcp", "test", "examples", "bench", "interop", "conformance", "internal/bench", "internal/floors"}, name)
	}
	err = eachGoFile(fsys, ".", parser.SkipObjectResolution, leaveOut, func(file *goFile) error {
		local := map[string]bool{} // local contains the names of decoders in the file.
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if !slices.Contains(decoders, imported) {
				continue
			}
			base := strings.TrimSuffix(path.Base(imported), "/v2")
			if spec.Name != nil {
				base = spec.Name.Name
			}
			local[base] = true
		}
		if len(local) == 0 {
			return nil
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
				c := quoteChecker{file: file, local: local, values: map[string]bool{}, errors: map[string]bool{}}
				ast.Inspect(f.Body, c.visit)
				complaints, calls = append(complaints, c.complaints...), calls+c.calls
			}
		}
		return nil
	})
	return complaints, calls, err
}

type quoteChecker struct {
	file       *goFile
	local      map[string]bool
	values     map[string]bool // variables that a decoder returned, such as a json.Decoder
	errors     map[string]bool // variables that hold the error of a decoder
	complaints []string
	calls      int
}

func (c *quoteChecker) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		ast.Inspect(n.Rhs[0], c.visit) // Visit the right side before the assignment.
		from := len(n.Rhs) == 1 && c.isDecoder(n.Rhs[0])
		for i, left := range n.Lhs {
			name, ok := left.(*ast.Ident)
			if !ok || name.Name == "_" {
				continue
			}
			isError := name.Name == "err" || strings.HasSuffix(name.Name, "Err")
			if isError && from && i == len(n.Lhs)-1 {
				c.calls++
			}
			c.errors[name.Name] = from && isError
			c.values[name.Name] = from && !isError
		}
		return false
	case *ast.CallExpr:
		called := nameOf(n.Fun)
		if quotes(called) {
			return false
		}
		if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Error" && len(n.Args) == 0 {
			if name, ok := s.X.(*ast.Ident); ok && c.errors[name.Name] {
				c.complain(n, name.Name+".Error()")
			}
		}
		formats := called == "fmt.Errorf" || called == "fmt.Sprintf" || called == "fmt.Sprint" ||
			strings.HasSuffix(called, "Fail") || strings.HasSuffix(called, ".warn") || called == "invalid"
		if !formats {
			return true
		}
		for _, arg := range n.Args {
			ast.Inspect(arg, func(inner ast.Node) bool {
				if call, ok := inner.(*ast.CallExpr); ok && quotes(nameOf(call.Fun)) {
					return false
				}
				if name, ok := inner.(*ast.Ident); ok && c.errors[name.Name] {
					c.complain(n, called+" of "+name.Name)
				}
				return true
			})
		}
	}
	return true
}

func (c *quoteChecker) complain(n ast.Node, what string) {
	c.complaints = append(c.complaints, fmt.Sprintf("%s: %s: the error of a decoder may repeat a whole file; use quote.Error", c.file.line(n), what))
}

// isDecoder reports whether e calls a decoder or a method of what one returned.
func (c *quoteChecker) isDecoder(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	root, _, _ := strings.Cut(nameOf(call.Fun), ".")
	if c.local[root] || c.values[root] {
		return true
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	return ok && c.isDecoder(s.X)
}

// quotes reports whether the function of that name shortens an error.
func quotes(called string) bool {
	return strings.HasPrefix(called, "quote.") || called == "plainError" // The function belongs to package golang, and calls quote.Error.
}

// nameOf returns the dotted name of a called function, or "".
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if x := nameOf(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	}
	return ""
}
