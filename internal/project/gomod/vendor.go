package gomod

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// vendored is the content of vendor/modules.txt.
type vendored struct {
	dir      string                    // empty if the project does not build from its vendor directory
	modules  map[string]module.Version // keyed by module path; if Path differs from the key, it is a replacement
	packages map[string]string         // import path -> module path
}

// Vendor is a module that is in the project's vendor directory, completely or
// in part.
type Vendor struct {
	Path    string // module path
	Version string // empty if a directory replaces it
	Replace string // path of the replacing module or directory, if any
	Dir     string // absolute path
	// Owns reports whether a directory below Dir, with forward slashes, belongs
	// to this module and not to a module nested in it.
	Owns func(rel string) bool
}

// Vendored returns the vendored module that contains a package. ok is false if the
// project does not build from its vendor directory, or does not vendor the
// package.
func (p *Project) Vendored(importPath string) (v Vendor, ok bool) {
	path, ok := p.vendored.packages[importPath]
	if !ok {
		return Vendor{}, false
	}
	m := p.vendored.modules[path]
	v = Vendor{Path: path, Version: m.Version, Dir: filepath.Join(p.vendored.dir, filepath.FromSlash(path))}
	if m.Path != path {
		v.Replace = m.Path
	}
	v.Owns = func(rel string) bool {
		sub := path + "/" + rel
		for other := range p.vendored.modules {
			if len(other) > len(path) && within(other, path) && within(sub, other) {
				return false
			}
		}
		return true
	}
	return v, true
}

// VendorDir returns the vendor directory that the project is built from, or "" if it is
// built without one.
func (p *Project) VendorDir() string { return p.vendored.dir }

// readVendor decides, as the go command does, whether the vendor directory is used: by
// default from Go 1.14 on, and in a workspace from Go 1.22 on.
func (p *Project) readVendor() error {
	dir := filepath.Join(p.Dir, "vendor")
	file := filepath.Join(dir, "modules.txt")
	p.files.Add(file)
	since := "v1.14"
	if p.Root.WorkFile != "" {
		since = "v1.22"
	}
	switch p.options.ModFlag {
	case "mod", "readonly":
		return nil
	case "vendor":
	default:
		if p.Go == "" || semver.Compare(languageVersion(p.Go), since) < 0 || !project.IsDir(dir) {
			return nil
		}
	}
	data, err := project.ReadBelow(p.Dir, "vendor/modules.txt", maxModFile)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, rootfs.ErrOutside) {
		return nil // without modules.txt the versions are unknown
	}
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", file, quote.Error(err))
	}
	p.vendored = parseModulesTxt(data)
	p.vendored.dir = dir
	return nil
}

// parseModulesTxt reads vendor/modules.txt. A line "# module version" (or "#
// module version => replacement version") is followed by the module's packages,
// one per line, and annotations that begin with "##".
func parseModulesTxt(data []byte) vendored {
	v := vendored{modules: map[string]module.Version{}, packages: map[string]string{}}
	current := ""
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "##":
		case f[0] == "#":
			current = v.module(f[1:])
		case len(f) == 1 && current != "" && within(f[0], current):
			v.packages[f[0]] = current
		}
	}
	return v
}

// module parses a module line and returns the module's path, or "" if the line repeats a
// replace directive without a version.
func (v *vendored) module(f []string) string {
	var m, by module.Version
	if len(f) == 0 || module.CheckImportPath(f[0]) != nil {
		return ""
	}
	m.Path = f[0]
	f = f[1:]
	if len(f) > 0 && f[0] != "=>" {
		m.Version, f = f[0], f[1:]
	}
	if m.Version == "" {
		return "" // "# path => directory" repeats a replace line of go.mod
	}
	if len(f) > 1 && f[0] == "=>" {
		by.Path = f[1]
		if len(f) > 2 {
			by.Version = f[2]
		}
		v.modules[m.Path] = by
		return m.Path
	}
	v.modules[m.Path] = m
	return m.Path
}

// VendoredModules returns the paths of the modules that have packages in the vendor directory, or
// nil if the project does not build from it.
func (p *Project) VendoredModules() map[string]bool {
	if p.vendored.dir == "" {
		return nil
	}
	modules := map[string]bool{}
	for _, path := range p.vendored.packages {
		modules[path] = true
	}
	return modules
}
