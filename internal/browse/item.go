package browse

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/terminal"
)

// item is a row of a list.
type item struct {
	name string
	// first and second are the columns after the name. text is the last column, with the purpose of
	// the item.
	first, second, text string
	faint               bool
	rank                int     // rank of a package; the lowest comes first
	relevance           float64 // relevance of a search result; the highest comes first
	// hidden is true for an item that is listed only if it matches a query.
	hidden bool
	target target
	// symbol is shown beside the list; it belongs to the package in. If it is nil, the Markdown in
	// about is shown.
	in     *apidoc.Package
	symbol *apidoc.Symbol
	about  string
}

// match is an item that is listed.
type match struct {
	*item
	score  int
	places []int // indexes of the characters of the name that match
}

// hiddenPenalty is subtracted from the score of hidden items.
const hiddenPenalty = 40

// matching returns the items that match a query, the best first, or all items that are not hidden
// if the query is empty.
func matching(items []item, query string) []match {
	var found []match
	p := newPattern(query)
	for i := range items {
		it := &items[i]
		if len(p.words) == 0 {
			if !it.hidden {
				found = append(found, match{item: it})
			}
			continue
		}
		score, places, ok := p.match(it.name)
		if !ok {
			continue
		}
		if it.hidden {
			score -= hiddenPenalty
		}
		found = append(found, match{it, score, places})
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	return found
}

// pieces returns the name with the matching characters marked, cut to a number of columns. A longer
// name loses its beginning, since most names differ at the end.
func (m *match) pieces(columns int, look terminal.Look) (all []terminal.Piece) {
	runes := []rune(m.name)
	start := 0
	if terminal.Columns(m.name) > columns {
		all = append(all, terminal.Piece{Text: "…", Look: terminal.Faint})
		start = len(runes) - utf8.RuneCountInString(lastColumns(m.name, columns-1))
	}
	for i := 0; i < len(m.places); {
		from := m.places[i]
		to := from + 1
		for i++; i < len(m.places) && m.places[i] == to; i++ {
			to++
		}
		if to > len(runes) {
			break
		}
		if to <= start {
			continue
		}
		from = max(from, start)
		all = append(all, terminal.Piece{Text: string(runes[start:from]), Look: look}, terminal.Piece{Text: string(runes[from:to]), Look: terminal.Match})
		start = to
	}
	return append(all, terminal.Piece{Text: string(runes[start:]), Look: look})
}

// synopsis returns the first sentence of Markdown as plain text.
func synopsis(md string) string {
	return strings.NewReplacer("`", "", "**", "").Replace(oneLine(markup.Synopsis(md)))
}

// preview returns the Markdown that is shown beside the list for an item.
func (i *item) preview() string {
	s := i.symbol
	if s == nil {
		return cmp.Or(i.about, i.text)
	}
	var b strings.Builder
	fence := markup.Fence(s.Signature)
	b.WriteString(fence + cmp.Or(i.in.Style.Fence, string(i.in.Ecosystem)) + "\n" + s.Signature + "\n" + fence + "\n\n")
	if s.Deprecated != "" && !strings.Contains(s.Doc, s.Deprecated) {
		b.WriteString("**Deprecated:** " + s.Deprecated + "\n\n")
	}
	b.WriteString(s.Doc + "\n\n")
	var members []string
	for _, m := range s.AllMembers() {
		if len(members) == maxPreviewed {
			members = append(members, "…")
			break
		}
		members = append(members, m.Signature)
	}
	if len(members) > 0 {
		code := strings.Join(members, "\n")
		fence := markup.Fence(code)
		b.WriteString(fence + cmp.Or(i.in.Style.Fence, string(i.in.Ecosystem)) + "\n" + code + "\n" + fence + "\n")
	}
	return b.String()
}

// maxPreviewed is the maximum number of members that are shown beside a list.
const maxPreviewed = 40
