package main

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// host is the platform that the compiler was run for.
const host = "linux"

// packageOf returns the package of a checkout, with the targets of its manifest.
func packageOf(root fs.FS, name string) (*module.Package, error) {
	read := func(name string) (string, error) {
		b, err := fs.ReadFile(root, name)
		return string(b), err
	}
	compiler, _ := swiftpm.ParseVersion("6.3.1")
	file := manifest.Choose(manifest.Names(root), compiler, read)
	text, err := read(file)
	if err != nil {
		return nil, err
	}
	m, err := manifest.Parse(text, host)
	if err != nil {
		return nil, err
	}
	p := &module.Package{Root: root, Name: name, Platform: "Linux/x86_64", Swift: "6", Compiler: "6.3.1", Traits: m.EnabledTraits(nil)}
	for i := range m.Targets {
		t := &m.Targets[i]
		if t.Kind != "target" && t.Kind != "macro" && t.Kind != "systemLibrary" {
			continue
		}
		p.Targets = append(p.Targets, targetOf(root, m, t, p.Traits))
	}
	return p, nil
}

func targetOf(root fs.FS, m *manifest.Manifest, t *manifest.Target, traits []string) module.Target {
	out := module.Target{Name: t.Name, Macro: t.Kind == "macro"}
	out.Dir = t.Directory(func(p string) bool {
		info, err := fs.Stat(root, path.Clean(p))
		return err == nil && info.IsDir()
	})
	out.Defines, out.Features, out.Dependencies = t.Active(host, traits)
	for _, p := range m.Products {
		if p.Kind == "library" && slices.Contains(p.Targets, t.Name) {
			out.Products = append(out.Products, p.Name)
		}
	}
	within := func(list []string, name string) bool {
		return slices.ContainsFunc(list, func(l string) bool {
			l = path.Join(out.Dir, l)
			return name == l || strings.HasPrefix(name, l+"/")
		})
	}
	_ = fs.WalkDir(root, out.Dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || within(t.Exclude, name):
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir() && (len(t.Sources) == 0 || within(t.Sources, name)):
			out.Files = append(out.Files, name)
		}
		return nil
	})
	out.C = t.Kind == "systemLibrary" || !out.Macro && !slices.ContainsFunc(out.Files, func(f string) bool { return strings.HasSuffix(f, ".swift") })
	return out
}
