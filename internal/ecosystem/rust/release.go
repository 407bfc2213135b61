package rust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// newestAge is how long the choice of the newest release remains valid.
const newestAge = 24 * time.Hour

// releases returns the versions of a package in a registry's index.
func (f *finder) releases(ctx context.Context, s cargoconf.Source, name string) (*registry, []release, error) {
	r, err := f.connect(ctx, s)
	if err != nil {
		return nil, nil, f.registryError(r, s, name, err)
	}
	var all []release
	data, err := f.indexFile(ctx, r, indexPath(name), func(data []byte) error {
		_, err := parseIndex(data, name)
		return err
	})
	if err == nil {
		all, err = parseIndex(data, name)
	}
	if err != nil {
		return r, nil, f.registryError(r, s, name, err)
	}
	return r, all, nil
}

// spellings returns the possible names of a package that is called name in
// code, where hyphens and underscores are equivalent.
func spellings(name string) []string {
	all := []string{name, strings.ReplaceAll(name, "_", "-"), strings.ReplaceAll(name, "-", "_")}
	slices.Sort(all[1:])
	return slices.Compact(all)
}

// released finds a release in the default registry: the requested one, or the
// newest suitable one.
func (f *finder) released(ctx context.Context) (*located, error) {
	s, _ := f.config.Named("")
	if l := f.onMachine(s); l != nil {
		return l, nil
	}
	var missing error
	for _, name := range spellings(f.ask.crate) {
		l, err := f.choose(ctx, s, name, f.ask.requirement, f.ask.exact, "")
		if failed, ok := errors.AsType[*ecosystem.Error](err); ok && failed.Reason == ecosystem.NotFound {
			missing = cmp.Or(missing, err)
			continue
		}
		if unreachable(err) && !fetch.HasUpstream(ctx) {
			if l := f.newestOnMachine(s); l != nil {
				return l, nil
			}
		}
		return l, err
	}
	return nil, missing
}

// onMachine returns the requested version if its sources are on this machine. It returns nil if
// they are not, or if the query does not specify a complete version.
func (f *finder) onMachine(s cargoconf.Source) *located {
	if f.ask.exact == "" {
		return nil
	}
	for _, name := range spellings(f.ask.crate) {
		if where, ok := f.placeOf(s, name, f.ask.exact); ok && where.dir != "" {
			l := &located{name: name, version: f.ask.exact, locked: -1}
			l.provenance = apidoc.Provenance{ChosenBy: "requested"}
			l.usePlace(f, where, "", "")
			return l
		}
	}
	return nil
}

func unreachable(err error) bool {
	failed, ok := errors.AsType[*ecosystem.Error](err)
	return ok && failed.Reason == ecosystem.Unreachable
}

// newestOnMachine returns the newest suitable version whose sources are on this
// machine. It is used if the registry cannot be reached.
func (f *finder) newestOnMachine(s cargoconf.Source) *located {
	var best *located
	for _, parent := range append(f.registryDirs(s, "src"), s.Directory, f.rs.system(debianRegistry)) {
		if parent == "" {
			continue
		}
		for _, entry := range project.DirNames(parent) {
			for _, name := range spellings(f.ask.crate) {
				version, ok := strings.CutPrefix(entry, name+"-")
				v, err := cargo.ParseVersion(version)
				if !ok || err != nil || v.Pre != "" && f.ask.version == "" || !f.ask.accepts(version) || best != nil && !newer(version, best.version) {
					continue
				}
				if where, ok := f.placeOf(s, name, version); ok && where.dir != "" {
					best = &located{name: name, version: version, locked: -1}
					best.provenance = apidoc.Provenance{ChosenBy: "newest on this machine; the registry could not be reached"}
					if f.project != nil {
						best.provenance.ChosenBy += "; " + f.project.Name() + " does not use it"
						best.provenance.Unused = true
					}
					best.usePlace(f, where, "", "")
				}
			}
		}
	}
	if best != nil {
		f.seen.LimitAge(time.Minute)
		if f.project == nil {
			f.warnings = append(f.warnings, ecosystem.Unchosen)
		}
	}
	return best
}

// choose finds the newest version of a package that satisfies a requirement, or an exact version.
// by is the origin of the requirement, or "" for the query.
func (f *finder) choose(ctx context.Context, s cargoconf.Source, name string, requirement cargo.Requirement, exact, by string) (*located, error) {
	if s.Directory != "" || s.Local != "" {
		return nil, ecosystem.Fail(ecosystem.NotFound, "%s is not in %s, which replaces the registry", name, s.Directory+s.Local).
			WithNext("run cargo vendor, or request another crate")
	}
	r, all, err := f.releases(ctx, s, name)
	if err != nil {
		return nil, err
	}
	best := f.newest(all, requirement, exact)
	if best == nil {
		return nil, f.noVersion(r, name, all, exact)
	}
	if best.Yanked {
		f.warnings = append(f.warnings, fmt.Sprintf("%s %s was yanked: its authors advise against it.", best.Name, best.Version))
	}
	l := &located{name: best.Name, version: best.Version, locked: -1}
	switch {
	case by != "":
		l.provenance.ChosenBy = by
	case f.ask.exact != "":
		l.provenance.ChosenBy = "requested"
	case f.ask.version != "":
		l.provenance.ChosenBy = "newest release that satisfies " + f.ask.version
		f.seen.LimitAge(newestAge)
	case f.project == nil:
		l.provenance.ChosenBy = "newest release, no project given"
		f.warnings = append(f.warnings, ecosystem.Unchosen)
		f.seen.LimitAge(newestAge)
	default:
		l.provenance.ChosenBy, l.provenance.Unused = "newest release; "+f.project.Name()+" does not use it", true
		f.seen.LimitAge(newestAge)
	}
	if where, ok := f.placeOf(s, l.name, l.version); ok {
		l.usePlace(f, where, best.Checksum, "the registry's index")
		return l, nil
	}
	digest, err := fetch.ParseHex("sha256", strings.ToLower(best.Checksum))
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Unreadable, "the sha256 of %s %s that %s gives is not valid", l.name, l.version, r).WithErr(err)
	}
	f.useRelease(l, s, digest, "the registry's index")
	return l, nil
}

// newest returns the newest release that satisfies a requirement and that the project's
// rust-version can use. It chooses a yanked release or a prerelease only if the requirement
// contains that exact version. It returns nil if there is none.
func (f *finder) newest(all []release, requirement cargo.Requirement, exact string) *release {
	var best, tooNew *release
	rust := f.rustVersion()
	for i := range all {
		r := &all[i]
		v, err := cargo.ParseVersion(r.Version)
		if err != nil {
			continue
		}
		if exact != "" {
			if sameVersion(exact, r.Version) {
				return r
			}
			continue
		}
		if r.Yanked || !requirement.Matches(v) || v.Pre != "" && f.ask.version == "" && !requirement.NamesPrerelease() {
			continue
		}
		if !suits(r.RustVersion, rust) {
			if tooNew == nil || newer(r.Version, tooNew.Version) {
				tooNew = r
			}
			continue
		}
		if best == nil || newer(r.Version, best.Version) {
			best = r
		}
	}
	if best == nil && tooNew != nil {
		f.warnings = append(f.warnings, fmt.Sprintf("%s %s needs Rust %s, but the project's rust-version is %s.", tooNew.Name, tooNew.Version, tooNew.RustVersion, rust))
		return tooNew
	}
	return best
}

// rustVersion returns the rust-version of the current member. It returns "" if
// there is none.
func (f *finder) rustVersion() string {
	if f.project == nil {
		return ""
	}
	if f.project.Member != nil {
		return f.project.Member.Manifest.RustVersion
	}
	lowest := ""
	for _, m := range f.project.Members {
		if v := m.Manifest.RustVersion; v != "" && (lowest == "" || newer(full(lowest), full(v))) {
			lowest = v
		}
	}
	return lowest
}

// suits reports whether a package that requires one version of Rust can be used with another
// version.
func suits(needs, has string) bool {
	return needs == "" || has == "" || !newer(full(needs), full(has))
}

// full completes a rust-version. For example, it returns 1.70.0 for "1.70".
func full(v string) string {
	for strings.Count(v, ".") < 2 {
		v += ".0"
	}
	return v
}

// noVersion returns the error for a version that does not exist. It lists
// existing versions.
func (f *finder) noVersion(r *registry, name string, all []release, exact string) error {
	want := f.ask.version
	if exact != "" {
		want = exact
	}
	e := ecosystem.Fail(ecosystem.NotFound, "there is no version of %s that satisfies %s", name, want).WithTried(r.String()).WithNext("request a version that exists")
	if want == "" {
		e.What = fmt.Sprintf("all releases of %[2]s in %[1]s were yanked or are prereleases", r, name)
		e.Next = "specify a version"
	}
	var near []string
	for i := range all {
		if !all[i].Yanked {
			near = append(near, all[i].Version)
		}
	}
	slices.SortFunc(near, func(a, b string) int {
		switch {
		case newer(a, b):
			return -1
		case newer(b, a):
			return 1
		}
		return 0
	})
	const maximum = 5
	return e.WithNear(near[:min(len(near), maximum)]...)
}

// unlocked finds a dependency of a project without Cargo.lock.
func (f *finder) unlocked(ctx context.Context) (*located, error) {
	for _, m := range f.askers() {
		for i := range m.Manifest.Dependencies {
			d := &m.Manifest.Dependencies[i]
			if !sameName(d.Name, f.ask.crate) && !sameName(d.Package, f.ask.crate) {
				continue
			}
			if dir := f.project.PathOf(m, d); dir != "" && f.ask.version == "" {
				if pkg := f.memberManifest(dir); pkg != nil {
					l := f.member(&cargo.Member{Dir: dir, Manifest: pkg})
					l.provenance.Source, l.provenance.ChosenBy = "path dependency", "Cargo.toml of "+m.Manifest.Name
					return l, nil
				}
			}
			if f.ask.version != "" {
				f.ask.crate = d.Package
				return nil, nil
			}
			by := "newest release that Cargo.toml of " + m.Manifest.Name + " allows; there is no Cargo.lock"
			f.want(d.Package, d.Requirement, by)
			l, err := f.requirementRelease(ctx, d, by)
			if err != nil {
				return nil, err
			}
			l.request, l.featuresBy = d, "by the Cargo.toml of "+m.Manifest.Name
			f.seen.LimitAge(newestAge)
			return l, nil
		}
	}
	return nil, nil
}

// maxRemote is the maximum number of dependencies that are looked up in registries.
const maxRemote = 24

// dependencyRelease locates a dependency of a package that is not in a lock
// file.
func (f *finder) dependencyRelease(ctx context.Context, d *cargo.Dependency) (*located, error) {
	if f.remote++; f.remote > maxRemote {
		return nil, errOpened
	}
	warnings := len(f.warnings)
	l, err := f.requirementRelease(ctx, d, "newest release that is allowed")
	f.warnings = f.warnings[:warnings]
	if l != nil {
		l.request = d
	}
	return l, err
}

// requirementRelease locates the newest release that a dependency allows.
func (f *finder) requirementRelease(ctx context.Context, d *cargo.Dependency, by string) (*located, error) {
	requirement, err := cargo.ParseRequirement(d.Requirement)
	if d.Requirement == "" {
		requirement, err = cargo.Requirement{}, nil
	}
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Invalid, "the version required of %s is not valid: %v", d.Package, err).WithErr(err).WithNext("correct Cargo.toml")
	}
	if d.Git != "" {
		return nil, ecosystem.Fail(ecosystem.NotFound, "%s comes from a git repository, and there is no Cargo.lock that gives the commit", d.Package).WithNext("run cargo fetch")
	}
	s, ok := f.config.Named(d.Registry)
	if d.RegistryIndex != "" {
		s, ok = f.config.SourceOf(lockedIndex(d.RegistryIndex))
	}
	if !ok {
		return nil, ecosystem.Fail(ecosystem.NotFound, "the registry %s of %s is not configured", d.Registry, d.Package).WithNext("add its index to cargo's configuration")
	}
	exact := ""
	if v, ok := requirement.Exact(); ok {
		exact = v.String()
	}
	return f.choose(ctx, s, d.Package, requirement, exact, by)
}

// lockedIndex returns the address of an index in the form used in lock files.
func lockedIndex(address string) string {
	if strings.HasPrefix(address, "sparse+") {
		return address
	}
	return "registry+" + address
}
