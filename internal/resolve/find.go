package resolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// Find does what FindPackage does. For a module without a package at its root, it returns an empty
// package whose family consists of the packages below the root.
func (r *Resolver) Find(ctx context.Context, q catalog.Question) (p *catalog.Item, symbol string, err error) {
	p, symbol, err = r.FindPackage(ctx, q)
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok && len(failed.Packages) > 0 {
		if p := r.rootless(ctx, q, failed.Packages); p != nil {
			return p, "", nil
		}
	}
	return p, symbol, err
}

// rootlessTries is the number of packages that are tried to determine the version of a module
// without a package at its root.
const rootlessTries = 3

// rootless returns an empty package with the name of the module that contains the given packages,
// or nil if none of them can be read.
func (r *Resolver) rootless(ctx context.Context, q catalog.Question, packages []apidoc.Subpackage) *catalog.Item {
	var names []string
	for i := range packages {
		if !packages[i].Command && len(names) < rootlessTries {
			names = append(names, packages[i].Name)
		}
	}
	for _, name := range names {
		for _, one := range r.catalog.ReadAll(ctx, q, []string{name}) {
			return r.catalog.NewItem(&apidoc.Package{
				Ecosystem: one.Ecosystem, Style: one.Style, Name: one.Module, Module: one.Module, Version: one.Version, Platform: one.Platform,
				Repository: one.Repository, Doc: "This module has no package at its root.", Synopsis: "This module has no package at its root.",
				Subpackages: packages, Provenance: one.Provenance, Advice: one.Advice,
			})
		}
	}
	return nil
}

// FindPackage reads the package to which a question refers. If there is no package with that name,
// FindPackage searches the packages that the project can import by the last part of their paths.
// The name may end with a symbol, which FindPackage returns.
func (r *Resolver) FindPackage(ctx context.Context, q catalog.Question) (p *catalog.Item, symbol string, err error) {
	if qualified(q.Name) != "" && r.separator(q.Language) == "" {
		if p, symbol, err = r.findByLastName(ctx, q); p != nil {
			return p, symbol, err
		}
	}
	p, first := r.catalog.Read(ctx, q)
	if first == nil {
		return p, "", nil
	}
	failed, ok := errors.AsType[*ecosystem.Error](first)
	if !ok || failed.Reason == ecosystem.Refused || failed.Reason == ecosystem.Unreadable || ctx.Err() != nil {
		return nil, "", first
	}
	separator := r.separator(q.Language)
	if separator != "" {
		if p, symbol = r.findByPath(ctx, q, separator); p != nil {
			return p, symbol, nil
		}
	}
	if p, symbol, err = r.findByLastName(ctx, q); p != nil || err != nil {
		return p, symbol, err
	}
	if p, symbol = r.findByExport(ctx, q); p != nil {
		return p, symbol, nil
	}
	if separator == "" {
		if p, symbol = r.findByPath(ctx, q, "."); p != nil {
			return p, symbol, nil
		}
	}
	return nil, "", first
}

// separator returns the separator of names in paths for languages that write the paths of packages
// and of symbols in the same way, or "" for other languages.
func (r *Resolver) separator(language string) string {
	if language := r.catalog.Languages().Find(language); language != nil {
		return language.Info().Style.Separator
	}
	return ""
}

// maxPathSymbols is the maximum number of names at the end of a path that can be names of a symbol
// and its member.
const maxPathSymbols = 2

// findByPath reads the package of a path that ends with a symbol, such as tokio::sync::mpsc::Sender
// or hono/cookie.getCookie. It returns nil if there is no such package.
func (r *Resolver) findByPath(ctx context.Context, q catalog.Question, separator string) (p *catalog.Item, symbol string) {
	name, version, versioned := strings.Cut(q.Name, "@")
	for range maxPathSymbols {
		i := strings.LastIndex(name, separator)
		if i <= 0 || strings.Contains(name[i:], "/") {
			break
		}
		if symbol != "" {
			symbol = separator + symbol
		}
		name, symbol = name[:i], name[i+len(separator):]+symbol
		if q.Name = name; versioned {
			q.Name += "@" + version
		}
		if p, err := r.catalog.Read(ctx, q); err == nil {
			return p, symbol
		}
	}
	return nil, ""
}

// qualified returns the package in a name such as json.Marshal, in which the symbol begins with an
// upper-case letter. For other names, it returns "".
func qualified(name string) string {
	last := strings.LastIndexByte(name, '/') + 1
	head, symbol, ok := strings.Cut(name[last:], ".")
	if !ok || head == "" || symbol == "" || symbol[0] < 'A' || symbol[0] > 'Z' {
		return ""
	}
	return name[:last] + head
}

// MaxNames is the maximum number of package names that are compared with a short name.
const MaxNames = 20_000

// findByLastName reads a package that the project can import and whose path ends with the name in a
// question, or with the part of the name before a dot. It returns nil if there is no such package.
// If there are several, the error lists them. symbol is the part of the name after the dot.
func (r *Resolver) findByLastName(ctx context.Context, q catalog.Question) (p *catalog.Item, symbol string, err error) {
	language := r.catalog.Languages().Find(q.Language)
	if language == nil {
		return nil, "", nil
	}
	name, version, _ := strings.Cut(q.Name, "@")
	if strings.HasPrefix(q.Name, "@") { // the name begins with an npm scope
		name, version = q.Name, ""
	}
	all := language.Names(q.Project, "", MaxNames)
	last := strings.LastIndexByte(name, '/') + 1
	spellings := [][2]string{{name, ""}}
	if head, rest, ok := strings.Cut(name[last:], "."); ok && head != "" && rest != "" {
		spellings = append(spellings, [2]string{name[:last] + head, rest})
	}
	lister, _ := language.(ecosystem.PackageLister)
	for i := 0; i < len(spellings); i++ {
		s := spellings[i]
		found := endingWith(all, s[0])
		if len(found) == 0 {
			if lister != nil && i == len(spellings)-1 {
				all, lister, i = lister.Below(q.Project), nil, -1 // search again in the packages of the dependencies
			}
			continue
		}
		if len(found) > 1 && q.Project != "" {
			found = mostUsed(language, q.Project, found)
		}
		if q.Project == "" && len(found) > 1 {
			if p := r.newestMajor(ctx, q, found, version); p != nil {
				return p, s[1], nil
			}
		}
		// If a project uses several major versions, the question means the one without a suffix.
		if plain := slices.DeleteFunc(slices.Clone(found), func(full string) bool { return !strings.HasSuffix("/"+full, "/"+s[0]) }); len(plain) > 0 {
			found = plain
		}
		if len(found) > 1 {
			return nil, "", &ecosystem.Error{
				Reason: ecosystem.NotFound, What: fmt.Sprintf("%s can refer to any of %s", s[0], strings.Join(found[:min(len(found), 12)], ", ")),
				Next: "use the full name of one of them",
			}
		}
		q.Name = found[0]
		if version != "" {
			q.Name += "@" + version
		}
		p, err := r.catalog.Read(ctx, q)
		return p, s[1], err
	}
	return nil, "", nil
}

// mostUsed returns those packages among names that a project uses most directly. These are packages
// that its files import, or otherwise packages that it requires, or otherwise packages that its
// dependencies require.
func mostUsed(language ecosystem.Language, project string, names []string) []string {
	lister, ok := language.(ecosystem.Lister)
	if !ok {
		return names
	}
	dependencies, err := lister.Dependencies(project)
	if err != nil {
		return names
	}
	const imported, direct, indirect = 0, 1, 2
	rank := func(name string) int {
		best := -1
		for i := range dependencies {
			d := &dependencies[i]
			level := indirect
			switch {
			case d.Package != name && !strings.HasPrefix(d.Package, name+"/") && !strings.HasPrefix(name, d.Package+"/"):
				continue
			case d.Imported && (d.Package == name || !IsMajor(strings.SplitN(strings.TrimPrefix(d.Package, name+"/"), "/", 2)[0])):
				level = imported
			case d.Direct && d.Package == name:
				level = direct
			}
			if best < 0 || level < best {
				best = level
			}
		}
		return max(best, imported) // a package that is not a dependency belongs to the project or to the language
	}
	ranks := make(map[string]int, len(names))
	lowest := indirect
	for _, name := range names {
		ranks[name] = rank(name)
		lowest = min(lowest, ranks[name])
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return ranks[name] > lowest })
}

// endingWith returns the names of packages whose path ends with a name, which may be followed by a
// major version.
func endingWith(names []string, name string) []string {
	var found []string
	for _, full := range names {
		if full == name {
			return []string{full}
		}
		if strings.HasSuffix(full, "/"+name) || strings.HasSuffix(withoutMajors(full), "/"+name) {
			found = append(found, full)
			continue
		}
		base := full
		if i := strings.LastIndexAny(full, "/."); i > 0 && IsMajor(full[i+1:]) {
			base = full[:i]
		}
		if base != full && (base == name || strings.HasSuffix(base, "/"+name)) {
			found = append(found, full)
		}
	}
	// public packages take precedence over internal and vendored copies
	public := slices.DeleteFunc(slices.Clone(found), func(s string) bool {
		return strings.Contains("/"+s+"/", "/internal/") || strings.Contains("/"+s+"/", "/vendor/")
	})
	if len(public) > 0 {
		found = public
	}
	return found
}

// withoutMajors removes the major versions from a path. For example, it returns
// example.com/chi/middleware for example.com/chi/v5/middleware.
func withoutMajors(path string) string {
	if !strings.Contains(path, "/v") {
		return path
	}
	return strings.Join(slices.DeleteFunc(strings.Split(path, "/"), IsMajor), "/")
}

// newestMajor reads the newest of several major versions of one module. Without a version, a release takes precedence over
// prereleases of newer major versions. newestMajor returns nil if names are not major versions of one module, as with
// packages of a standard library that have successors.
func (r *Resolver) newestMajor(ctx context.Context, q catalog.Question, names []string, version string) *catalog.Item {
	if slices.ContainsFunc(names, func(name string) bool { return withoutMajors(name) != withoutMajors(names[0]) }) {
		return nil
	}
	names = slices.SortedFunc(slices.Values(names), func(a, b string) int { // The paths differ only in a number.
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(b, a))
	})
	var prerelease *catalog.Item
	for i, name := range names {
		if q.Name = name; version != "" {
			q.Name += "@" + version
		}
		p, err := r.catalog.Read(ctx, q)
		switch {
		case err != nil || i == 0 && !haveMajors(names, p.Module):
			return nil
		case version != "" || !isPrerelease(p.Version):
			return p
		case prerelease == nil:
			prerelease = p
		}
	}
	return prerelease
}

// haveMajors reports whether names are those of one package in several major versions of a module. The first name is
// that of a package in newest, which is one of them.
func haveMajors(names []string, newest string) bool {
	slash := strings.LastIndexByte(newest, '/')
	below, ok := strings.CutPrefix(names[0], newest)
	if !ok || slash < 0 || !IsMajor(newest[slash+1:]) {
		return false
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		major, ok := strings.CutPrefix(name, newest[:slash])
		major, ends := strings.CutSuffix(major, below)
		return !ok || !ends || major != "" && !(major[0] == '/' && IsMajor(major[1:]))
	})
}

// isPrerelease reports whether a semantic version is a prerelease.
func isPrerelease(version string) bool {
	version, _, _ = strings.Cut(version, "+")
	return strings.Contains(version, "-")
}

// IsMajor reports whether a part of a path is a major version, such as "v5".
func IsMajor(part string) bool {
	digits, ok := strings.CutPrefix(part, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}
