package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/lookup"
)

// needed contains the packages whose functions the test requests.
var needed = []string{
	"net/http", "os", "crypto/tls", "encoding/xml", "go/ast", "go/types", "html/template", "image/draw", "log/slog", "net", "net/mail", "os/exec",
	"reflect", "regexp/syntax", "text/tabwriter", "text/template", "time", "archive/zip", "crypto/x509", "database/sql", "debug/elf", "encoding/json",
	"go/build", "go/parser", "go/token", "image", "io/fs", "math/big", "mime/multipart", "net/netip", "net/url", "sync", "testing", "go/doc", "syscall", "runtime", "encoding/gob", "encoding/asn1", "go/constant", "go/printer", "net/rpc", "net/smtp",
	"net/textproto", "net/http/httptest", "net/http/httputil", "net/http/cookiejar", "image/color", "image/gif", "crypto/ecdsa", "crypto/rsa", "bufio", "bytes", "context", "archive/tar",
}

// call is a function of a package, with the types of the same package in its parameters.
type call struct {
	pkg, path string
	types     []string
}

// coverage counts the parameter types that answers about calls contain.
type coverage struct {
	*lookup.Lookup
	language, project   string
	declaration         string // pattern of the declaration of the type %[1]s
	symbols, shown, all int
}

// ask requests a call and searches the answer for the declarations of its types.
func (v *coverage) ask(t *testing.T, c call) {
	t.Helper()
	const tokens = 4000
	a, err := v.Describe(t.Context(), lookup.Description{
		Package: lookup.Package{Language: v.language, Name: c.pkg, Project: v.project}, Symbols: c.path, Options: answer.Options{MaxTokens: tokens},
	})
	if err != nil {
		t.Errorf("%s %s: %v", c.pkg, c.path, err)
		return
	}
	v.symbols++
	if len(a.Text) > answer.Bytes(tokens) {
		t.Errorf("%s %s takes %d bytes", c.pkg, c.path, len(a.Text))
	}
	for _, name := range c.types {
		v.all++
		if regexp.MustCompile(fmt.Sprintf(v.declaration, regexp.QuoteMeta(name))).MatchString(a.Text) {
			v.shown++
		} else {
			t.Logf("%s %s does not show %s", c.pkg, c.path, name)
		}
	}
}

// check fails the test if fewer than 95 % of the types were shown, or if fewer than minimum symbols
// were requested.
func (v *coverage) check(t *testing.T, minimum int) {
	t.Helper()
	t.Logf("%d symbols, %d of %d types of parameters shown", v.symbols, v.shown, v.all)
	if v.symbols < minimum || v.shown*100 < v.all*95 {
		t.Errorf("of %d symbols %d of %d types of parameters are shown", v.symbols, v.shown, v.all)
	}
}

// calls returns the functions of a package of the standard library that take types of the package.
func calls(t *testing.T, path string) []call {
	t.Helper()
	// runtime.GOROOT is empty in a binary built with -trimpath.
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(root)), "src", filepath.FromSlash(path))
	files := token.NewFileSet()
	var decls []*ast.FuncDecl
	types := map[string]bool{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		match, err := build.Default.MatchFile(dir, e.Name())
		if err != nil || !match || e.Type() != fs.FileMode(0) || !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() {
					decls = append(decls, d)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
						types[s.Name.Name] = true
					}
				}
			}
		}
	}
	var found []call
	for _, d := range decls {
		c := call{pkg: path, path: d.Name.Name}
		receiverType := ""
		if d.Recv != nil {
			if receiverType = receiver(d.Recv.List[0].Type); !ast.IsExported(receiverType) {
				continue
			}
			c.path = receiverType + "." + c.path
		}
		for _, p := range d.Type.Params.List {
			ast.Inspect(p.Type, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					return false // the type belongs to another package
				case *ast.Ident:
					if types[n.Name] && n.Name != receiverType {
						c.types = append(c.types, n.Name)
					}
				}
				return true
			})
		}
		if len(c.types) > 0 {
			found = append(found, c)
		}
	}
	return found
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// TestTheTypesOfParametersComeWithACall requests functions of the standard library and checks that
// the answers contain the declarations of their parameters' types.
func TestTheTypesOfParametersComeWithACall(t *testing.T) {
	v := &coverage{Lookup: lookup.New(openStore(languages, true)), language: "go", declaration: `type %[1]s[ \[]|\t%[1]s `}
	for _, path := range needed {
		all := calls(t, path)
		for _, c := range all[:min(len(all), 60)] { // limit the calls of each package, so that no package dominates the result
			v.ask(t, c)
		}
	}
	v.check(t, 400)
}
