package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// loadStandard creates the sources of the crates of rust-src and returns the named one. The file
// contains the path of the directory library. The registry crates that std is built with are
// omitted, as in docent.
func loadStandard(file, name string) (sources, *crate.Source, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	library := strings.TrimSpace(string(b))
	manifests, err := filepath.Glob(filepath.Join(library, "*", "Cargo.toml"))
	if err != nil {
		return nil, nil, err
	}
	all := sources{}
	for _, manifest := range manifests {
		b, err := os.ReadFile(manifest)
		if err != nil {
			return nil, nil, err
		}
		m, err := cargo.ParseManifest(b, nil)
		if err != nil {
			continue // packages that inherit from a workspace are not part of std
		}
		src := &crate.Source{
			Name: m.Name, Package: m.Name, FS: os.DirFS(library), Dir: library, Lib: path.Join(filepath.Base(filepath.Dir(manifest)), m.Lib.Path),
			Edition: "2024", Features: m.Enabled(nil, true), Declared: m.FeatureNames(), Target: "x86_64-unknown-linux-gnu", Deps: map[string]string{},
		}
		for _, known := range []string{"core", "alloc", "std", "proc_macro", "test"} {
			src.Deps[known] = known
		}
		for i := range m.Dependencies {
			if d := &m.Dependencies[i]; d.Path != "" && d.Kind == cargo.Normal {
				src.Deps[d.ExternName()] = d.Package
			}
		}
		all[m.Name] = src
	}
	if all[name] == nil {
		return nil, nil, fmt.Errorf("%s: there is no %s in %s", file, name, library)
	}
	return all, all[name], nil
}
