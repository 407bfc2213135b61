// Package lookup answers questions about packages: it finds the packages that a question names, and
// the symbols or sections that it is about, and calls package answer to write the text. Both the
// command line and the MCP server use it.
//
// A question may give part of a package's name, or a symbol that is in another
// package of the same module or in another entry point. The answer then states what was found
// instead.
package lookup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/search"
	"github.com/docent-mcp/docent/internal/store"
)

// Lookup answers questions from a store. It keeps recently used packages
// prepared for answers. It is safe for concurrent use.
type Lookup struct {
	// Web adds sections to the prose of packages. It may be nil. It is set before the first
	// question.
	Web Web
	// Without contains parts of the ranking that searches skip, to measure their effect. It is set
	// before the first question.
	Without search.Parts
	// Single is true if only one question will be asked. The index of a package is then dropped
	// before the matching parts are read. It is set before the question.
	Single bool
	// MaxBytes is about how much memory the prepared packages may take, or 64 MiB if zero. Their
	// indexes are not counted and take about as much again. The least recently used packages are
	// dropped first, and the last package is always kept. It is set before the first question.
	MaxBytes int64
	// FamilyTime is the maximum time for reading the other packages of a module, or 3 seconds if
	// zero. Packages that were not read by then are not searched. It is set before the first
	// question.
	FamilyTime time.Duration

	store *store.Store

	mu     sync.Mutex
	recent []*prepared // the most recent is last

	readings readings
}

// New returns a Lookup of the packages of a store.
func New(s *store.Store) *Lookup { return &Lookup{store: s} }

// Languages returns the languages whose packages can be requested.
func (l *Lookup) Languages() ecosystem.Languages { return l.store.Languages() }

// Package describes the package that a question is about.
type Package struct {
	// Language is the ID of a language or another name for it.
	Language string
	// Name is the package's name in imports, optionally with a version. It may also be a qualified
	// symbol ("json.Marshal").
	Name string
	// Version is the requested version. If it is empty, the project determines the version.
	Version string
	// Platform is the platform whose files are read. If it is empty, it is the platform of this
	// machine.
	Platform string
	// Features are optional parts to read in addition to those that the project enables.
	Features string
	// Project is a directory of the user's project, or empty.
	Project string
}

func (p Package) query() ecosystem.Query {
	return ecosystem.Query{Package: p.Name, Version: p.Version, ProjectDir: p.Project, Platform: p.Platform, Features: p.Features}
}

// prepared is a package with its renderer and index, which are created when they are needed for the
// first time.
type prepared struct {
	*apidoc.Package
	renderer func() *answer.Renderer
	index    func() *search.Index
	// exporters are the entry points that export each path, if the package is an
	// index.
	exporters func() *exporters
	web       webDocs
	bytes     int64 // memory of the package
}

const (
	// maxPrepared is the maximum number of prepared packages.
	maxPrepared = 128
	// preparedBytes is the default value of Lookup.MaxBytes.
	preparedBytes = 64 << 20
)

// prepare returns p with its renderer and index. It drops the least recently
// used packages.
func (l *Lookup) prepare(p *apidoc.Package) *prepared {
	l.mu.Lock()
	defer l.mu.Unlock()
	index := slices.IndexFunc(l.recent, func(r *prepared) bool { return r.Package == p })
	if index < 0 {
		index = len(l.recent)
		r := l.newPrepared(p)
		if !l.Single { // with Single, there is no second question
			r.bytes = store.Weigh(p)
		}
		l.recent = append(l.recent, r)
	}
	r := l.recent[index]
	l.recent = append(slices.Delete(l.recent, index, index+1), r)
	l.dropOldest()
	return r
}

// dropOldest drops the least recently used packages until the others are within the limits. It
// requires l.mu.
func (l *Lookup) dropOldest() {
	var bytes int64
	first := len(l.recent) // the first entry that is kept
	for first > 0 && len(l.recent)-first < maxPrepared {
		bytes += l.recent[first-1].bytes
		if bytes > cmp.Or(l.MaxBytes, preparedBytes) && first < len(l.recent) {
			break
		}
		first--
	}
	l.recent = slices.Delete(l.recent, 0, first)
}

// forget drops the prepared package of p.
func (l *Lookup) forget(p *prepared) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recent = slices.DeleteFunc(l.recent, func(r *prepared) bool { return r == p })
}

func (l *Lookup) newPrepared(p *apidoc.Package) *prepared {
	return &prepared{
		Package:   p,
		renderer:  sync.OnceValue(func() *answer.Renderer { return answer.NewRenderer(p) }),
		index:     sync.OnceValue(func() *search.Index { return search.New(p).Without(l.Without) }),
		exporters: sync.OnceValue(func() *exporters { return exportersIn(p) }),
		web:       webDocs{turn: make(chan struct{}, 1)},
	}
}

// ready returns the prepared package of p if there is one, or else prepares p
// without keeping it.
func (l *Lookup) ready(p *apidoc.Package) *prepared {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.recent, func(r *prepared) bool { return r.Package == p }); i >= 0 {
		return l.recent[i]
	}
	return l.newPrepared(p)
}

// read reads the package of a question by its name.
func (l *Lookup) read(ctx context.Context, q Package) (*prepared, error) {
	p, err := l.store.Describe(ctx, q.Language, q.query())
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%s was not read in time: %w", q.Name, err)
	}
	if err != nil {
		return nil, err
	}
	return l.prepare(p), nil
}

// find is like findPackage. For a module without a package at its root, it returns an empty package
// whose family consists of the packages below the root.
func (l *Lookup) find(ctx context.Context, q Package) (p *prepared, symbol string, err error) {
	p, symbol, err = l.findPackage(ctx, q)
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok && len(failed.Packages) > 0 {
		if p := l.rootless(ctx, q, failed.Packages); p != nil {
			return p, "", nil
		}
	}
	return p, symbol, err
}

// rootlessTries is the number of packages that are tried to determine the version of a module
// without a package at its root.
const rootlessTries = 3

// rootless returns an empty package with the name of the module that contains the given packages,
// or nil if they cannot be read.
func (l *Lookup) rootless(ctx context.Context, q Package, packages []apidoc.Subpackage) *prepared {
	var names []string
	for i := range packages {
		if !packages[i].Command && len(names) < rootlessTries {
			names = append(names, packages[i].Name)
		}
	}
	for _, name := range names {
		for _, one := range l.readAll(ctx, q, []string{name}) {
			return l.newPrepared(&apidoc.Package{
				Ecosystem: one.Ecosystem, Style: one.Style, Name: one.Module, Module: one.Module, Version: one.Version, Platform: one.Platform,
				Repository: one.Repository, Doc: "This module has no package at its root.", Synopsis: "This module has no package at its root.",
				Subpackages: packages, Provenance: one.Provenance, Advice: one.Advice,
			})
		}
	}
	return nil
}

// findPackage reads the package that a question refers to. If there is no package with that name,
// findPackage looks for it among the packages that the project can import, by the last part of
// their paths. The name may end with a symbol, which findPackage returns.
func (l *Lookup) findPackage(ctx context.Context, q Package) (p *prepared, symbol string, err error) {
	if qualified(q.Name) != "" && l.separator(q.Language) == "" {
		if p, symbol, err = l.findByLastName(ctx, q); p != nil {
			return p, symbol, err
		}
	}
	p, first := l.read(ctx, q)
	if first == nil {
		return p, "", nil
	}
	failed, ok := errors.AsType[*ecosystem.Error](first)
	if !ok || failed.Reason == ecosystem.Refused || failed.Reason == ecosystem.Unreadable || ctx.Err() != nil {
		return nil, "", first
	}
	separator := l.separator(q.Language)
	if separator != "" {
		if p, symbol = l.findByPath(ctx, q, separator); p != nil {
			return p, symbol, nil
		}
	}
	if p, symbol, err = l.findByLastName(ctx, q); p != nil || err != nil {
		return p, symbol, err
	}
	if p, symbol = l.findByExport(ctx, q); p != nil {
		return p, symbol, nil
	}
	if separator == "" {
		if p, symbol = l.findByPath(ctx, q, "."); p != nil {
			return p, symbol, nil
		}
	}
	return nil, "", first
}

// separator returns the separator of names in paths for languages that write the paths of packages
// and of symbols in the same way, or "" for other languages.
func (l *Lookup) separator(language string) string {
	if language := l.store.Languages().Find(language); language != nil {
		return language.Info().Style.Separator
	}
	return ""
}

// maxPathSymbols is the maximum number of names at the end of a path that may belong to a symbol
// and its member.
const maxPathSymbols = 2

// findByPath reads the package of a path that ends with a symbol, such as tokio::sync::mpsc::Sender
// or hono/cookie.getCookie. It returns nil if there is no such package.
func (l *Lookup) findByPath(ctx context.Context, q Package, separator string) (p *prepared, symbol string) {
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
		if p, err := l.read(ctx, q); err == nil {
			return p, symbol
		}
	}
	return nil, ""
}

// qualified returns the package in a name such as json.Marshal, whose symbol begins with an
// upper-case letter, or "" for other names.
func qualified(name string) string {
	last := strings.LastIndexByte(name, '/') + 1
	head, symbol, ok := strings.Cut(name[last:], ".")
	if !ok || head == "" || symbol == "" || symbol[0] < 'A' || symbol[0] > 'Z' {
		return ""
	}
	return name[:last] + head
}

// maxNames is the maximum number of package names that are compared with a short name.
const maxNames = 20_000

// findByLastName reads the package that the project can import and whose path ends with the name of
// a question, or with the part with that name before a dot. It returns nil if there is no such
// package. If there are several, the error lists them. symbol is the part of the name after the
// dot.
func (l *Lookup) findByLastName(ctx context.Context, q Package) (p *prepared, symbol string, err error) {
	language := l.store.Languages().Find(q.Language)
	if language == nil {
		return nil, "", nil
	}
	name, version, _ := strings.Cut(q.Name, "@")
	if strings.HasPrefix(q.Name, "@") { // the name begins with a scope of npm
		name, version = q.Name, ""
	}
	all := language.Names(q.Project, "", maxNames)
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
				all, lister, i = lister.Below(q.Project), nil, -1 // look again, in the packages of the dependencies
			}
			continue
		}
		if len(found) > 1 && q.Project != "" {
			found = mostUsed(language, q.Project, found)
		}
		// If there are several major versions, the one without a suffix is meant.
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
		p, err := l.read(ctx, q)
		return p, s[1], err
	}
	return nil, "", nil
}

// mostUsed returns the packages among names that a project uses most directly: packages that its
// files import, or else packages that it requires, or else packages that its dependencies require.
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
			case d.Imported && (d.Package == name || !isMajor(strings.SplitN(strings.TrimPrefix(d.Package, name+"/"), "/", 2)[0])):
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

// endingWith returns the names of packages whose path ends with a name,
// optionally followed by a major version.
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
		if i := strings.LastIndexAny(full, "/."); i > 0 && isMajor(full[i+1:]) {
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

// withoutMajors removes the major versions from a path. It returns example.com/chi/middleware for
// example.com/chi/v5/middleware.
func withoutMajors(path string) string {
	if !strings.Contains(path, "/v") {
		return path
	}
	return strings.Join(slices.DeleteFunc(strings.Split(path, "/"), isMajor), "/")
}

// isMajor reports whether a part of a path is a major version, such as "v5".
func isMajor(part string) bool {
	digits, ok := strings.CutPrefix(part, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

const (
	// maxFamily is the maximum number of packages of a module that are read in addition to the
	// requested one.
	maxFamily = 80
	// familyTime is the default value of Lookup.FamilyTime.
	familyTime = 3 * time.Second
)

// family reads the other packages of a package's module, or its other entry points, as far as time
// allows. left contains the names of those that were not read.
func (l *Lookup) family(ctx context.Context, q Package, p *prepared) (others []*prepared, left []string) {
	names := l.relatives(ctx, q, p)
	if len(names) > maxFamily {
		names, left = names[:maxFamily], names[maxFamily:]
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(l.FamilyTime, familyTime))
	defer cancel()
	version := versionOf(q)
	for i, name := range names {
		each := q
		each.Name, each.Version = name, version
		other, err := l.read(ctx, each)
		if ctx.Err() != nil {
			return others, slices.Concat(names[i:], left)
		}
		if err == nil {
			others = append(others, other)
		}
	}
	return others, left
}

// relatives returns the names of the other packages of a package's module.
func (l *Lookup) relatives(ctx context.Context, q Package, p *prepared) []string {
	var names []string
	add := func(from *apidoc.Package) {
		for i := range from.Subpackages {
			if s := &from.Subpackages[i]; !s.Command && s.Name != p.Name && !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	add(p.Package)
	if root := p.Module; root != "" && root != p.Name && strings.HasPrefix(p.Name, root+"/") {
		q.Name = root
		if p.Version != "" && q.Version == "" && q.Project == "" {
			q.Version = p.Version
		}
		if main, err := l.read(ctx, q); err == nil {
			if !slices.Contains(names, main.Name) && len(main.Symbols) > 0 {
				names = append(names, main.Name)
			}
			add(main.Package)
		}
	}
	return names
}
