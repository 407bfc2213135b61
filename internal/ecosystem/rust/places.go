package rust

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/project"
)

// place is the location of a package's files on this machine.
type place struct {
	dir   string // directory of the unpacked package
	crate string // path of the .crate file, if it is not unpacked
	kind  string // kind of place for the provenance, such as "vendor" or "cargo registry"
}

// defaultDirectories are the hashes at the end of the names of the directories in which
// cargo keeps files of its default registry. They are hashes of the registry's address.
var defaultDirectories = []string{"-1949cf8c6b5b557f", "-6f17d22bba15001f", "-1ecc6299db9ec823"}

// registryDirs returns the directories of a registry below a directory of
// CARGO_HOME/registry: "src", "cache" or "index".
func (f *finder) registryDirs(s cargoconf.Source, below string) []string {
	if f.config.Home == "" {
		return nil
	}
	parent := filepath.Join(f.config.Home, "registry", below)
	f.seen.Add(parent)
	var dirs []string
	for _, name := range project.DirNames(parent) {
		if s.Index == "" || s.Default && !s.Replaced {
			if slices.ContainsFunc(defaultDirectories, func(h string) bool { return strings.HasSuffix(name, h) }) {
				dirs = append(dirs, filepath.Join(parent, name))
			}
			continue
		}
		if i := strings.LastIndexByte(name, '-'); i >= 0 && name[:i] == s.Host() {
			dirs = append(dirs, filepath.Join(parent, name))
		}
	}
	return dirs
}

// debianRegistry is the directory in which Debian's packages install the
// sources of crates.
const debianRegistry = "/usr/share/cargo/registry"

// placeOf finds a package of a source on this machine. It returns false if there
// is none.
func (f *finder) placeOf(s cargoconf.Source, name, version string) (place, bool) {
	if s.Directory != "" {
		dir, ok := f.vendored(s.Directory, name, version)
		return place{dir: dir, kind: "vendor"}, ok
	}
	if s.Local != "" {
		file := filepath.Join(s.Local, name+"-"+version+".crate")
		f.seen.Add(file)
		return place{crate: file, kind: "local registry"}, project.IsFile(file)
	}
	for _, parent := range f.registryDirs(s, "src") {
		dir := filepath.Join(parent, name+"-"+version)
		if project.IsFile(filepath.Join(dir, "Cargo.toml")) && project.IsFile(filepath.Join(dir, ".cargo-ok")) {
			return place{dir: dir, kind: "cargo registry"}, true
		}
	}
	for _, parent := range f.registryDirs(s, "cache") {
		if file := filepath.Join(parent, name+"-"+version+".crate"); project.IsFile(file) {
			return place{crate: file, kind: "cargo registry"}, true
		}
	}
	if s.Default {
		if dir, ok := f.vendored(f.rs.system(debianRegistry), name, version); ok {
			return place{dir: dir, kind: "Debian's registry folder"}, true
		}
	}
	return place{}, false
}

// maxVendored is the maximum number of directories in a vendor directory that are tried for one
// package.
const maxVendored = 64

// vendored finds a package in a directory of unpacked packages, which are usually called
// name or name-version. It returns false if there is none.
func (f *finder) vendored(parent, name, version string) (string, bool) {
	f.seen.Add(parent)
	tried := 0
	for _, entry := range append([]string{name + "-" + version, name}, project.DirNames(parent)...) {
		if !strings.HasPrefix(entry, name) || tried > maxVendored {
			continue
		}
		tried++
		dir := filepath.Join(parent, entry)
		if m, err := f.rs.manifest(dir); err == nil && m.Name == name && sameVersion(m.Version, version) {
			return dir, true
		}
	}
	return "", false
}
