package answer

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/naming"
)

// EntryPoints returns the paths of the symbols, and the names of the packages below this one, with
// which programs probably begin. These are the names in the examples of the documentation, symbols
// that have examples, functions that belong to no family, and the types that most declarations
// mention. The most important names come first. EntryPoints returns at most limit names.
func (r *Renderer) EntryPoints(limit int) []string {
	mentions := r.mentions()
	entry := map[*apidoc.Symbol]bool{}
	for _, d := range r.entryFunctions() {
		entry[d.first()] = true
	}
	type candidate struct {
		path  string
		score int
	}
	var all []candidate
	for i := range r.pkg.Symbols {
		s := &r.pkg.Symbols[i]
		if s.Deprecated != "" || s.Of != "" && !s.IsCallable() && mentions[baseName(s)] == 0 {
			continue
		}
		score := bits.Len(uint(len(r.uses()[s])))
		if n := mentions[baseName(s)]; n > 0 {
			score += 10 + 4*min(n, 5)
		}
		if len(s.Examples) > 0 {
			score += 6
		}
		if s.IsCallable() {
			score += 2
		}
		if entry[s] {
			score += 3
		}
		if path := withoutLabels(oneLine(s.Path)); score > 0 && isName(path) && !slices.ContainsFunc(all, func(c candidate) bool { return c.path == path }) {
			all = append(all, candidate{path, score})
		}
	}
	for _, sub := range r.pkg.Subpackages {
		name := lastName(sub.Name)
		if n := mentions[name]; n > 0 && !sub.Command && naming.Exact(r.pkg, name) == nil {
			all = append(all, candidate{sub.Name, 10 + 4*min(n, 5)})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var paths []string
	for _, c := range all[:min(len(all), limit)] {
		paths = append(paths, c.path)
	}
	return paths
}

// mentions returns, for each identifier, the number of code blocks that contain it in the
// documentation of the whole package.
func (r *Renderer) mentions() map[string]int {
	counts := map[string]int{}
	count := func(code string) {
		for name := range words(code) {
			counts[name]++
		}
	}
	for _, e := range r.pkg.Examples {
		count(e.Code)
	}
	blocks := func(md string) {
		var block strings.Builder
		for l := range markup.Lines(md) {
			switch {
			case l.Code:
				block.WriteString(l.Text + "\n")
			case block.Len() > 0:
				count(block.String())
				block.Reset()
			}
		}
		count(block.String())
	}
	blocks(r.pkg.Doc)
	for i := range r.pkg.Sections {
		if s := &r.pkg.Sections[i]; isReadme(s.ID) {
			blocks(s.Body)
		}
	}
	return counts
}

// words returns the identifiers of a piece of code.
func words(code string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(code, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		set[w] = true
	}
	return set
}

// isName reports whether programs can write a path unchanged. They cannot write the path of an
// operator, or "export=".
func isName(path string) bool {
	return strings.IndexFunc(path, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_$.:", c)
	}) < 0
}
