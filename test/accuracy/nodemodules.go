package main

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
)

// tree opens packages in a directory with node_modules, found as Node.js finds them.
type tree struct {
	root  string
	dirs  map[string]*modules.Package
	paths map[*modules.Package]string
}

func newTree(root string) *tree {
	return &tree{root: root, dirs: map[string]*modules.Package{}, paths: map[*modules.Package]string{}}
}

func (t *tree) open(_ context.Context, from *modules.Package, name string) (*modules.Package, error) {
	dir := t.root
	if from != nil {
		dir = t.paths[from]
	}
	for {
		p := filepath.Join(dir, "node_modules", filepath.FromSlash(name))
		if pkg := t.load(p, name); pkg != nil {
			return pkg, nil
		}
		if dir == t.root || len(dir) <= len(t.root) {
			return nil, fs.ErrNotExist
		}
		dir = filepath.Dir(dir)
	}
}

func (t *tree) load(dir, name string) *modules.Package {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if p := t.dirs[dir]; p != nil {
		return p
	}
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return nil
	}
	var m struct{ Version string }
	_ = json.Unmarshal(data, &m)
	p := &modules.Package{Name: name, Version: m.Version, FS: os.DirFS(dir)}
	t.dirs[dir] = p
	t.paths[p] = dir
	return p
}
