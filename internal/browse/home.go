package browse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/console"
	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/project"
)

// home lists the packages of the project.
type home struct {
	list
	// names are packages that can be opened although the project does not list them, such as
	// packages of the standard library.
	names []item
}

// graphs holds the project's packages, or notes that explain why there are none.
type graphs struct {
	items []item
	notes []string
}

// importable holds packages that can be imported although the project does not list them.
type importable []item

func (h *home) start(m *Model) []console.Command {
	if !h.first() {
		return nil
	}
	h.search = func(m *Model, query string) console.Command { return m.searchProject(query) }
	h.typed = m.typed
	return append(command(h, func(ctx context.Context) any { return m.graphs(ctx) }),
		command(h, func(context.Context) any { return m.importable() })...)
}

func (h *home) update(m *Model, value any) []console.Command {
	switch value := value.(type) {
	case graphs:
		h.notes = value.notes
		h.setItems(value.items)
		h.addNames()
	case importable:
		h.names = value
		if h.loaded {
			h.addNames()
		}
	case found:
		return h.found(m, h, value)
	}
	return nil
}

// addNames adds the importable packages that are not listed yet.
func (h *home) addNames() {
	listed := map[target]bool{}
	for i := range h.items {
		t := h.items[i].target
		listed[target{question: lookup.Package{Language: t.question.Language, Name: t.question.Name}}] = true
	}
	items := slices.Clone(h.items)
	for i := range h.names {
		t := h.names[i].target
		if !listed[target{question: lookup.Package{Language: t.question.Language, Name: t.question.Name}}] {
			items = append(items, h.names[i])
		}
	}
	h.names = nil
	h.setItems(items)
}

func (h *home) key(m *Model, key console.Key) []console.Command { return h.listKey(m, h, key) }
func (h *home) crumbs() []crumb                                 { return nil }

func (h *home) hints() []hint {
	all := h.list.hints()
	if h.query == "" && !h.searching { // There is no page to go back to.
		all = slices.DeleteFunc(all, func(h hint) bool { return h.key == console.Escape })
	}
	return all
}

// graphs lists the packages of the project.
func (m *Model) graphs(ctx context.Context) graphs {
	var out graphs
	all, err := m.options.Lookup.Graphs(ctx, m.options.Project, m.options.Language)
	if err != nil {
		return graphs{notes: []string{err.Error() + ". Type the name of a package to open it."}}
	}
	for i := range all {
		out.items = append(out.items, m.packagesOf(&all[i])...)
		for _, problem := range all[i].Graph.Problems {
			out.notes = append(out.notes, all[i].Name+": "+problem)
		}
	}
	slices.SortStableFunc(out.items, func(a, b item) int { return a.rank - b.rank })
	return out
}

// These are the ranks of packages in the list.
const (
	rankOwn = iota
	rankDirect
	rankOther
	rankUnused
)

// packagesOf returns the packages of a project in one language.
func (m *Model) packagesOf(l *depgraph.Language) (items []item) {
	direct := l.Graph.Direct()
	for i := range l.Graph.Packages {
		p := &l.Graph.Packages[i]
		it := item{name: oneLine(p.Name), first: oneLine(p.Version), second: l.Name, rank: rankOther}
		it.target = target{question: m.question(l.ID, p.Name), version: p.Version}
		var notes []string
		switch {
		case p.Member:
			it.rank = rankOwn
			items = append(items, m.ownPackages(l, it, p.Name)...)
			continue
		case p.Inactive:
			it.rank, it.faint = rankUnused, true
			notes = append(notes, "not used on this machine")
		case direct[i]:
			it.rank = rankDirect
		default:
			notes = append(notes, "indirect")
		}
		if len(p.Aliases) > 0 {
			notes = append(notes, "imported as "+strings.Join(p.Aliases, ", "))
		}
		if p.Dir != "" {
			notes = append(notes, "in "+l.Graph.Rel(p.Dir))
		}
		if !p.Installed {
			notes = append(notes, "not installed")
		}
		it.text = oneLine(strings.Join(notes, "; "))
		items = append(items, it)
	}
	return items
}

// maxOwn is the maximum number of packages that are listed below one of the project's own packages.
const maxOwn = 200

// ownPackages returns a package of the project and the packages below it.
func (m *Model) ownPackages(l *depgraph.Language, first item, name string) (items []item) {
	names := m.options.Lookup.Languages().Find(l.ID).Names(m.options.Project, name, maxOwn)
	names = slices.DeleteFunc(names, func(n string) bool { return n != name && !strings.HasPrefix(n, name+"/") })
	if len(names) == 0 {
		names = []string{name}
	}
	for _, n := range names {
		it := first
		it.name, it.text = oneLine(n), "own"
		it.target.question.Name = n
		items = append(items, it)
	}
	return items
}

// maxImportable is the maximum number of packages of one language that can be opened although the
// project does not list them.
const maxImportable = 10_000

// importable returns the packages that can be imported in the languages of the project, or in all
// languages if there is no project.
func (m *Model) importable() importable {
	var all importable
	languages := m.options.Lookup.Languages()
	if m.options.Language != "" {
		languages = slices.DeleteFunc(slices.Clone(languages), func(l ecosystem.Language) bool { return l != languages.Find(m.options.Language) })
	}
	here := slices.DeleteFunc(slices.Clone(languages), func(l ecosystem.Language) bool { return !l.HasProject(m.options.Project) })
	if len(here) == 0 {
		here = languages
	}
	for _, l := range here {
		info := l.Info()
		for _, name := range l.Names(m.options.Project, "", maxImportable) {
			all = append(all, item{
				name: oneLine(name), second: info.Style.Name, hidden: true,
				target: target{question: m.question(string(info.ID), name)},
			})
		}
	}
	return all
}

// question returns a question for a package at the version that the project uses.
func (m *Model) question(language, name string) lookup.Package {
	q := lookup.Package{Language: language, Name: name}
	if l := m.options.Lookup.Languages().Find(language); l == nil || l.HasProject(m.options.Project) {
		q.Project = m.options.Project
	}
	return q
}

// typed returns the target of a typed query, which is a package, or a package and a symbol.
func (m *Model) typed(query string) *target {
	words := strings.Fields(query)
	language := m.options.Language
	if l := m.options.Lookup.Languages().Find(words[0]); l != nil && len(words) > 1 {
		language, words = words[0], words[1:]
	}
	return &target{question: m.question(language, words[0]), symbol: strings.Join(words[1:], " ")}
}

const (
	// maxResults is the maximum number of results of a search.
	maxResults = 50
	// patience is the maximum time that a search waits for packages that are still being read.
	patience = 500 * time.Millisecond
)

// oneQuery makes a single query of text that may contain separators of queries.
func oneQuery(query string) string { return strings.ReplaceAll(query, ";", " ") }

// searchProject returns a command that searches the dependencies of the project in all languages.
func (m *Model) searchProject(query string) console.Command {
	return func(ctx context.Context) any {
		f := found{query: query, complete: true}
		some := false
		var problems []error
		for _, l := range m.options.Lookup.Languages() {
			info := l.Info()
			if _, ok := l.(ecosystem.Lister); !ok || !l.HasProject(m.options.Project) || m.options.Language != "" && m.options.Lookup.Languages().Find(m.options.Language) != l {
				continue
			}
			some = true
			matches, notes, err := m.options.Lookup.DependencyMatches(ctx, lookup.Dependencies{
				Search:   lookup.Search{Package: lookup.Package{Language: string(info.ID), Project: m.options.Project}, Query: oneQuery(query), Limit: maxResults},
				Patience: patience,
				Progress: func(done, all int) { f.complete = f.complete && done == all },
			})
			if errors.Is(err, project.ErrNone) {
				continue
			}
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", info.Style.Name, err))
				continue
			}
			f.items = append(f.items, m.itemsOf(matches)...)
			for _, note := range notes {
				f.notes = append(f.notes, info.Style.Name+": "+note)
			}
		}
		switch {
		case !some:
			f.notes = []string{"There is no project in " + m.options.Project + " whose packages can be searched. Open a package to search it."}
		case len(f.items) == 0:
			f.err = errors.Join(problems...)
		}
		slices.SortStableFunc(f.items, func(a, b item) int { return cmp.Compare(b.relevance, a.relevance) })
		f.items = f.items[:min(len(f.items), maxResults)]
		return f
	}
}

// itemsOf returns the results of searches as items.
func (m *Model) itemsOf(matches []answer.QueryResult) (items []item) {
	for i := range matches {
		for k := range matches[i].Hits {
			h := &matches[i].Hits[k]
			p := h.Package()
			it := item{second: oneLine(p.Name), text: oneLine(h.Snippet()), relevance: h.Score}
			it.target.question = m.question(string(p.Ecosystem), p.Name)
			it.target.version = p.Version
			switch {
			case h.Symbol != nil:
				it.name, it.first, it.symbol, it.in = oneLine(naming.Called(p, h.Symbol.Path)), string(h.Symbol.Kind), h.Symbol, p
				it.target.symbol, it.faint = h.Symbol.Path, h.Symbol.Deprecated != ""
			case h.Section != nil:
				it.name, it.first, it.target.section = oneLine(h.Section.Title), "guide", h.Section.ID
				it.about = h.Section.Body
			case h.Subpackage != nil:
				it.name, it.first = oneLine(h.Subpackage.Name), "package"
				it.target.question.Name = h.Subpackage.Name
			default:
				continue
			}
			items = append(items, it)
		}
	}
	return items
}
