package rust

import (
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// local opens the project of a directory without a query. It returns nil if the project
// cannot be read.
func (rs *Rust) local(projectDir string) *finder {
	return ecosystem.Local(projectDir, func(dir string) (*finder, error) { return rs.newFinder(question{project: dir}) })
}

// Names implements ecosystem.Language. It completes the names of packages in
// Cargo.lock, or else of packages whose sources cargo has, and of the crates of
// the standard library.
func (rs *Rust) Names(projectDir, prefix string, limit int) []string {
	f := rs.local(projectDir)
	if f == nil {
		return nil
	}
	defer f.close()
	return f.names(prefix, limit)
}

// names returns up to limit names of packages that begin with prefix, sorted.
func (f *finder) names(prefix string, limit int) []string {
	found := map[string]bool{}
	add := func(name string) {
		if strings.HasPrefix(name, prefix) && validCrate(name) {
			found[name] = true
		}
	}
	for _, name := range standardCrates {
		add(name)
	}
	if f.project != nil {
		for _, m := range f.project.Members {
			add(m.Manifest.Name)
			for _, d := range m.Manifest.Dependencies {
				add(d.Name)
			}
		}
		if f.project.Lock != nil {
			for _, p := range f.project.Lock.Packages {
				add(p.Name)
			}
		}
	} else {
		s, _ := f.config.Named("")
		for _, dir := range f.registryDirs(s, "src") {
			for _, entry := range project.DirNames(dir) {
				add(packageOf(entry))
			}
		}
	}
	return ecosystem.FirstNames(found, limit)
}

// packageOf returns the name in text such as "name-version", or "" for any other text.
func packageOf(entry string) string {
	for i := range entry {
		if entry[i] == '-' {
			if _, err := cargo.ParseVersion(entry[i+1:]); err == nil {
				return entry[:i]
			}
		}
	}
	return ""
}

var _ ecosystem.Lister = (*Rust)(nil)

// maxListed is the maximum number of packages that are listed.
const maxListed = 5000

// Dependencies implements ecosystem.Lister. It lists the packages that the
// members require, then the other packages in Cargo.lock.
func (rs *Rust) Dependencies(projectDir string) ([]ecosystem.Dependency, error) {
	f, err := rs.localProject(projectDir)
	if err != nil {
		return nil, err
	}
	defer f.close()
	var all []ecosystem.Dependency
	if f.project.Lock == nil {
		for _, m := range f.askers() {
			for _, d := range m.Manifest.Dependencies {
				all = append(all, ecosystem.Dependency{Package: d.ExternName(), Direct: true})
			}
		}
		return all, nil
	}
	direct := map[int]cargo.Kind{}
	members := map[int]bool{}
	for _, m := range f.project.Members {
		i := f.lockIndex(m)
		if i < 0 {
			continue
		}
		members[i] = true
		for _, d := range m.Manifest.Dependencies {
			if to := f.project.Lock.DependencyOf(i, &d); to >= 0 {
				if kind, ok := direct[to]; !ok || kind > d.Kind {
					direct[to] = d.Kind
				}
			}
		}
	}
	sizes := f.sizes()
	for i, p := range f.project.Lock.Packages {
		if members[i] || len(all) >= maxListed {
			continue
		}
		d := ecosystem.Dependency{Package: strings.ReplaceAll(p.Name, "-", "_"), Version: p.Version}
		_, d.Direct = direct[i]
		d.Imported = d.Direct && direct[i] == cargo.Normal
		if s, ok := f.config.SourceOf(p.Source); ok {
			_, d.Installed = f.placeOf(s, p.Name, p.Version)
		} else if d.Installed = f.localDir(&p) != ""; p.Source == "" {
			d.Version = ""
		}
		d.Size = sizes(i)
		all = append(all, d)
	}
	ecosystem.SortDependencies(all)
	return all, nil
}

// sizes returns a function that estimates the size of a package in the lock file by the sizes of its
// .crate file and those of its dependencies, whose declarations it may re-export.
func (f *finder) sizes() func(i int) int64 {
	lock := f.project.Lock
	dirs := map[string][]string{} // keyed by source
	memo := map[int]int64{}
	var size func(i int) int64
	size = func(i int) int64 {
		if n, ok := memo[i]; ok {
			return n
		}
		memo[i] = 0 // for dependencies that form a cycle
		p := &lock.Packages[i]
		if _, ok := dirs[p.Source]; !ok {
			dirs[p.Source] = nil
			if s, ok := f.config.SourceOf(p.Source); ok {
				dirs[p.Source] = f.registryDirs(s, "cache")
			}
		}
		var n int64
		for _, dir := range dirs[p.Source] {
			if info, err := os.Stat(filepath.Join(dir, p.Name+"-"+p.Version+".crate")); err == nil {
				n = info.Size()
				break
			}
		}
		for _, to := range p.Dependencies {
			n = min(n+size(to), math.MaxInt64/2)
		}
		memo[i] = n
		return n
	}
	return size
}

// localProject returns a finder for the project in a directory, which does not use the
// network. The caller closes it.
func (rs *Rust) localProject(projectDir string) (*finder, error) {
	dir, err := filepath.Abs(projectDir)
	if err != nil {
		return nil, err
	}
	if _, err := rs.project(dir); err != nil {
		return nil, err
	}
	f := rs.local(dir)
	if f == nil || f.project == nil {
		return nil, project.ErrNone
	}
	return f, nil
}
