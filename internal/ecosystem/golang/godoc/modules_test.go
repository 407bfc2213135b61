package godoc

import (
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestModulesAreWhatGoDocPrints compares what Read returns for every package of some
// modules with what go doc prints and with what the type checker finds in the compiled
// packages.
func TestModulesAreWhatGoDocPrints(t *testing.T) {
	if os.Getenv("DOCENT_LIVE") != "1" {
		t.Skip("DOCENT_LIVE is not set, and this test downloads modules; to run it, set DOCENT_LIVE=1")
	}
	modules := []string{
		"github.com/jackc/pgx/v5@v5.12.0", "github.com/pelletier/go-toml/v2@v2.4.3",
		"github.com/spf13/cobra@v1.10.2", "github.com/yuin/goldmark@v1.8.7",
		"go.uber.org/zap@v1.27.1", "golang.org/x/sync@v0.24.0", "golang.org/x/tools@v0.51.0",
		"google.golang.org/protobuf@v1.36.11",
	}
	patterns := []string{}
	dir := os.Getenv("DOCENT_LIVE_MODULE") // DOCENT_LIVE_MODULE is the directory of a module whose dependencies are compared.
	if dir == "" {
		dir = t.TempDir()
		filetest.Write(t, dir, map[string]string{"go.mod": "module example.com/live\n\ngo 1.26\n"})
		goCommand(t, dir, append([]string{"get"}, modules...)...)
		for _, m := range modules {
			path, _, _ := strings.Cut(m, "@")
			patterns = append(patterns, path+"/...")
		}
	} else {
		patterns = strings.Fields(os.Getenv("DOCENT_LIVE_PATTERNS"))
	}
	compareModules(t, dir, patterns)
}

// listed is a package as "go list" describes it.
type listed struct {
	ImportPath, Name, Dir, Export string
	GoFiles, CgoFiles             []string
	Module                        *struct{ Path, Version, Dir string }
	DepOnly                       bool
	Incomplete                    bool
}

func (l *listed) source() (*Source, error) {
	if l.Module == nil {
		return stdSource(l.ImportPath)
	}
	dir, err := filepath.Rel(l.Module.Dir, l.Dir)
	return &Source{
		ImportPath: l.ImportPath, Module: l.Module.Path, Version: l.Module.Version,
		FS: os.DirFS(l.Module.Dir), Dir: filepath.ToSlash(dir),
		Provenance: apidoc.Provenance{Source: "module cache", ChosenBy: "the test"},
	}, err
}

func compareModules(t *testing.T, dir string, patterns []string) {
	packages := map[string]*listed{}
	args := append([]string{"list", "-e", "-export", "-deps", "-json=ImportPath,Name,Dir,Export,GoFiles,CgoFiles,Module,DepOnly,Incomplete"}, patterns...)
	dec := json.NewDecoder(strings.NewReader(goCommand(t, dir, args...)))
	for {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages[l.ImportPath] = &l
	}
	open := func(importPath string) (*Source, error) {
		if l := packages[importPath]; l != nil {
			return l.source()
		}
		return nil, fs.ErrNotExist
	}
	compiled := importer.ForCompiler(token.NewFileSet(), "gc", func(importPath string) (io.ReadCloser, error) {
		if l := packages[importPath]; l != nil && l.Export != "" {
			return os.Open(l.Export)
		}
		return nil, fs.ErrNotExist
	})
	for _, l := range packages {
		if l.DepOnly || l.Name == "main" || len(l.GoFiles)+len(l.CgoFiles) == 0 {
			continue
		}
		t.Run(l.ImportPath, func(t *testing.T) {
			src, err := l.source()
			if err != nil {
				t.Fatal(err)
			}
			pkg, err := Read(t.Context(), src, "", open)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range pkg.Warnings {
				t.Error("unexpected warning: " + w)
			}
			compareWithGoDoc(t, pkg, dir, l.ImportPath)
			if checked, err := compiled.Import(l.ImportPath); err == nil {
				compareWithTypes(t, pkg, checked)
			} else {
				t.Logf("not compared with types: %v", err)
			}
		})
	}
}
