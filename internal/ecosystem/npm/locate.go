package npm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/npmlock"
	"github.com/docent-mcp/docent/internal/spelling"
)

// find locates the requested package, at the requested version or the version that
// the project uses. It prefers copies on this machine.
func (f *finder) find(ctx context.Context) (*located, error) {
	switch {
	case f.ask.dir != "":
		l := f.openDir(f.ask.dir, "")
		if l == nil {
			return nil, &ecosystem.Error{Reason: ecosystem.Unreadable, What: "the package.json in " + f.ask.dir + " cannot be read"}
		}
		l.pkg.Name = cmp.Or(l.manifest.Name, filepath.Base(l.dir))
		return chosen(l, "the requested directory"), nil
	case f.ask.version != "":
		return f.findAsked(ctx)
	case f.project == nil:
		by := "newest release, no project given"
		if f.ask.project != "" {
			by = "newest release; no package.json in " + f.ask.project + " or above"
		}
		f.warnings = append(f.warnings, ecosystem.Unchosen)
		return f.fromRegistry(ctx, f.ask.name, "*", nil, by)
	}
	return f.findUsed(ctx)
}

func chosen(l *located, by string) *located {
	l.provenance.ChosenBy = by
	return l
}

// findUsed finds the package at the version that the project uses. It tries, in
// this order: packages of the project, the lock file, installed packages, the range
// in package.json, and the newest version.
func (f *finder) findUsed(ctx context.Context) (*located, error) {
	name, p := f.ask.name, f.project
	if p.Manifest.Name == name {
		if l := f.openDir(p.Dir, name); l != nil {
			return chosen(l, "package of the project"), nil
		}
	}
	if dep, ok := p.Locked(name); ok {
		// If several versions of a transitive dependency are installed, the project's
		// code gets the one in its own node_modules.
		if dep.Note != "" {
			if l := f.installedFrom(p.Dir, name); l != nil && !l.inProject {
				return chosen(l, "node_modules of "+p.Name()), nil
			}
		}
		return f.findLocked(ctx, dep)
	}
	if dir, ok := p.Members()[name]; ok {
		if l := f.openDir(dir, name); l != nil {
			return chosen(l, "package of the workspace"), nil
		}
	}
	if l := f.installed(name, "", ""); l != nil {
		if !l.inProject {
			f.warnOfAlias(name, l.manifest.Name)
		}
		by := "node_modules of " + p.Name()
		if l.inProject {
			by = "link in " + by
		}
		return chosen(l, by), nil
	}
	f.tried = append(f.tried, "node_modules of "+p.Name()+" and above")
	spec, by := p.Wants(name)
	if by == "" {
		if alias := f.aliasOf(name); alias != "" {
			f.ask.name = alias
			return f.findUsed(ctx)
		}
		if l := f.installed(typesName(name), "", ""); l != nil {
			f.warnings = append(f.warnings, fmt.Sprintf("%s is not installed; these are the declarations from %s", name, l.pkg.Name))
			return chosen(l, "node_modules of "+p.Name()), nil
		}
		var d spelling.Distance
		// A fork is often published under the same name in a scope. Short names may
		// be similar by chance.
		meant := slices.DeleteFunc(f.near(name), func(n string) bool {
			return path.Base(n) != path.Base(name) && (len(name) <= 4 || d.Between(n, name, 2) > 2)
		})
		if len(meant) > 0 {
			f.warnings = append(f.warnings, fmt.Sprintf("%s does not use %s; it uses %s: check the name before you install it", p.Name(), name, strings.Join(meant, ", ")))
		}
		l, err := f.fromRegistry(ctx, name, "*", nil, "newest release; "+p.Name()+" does not use it")
		if l != nil {
			// Without a lock file or node_modules, it is unknown what dependencies require.
			l.provenance.Unused = p.LockFile != "" && p.Problem == "" || project.IsDir(filepath.Join(p.Root, "node_modules"))
		}
		return l, err
	}
	return f.findSpec(ctx, spec, by)
}

// findSpec follows the specifier in package.json if neither a lock file nor
// node_modules has chosen a version.
func (f *finder) findSpec(ctx context.Context, text, by string) (*located, error) {
	name := f.ask.name
	spec := npmlock.ParseSpec(text)
	by = fmt.Sprintf("%s (%s)", by, text)
	switch spec.Kind {
	case npmlock.Local:
		dir := filepath.Join(f.project.Dir, filepath.FromSlash(spec.Range))
		if l := f.openDir(dir, name); l != nil {
			return chosen(l, by), nil
		}
		return nil, f.notARegistrys(name, text)
	case npmlock.Workspace:
		if dir, ok := f.project.Members()[cmp.Or(spec.Name, name)]; ok {
			if l := f.openDir(dir, name); l != nil {
				return chosen(l, by), nil
			}
		}
		return nil, f.notARegistrys(name, text)
	case npmlock.Foreign:
		return nil, f.notARegistrys(name, text)
	}
	f.warnOfAlias(name, spec.Name)
	f.want(cmp.Or(spec.Name, name), spec.Range, by)
	return f.fromRegistry(ctx, cmp.Or(spec.Name, name), cmp.Or(spec.Range, "*"), nil, by)
}

// findLocked finds the package at the version in the lock file.
func (f *finder) findLocked(ctx context.Context, dep npmlock.Dependency) (*located, error) {
	name, by := dep.Name, dep.By+" of "+f.project.Name()
	if dep.Note != "" {
		by += ", " + dep.Note + " in it"
	}
	f.warnOfAlias(name, dep.Alias)
	if dep.Dir != "" {
		l := f.openDir(dep.Dir, name)
		if l == nil {
			return nil, &ecosystem.Error{
				Reason: ecosystem.NotFound, What: fmt.Sprintf("%s is linked to %s, which does not contain a package", name, dep.Dir),
				Tried: []string{by}, Next: "check the link",
			}
		}
		return chosen(l, by), nil
	}
	if l := f.installed(name, dep.Published(), dep.Version); l != nil {
		if dep.Integrity != "" && l.provenance.Source == "node_modules" {
			l.provenance.Integrity = "not verified: docent read the installed files"
		}
		l.deprecated = cmp.Or(l.deprecated, dep.Deprecated)
		return chosen(l, by), nil
	}
	other := f.installed(name, "", "")
	if dep.Foreign != "" {
		if other != nil {
			return chosen(other, "node_modules of "+f.project.Name()), nil
		}
		return nil, f.notARegistrys(name, dep.Foreign)
	}
	f.tried = append(f.tried, "node_modules of "+f.project.Name()+" and above")
	f.want(dep.Published(), dep.Version, by)
	l, err := f.fromRegistry(ctx, dep.Published(), dep.Version, &dep, by)
	if err == nil && other != nil {
		err = f.unpacked(ctx, l) // fail now, while an installed version can still be shown instead
	}
	if err == nil {
		l.deprecated = cmp.Or(l.deprecated, dep.Deprecated)
	}
	if err == nil || other == nil {
		return l, err
	}
	failed, ok := errors.AsType[*ecosystem.Error](err)
	if !ok || ctx.Err() != nil || fetch.HasUpstream(ctx) {
		return nil, err
	}
	f.warnings = append(f.warnings, fmt.Sprintf("%s selects %s, which is not available (%s); this is the installed version, %s",
		by, dep.Version, failed.What, other.manifest.Version))
	return chosen(other, "node_modules of "+f.project.Name()), nil
}

// want records the release that the project chose.
func (f *finder) want(name, version, by string) {
	f.choice = &ecosystem.MissingRelease{Package: path.Join(name, f.ask.subpath), Version: version, ChosenBy: by}
}

// projectRelease implements ecosystem.Steps.Missing.
func (f *finder) projectRelease() *ecosystem.MissingRelease { return f.choice }

// notARegistrys returns the error for a package from git or a tarball that is not
// installed.
func (f *finder) notARegistrys(name, spec string) error {
	return &ecosystem.Error{
		Reason:  ecosystem.NotFound,
		Foreign: true,
		What:    fmt.Sprintf("%s comes from %s and not from a registry, and it is not installed", name, fetch.RedactSpec(spec)),
		Tried:   f.tried,
		Next:    "install the project's dependencies, or request a version from a registry with " + name + "@latest",
	}
}

// warnOfAlias adds a warning with the published name of a package that the
// project imports under another name.
func (f *finder) warnOfAlias(name, published string) {
	if published != "" && published != name {
		f.warnings = append(f.warnings, fmt.Sprintf("%s is the project's name for %s", name, published))
	}
}

// aliasOf returns the name under which the project imports a package that its
// package.json requires as "npm:NAME@RANGE", or "" if there is no such alias.
func (f *finder) aliasOf(name string) string {
	m := f.project.Manifest
	for _, group := range []map[string]string{m.Dependencies, m.Dev, m.Optional, m.Peer} {
		for _, alias := range slices.Sorted(maps.Keys(group)) {
			if spec := npmlock.ParseSpec(group[alias]); spec.Kind == npmlock.Registry && spec.Name == name && alias != name {
				return alias
			}
		}
	}
	return ""
}

// findAsked finds the package at the version, range or tag in the query. It warns if the project
// uses another major version.
func (f *finder) findAsked(ctx context.Context) (*located, error) {
	l, err := f.findVersion(ctx)
	if err != nil || f.project == nil {
		return l, err
	}
	used := ""
	if dep, ok := f.project.Locked(f.ask.name); ok && dep.Alias == "" && dep.Dir == "" && dep.Foreign == "" {
		used = dep.Version
	} else if in := f.installedFrom(f.project.Dir, f.ask.name); in != nil && !in.inProject && in.manifest.Name == f.ask.name {
		used = in.manifest.Version
	}
	if v := l.version(); used != "" && v != "" && major(used) != major(v) {
		f.warnings = append(f.warnings, fmt.Sprintf("%s uses %s %s; this is %s, as requested", f.project.Name(), f.ask.name, used, v))
	}
	return l, nil
}

// major returns the part of a version that increases with incompatible changes,
// such as "1" of 1.2.3 and "0.2" of 0.2.3.
func major(version string) string {
	first, rest, _ := strings.Cut(version, ".")
	if first == "0" {
		second, _, _ := strings.Cut(rest, ".")
		return "0." + second
	}
	return first
}

// findVersion finds the package at the version, range or tag in the query. It prefers the project's
// version if it is in the range.
func (f *finder) findVersion(ctx context.Context) (*located, error) {
	name, version := f.ask.name, f.ask.version
	r, isRange := parseRange(version)
	if !isRange {
		return f.fromRegistry(ctx, name, version, nil, "requested as "+version)
	}
	by := "requested"
	if r.exact == "" {
		by = "requested as " + version
	}
	if f.project != nil {
		if dep, ok := f.project.Locked(name); ok && dep.Alias == "" && dep.Dir == "" && dep.Foreign == "" && r.matches(dep.Version) {
			if l, err := f.findLocked(ctx, dep); err == nil && r.matches(l.version()) {
				if r.exact == "" {
					by += "; selected by " + dep.By
				}
				return chosen(l, by), nil
			}
		}
		if l := f.installed(name, "", r.exact); l != nil && !l.inProject && l.manifest.Name == name && r.matches(l.manifest.Version) {
			if r.exact == "" {
				by += "; this version is installed"
			}
			return chosen(l, by), nil
		}
		f.tried = append(f.tried, "node_modules of "+f.project.Name()+" and above")
		if e, ok := f.project.LockedVersion(ctx, name, r.exact); ok {
			if e.Place != "" {
				if l := f.openDir(filepath.Join(f.project.Root, filepath.FromSlash(e.Place)), name); l != nil && l.manifest.Version == e.Version {
					return chosen(l, by), nil
				}
			}
			return f.fromRegistry(ctx, name, version, &e.Dependency, by)
		}
	}
	return f.fromRegistry(ctx, name, version, nil, by)
}

// typesName returns the name of the package that declares the types of a package without its own
// types.
func typesName(name string) string {
	if strings.HasPrefix(name, "@types/") {
		return name
	}
	if scope, rest, ok := strings.Cut(strings.TrimPrefix(name, "@"), "/"); ok {
		return "@types/" + scope + "__" + rest
	}
	return "@types/" + name
}

// near lists packages of the project whose names are similar to name, which the project does not
// use.
func (f *finder) near(name string) []string {
	if f.project == nil {
		return nil
	}
	known := map[string]bool{}
	for _, group := range []map[string]string{
		f.project.Manifest.Dependencies, f.project.Manifest.Dev, f.project.Manifest.Optional, f.project.Manifest.Peer, f.project.Members(),
	} {
		for n := range group {
			known[n] = true
		}
	}
	return spelling.Near(maps.Keys(known), name)
}
