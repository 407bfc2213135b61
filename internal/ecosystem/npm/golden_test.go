package npm_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/modeltest"
)

// goldenProject installs the golden packages in a temporary directory, as npm does.
func goldenProject(t *testing.T) string {
	t.Helper()
	project, packages := t.TempDir(), filepath.Join("testdata", "golden", "packages")
	entries, err := os.ReadDir(packages)
	if err != nil {
		t.Fatal(err)
	}
	dependencies := ""
	for _, e := range entries {
		name := "@bakery/" + e.Name()
		switch e.Name() {
		case "react", "vue", "typescript": // The test uses small packages in place of the real ones.
			name = e.Name()
		}
		dependencies += `,"` + name + `":"*"`
		if err := os.CopyFS(filepath.Join(project, "node_modules", filepath.FromSlash(name)), os.DirFS(filepath.Join(packages, e.Name()))); err != nil {
			t.Fatal(err)
		}
	}
	filetest.Write(t, project, map[string]string{"package.json": `{"name":"bakery","private":true,"dependencies":{` + dependencies[1:] + `}}`})
	return project
}

func TestGolden(t *testing.T) {
	home, project := t.TempDir(), goldenProject(t)
	n := npm.New(ecosystem.Options{Env: []string{"HOME=" + home}, Cache: cachedir.New(filepath.Join(home, "cache"), cachedir.Options{}), Offline: true})
	for _, name := range []string{"oven", "dough", "recipes", "flour", "shelf", "till", "counter", "window", "display", "pantry", "pantry/jars", "sack", "mixer", "grinder"} {
		t.Run(name, func(t *testing.T) {
			q := ecosystem.Query{Package: "@bakery/" + name, ProjectDir: project}
			modeltest.Golden(t, n, q, modeltest.File(filepath.Join("testdata", "golden"), name))
		})
	}
}
