package golang_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/modeltest"
)

// goldenProject copies the module that contains the golden packages to a temporary directory. Files
// that gofmt refuses are stored with the suffix ".txt".
func goldenProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "golden", "project"))); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if source, ok := strings.CutSuffix(path, ".go.txt"); ok && err == nil {
			return os.Rename(path, source+".go")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestGolden(t *testing.T) {
	project, home := goldenProject(t), t.TempDir()
	root, err := filepath.Abs(filepath.Join("testdata", "golden", "goroot")) // Use a small GOROOT, so that the golden files do not depend on the installed Go.
	if err != nil {
		t.Fatal(err)
	}
	g := golang.New(ecosystem.Options{
		Env:   []string{"HOME=" + home, "GOROOT=" + root, "GOMODCACHE=" + filepath.Join(home, "mod"), "GOTOOLCHAIN=local"},
		Cache: cachedir.New(filepath.Join(home, "cache"), cachedir.Options{}), Offline: true,
	})
	for _, name := range []string{"tide", "berth", "signal", "cargo", "lights", "pilot", "radio", "radio/cmd/listen", "customs", "customs/cargo", "crane", "office", "."} {
		t.Run(name, func(t *testing.T) {
			q := ecosystem.Query{Package: strings.TrimSuffix("example.com/harbor/"+name, "/."), ProjectDir: project, Platform: "linux/amd64"}
			modeltest.Golden(t, g, q, modeltest.File(filepath.Join("testdata", "golden"), name))
		})
	}
}
