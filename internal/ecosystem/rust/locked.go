package rust

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/cargo"
	"github.com/docent-mcp/docent/internal/quote"
)

// projectError returns the error for a project that cannot be read, or nil if there is no
// project.
func (f *finder) projectError(err error) error {
	if err == nil || errors.Is(err, project.ErrNone) {
		return nil
	}
	return ecosystem.Fail(ecosystem.Unreadable, "the Rust project in %s cannot be read: %v", f.ask.project, quote.Error(err)).WithErr(err).
		WithNext("correct the problem, or omit the project from the request")
}

// inProject finds the package that a name refers to in the project. It returns nil if the project
// does not use the package, or not at the requested version.
func (f *finder) inProject(ctx context.Context) (*located, error) {
	if m := f.ownMember(); m != nil && f.ask.version == "" {
		return f.member(m), nil
	}
	if f.project.Lock == nil {
		return f.unlocked(ctx)
	}
	index := f.direct()
	direct := index >= 0
	if !direct {
		index = f.indirect()
	}
	if index < 0 {
		return nil, nil
	}
	name := f.project.Lock.Packages[index].Name
	if f.ask.version != "" {
		used := index
		if index = f.requestedPackage(name); index < 0 {
			f.warnings = append(f.warnings, fmt.Sprintf("The project uses %s %s.", name, f.project.Lock.Packages[used].Version))
			f.ask.crate = name
			return nil, nil
		}
	}
	p := &f.project.Lock.Packages[index]
	f.want(p.Name, "="+p.Version, "Cargo.lock of "+f.project.Name())
	l, err := f.locatedAt(ctx, index)
	if err != nil {
		return nil, err
	}
	f.adviseVersions(l, direct)
	return l, nil
}

// want records the release that the project chose.
func (f *finder) want(name, version, by string) {
	if f.ask.module != "" {
		name += "::" + f.ask.module
	}
	f.choice = &ecosystem.MissingRelease{Package: name, Version: version, ChosenBy: by}
}

// projectRelease implements ecosystem.Steps.Missing.
func (f *finder) projectRelease() *ecosystem.MissingRelease { return f.choice }

// ownMember returns the member of the workspace that a name refers to. The name "crate" refers to
// the current member. It returns nil if there is none.
func (f *finder) ownMember() *cargo.Member {
	if f.ask.crate == "crate" && f.project.Member != nil {
		return f.project.Member
	}
	for _, m := range f.project.Members {
		if sameName(m.Manifest.Name, f.ask.crate) || m.Manifest.Lib.Name == f.ask.crate {
			return m
		}
	}
	return nil
}

// member returns a package of the user's workspace.
func (f *finder) member(m *cargo.Member) *located {
	l := &located{
		name: m.Manifest.Name, version: m.Manifest.Version, inProject: true, locked: f.lockIndex(m), dir: m.Dir, manifest: m.Manifest,
		provenance: apidoc.Provenance{Source: "workspace", Location: m.Dir, ChosenBy: "the project itself", Integrity: "not verified: the files are your own"},
	}
	if l.locked >= 0 {
		l.features, l.featuresBy = f.featuresOf(l.locked)
	} else {
		l.features, l.featuresBy = m.Manifest.Enabled(nil, true), "by default"
	}
	return l
}

// lockIndex returns the index of a member in the lock file, or -1 if the lock file does not contain
// it.
func (f *finder) lockIndex(m *cargo.Member) int {
	if f.project.Lock == nil {
		return -1
	}
	found := -1
	for _, i := range f.project.Lock.Named(m.Manifest.Name) {
		p := &f.project.Lock.Packages[i]
		if p.Source == "" && (found < 0 || p.Version == m.Manifest.Version) {
			found = i
		}
	}
	return found
}

// askers returns the members whose dependencies are searched: the current member if there
// is one, or else all members.
func (f *finder) askers() []*cargo.Member {
	if f.project.Member != nil {
		return []*cargo.Member{f.project.Member}
	}
	return f.project.Members
}

// direct returns the index of the package on which the current member depends under the requested
// name, or -1 if there is none. It compares the requested name first with the names in code, then
// with package names, then with library names.
func (f *finder) direct() int {
	lock := f.project.Lock
	type edge struct {
		d  *cargo.Dependency
		to int
	}
	var edges []edge
	for _, m := range f.askers() {
		from := f.lockIndex(m)
		if from < 0 {
			continue
		}
		for i := range m.Manifest.Dependencies {
			d := &m.Manifest.Dependencies[i]
			if to := lock.DependencyOf(from, d); to >= 0 {
				edges = append(edges, edge{d, to})
			}
		}
	}
	best := -1
	consider := func(to int) {
		if best < 0 || newer(lock.Packages[to].Version, lock.Packages[best].Version) {
			best = to
		}
	}
	here := func(d *cargo.Dependency) bool { return d.Target == "" || f.target.Matches(d.Target) }
	for _, fits := range []func(edge) bool{
		func(e edge) bool { return e.d.Kind == cargo.Normal && here(e.d) && sameName(e.d.Name, f.ask.crate) },
		func(e edge) bool { return here(e.d) && sameName(e.d.Name, f.ask.crate) },
		func(e edge) bool { return sameName(e.d.Name, f.ask.crate) },
		func(e edge) bool { return sameName(e.d.Package, f.ask.crate) },
		func(e edge) bool {
			m := f.manifestOf(e.to)
			return m != nil && m.Lib.Name == f.ask.crate
		},
	} {
		for _, e := range edges {
			if fits(e) {
				consider(e.to)
			}
		}
		if best >= 0 {
			return best
		}
	}
	return -1
}

func newer(a, b string) bool {
	v, errA := cargo.ParseVersion(a)
	w, errB := cargo.ParseVersion(b)
	return errA == nil && errB == nil && v.Compare(w) > 0
}

// indirect returns the index of the newest package called name in the lock file, or -1 if
// there is none.
func (f *finder) indirect() int {
	best := -1
	for i, p := range f.project.Lock.Packages {
		if sameName(p.Name, f.ask.crate) && (best < 0 || newer(p.Version, f.project.Lock.Packages[best].Version)) {
			best = i
		}
	}
	if best >= 0 {
		best = f.project.Lock.Replaced(best)
	}
	return best
}

// requestedPackage returns the index of the package in the lock file that has the given name and the
// requested version, or -1 if there is none.
func (f *finder) requestedPackage(name string) int {
	for _, i := range f.project.Lock.Named(name) {
		if p := f.project.Lock.Packages[i]; f.ask.accepts(p.Version) && (f.ask.version != "latest" && f.ask.version != "newest" && f.ask.version != "*") {
			return i
		}
	}
	return -1
}

// adviseVersions adds a note if the project also uses other versions, or if it
// uses the package only indirectly.
func (f *finder) adviseVersions(l *located, direct bool) {
	var others []string
	for _, i := range f.project.Lock.Named(l.name) {
		if p := f.project.Lock.Packages[i]; i != l.locked && p.Version != l.version {
			others = append(others, p.Version)
		}
	}
	switch {
	case len(others) > 0 && direct:
		f.warnings = append(f.warnings, fmt.Sprintf("The project has several versions of %s; this is the one that %s depends on directly. The others are: %s.", l.name, f.project.Name(), quote.List(others, maxNamed)))
	case len(others) > 0:
		f.warnings = append(f.warnings, fmt.Sprintf("The project has several versions of %s, none of which %s depends on directly. Besides this one, it has: %s.", l.name, f.project.Name(), quote.List(others, maxNamed)))
	}
	if !direct && f.project.Member != nil && l.locked >= 0 && !l.inProject {
		f.warnings = append(f.warnings, fmt.Sprintf("%s does not depend on %s directly; add it to Cargo.toml before using it.", f.project.Name(), l.name))
	}
}

// locatedAt returns package i in the lock file.
func (f *finder) locatedAt(ctx context.Context, i int) (*located, error) {
	key := fmt.Sprintf("lock:%d", i)
	if l := f.opened[key]; l != nil {
		return l, nil
	}
	p := &f.project.Lock.Packages[i]
	l := &located{name: p.Name, version: p.Version, locked: i}
	l.provenance.ChosenBy = "Cargo.lock of " + f.project.Name()
	if err := f.place(ctx, l, p); err != nil {
		return nil, err
	}
	l.features, l.featuresBy = f.featuresOf(i)
	f.opened[key] = l
	return l, nil
}

// place sets the location of a locked package's files.
func (f *finder) place(ctx context.Context, l *located, p *cargo.Locked) error {
	if dir := f.localDir(p); dir != "" {
		l.dir, l.manifest = dir, f.memberManifest(dir)
		l.provenance.Source, l.provenance.Location, l.provenance.Integrity = "path dependency", dir, "not verified: docent used the files on this machine"
		if strings.HasPrefix(p.Source, "git+") {
			l.provenance.Source, l.provenance.Integrity = "git checkout", "commit of Cargo.lock"
		} else {
			l.inProject = true
		}
		return nil
	}
	if p.Source == "" {
		return ecosystem.Fail(ecosystem.NotFound, "%s %s is a path dependency, but its directory does not exist", p.Name, p.Version).
			WithNext("check the paths in Cargo.toml")
	}
	s, ok := f.config.SourceOf(p.Source)
	if !ok {
		return ecosystem.Fail(ecosystem.NotFound, "%s %s comes from a git repository that cargo has not checked out", p.Name, p.Version).
			WithTried("the checkouts in CARGO_HOME").WithNext("run cargo fetch")
	}
	if where, ok := f.placeOf(s, p.Name, p.Version); ok {
		l.usePlace(f, where, p.Checksum, "Cargo.lock")
		return nil
	}
	if s.Directory != "" || s.Local != "" {
		return ecosystem.Fail(ecosystem.NotFound, "%s %s is not in %s", p.Name, p.Version, s.Directory+s.Local).
			WithNext("run cargo vendor, or correct the source replacement in %s", s.From)
	}
	return f.fromRegistry(ctx, l, s, p.Checksum)
}

// localDir returns the directory of a member, path dependency or git checkout. It returns
// "" for other packages, or if there is no directory.
func (f *finder) localDir(p *cargo.Locked) string {
	if strings.HasPrefix(p.Source, "git+") {
		if s, ok := f.config.SourceOf(p.Source); ok && s.Directory != "" {
			return "" // The package is in a vendor directory.
		}
		dir, _ := f.checkout(p.Source, p.Name, p.Version)
		return dir
	}
	if p.Source != "" {
		return ""
	}
	for _, m := range f.project.Members {
		if m.Manifest.Name == p.Name && (m.Manifest.Version == p.Version || len(f.project.Lock.Named(p.Name)) == 1) {
			return m.Dir
		}
	}
	return f.pathDependency(p.Name)
}

// maxPaths is the maximum number of path dependencies outside the workspace.
const maxPaths = 1000

// pathDependency finds a path dependency outside the workspace: a dependency of a member, of
// another path dependency, of a patch, or of the overrides. It returns "" if there is none.
func (f *finder) pathDependency(name string) string {
	var dirs []string
	for _, m := range f.project.Members {
		for _, d := range m.Manifest.Dependencies {
			if dir := f.project.PathOf(m, &d); dir != "" {
				dirs = append(dirs, dir)
			}
		}
	}
	dirs = append(dirs, f.project.PatchPaths()...)
	dirs = append(dirs, f.config.Paths()...)
	dirs = append(dirs, f.config.PatchPaths()...)
	seen := map[string]bool{}
	for n := 0; n < len(dirs) && n < maxPaths; n++ {
		dir := dirs[n]
		if seen[dir] {
			continue
		}
		seen[dir] = true
		p, err := f.rs.project(dir)
		if err != nil || p.Member == nil || p.Member.Dir != filepath.Clean(dir) {
			continue
		}
		f.seen.Add(filepath.Join(dir, "Cargo.toml"))
		if p.Member.Manifest.Name == name {
			return dir
		}
		for _, d := range p.Member.Manifest.Dependencies {
			if below := p.PathOf(p.Member, &d); below != "" {
				dirs = append(dirs, below)
			}
		}
	}
	return ""
}

// memberManifest returns the manifest of a package that may be in a workspace, or nil if
// there is none.
func (f *finder) memberManifest(dir string) *cargo.Manifest {
	if !project.IsFile(filepath.Join(dir, "Cargo.toml")) {
		return nil
	}
	if f.project != nil {
		for _, m := range f.project.Members {
			if m.Dir == dir {
				return m.Manifest
			}
		}
	}
	p, err := f.rs.project(dir)
	if err != nil || p.Member == nil || p.Member.Dir != dir {
		return nil
	}
	return p.Member.Manifest
}

// manifestOf returns the manifest of a locked package from its sources, or else from cargo's cache
// of the registry's index. It returns nil if neither is on this machine.
func (f *finder) manifestOf(i int) *cargo.Manifest {
	if m, ok := f.manifests[i]; ok {
		return m
	}
	m := f.findManifest(i)
	f.manifests[i] = m
	return m
}

func (f *finder) findManifest(i int) *cargo.Manifest {
	p := &f.project.Lock.Packages[i]
	if dir := f.localDir(p); dir != "" {
		return f.memberManifest(dir)
	}
	s, ok := f.config.SourceOf(p.Source)
	if !ok {
		return nil
	}
	if where, ok := f.placeOf(s, p.Name, p.Version); ok && where.dir != "" {
		if m, err := f.rs.manifest(where.dir); err == nil {
			return m
		}
	}
	return f.indexedManifest(s, p.Name, p.Version)
}

// featuresOf returns the enabled features of a locked package. by describes what enables them.
func (f *finder) featuresOf(i int) (features []string, by string) {
	if f.features == nil {
		f.features = f.resolve()
	}
	m := f.manifestOf(i)
	host := m != nil && m.Lib.ProcMacro
	features, used := f.features.Enabled(cargo.Unit{Package: i, Host: host})
	if !used { // The package is a procedural macro, or is used only by procedural macros, with resolver 1.
		features, used = f.features.Enabled(cargo.Unit{Package: i, Host: !host})
	}
	if !used {
		return f.defaultsOf(i), "by default, because the project does not use it on this target"
	}
	return features, "by the project"
}

func (f *finder) defaultsOf(i int) []string {
	if m := f.manifestOf(i); m != nil {
		return m.Enabled(nil, true)
	}
	return []string{}
}

// resolved are the features of all packages of a project.
type resolved struct {
	project   *cargo.Project
	triple    string
	features  *cargo.Features
	manifests map[int]*cargo.Manifest // keyed by index in the lock file
}

// resolve computes the features of all packages. It warns if the features of some
// packages are unknown.
func (f *finder) resolve() *cargo.Features {
	f.rs.resolving.Lock()
	defer f.rs.resolving.Unlock()
	if r := &f.rs.resolved; r.project == f.project && r.triple == f.target.Triple {
		maps.Copy(f.manifests, r.manifests)
		return r.features
	}
	var members []int
	for _, m := range f.project.Members {
		if i := f.lockIndex(m); i >= 0 {
			f.manifests[i] = m.Manifest
			members = append(members, i)
		}
	}
	slices.Sort(members)
	features := cargo.ResolveFeatures(f.project.Lock, members, f.manifestOf, f.target, f.project.Resolver(), false)
	if n := len(features.Unknown); n > 0 {
		f.warnings = append(f.warnings, "For "+quote.Count(n, "package")+" in Cargo.lock, the features that they enable in their dependencies are unknown, because neither their sources nor the registry's index is on this machine. Run cargo fetch.")
	}
	changes := func(i int) bool { // whether it has a manifest that may change, and is not a part of the project
		return f.project.Lock.Packages[i].Source == "" && !slices.Contains(members, i)
	}
	if len(features.Unknown) == 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(f.manifests)), changes) {
		f.rs.resolved = resolved{f.project, f.target.Triple, features, maps.Clone(f.manifests)}
	}
	return features
}
