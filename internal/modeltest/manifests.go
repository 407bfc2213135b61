package modeltest

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// Manifests writes the manifests of the packages of a graph to a directory, and returns the graph of
// that project. It adds the packages in bad to the graph and tests that they are left out.
func Manifests(t *testing.T, l interface {
	ecosystem.Grapher
	ecosystem.ManifestWriter
}, g *ecosystem.Graph, dir string, bad []ecosystem.Used) *ecosystem.Graph {
	t.Helper()
	g.Packages = append(g.Packages, bad...)
	files, skipped, err := l.Manifests(g)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i := range bad {
		want = append(want, bad[i].Name+"@"+bad[i].Version)
	}
	if !slices.Equal(skipped, want) {
		t.Errorf("skipped %q, want %q", skipped, want)
	}
	for name, data := range files {
		t.Logf("%s:\n%s", name, data)
		filetest.Write(t, dir, map[string]string{name: string(data)})
	}
	again, err := l.Graph(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return again
}
