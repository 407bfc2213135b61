package lookup

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/parallel"
)

// dependencies contains the packages on which a project depends.
type dependencies struct {
	// all contains the dependencies that the language lists, and the packages of the graph that are
	// not installed, except those that the project does not use on this machine.
	all []ecosystem.Dependency
	// versions contains other versions of packages, which are found only by queries with a version.
	versions []ecosystem.Dependency
	// used contains the keys of the packages of the graph that the project uses, except its own. It
	// is nil if there is no graph.
	used map[string]bool
}

// dependenciesOf lists the dependencies of the project in a directory.
func dependenciesOf(ctx context.Context, language ecosystem.Language, lister ecosystem.Lister, dir string) (dependencies, error) {
	listing, err := lister.Dependencies(dir)
	if err != nil {
		return dependencies{}, err
	}
	grapher, ok := language.(ecosystem.Grapher)
	if !ok {
		return dependencies{all: listing}, nil
	}
	g, err := grapher.Graph(ctx, dir)
	if err != nil {
		return dependencies{all: listing}, ctx.Err() // the dependencies that the language lists were read
	}
	all, versions := listing, []ecosystem.Dependency(nil)
	listed := map[string]int{}
	for i := range all {
		listed[nameKey(cmp.Or(all[i].Module, all[i].Package))] = i
		if base, _, ok := strings.Cut(all[i].Package, "/"); ok {
			listed[nameKey(base)] = i // the dependency is a module of the package
		}
	}
	direct := g.Direct()
	active, inactive := map[string]bool{}, map[string]bool{}
	for i := range g.Packages {
		p := &g.Packages[i]
		key := nameKey(p.Name)
		switch {
		case p.Member:
			continue
		case p.Inactive:
			inactive[key] = true
			continue
		}
		active[key] = true
		d := ecosystem.Dependency{Package: p.Name, Version: p.Version, Direct: direct[i]}
		if n, ok := listed[key]; !ok {
			if !p.Installed && p.Dir == "" {
				listed[key] = len(all)
				all = append(all, d)
			}
		} else if p.Version != "" && all[n].Version != "" && all[n].Version != p.Version {
			versions = append(versions, d)
		}
	}
	all = slices.DeleteFunc(all, func(d ecosystem.Dependency) bool {
		key := nameKey(cmp.Or(d.Module, d.Package))
		return !d.Installed && inactive[key] && !active[key]
	})
	return dependencies{all, versions, active}, nil
}

// nameKey returns the same key for names that differ only in ways that some package manager
// ignores.
func nameKey(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "-")) }

// uses reports whether the graph contains the package of a dependency.
func (l *dependencies) uses(d *ecosystem.Dependency) bool {
	base, _, _ := strings.Cut(d.Package, "/")
	return l.used[nameKey(cmp.Or(d.Module, d.Package))] || l.used[nameKey(base)]
}

// Fetched is a package on which a project depends.
type Fetched struct {
	Language string `json:"language"`
	Package  string `json:"package"`
	Version  string `json:"version,omitempty"`
	// Err is the reason for which the package cannot be read, or nil if it was read.
	Err error `json:"-"`

	query     ecosystem.Query
	installed bool
}

// Fetch reads all packages on which the project in a directory depends, in one language or in all
// languages, so that they are cached. If missing is true, Fetch only determines which packages
// cannot be read without a network. progress may be nil. The error concerns the whole project, or
// is the error of ctx.
func (l *Lookup) Fetch(ctx context.Context, dir, language string, missing bool, progress func(done, all int)) ([]Fetched, error) {
	all, err := l.fetchable(ctx, dir, language)
	if err != nil {
		return nil, err
	}
	// Reading needs the processor, and downloads mainly wait.
	local, remote := []int{}, []int{}
	for i := range all {
		if all[i].installed {
			local = append(local, i)
		} else {
			remote = append(remote, i)
		}
	}
	count := func(done, _ int) {
		if progress != nil {
			progress(done, len(all))
		}
	}
	read := func(i int) {
		q := all[i].query
		q.Offline = missing
		_, err := l.store.Describe(ctx, all[i].Language, q)
		if failed, ok := errors.AsType[*ecosystem.Error](err); ok && failed.Reason == ecosystem.NoneExported {
			err = nil // the package was read, but has no documentation
		}
		all[i].Err = err
	}
	if !missing {
		err = parallel.Limit(ctx, len(local), 0, count, func(n int) { read(local[n]) })
	}
	if err == nil {
		err = parallel.Limit(ctx, len(remote), downloads, func(done, _ int) { count(len(local)+done, 0) }, func(n int) { read(remote[n]) })
	}
	if err != nil {
		return nil, err
	}
	l.forgiveRootless(ctx, dir, language, all)
	return all, nil
}

// downloads is the number of packages that are downloaded concurrently.
const downloads = 8

// fetchable lists the packages that Fetch reads.
func (l *Lookup) fetchable(ctx context.Context, dir, language string) ([]Fetched, error) {
	languages, err := l.languages(language)
	if err != nil {
		return nil, err
	}
	var all []Fetched
	found := false
	for _, each := range languages {
		lister, ok := each.(ecosystem.Lister)
		if !ok || !each.HasProject(dir) {
			continue
		}
		found = true
		listing, err := dependenciesOf(ctx, each, lister, dir)
		if err != nil {
			return nil, err
		}
		for i, d := range append(listing.all, listing.versions...) {
			if d.Standard || listing.used != nil && !listing.uses(&d) {
				continue
			}
			f := Fetched{Language: string(each.Info().ID), Package: d.Package, Version: d.Version, installed: d.Installed}
			f.query = ecosystem.Query{Package: d.Package, ProjectDir: dir}
			if i >= len(listing.all) {
				f.query.Version = d.Version
			}
			all = append(all, f)
		}
	}
	if !found {
		return nil, noProjectIn(dir, languages)
	}
	return all, nil
}

// forgiveRootless clears the errors of modules that were downloaded but have no package at their
// root. Languages do not list such modules after they have been installed.
func (l *Lookup) forgiveRootless(ctx context.Context, dir, language string, all []Fetched) {
	if !slices.ContainsFunc(all, func(f Fetched) bool {
		failed, ok := errors.AsType[*ecosystem.Error](f.Err)
		return ok && failed.Reason == ecosystem.NotFound
	}) {
		return
	}
	now, err := l.fetchable(ctx, dir, language)
	if err != nil {
		return
	}
	for i := range all {
		if !slices.ContainsFunc(now, func(f Fetched) bool {
			return f.Language == all[i].Language && f.query == all[i].query && !f.installed
		}) {
			if failed, ok := errors.AsType[*ecosystem.Error](all[i].Err); ok && failed.Reason == ecosystem.NotFound {
				all[i].Err = nil
			}
		}
	}
}
