package swift

import (
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/modeltest"
)

// TestGolden reads the modules of a package.
func TestGolden(t *testing.T) {
	project, err := filepath.Abs(filepath.Join("testdata", "golden", "project"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.env = append(w.env, "PATH=")
	sw := w.swift()
	for _, name := range []string{"Tools", "Boards", "Joints", "Orders", "Glue", "Paint", "Shop", "Timber", "Lathe", "Stencils", "Hoist"} {
		t.Run(name, func(t *testing.T) {
			q := ecosystem.Query{Package: name, ProjectDir: project, Platform: "linux/amd64"}
			modeltest.Golden(t, sw, q, modeltest.File(filepath.Join("testdata", "golden"), name))
		})
	}
}
