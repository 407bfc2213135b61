// Command golang compares the parts of declarations in Go packages with the results of go/types:
// the names, types and order of parameters, results and type parameters, and the symbols that the
// names of types refer to.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/naming"
)

func main() {
	list := flag.Bool("list", false, "show each difference")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "usage: golang [-list] DIR PACKAGE…   DIR is a module that requires the packages")
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), flag.Args()[1:], *list); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// listed is the output of go list for a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, CgoFiles       []string
	ImportMap               map[string]string
}

func run(out io.Writer, dir string, packages []string, list bool) error {
	known, err := goList(dir, packages)
	if err != nil {
		return err
	}
	g := golang.New(ecosystem.Options{Offline: true})
	var total tally
	for _, path := range packages {
		want, err := check(known, path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		got, err := ecosystem.Describe(context.Background(), g, ecosystem.Query{Package: path, ProjectDir: dir, Platform: runtime.GOOS + "/" + runtime.GOARCH}, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		j := judge{pkg: want, got: got, resolver: naming.NewResolver(got)}
		j.compare()
		if list {
			for _, d := range j.differences {
				fmt.Fprintln(out, path+": "+d)
			}
		}
		total.add(&j.tally)
	}
	return total.report(out, len(packages))
}

// goList lists packages and their dependencies with their export data files.
func goList(dir string, packages []string) (map[string]*listed, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles,ImportMap"}, packages...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	known := map[string]*listed{}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return known, nil
		} else if err != nil {
			return nil, err
		}
		known[p.ImportPath] = &p
	}
}

// check type-checks the files of a package.
func check(known map[string]*listed, path string) (*types.Package, error) {
	p := known[path]
	if p == nil {
		return nil, errors.New("go list does not know it")
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	lookup := func(importPath string) (io.ReadCloser, error) {
		if mapped := p.ImportMap[importPath]; mapped != "" {
			importPath = mapped
		}
		d := known[importPath]
		if d == nil || d.Export == "" {
			return nil, fmt.Errorf("there are no types of %s", importPath)
		}
		return os.Open(d.Export)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", lookup), FakeImportC: true, IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := conf.Check(path, fset, files, nil)
	return pkg, nil
}
