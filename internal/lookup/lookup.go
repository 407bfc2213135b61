// Package lookup answers questions about packages: it finds the packages that a
// question names, the symbols or sections that it is about, and has package
// answer write them. The command line and the MCP server both ask here.
//
// A question may name a package by less than its whole name, and a symbol that
// stands in another package of the same module or another entry point: what was
// found instead is named in the answer.
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

// Lookup answers questions from a store. It keeps the packages that were asked
// for last prepared for answers. It is safe for concurrent use.
type Lookup struct {
	// Web adds sections to the prose of packages, nil for none. It is set before
	// the first question.
	Web Web
	// Without are parts of the ranking that searches leave out, to measure what
	// they bring. It is set before the first question.
	Without search.Parts
	// Single says that one question is asked: the index of a package is dropped
	// before the parts that match are read. It is set before the question.
	Single bool
	// MaxBytes is about how much memory the packages that are kept prepared take
	// together, their indexes not counted, which take about as much again; 64 MiB if
	// zero. The least recently used ones are dropped first. The last one is kept
	// whatever its size. It is set before the first question.
	MaxBytes int64
	// FamilyTime is how long reading the other packages of a module may take together; 3
	// seconds if zero. What is not read by then is not searched. It is set before the
	// first question.
	FamilyTime time.Duration

	store *store.Store

	mu     sync.Mutex
	recent []*prepared // the most recent last

	readings readings
}

// New returns a Lookup of the packages of a store.
func New(s *store.Store) *Lookup { return &Lookup{store: s} }

// Languages returns the languages whose packages can be requested.
func (l *Lookup) Languages() ecosystem.Languages { return l.store.Languages() }

// Package says which package a question is about.
type Package struct {
	// Language is the ID of a language or another name for it.
	Language string
	// Name is the package as a program imports it, with a version if need be. It
	// may be a qualified symbol ("json.Marshal").
	Name string
	// Version is the version asked for, empty for that of the project.
	Version string
	// Platform is the platform whose files to read; empty means this machine's.
	Platform string
	// Features are optional parts to read besides those that the project turns on.
	Features string
	// Project is a directory of the user's project, or empty.
	Project string
}

func (p Package) query() ecosystem.Query {
	return ecosystem.Query{Package: p.Name, Version: p.Version, ProjectDir: p.Project, Platform: p.Platform, Features: p.Features}
}

// prepared is a package with what answers are made from, made when first needed.
type prepared struct {
	*apidoc.Package
	renderer func() *answer.Renderer
	index    func() *search.Index
	// exporters are the entry points that export each path, of an index of a package.
	exporters func() *exporters
	web       webDocs
	bytes     int64 // memory of the package
}

const (
	// maxPrepared is how many packages are kept prepared.
	maxPrepared = 128
	// preparedBytes is Lookup.MaxBytes if that is zero.
	preparedBytes = 64 << 20
)

// prepare returns p with its renderer and index. It drops the least
// recently used ones.
func (l *Lookup) prepare(p *apidoc.Package) *prepared {
	l.mu.Lock()
	defer l.mu.Unlock()
	index := slices.IndexFunc(l.recent, func(r *prepared) bool { return r.Package == p })
	if index < 0 {
		index = len(l.recent)
		r := l.newPrepared(p)
		if !l.Single { // else nothing is asked again
			r.bytes = store.Weigh(p)
		}
		l.recent = append(l.recent, r)
	}
	r := l.recent[index]
	l.recent = append(slices.Delete(l.recent, index, index+1), r)
	l.dropOldest()
	return r
}

// dropOldest drops the packages that were used least recently until the others are
// within the bounds. It requires l.mu.
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

// forget drops what prepare keeps of p.
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

// ready returns what is kept prepared of p, else p prepared without being kept.
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

// find reads the package that a question means. If none has that name, it is
// looked for among the packages that the project can import: by the last part of
// its path, with a symbol behind it perhaps, which is returned.
func (l *Lookup) find(ctx context.Context, q Package) (p *prepared, symbol string, err error) {
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
	if p, symbol = l.findByPath(ctx, q); p != nil {
		return p, symbol, nil
	}
	if p, symbol, err = l.findByLastName(ctx, q); p != nil || err != nil {
		return p, symbol, err
	}
	if p, symbol = l.findByExport(ctx, q); p != nil {
		return p, symbol, nil
	}
	return nil, "", first
}

// separator returns what the paths of packages and of symbols have between their
// names, in languages that write both alike; empty in others.
func (l *Lookup) separator(language string) string {
	if language := l.store.Languages().Find(language); language != nil {
		return language.Info().Style.Separator
	}
	return ""
}

// maxPathSymbols is how many names at the end of a path may be those of a symbol
// and its member.
const maxPathSymbols = 2

// findByPath reads the package of a path that ends with a symbol, in languages
// that write both alike: tokio::sync::mpsc::Sender.
func (l *Lookup) findByPath(ctx context.Context, q Package) (p *prepared, symbol string) {
	separator := l.separator(q.Language)
	if separator == "" {
		return nil, ""
	}
	name, version, versioned := strings.Cut(q.Name, "@")
	for range maxPathSymbols {
		i := strings.LastIndex(name, separator)
		if i <= 0 {
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

// qualified returns the package of a name such as json.Marshal, whose symbol
// begins with an upper-case letter; empty of any other name.
func qualified(name string) string {
	last := strings.LastIndexByte(name, '/') + 1
	head, symbol, ok := strings.Cut(name[last:], ".")
	if !ok || head == "" || symbol == "" || symbol[0] < 'A' || symbol[0] > 'Z' {
		return ""
	}
	return name[:last] + head
}

// maxNames is how many names of packages are compared with a short one.
const maxNames = 20_000

// findByLastName reads the only package that the project can import whose path
// ends as the name of a question, before or after the name is taken apart at a
// dot. It returns nothing if there is none, and an error that lists them if there
// are several.
func (l *Lookup) findByLastName(ctx context.Context, q Package) (p *prepared, symbol string, err error) {
	language := l.store.Languages().Find(q.Language)
	if language == nil {
		return nil, "", nil
	}
	name, version, _ := strings.Cut(q.Name, "@")
	if strings.HasPrefix(q.Name, "@") { // a scope
		name, version = q.Name, ""
	}
	all := language.Names(q.Project, "", maxNames)
	last := strings.LastIndexByte(name, '/') + 1
	spellings := [][2]string{{name, ""}}
	if head, rest, ok := strings.Cut(name[last:], "."); ok && head != "" && rest != "" {
		spellings = append(spellings, [2]string{name[:last] + head, rest})
	}
	for _, s := range spellings {
		found := endingWith(all, s[0])
		if len(found) == 0 {
			continue
		}
		if len(found) > 1 && q.Project != "" {
			found = mostUsed(language, q.Project, found)
		}
		// Of several major versions the one without a mark is meant.
		if plain := slices.DeleteFunc(slices.Clone(found), func(full string) bool { return !strings.HasSuffix("/"+full, "/"+s[0]) }); len(plain) > 0 {
			found = plain
		}
		if len(found) > 1 {
			return nil, "", &ecosystem.Error{
				Reason: ecosystem.NotFound, What: fmt.Sprintf("%s can be any of %s", s[0], strings.Join(found[:min(len(found), 12)], ", ")),
				Next: "ask for one of them by its whole name",
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

// mostUsed returns the packages among several that a project uses most
// directly: those that its files import, else those that it requires, else
// those that its dependencies require.
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
		return max(best, imported) // what is no dependency is the project's own, or the language's
	}
	ranks := make(map[string]int, len(names))
	lowest := indirect
	for _, name := range names {
		ranks[name] = rank(name)
		lowest = min(lowest, ranks[name])
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return ranks[name] > lowest })
}

// endingWith returns the names whose path ends with a name, whatever major
// version is behind it.
func endingWith(names []string, name string) []string {
	var found []string
	for _, full := range names {
		if full == name {
			return []string{full}
		}
		if strings.HasSuffix(full, "/"+name) {
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
	// internal and vendored copies stand behind what users import.
	public := slices.DeleteFunc(slices.Clone(found), func(s string) bool {
		return strings.Contains("/"+s+"/", "/internal/") || strings.Contains("/"+s+"/", "/vendor/")
	})
	if len(public) > 0 {
		found = public
	}
	return found
}

// isMajor reports whether the last part of a path is a major version: "v5".
func isMajor(part string) bool {
	digits, ok := strings.CutPrefix(part, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

const (
	// maxFamily is how many packages of a module are looked at beside the one
	// that was asked for.
	maxFamily = 80
	// familyTime is Lookup.FamilyTime if that is zero.
	familyTime = 3 * time.Second
)

// family reads the other packages of a package's module, or its other entry
// points, as far as time allows; left are those that were not read.
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
