package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
)

// judge reads a package and compares it with the compiler's results.
func judge(ctx context.Context, facts, dir string) (*score, error) {
	want, err := readTruth(facts)
	if err != nil {
		return nil, err
	}
	p, err := packageOf(os.DirFS(dir), path.Base(want.Package))
	if err != nil {
		return nil, fmt.Errorf("the manifest: %w", err)
	}
	p.Import = func(module string) *module.Package { return dependency(filepath.Dir(dir), module) }
	s := &score{}
	for _, name := range want.Modules {
		p.Module = name
		g, err := module.ReadGraph(ctx, *p)
		if err != nil {
			return nil, err
		}
		doc, err := module.Read(ctx, *p)
		if err != nil {
			return nil, err
		}
		s.compare(want.rows[name], g, doc)
		s.syntax(want.rows[name], doc)
	}
	return s, nil
}

// dependency finds the package with a module among the checkouts, or nil.
func dependency(checkouts, name string) *module.Package {
	entries, err := os.ReadDir(checkouts)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		p, err := packageOf(os.DirFS(filepath.Join(checkouts, e.Name())), e.Name())
		if err != nil {
			continue
		}
		for i := range p.Targets {
			if p.Targets[i].Name == name {
				return p
			}
		}
	}
	return nil
}
