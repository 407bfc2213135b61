// Package depindex writes the index of a project's dependencies that coding agents find in
// AGENTS.md: the name, version, purpose, import and entry points of each, in so little text that it
// can be part of every session.
package depindex

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

// Entry is one direct dependency.
type Entry struct {
	// Name is the name that code imports. Version is empty if it is unknown.
	Name, Version string
	// Module is the name in the project's manifest, if it differs.
	Module string
	// Local is the identifier that the import binds, if it does not follow from the name.
	Local string
	// Purpose is the package author's sentence about the purpose of the package.
	Purpose string
	// EntryPoints are symbols, or packages below, the most important first.
	EntryPoints []string
	// Packages are other packages of the module that the project imports.
	Packages []string
	// Imported is true if it is known that the project's code imports the package.
	Imported bool
	// Missing is true if the package is not installed; then only its name is known.
	Missing bool
}

// Language lists the direct dependencies of a project in one language.
type Language struct {
	Name    string
	Import  string // the statement that imports a package, with NAME for its name
	Entries []Entry
}

// MaxBytes is the default maximum size of an index.
const MaxBytes = 8 << 10

// head begins every index.
const head = `## Dependencies

Direct dependencies at the versions this project uses. Before you write code that uses
one of them, look it up with docent (MCP tools, or ` + "`docent describe PACKAGE SYMBOL`" + `)
instead of relying on memory: names and options change between versions.
The descriptions come from the packages.
`

// level is the amount of information in an index about each package.
type level struct {
	purpose     int // bytes
	entryPoints int
	lines       bool // whether each package is on a separate line
}

// levels are tried in this order, until the index fits.
var levels = []level{{110, 8, true}, {90, 6, true}, {70, 5, true}, {60, 3, true}, {50, 2, true}, {40, 0, true}, {0, 0, false}}

// Text returns the index as text of at most limit bytes. The same entries give the same text.
// The more packages there are, the less information it has about each. If not even the names fit,
// it lists the packages that the code imports first, and the number of omitted ones.
func Text(languages []Language, limit int) string {
	languages = slices.DeleteFunc(slices.Clone(languages), func(l Language) bool { return len(l.Entries) == 0 })
	if len(languages) == 0 {
		return head + "\nNo direct dependencies.\n"
	}
	for i := range languages {
		languages[i].Entries = slices.Clone(languages[i].Entries)
		slices.SortFunc(languages[i].Entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	}
	for _, l := range levels {
		if text := head + atLevel(languages, l, nil); len(text) <= limit {
			return text
		}
	}
	// Not even the names fit, so find out how many do.
	maximum := 0
	for _, l := range languages {
		maximum += len(l.Entries)
	}
	fits := sort.Search(maximum, func(n int) bool { return len(head+atLevel(first(languages, n+1))) > limit })
	return head + atLevel(first(languages, fits))
}

// first returns the n first packages and the level that shows only names. Each language gets its
// share, and packages that code imports come first. omitted contains the number of omitted packages
// for each language.
func first(languages []Language, n int) (some []Language, l level, omitted []int) {
	total := 0
	for _, l := range languages {
		total += len(l.Entries)
	}
	for _, l := range languages {
		share := n * len(l.Entries) / total
		entries := slices.Clone(l.Entries)
		slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(order(a), order(b)) })
		entries = entries[:share]
		slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
		some = append(some, Language{Name: l.Name, Import: l.Import, Entries: entries})
		omitted = append(omitted, len(l.Entries)-share)
	}
	return some, levels[len(levels)-1], omitted
}

// order returns 0 for packages that code imports, and 1 for others.
func order(e Entry) int {
	if e.Imported {
		return 0
	}
	return 1
}

func atLevel(languages []Language, l level, omitted []int) string {
	var b strings.Builder
	for i, language := range languages {
		fmt.Fprintf(&b, "\n### %s: `%s`\n\n", language.Name, language.Import)
		for k := range language.Entries {
			e := &language.Entries[k]
			if l.lines {
				b.WriteString("- " + e.line(l) + "\n")
				continue
			}
			if k > 0 {
				b.WriteString(", ")
			}
			b.WriteString(e.title())
		}
		if omitted != nil && omitted[i] > 0 {
			fmt.Fprintf(&b, ", and %d more", omitted[i])
		}
		if !l.lines {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// title returns the name with the version.
func (e *Entry) title() string {
	return strings.TrimSpace(clean(e.Name) + " " + clean(e.Version))
}

// line describes a package in one line.
func (e *Entry) line(l level) string {
	text := e.title()
	switch {
	case e.Missing:
		return text + " (not installed)"
	case e.Module != "":
		text += " (of " + clean(e.Module) + ")"
	case e.Local != "":
		text += " (used as " + clean(e.Local) + ")"
	}
	if purpose := shorten(clean(e.Purpose), l.purpose); purpose != "" {
		text += ": " + purpose
	}
	if names := e.EntryPoints[:min(len(e.EntryPoints), l.entryPoints)]; len(names) > 0 {
		text += ". Start with " + clean(strings.Join(names, ", "))
	}
	if names := e.Packages[:min(len(e.Packages), 2*l.entryPoints)]; len(names) > 0 {
		text += "; also " + clean(strings.Join(names, ", "))
	}
	return text
}

// tag matches an HTML tag or comment.
var tag = lazyregexp.New(`<[/!?a-zA-Z][^<>]*>`)

// clean returns foreign text on one line that cannot be mistaken for a heading, a comment or the
// marker of a section.
func clean(text string) string {
	text = tag().ReplaceAllString(markup.PlainLinks(markup.Clean(text)), "")
	return strings.NewReplacer("<", "&lt;", "`", "'").Replace(strings.Join(strings.Fields(text), " "))
}

// shorten cuts text at the end of a word.
func shorten(text string, limit int) string {
	text = strings.TrimRight(text, ".!:; ")
	if len(text) <= limit {
		return text
	}
	end := strings.LastIndexByte(text[:max(limit-2, 0)], ' ')
	if end <= 0 {
		return ""
	}
	return strings.TrimRight(text[:end], ".,:;- (") + " …"
}
