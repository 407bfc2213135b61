package rust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/project/cargo"
	"github.com/docent-mcp/docent/internal/quote"
)

// source returns the input for the reader of a package that is open.
func (f *finder) source(l *located) *crate.Source {
	edition := l.manifest.Edition
	src := &crate.Source{
		Name: l.library(), Package: l.name, FS: l.files, Dir: l.dir, Lib: l.manifest.Lib.Path, Build: l.manifest.Build, Edition: edition,
		ProcMacro: l.manifest.Lib.ProcMacro, Features: l.features, Requested: l.requested, Declared: l.manifest.FeatureNames(), Target: f.target.Triple,
		Deps: f.dependenciesOf(l), Documentation: cmp.Or(l.manifest.Documentation, l.manifest.Homepage),
	}
	if l.mark != "" {
		src.Scans, _ = f.rs.scans.Read(l.mark, maxManifest, func([]byte) (*crate.Scans, error) { return &crate.Scans{}, nil })
	}
	f.sources[src] = l
	return src
}

// dependencyOff is the key of an optional dependency that is not enabled by any feature.
const dependencyOff = "off"

// dependenciesOf maps the names of a package's dependencies in paths to keys for the importer, such
// as "lock:7" for a package in the lock file, or "dep:3" for a dependency of the manifest.
func (f *finder) dependenciesOf(l *located) map[string]string {
	deps := map[string]string{}
	for i := range l.manifest.Dependencies {
		d := &l.manifest.Dependencies[i]
		if d.Kind != cargo.Normal || d.Target != "" && !f.target.Matches(d.Target) {
			continue
		}
		key, name := fmt.Sprintf("dep:%d", i), d.ExternName()
		if l.locked >= 0 {
			to := f.project.Lock.DependencyOf(l.locked, d)
			if to < 0 {
				continue
			}
			key, name = fmt.Sprintf("lock:%d", to), f.externName(d, to)
		} else if !l.standard && !l.manifest.Uses(d, l.features) {
			key = dependencyOff
		}
		deps[name] = key
	}
	return deps
}

// externName returns the name in paths of a dependency that is a package in the lock file.
func (f *finder) externName(d *cargo.Dependency, locked int) string {
	if d.Name == d.Package {
		if m := f.manifestOf(locked); m != nil && m.Lib.Name != "" {
			return m.Lib.Name
		}
	}
	return d.ExternName()
}

// importer returns the function that finds the crates that paths refer to. now is a function that
// returns the context of the current query.
func (f *finder) importer(now func() context.Context) crate.Importer {
	known := map[string]*crate.Source{}
	return func(from *crate.Source, name string) (*crate.Source, error) {
		l := f.sources[from]
		if l == nil {
			return nil, fs.ErrNotExist
		}
		local := from.Deps[name]
		if l.standard && isStandard(name) {
			local = "" // all crates share the crates of the standard library, which are large
		}
		key := local
		switch {
		case key == "" && isStandard(name):
			key = "std:" + name
		case key == "" || key == dependencyOff:
			return nil, fs.ErrNotExist
		case strings.HasPrefix(key, "dep:"):
			key = fmt.Sprintf("%s@%s/%s", l.name, l.version, key)
		}
		if src, ok := known[key]; ok {
			if src == nil {
				return nil, fs.ErrNotExist
			}
			return src, nil
		}
		known[key] = nil
		ctx := now()
		dep := f.imported(ctx, l, local, name)
		if dep == nil || f.open(ctx, dep) != nil || f.isProgram(dep) {
			return nil, fs.ErrNotExist
		}
		known[key] = f.source(dep)
		return known[key], nil
	}
}

// imported locates a dependency of a package. It returns nil if it is not available.
func (f *finder) imported(ctx context.Context, l *located, key, name string) *located {
	var dep *located
	var err error
	var i int
	switch {
	case key == "":
		dep, err = f.standard(name)
	case strings.HasPrefix(key, "lock:"):
		if _, err = fmt.Sscanf(key, "lock:%d", &i); err == nil {
			dep, err = f.locatedAt(ctx, i)
		}
	default:
		if _, err = fmt.Sscanf(key, "dep:%d", &i); err == nil {
			dep, err = f.unlockedDependency(ctx, l, &l.manifest.Dependencies[i])
		}
	}
	if err != nil {
		return nil
	}
	return dep
}

// unlockedDependency locates a dependency of a package that is not in a lock
// file.
func (f *finder) unlockedDependency(ctx context.Context, l *located, d *cargo.Dependency) (*located, error) {
	if d.Path != "" && l.dir != "" && (l.inProject || l.standard) {
		root := l.dir
		if isStandard(l.name) {
			root = filepath.Join(l.dir, l.name)
		}
		dir := filepath.Join(root, filepath.FromSlash(d.Path))
		if l.standard && isStandard(d.Package) {
			return f.standard(d.Package)
		}
		if m := f.memberManifest(dir); m != nil {
			return &located{name: m.Name, version: m.Version, locked: -1, inProject: l.inProject, standard: l.standard, dir: dir, manifest: m, request: d, features: m.Enabled(d.Features, d.Default)}, nil
		}
	}
	if l.standard {
		return nil, fs.ErrNotExist
	}
	return f.dependencyRelease(ctx, d)
}

// readError converts an error of the reader to an error for users.
func (f *finder) readError(l *located, err error) error {
	if f.ask.module != "" && errors.Is(err, fs.ErrNotExist) {
		if _, failed := fs.Stat(l.files, l.manifest.Lib.Path); failed == nil {
			return ecosystem.Fail(ecosystem.NotFound, "%s %s has no public module %s: %v", l.library(), l.version, f.ask.module, quote.Error(err)).WithErr(err).
				WithNext("describe %s to see its modules", l.library())
		}
	}
	return ecosystem.AsError(err)
}
