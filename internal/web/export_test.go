package web

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// workspace is a language whose project consists of its packages.
type workspace struct{ manual }

func (w *workspace) Graph(_ context.Context, dir string) (*ecosystem.Graph, error) {
	g := &ecosystem.Graph{Root: dir}
	for _, p := range w.packages {
		g.Packages = append(g.Packages, ecosystem.Used{Name: p.Name, Version: onlyVersion, Member: true, Installed: true})
	}
	return g, nil
}

func TestExport_ReadsAPackageForAllItsPages(t *testing.T) {
	p := &apidoc.Package{Name: "turtle"}
	for i := range 100 {
		p.Symbols = append(p.Symbols, function(fmt.Sprintf("plot%d", i), "Plots."))
	}
	finds := 0
	s := newSite(t, &workspace{manual{packages: []*apidoc.Package{p}, request: func(ecosystem.Query) { finds++ }}}, t.TempDir())
	out, err := s.Export(t.Context(), filepath.Join(t.TempDir(), "site"), ExportOptions{})
	if err != nil || out.Pages < 100 {
		t.Fatalf("%+v, %v", out, err)
	}
	if finds > 10 {
		t.Errorf("a package with %d pages is found %d times", out.Pages, finds)
	}
}
