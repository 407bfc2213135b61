package rust

import (
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/modeltest"
)

// TestGolden reads the crates of a workspace.
func TestGolden(t *testing.T) {
	project, err := filepath.Abs(filepath.Join("testdata", "golden", "project"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.env = append(w.env, "PATH=")
	rs := w.rust()
	rs.root = t.TempDir()
	for _, name := range []string{
		"lens", "mount", "stars", "optics", "catalog", "catalog::inline", "catalog::north", "plates", "plates::made", "filters", "orbit", "manual", "shutter",
	} {
		t.Run(name, func(t *testing.T) {
			q := ecosystem.Query{Package: name, ProjectDir: project, Platform: "x86_64-unknown-linux-gnu"}
			modeltest.Golden(t, rs, q, modeltest.File(filepath.Join("testdata", "golden"), name))
		})
	}
}
