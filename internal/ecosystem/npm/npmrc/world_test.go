package npmrc

import (
	"testing"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

// world is the home directory, project and environment from which settings are read.
type world struct {
	home, project string
	env           []string
}

func newWorld(t *testing.T, env ...string) *world {
	t.Helper()
	w := &world{home: t.TempDir(), project: t.TempDir()}
	w.env = append([]string{"HOME=" + w.home}, env...)
	return w
}

// environ returns the environment as programs see it.
func (w *world) environ() environ.Env { return environ.Parse(w.env) }

// read reads the settings, in the project if inProject is true.
func (w *world) read(t *testing.T, inProject bool) *Config {
	t.Helper()
	if !inProject {
		return Read(t.Context(), w.environ(), nil)
	}
	var projects npmlock.Loader
	p, err := projects.Find(t.Context(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	return Read(t.Context(), w.environ(), p)
}
