package main

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/lookup"
)

// needed are the packages whose functions are asked for.
var needed = []string{
	"net/http", "os", "crypto/tls", "encoding/xml", "go/ast", "go/types", "html/template", "image/draw", "log/slog", "net", "net/mail", "os/exec",
	"reflect", "regexp/syntax", "text/tabwriter", "text/template", "time", "archive/zip", "crypto/x509", "database/sql", "debug/elf", "encoding/json",
	"go/build", "go/parser", "go/token", "image", "io/fs", "math/big", "mime/multipart", "net/netip", "net/url", "sync", "testing", "go/doc", "syscall", "runtime", "encoding/gob", "encoding/asn1", "go/constant", "go/printer", "net/rpc", "net/smtp",
	"net/textproto", "net/http/httptest", "net/http/httputil", "net/http/cookiejar", "image/color", "image/gif", "crypto/ecdsa", "crypto/rsa", "bufio", "bytes", "context", "archive/tar",
}

// call is a function of a package with the exported types of the same package
// that its parameters are of, as go/parser reads them.
type call struct {
	path  string
	types []string
}

// calls reads the functions of a package of the standard library that take types
// of it.
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
		c := call{path: d.Name.Name}
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
					return false // of another package
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

// TestTheTypesOfParametersComeWithACall asks for functions of the standard
// library and looks for the declarations of their parameters' types.
func TestTheTypesOfParametersComeWithACall(t *testing.T) {
	l := lookup.New(openStore(languages(true)))
	symbols, shown, all := 0, 0, 0
	for _, path := range needed {
		for i, c := range calls(t, path) {
			if i == 60 { // no package alone decides
				break
			}
			a, err := l.Describe(t.Context(), lookup.Description{
				Package: lookup.Package{Language: "go", Name: path}, Symbols: c.path, Options: answer.Options{MaxTokens: 4000},
			})
			if err != nil {
				t.Errorf("%s.%s: %v", path, c.path, err)
				continue
			}
			symbols++
			if len(a.Text) > answer.Bytes(4000) {
				t.Errorf("%s.%s takes %d bytes", path, c.path, len(a.Text))
			}
			for _, name := range c.types {
				all++
				if strings.Contains(a.Text, "type "+name+" ") || strings.Contains(a.Text, "type "+name+"[") || strings.Contains(a.Text, "\t"+name+" ") {
					shown++
				} else {
					t.Logf("%s.%s does not show %s", path, c.path, name)
				}
			}
		}
	}
	t.Logf("%d symbols, %d of %d types of parameters shown", symbols, shown, all)
	if symbols < 400 || shown*100 < all*95 {
		t.Errorf("of %d symbols %d of %d types of parameters are shown", symbols, shown, all)
	}
}
