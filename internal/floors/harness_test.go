package floors_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// checker returns a sentence for each place that breaks a rule, and how many Go
// files it read.
type checker func(fs.FS) (complaints []string, files int, err error)

// expectNone fails with the complaints about the repository.
func expectNone(t *testing.T, check checker) {
	t.Helper()
	root := repositoryRoot(t)
	complaints, files, err := check(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Fatalf("only %d Go files found under %s", files, root)
	}
	for _, c := range complaints {
		t.Error(c)
	}
}

// expectOne fails unless a file has one complaint, which contains want, or none
// if want is empty.
func expectOne(t *testing.T, check checker, file, source, want string) {
	t.Helper()
	got, _, err := check(fstest.MapFS{file: {Data: []byte(source)}})
	if err != nil {
		t.Fatal(err)
	}
	if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.Contains(got[0], want)) {
		t.Errorf("%s: got %q, want %q", source, got, want)
	}
}

// outside reports whether a directory does not belong to the module's own code.
func outside(fsys fs.FS, dir string) bool {
	if dir == "." {
		return false
	}
	base := path.Base(dir)
	if base == "testdata" || base == "vendor" || base == "node_modules" || base[0] == '.' || base[0] == '_' {
		return true
	}
	_, err := fs.Stat(fsys, path.Join(dir, "go.mod"))
	return err == nil
}

// A goFile is a parsed file of Go.
type goFile struct {
	*ast.File
	name   string // its path
	source []byte
	set    *token.FileSet
}

// line returns the path and line of n.
func (f *goFile) line(n ast.Node) string {
	return fmt.Sprintf("%s:%d", f.name, f.set.Position(n.Pos()).Line)
}

// text returns the source of n.
func (f *goFile) text(n ast.Node) []byte {
	return f.source[n.Pos()-f.FileStart : n.End()-f.FileStart]
}

// eachGoFile calls f with every Go file below root, except for the files and
// directories that are left out.
func eachGoFile(fsys fs.FS, root string, mode parser.Mode, leaveOut func(name string, dir bool) bool, f func(*goFile) error) error {
	return fs.WalkDir(fsys, root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && leaveOut(name, true):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go" || leaveOut(name, false):
			return nil
		}
		source, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, source, mode)
		if err != nil {
			return err
		}
		return f(&goFile{file, name, source, set})
	})
}

func repositoryRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module "+module) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatalf("no go.mod of %s above the test", module)
		}
		dir = parent
	}
}
