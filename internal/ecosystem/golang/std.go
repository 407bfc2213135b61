package golang

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/project"
)

// toolchain is a Go installation whose standard library can be read.
type toolchain struct {
	root    string // absolute path of GOROOT
	version string // "go1.26.8"
	why     string // reason for the selection of the toolchain
}

// inStd reports whether an import path must belong to the standard library.
// That is the case if its first element has no dot and the installation
// contains a directory with that name.
func (t toolchain) inStd(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return t.root != "" && !strings.Contains(first, ".") && project.IsDir(t.dirOf(importPath))
}

func (t toolchain) dirOf(importPath string) string {
	return filepath.Join(t.root, "src", filepath.FromSlash(importPath))
}

// open returns a Source for a package of the standard library, or for a command
// that comes with Go, such as "cmd/gofmt" in the module cmd.
func (t toolchain) open(importPath string) *godoc.Source {
	src := &godoc.Source{
		ImportPath: importPath,
		Module:     "std",
		Version:    t.version,
		Dir:        importPath,
		Provenance: apidoc.Provenance{
			Source:    "GOROOT",
			Location:  t.root,
			ChosenBy:  t.why,
			Integrity: "installed with Go",
		},
	}
	root := filepath.Join(t.root, "src")
	if importPath == "cmd" || strings.HasPrefix(importPath, "cmd/") {
		src.Module, root = "cmd", filepath.Join(root, "cmd")
		if src.Dir = strings.TrimPrefix(strings.TrimPrefix(importPath, "cmd"), "/"); src.Dir == "" {
			src.Dir = "."
		}
	}
	src.FS = openTree(root)
	return src
}

// std finds a package of the standard library. internal allows packages that
// only the standard library can import.
func (t toolchain) std(importPath string, internal bool) (*godoc.Source, error) {
	if !internal && slices.Contains(strings.Split(importPath, "/"), "internal") {
		return nil, ecosystem.Fail(ecosystem.Refused, "%s is internal to the standard library and cannot be imported", importPath).
			WithNext("request the public package that uses it")
	}
	if slices.Contains(strings.Split(importPath, "/"), "vendor") {
		return nil, ecosystem.Fail(ecosystem.Refused, "%s is a private copy of the standard library", importPath).
			WithNext("request it by its own import path")
	}
	src := t.open(importPath)
	if !hasGoFiles(src.FS, src.Dir) {
		return nil, ecosystem.Fail(ecosystem.NotFound, "the directory of %s in %s does not contain any Go files", importPath, t.version).
			WithTried(t.dirOf(importPath)).
			WithNear(packagesBelow(src, maxNear)...).
			WithNext("specify one of its subpackages")
	}
	return src, nil
}

// maxNear is the maximum number of names that an error suggests.
const maxNear = 8

// hasGoFiles reports whether a directory contains a Go file that is not a test file.
func hasGoFiles(fsys fs.FS, dir string) bool {
	if d, ok := fsys.(*dirFS); ok && !d.owns(dir) {
		return false
	}
	entries, err := fs.ReadDir(fsys, dir)
	return err == nil && slices.ContainsFunc(entries, isGoFile)
}

func isGoFile(e fs.DirEntry) bool {
	name := e.Name()
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
		!strings.HasPrefix(name, "_") && !strings.HasPrefix(name, ".") && !e.IsDir()
}

// packagesBelow lists the import paths of at most limit packages below a
// source's directory, sorted.
func packagesBelow(src *godoc.Source, limit int) []string {
	return packagesIn(src, limit, skipDir)
}

// packagesIn is like packagesBelow, but skips the directories for which skip returns
// true.
func packagesIn(src *godoc.Source, limit int, skip func(name string) bool) []string {
	var found []string
	budget := 2000 // maximum number of directories that are read
	walk := func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		if !e.IsDir() {
			return nil
		}
		if budget--; budget < 0 || len(found) >= limit {
			return fs.SkipAll
		}
		if p != src.Dir && skip(e.Name()) {
			return fs.SkipDir
		}
		if p != src.Dir && hasGoFiles(src.FS, p) {
			rel := strings.TrimPrefix(p, src.Dir+"/")
			if src.Dir == "." {
				rel = p
			}
			found = append(found, path.Join(src.ImportPath, rel))
		}
		return nil
	}
	_ = fs.WalkDir(src.FS, src.Dir, walk) // unreadable directories are not listed
	return found
}

// skipOwn is like skipDir for a module in the project, whose internal packages the
// project may use.
func skipOwn(name string) bool { return name != "internal" && skipDir(name) }

// skipDir reports whether a directory with this name does not contain packages
// that others can import.
func skipDir(name string) bool {
	return name == "testdata" || name == "vendor" || name == "internal" ||
		strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}
