package floors_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// readers are the packages that read what others wrote. They open files with
// package rootfs alone, which follows no link out of a package or project.
var readers = []string{"internal/ecosystem", "internal/project", "internal/program", "internal/lookup", "internal/resolve", "internal/catalog", "internal/prose", "internal/markup", "internal/fingerprint"}

// openers are the functions of package os that open a file or directory.
var openers = []string{"Open", "OpenFile", "ReadFile", "ReadDir", "DirFS", "OpenRoot", "OpenInRoot", "CopyFS"}

func TestOpen_ReadersUseRootfs(t *testing.T) {
	complaints, files, err := checkOpens(os.DirFS(repositoryRoot(t)))
	if err != nil {
		t.Fatal(err)
	}
	if files < 200 {
		t.Fatalf("only %d files were looked at", files)
	}
	for _, c := range complaints {
		t.Error(c)
	}
}

func TestOpen_OtherWaysAreNamed(t *testing.T) {
	for body, bad := range map[string]bool{
		`import "os"; var _, _ = os.Open("x")`:             true,
		`import "os"; var _, _ = os.ReadFile("x")`:         true,
		`import "os"; var _ = os.DirFS("x")`:               true,
		`import system "os"; var f = system.OpenRoot`:      true,
		`import "io/ioutil"; var _, _ = ioutil.ReadAll(x)`: true,
		`import . "os"; var _, _ = Open("x")`:              true,
		`import "syscall"; var _, _ = syscall.Open("", 0)`: true,
		`import "os"; var _, _ = os.Stat("x")`:             false,
		`import "x/rootfs"; var _, _ = rootfs.Open("x")`:   false,
	} {
		got, _, err := checkOpens(fstest.MapFS{
			"internal/project/a.go":      {Data: []byte("package project\n" + body)},
			"internal/project/a_test.go": {Data: []byte("package project\nimport \"os\"\nvar _, _ = os.Open(\"x\")")},
			"internal/cachedir/a.go":     {Data: []byte("package cachedir\n" + body)},
		})
		if err != nil {
			t.Fatal(err)
		}
		if (len(got) > 0) != bad {
			t.Errorf("%s: %q", body, got)
		}
	}
}

// checkOpens lists the calls of openers in readers.
func checkOpens(root fs.FS) (complaints []string, files int, err error) {
	for _, dir := range readers {
		err := fs.WalkDir(root, dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() && e.Name() == "testdata" {
				if e == nil {
					return nil // a tree of a test that lacks the directory
				}
				return fs.SkipDir
			}
			if e.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			data, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			files++
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, data, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, call := range otherOpens(file) {
				complaints = append(complaints, fmt.Sprintf("%s uses %s; open files with package rootfs, which follows no link out of a package", set.Position(call.Pos()), call.Name))
			}
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return complaints, files, nil
}

// otherOpens returns the names in a file that open files past package rootfs.
func otherOpens(file *ast.File) (found []*ast.Ident) {
	imported := ""
	for _, i := range file.Imports {
		switch strings.Trim(i.Path.Value, `"`) {
		case "os":
			imported = "os"
			if i.Name != nil {
				imported = i.Name.Name
			}
			if imported == "." {
				found = append(found, i.Name)
			}
		case "io/ioutil":
			found = append(found, ast.NewIdent("io/ioutil"))
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && (x.Name == imported && slices.Contains(openers, s.Sel.Name) || x.Name == "syscall" && s.Sel.Name == "Open") {
				found = append(found, s.Sel)
			}
		}
		return true
	})
	return found
}
