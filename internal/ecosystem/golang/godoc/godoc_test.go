package godoc

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/naming"
)

// TestStdIsWhatGoDocPrints compares what Read returns for packages of the standard
// library with what the installed go command prints: both must contain the same symbols
// with the same signatures, in the same order.
func TestStdIsWhatGoDocPrints(t *testing.T) {
	t.Parallel()
	packages := []string{
		"archive/zip", "bufio", "builtin", "bytes", "context", "crypto/tls", "database/sql",
		"encoding/binary", "encoding/json", "errors", "fmt", "go/ast", "go/types", "html/template",
		"image", "io", "io/fs", "iter", "log/slog", "maps", "math/big", "net", "net/http", "net/url",
		"os", "path/filepath", "reflect", "regexp", "runtime", "slices", "sort", "strings", "sync",
		"sync/atomic", "syscall", "testing", "text/template", "time", "unicode", "unsafe",
	}
	if os.Getenv("DOCENT_LIVE") == "1" {
		packages = allStd(t)
	}
	for _, name := range packages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareWithGoDoc(t, readStd(t, name), goroot(t), name)
		})
	}
}

// goroot returns the GOROOT of the go command in PATH. runtime.GOROOT is empty
// in a binary built with -trimpath. The test fails if there are no sources.
func goroot(t testing.TB) string {
	t.Helper()
	root, err := findGoroot()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

var findGoroot = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	root := strings.TrimSpace(string(out))
	_, err = os.Stat(filepath.Join(root, "src", "fmt", "print.go"))
	return root, err
})

// stdSource returns a package of the standard library of the Go installation that runs
// the test.
func stdSource(importPath string) (*Source, error) {
	root, err := findGoroot()
	if err != nil {
		return nil, err
	}
	root = filepath.Join(root, "src")
	for _, dir := range []string{importPath, path.Join("vendor", importPath)} {
		if _, err := os.Stat(filepath.Join(root, dir)); err == nil {
			return &Source{
				ImportPath: importPath, Module: "std", Version: runtime.Version(), FS: os.DirFS(root), Dir: dir,
				Provenance: apidoc.Provenance{Source: "GOROOT", ChosenBy: "the test"},
			}, nil
		}
	}
	return nil, fs.ErrNotExist
}

// stdFiles returns the Go files of a package of the standard library by their paths.
func stdFiles(t *testing.T, importPath string) map[string][]byte {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(goroot(t), "src", importPath, "*.go"))
	if len(names) == 0 {
		t.Fatalf("there are no sources of %s", importPath)
	}
	files := map[string][]byte{}
	for _, name := range names {
		src := filetest.Read(t, name)
		files[name] = src
	}
	return files
}

func readStd(t testing.TB, importPath string) *apidoc.Package {
	t.Helper()
	src, err := stdSource(importPath)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := Read(t.Context(), src, "", stdSource)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range pkg.Warnings {
		if !strings.Contains(w, "other platforms have additional symbols") {
			t.Error("unexpected warning: " + w)
		}
	}
	return pkg
}

// allStd lists the packages of the standard library that have symbols.
func allStd(t *testing.T) []string {
	root := filepath.Join(goroot(t), "src")
	list := goCommand(t, root, "list", "-f", `{{if and (ne .Name "main") (or .GoFiles .CgoFiles)}}{{.ImportPath}}{{end}}`, "std")
	var all []string
	for name := range strings.FieldsSeq(list) {
		if !strings.HasPrefix(name, "vendor/") {
			all = append(all, name)
		}
	}
	return all
}

// goCommand runs the go command in dir and returns what it prints.
func goCommand(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOTOOLCHAIN=local")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// printed is one declaration as go doc prints it.
type printed struct {
	kind apidoc.Kind
	// paths are the symbols that it declares: one, or the names of a group of
	// constants or variables. members are fields and interface methods.
	paths, members []string
	text           string
}

// compareWithGoDoc reports where pkg and the output of "go doc -all" differ.
func compareWithGoDoc(t *testing.T, pkg *apidoc.Package, dir, importPath string) {
	t.Helper()
	all := importPath == "builtin"
	wantText := map[string]string{}
	kinds := map[string]apidoc.Kind{}
	var wantOrder []string
	want := map[string]bool{}
	args := []string{"doc", "-all", importPath}
	if all {
		args = []string{"doc", "-u", "-all", importPath}
	}
	for _, d := range goDoc(t, goCommand(t, dir, args...), all) {
		for _, p := range d.paths {
			want[p], wantText[p], kinds[p] = true, d.text, d.kind
			if !strings.Contains(p, ".") {
				wantOrder = append(wantOrder, p)
			}
		}
		for _, p := range d.members {
			want[p] = true
		}
	}
	got := map[string]bool{}
	for s := range pkg.All {
		if owner, member, _ := strings.Cut(s.Path, "."); strings.Contains(member, ".") || member != "" && kinds[owner] == apidoc.Var {
			continue // fields of type literals, which go doc prints as part of the enclosing declaration
		}
		got[s.Path] = true
		if s.From == "" && !want[s.Path] {
			t.Errorf("%s is not in go doc", s.Path)
		}
		text, ok := wantText[s.Path]
		if !ok {
			continue
		}
		signature := s.Signature
		if s.Group > 0 {
			if !strings.HasPrefix(signature, string(s.Kind)+" ") {
				t.Errorf("%s has signature %s", s.Path, signature)
			}
			signature = pkg.Groups[s.Group-1].Signature
		}
		if s.From != "" { // go doc omits the type parameters of the receiver of a promoted method.
			signature = receiverParams.ReplaceAllString(signature, "$1)")
			text = receiverParams.ReplaceAllString(text, "$1)")
		}
		if fields(signature) != fields(text) {
			t.Errorf("%s is\n%s\ngo doc prints\n%s", s.Path, signature, text)
		}
		if s.File == "" || s.Line == 0 {
			t.Errorf("%s has no position", s.Path)
		}
	}
	for p := range want {
		if !got[p] {
			t.Errorf("%s is missing", p)
		}
	}
	var order []string
	for _, s := range pkg.Symbols {
		order = append(order, s.Path)
	}
	if len(got) == len(want) && !slices.Equal(order, wantOrder) {
		t.Errorf("the order is\n%s\ngo doc has\n%s", order, wantOrder)
	}
	if len(want) == 0 && !strings.HasPrefix(importPath, "internal") {
		t.Log("go doc prints no symbols")
	}
}

var receiverParams = regexp.MustCompile(`^(func \([^()\[]+)\[[^\[\]]+\]\)`)

// fields normalizes white space.
func fields(s string) string { return strings.Join(strings.Fields(s), " ") }

// goDoc parses the output of "go doc -all". all is true if symbols need not be
// exported.
func goDoc(t *testing.T, out string, all bool) []printed {
	t.Helper()
	var list []printed
	lines := strings.Split(out, "\n")
	i := 0
	for ; i+2 < len(lines); i++ { // The examples come after the package's own comment.
		keyword := map[string]string{"CONSTANTS": "const ", "VARIABLES": "var ", "FUNCTIONS": "func ", "TYPES": "type "}[lines[i]]
		if keyword != "" && lines[i+1] == "" && strings.HasPrefix(lines[i+2], keyword) {
			break
		}
	}
	for ; i < len(lines); i++ {
		if !slices.ContainsFunc([]string{"const ", "var ", "func ", "type "}, func(k string) bool { return strings.HasPrefix(lines[i], k) }) {
			continue
		}
		text := lines[i]
		var f *ast.File
		var err error
		for {
			if balanced(text) {
				if f, err = parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, parser.ParseComments); err == nil {
					break
				}
			}
			if i++; i == len(lines) {
				break
			}
			text += "\n" + lines[i]
		}
		if err != nil || len(f.Decls) != 1 {
			t.Fatalf("cannot take go doc's output apart at %q: %v", text, err)
		}
		list = append(list, declares(f.Decls[0], text, all))
	}
	return list
}

// balanced reports whether all brackets in Go code are closed.
func balanced(code string) bool {
	var s scanner.Scanner
	fset := token.NewFileSet()
	open, failed := 0, false
	s.Init(fset.AddFile("", -1, len(code)), []byte(code), func(token.Position, string) { failed = true }, 0)
	for {
		switch _, tok, _ := s.Scan(); tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			open++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			open--
		case token.EOF:
			return open == 0 && !failed
		}
	}
}

func declares(decl ast.Decl, text string, all bool) printed {
	exported := func(name string) bool { return all || token.IsExported(name) }
	p := printed{text: text}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		p.kind = apidoc.Func
		name := d.Name.Name
		if d.Recv != nil {
			p.kind = apidoc.Method
			name = typeName(d.Recv.List[0].Type) + "." + name
		}
		p.paths = []string{name}
	case *ast.GenDecl:
		p.kind = apidoc.Kind(d.Tok.String())
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if exported(name.Name) {
						p.paths = append(p.paths, name.Name)
					}
				}
			case *ast.TypeSpec:
				p.paths = []string{spec.Name.Name}
				var list *ast.FieldList
				isInterface := false
				switch t := spec.Type.(type) {
				case *ast.StructType:
					list = t.Fields
				case *ast.InterfaceType:
					list, isInterface = t.Methods, true
				default:
					continue
				}
				for _, f := range list.List {
					names := f.Names
					if len(names) == 0 && !isInterface {
						names = []*ast.Ident{ast.NewIdent(typeName(f.Type))}
					}
					for _, name := range names {
						if exported(name.Name) {
							p.members = append(p.members, spec.Name.Name+"."+name.Name)
						}
					}
				}
			}
		}
	}
	return p
}

func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"net/http", "encoding/json", "syscall"} {
		b.Run(name, func(b *testing.B) {
			src, err := stdSource(name)
			if err != nil {
				b.Skip("the sources of the standard library are not installed, which this benchmark reads; to run it, set GOROOT to an installation of Go with src")
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(b.Context(), src, "", stdSource); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestSyntax_Std checks that all declarations of packages of the standard library have
// parts, and that every name in them is resolved.
func TestSyntax_Std(t *testing.T) {
	for _, importPath := range []string{"net/http", "go/ast", "slices", "encoding/json", "sync/atomic", "iter", "database/sql", "os", "reflect", "testing", "time", "unsafe"} {
		p := readStd(t, importPath)
		p.Style.Syntax = Syntax{}
		resolver := naming.NewResolver(p)
		for s := range p.All {
			d := resolver.Decl(s)
			if err := d.Check(); err != nil || len(d.Parts) == 0 {
				t.Errorf("%s.%s: %q: no parts, or %v", importPath, s.Path, s.Signature, err)
			}
			for i := range d.References(-1) {
				if ref := d.Parts[i]; ref.Target != nil && !strings.Contains(d.PartText(i), ".") && ref.Target.Package != "" {
					t.Errorf("%s.%s: %q: %s is resolved to %v", importPath, s.Path, s.Signature, d.PartText(i), ref.Target)
				} else if ref.Target == nil && ref.Flags&(apidoc.Local|apidoc.Builtin) == 0 && (strings.Contains(d.PartText(i), ".") || token.IsExported(d.PartText(i))) {
					t.Errorf("%s.%s: %q: %s is not resolved", importPath, s.Path, s.Signature, d.PartText(i))
				}
			}
		}
	}
}
