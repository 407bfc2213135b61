package python

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/modeltest"
)

// TestGolden reads packages that are installed in a virtual environment.
func TestGolden(t *testing.T) {
	w := newWorld(t)
	base := filepath.Join(w.home, "python", "cpython-3.13.1-linux")
	venv := filepath.Join(w.project, ".venv")
	w.write(base, files{"lib/python3.13/os.py": "", "lib/python3.13/json/__init__.py": "def loads(s): 'Load.'\n", "bin/python3.13": ""})
	w.write(venv, files{"pyvenv.cfg": "home = " + filepath.Join(base, "bin") + "\nversion = 3.13.1\nbase-prefix = " + base + "\n"})
	site := filepath.Join(venv, "lib", "python3.13", "site-packages")
	if err := os.CopyFS(site, os.DirFS(filepath.Join("testdata", "golden", "site"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"seeds", "beds", "beds.soil", "labels", "paths", "almanac", "manual", "press", "garden.tools.spade", "trowel", "compost", "lantern", "orchard", "orchard.press"} {
		t.Run(name, func(t *testing.T) {
			modeltest.Golden(t, w.python(), w.query(name), modeltest.File(filepath.Join("testdata", "golden"), name))
		})
	}
}
