package cargo

import (
	"maps"
	"slices"
	"strings"
)

// Unit is a package as it is compiled: for the target, or for the build
// machine, on which build scripts and procedural macros run.
type Unit struct {
	Package int // index of Lock.Packages
	Host    bool
}

// Features are the features that are on, by unit.
type Features struct {
	on map[Unit]map[string]bool
	// Unknown lists the packages whose manifests are not available; features that they enable in
	// other packages are missing.
	Unknown []int

	requires map[int]map[int]bool
}

// Requires returns the indexes of the packages that package i uses on the target with the
// features that are on, in no particular order.
func (f *Features) Requires(i int) []int { return slices.Collect(maps.Keys(f.requires[i])) }

// Enabled returns the enabled features of a unit, sorted, and reports whether the unit is used
// at all.
func (f *Features) Enabled(u Unit) ([]string, bool) {
	on, ok := f.on[u]
	return slices.Sorted(maps.Keys(on)), ok
}

// resolution computes features as cargo's resolver does.
type resolution struct {
	lock     *Lock
	manifest func(int) *Manifest
	target   *Target
	// split is true for resolver 2 and later: build dependencies and procedural
	// macros have separate features, and dependencies for other targets are
	// ignored.
	split bool

	members   map[int]bool
	out       *Features
	processed map[Unit]bool
	activated map[Unit]map[string]bool // optional dependencies that are on
	deferred  map[deferral][]string    // weak features that wait until their dependency is on
	edges     map[int][]edge
	unknown   map[int]bool
	budget    int
}

type deferral struct {
	unit Unit
	name string
}

// edge is a dependency in a manifest, with the package to which it is locked.
type edge struct {
	dependency *Dependency
	to         int
}

// maxActivations is the maximum number of steps of one resolution.
const maxActivations = 5_000_000

// ResolveFeatures computes the features that are on in the packages in a lock file.
// members are the indexes of the workspace's members. Their default features are on or, if all is true, all
// their features.
// manifest returns the manifest of a package, or nil if it is not available. resolver is
// the version of cargo's resolver.
func ResolveFeatures(l *Lock, members []int, manifest func(int) *Manifest, target *Target, resolver int, all bool) *Features {
	r := &resolution{
		lock: l, manifest: manifest, target: target, split: resolver >= 2,
		members: map[int]bool{}, out: &Features{on: map[Unit]map[string]bool{}, requires: map[int]map[int]bool{}}, processed: map[Unit]bool{},
		activated: map[Unit]map[string]bool{}, deferred: map[deferral][]string{}, edges: map[int][]edge{}, unknown: map[int]bool{}, budget: maxActivations,
	}
	for _, m := range members {
		r.members[m] = true
	}
	for _, m := range members {
		var features []string
		manifest := manifest(m)
		if manifest == nil {
			continue
		}
		if _, ok := manifest.Features["default"]; ok {
			features = []string{"default"}
		}
		if all {
			features = manifest.FeatureNames()
		}
		r.pkg(Unit{m, false}, features)
		if r.split && manifest.Lib.ProcMacro {
			r.pkg(Unit{m, true}, features)
		}
	}
	r.out.Unknown = slices.Sorted(maps.Keys(r.unknown))
	return r.out
}

// pkg enables features of a package, and its dependencies that are not optional.
func (r *resolution) pkg(u Unit, features []string) {
	if r.budget--; r.budget < 0 {
		return
	}
	if r.out.on[u] == nil {
		r.out.on[u] = map[string]bool{}
	}
	for _, f := range features {
		r.value(u, f)
	}
	if r.processed[u] {
		return
	}
	r.processed[u] = true
	for _, e := range r.dependencies(u.Package) {
		if !e.dependency.Optional && r.counts(e) {
			r.dependency(u, e)
		}
	}
}

// dependency enables the features that an edge requires.
func (r *resolution) dependency(u Unit, e edge) {
	if e.dependency.Target == "" || r.target.Matches(e.dependency.Target) {
		if r.out.requires[u.Package] == nil {
			r.out.requires[u.Package] = map[int]bool{}
		}
		r.out.requires[u.Package][e.to] = true
	}
	features := slices.Clone(e.dependency.Features)
	to := r.manifest(e.to)
	if e.dependency.Default {
		if to == nil {
			features = append(features, "default")
		} else if _, ok := to.Features["default"]; ok {
			features = append(features, "default")
		}
	}
	r.pkg(r.unit(u, e), features)
}

// unit returns the unit that an edge refers to.
func (r *resolution) unit(from Unit, e edge) Unit {
	host := from.Host
	if r.split && !host {
		to := r.manifest(e.to)
		host = e.dependency.Kind == Build || to != nil && to.Lib.ProcMacro
	}
	return Unit{e.to, host}
}

// counts reports whether an edge applies to the target.
func (r *resolution) counts(e edge) bool {
	return !r.split || e.dependency.Target == "" || r.target.Matches(e.dependency.Target)
}

// value enables a feature value: "name", "dep:name", "name/feature" or "name?/feature".
func (r *resolution) value(u Unit, v string) {
	if r.budget--; r.budget < 0 {
		return
	}
	if name, ok := strings.CutPrefix(v, "dep:"); ok {
		r.optional(u, name)
		return
	}
	if name, feature, ok := strings.Cut(v, "/"); ok {
		name, weak := strings.CutSuffix(name, "?")
		r.dependencyFeature(u, name, feature, weak)
		return
	}
	r.feature(u, v)
}

func (r *resolution) feature(u Unit, name string) {
	if r.out.on[u] == nil {
		r.out.on[u] = map[string]bool{}
	}
	m := r.manifest(u.Package)
	if m == nil {
		r.unknown[u.Package] = true
		r.out.on[u][name] = true
		return
	}
	list, ok := m.Features[name]
	if !ok || r.out.on[u][name] {
		return
	}
	r.out.on[u][name] = true
	for _, v := range list {
		r.value(u, v)
	}
}

// optional enables an optional dependency.
func (r *resolution) optional(u Unit, name string) {
	if r.activated[u] == nil {
		r.activated[u] = map[string]bool{}
	}
	r.activated[u][name] = true
	key := deferral{u, name}
	features := r.deferred[key]
	delete(r.deferred, key)
	for _, e := range r.dependencies(u.Package) {
		if e.dependency.Name != name || !r.counts(e) {
			continue
		}
		to := r.unit(u, e)
		for _, f := range features {
			r.value(to, f)
		}
		r.dependency(u, e)
	}
}

// dependencyFeature enables a feature of a dependency, and the dependency itself unless the feature
// is weak.
func (r *resolution) dependencyFeature(u Unit, name, feature string, weak bool) {
	for _, e := range r.dependencies(u.Package) {
		if e.dependency.Name != name || !r.counts(e) {
			continue
		}
		if e.dependency.Optional {
			if weak && !r.activated[u][name] {
				key := deferral{u, name}
				if !slices.Contains(r.deferred[key], feature) {
					r.deferred[key] = append(r.deferred[key], feature)
				}
				continue
			}
			r.optional(u, name)
			if !weak {
				r.feature(u, name)
			}
		}
		r.value(r.unit(u, e), feature)
	}
}

// dependencies returns the edges of a package. Dependencies for tests are included only
// for members.
func (r *resolution) dependencies(pkg int) []edge {
	if edges, ok := r.edges[pkg]; ok {
		return edges
	}
	var all []edge
	m := r.manifest(pkg)
	if m == nil {
		r.unknown[pkg] = true
		r.edges[pkg] = nil
		return nil
	}
	for i := range m.Dependencies {
		d := &m.Dependencies[i]
		if d.Kind == Development && !r.members[pkg] {
			continue
		}
		if to := r.lock.DependencyOf(pkg, d); to >= 0 {
			all = append(all, edge{d, to})
		}
	}
	r.edges[pkg] = all
	return all
}

// DependencyOf returns the package that a dependency of package i is locked to, or -1 if
// it is not in the lock file.
func (l *Lock) DependencyOf(i int, d *Dependency) int {
	found := -1
	requirement, err := ParseRequirement(d.Requirement)
	for _, to := range l.Packages[i].Dependencies {
		p := &l.Packages[to]
		if p.Name != d.Package {
			continue
		}
		if d.Git != "" != strings.HasPrefix(p.Source, "git+") && l.several(i, p.Name) {
			continue
		}
		v, failed := ParseVersion(p.Version)
		if d.Requirement != "" && err == nil && failed == nil && !requirement.Matches(v) && l.several(i, p.Name) {
			continue
		}
		if found < 0 || compareText(p.Version, l.Packages[found].Version) > 0 {
			found = to
		}
	}
	if found < 0 {
		return -1
	}
	return l.Replaced(found)
}

// several reports whether package i depends on several packages with the same name.
func (l *Lock) several(i int, name string) bool {
	count := 0
	for _, to := range l.Packages[i].Dependencies {
		if l.Packages[to].Name == name {
			count++
		}
	}
	return count > 1
}

// Enabled returns, sorted, the features of a package that are enabled if the given features are
// requested, including those that these enable. It does not consider other packages. If defaults is
// true, the default features are enabled, too.
func (m *Manifest) Enabled(features []string, defaults bool) []string {
	on := map[string]bool{}
	var enable func(string)
	enable = func(v string) {
		name, _, nested := strings.Cut(v, "/")
		if nested && strings.HasSuffix(name, "?") || strings.HasPrefix(v, "dep:") {
			return
		}
		list, ok := m.Features[name]
		if !ok || on[name] {
			return
		}
		on[name] = true
		for _, v := range list {
			enable(v)
		}
	}
	if defaults {
		enable("default")
	}
	for _, f := range features {
		enable(f)
	}
	return slices.Sorted(maps.Keys(on))
}

// Uses reports whether a package uses a dependency if only the given features are on.
func (m *Manifest) Uses(d *Dependency, features []string) bool {
	if !d.Optional {
		return true
	}
	for _, f := range features {
		for _, v := range m.Features[f] {
			if name, _, _ := strings.Cut(v, "/"); v == "dep:"+d.Name || v != name && name == d.Name {
				return true
			}
		}
	}
	return false
}
