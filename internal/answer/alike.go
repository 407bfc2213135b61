package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Siblings are symbols whose names differ in only one noun, such as PortBusy and DiskBusy, or
// methods with the same name in several services. An answer shows one of them and lists the names
// of the others.

// shape is the signature and the first sentence of a symbol, without the words of the symbol's
// path.
type shape struct{ signature, doc string }

func (r *Renderer) findShape(s *apidoc.Symbol) shape {
	listed := map[string]bool{}
	for w := range wordsOf(s.Path) {
		listed[w] = true
	}
	return shape{withoutWords(withoutComments(r.parse(s)).Text, listed), withoutWords(markup.Synopsis(s.Doc), listed)}
}

// withoutWords replaces each run of the given words in a text with "_".
func withoutWords(text string, some map[string]bool) string {
	var b strings.Builder
	cut := false
	for w := range wordsOf(text) {
		if w == "a" || w == "an" {
			continue
		}
		if some[w] || some[strings.TrimSuffix(w, "s")] || some[w+"s"] {
			if !cut {
				b.WriteString("_ ")
			}
			cut = true
			continue
		}
		cut = false
		b.WriteString(w + " ")
	}
	return b.String()
}

// wordsOf returns an iterator over the words of a text in lower case. It also splits names into
// words.
func wordsOf(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		isUpper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
		for from := 0; from < len(text); {
			if c := text[from]; !inName(c) && c != '$' || c >= '0' && c <= '9' || c == '_' {
				from++
				continue
			}
			to := from + 1
			for to < len(text) && inName(text[to]) && text[to] != '_' &&
				(!isUpper(text[to]) || isUpper(text[to-1]) && (to+1 == len(text) || !inName(text[to+1]) || isUpper(text[to+1]))) {
				to++
			}
			if !yield(strings.ToLower(text[from:to])) {
				return
			}
			from = to
		}
	}
}

func (r *Renderer) shapeOf(s *apidoc.Symbol) shape {
	return r.shapes.get(s, func() shape { return r.findShape(s) })
}

// sibling reports whether two symbols are siblings.
func (r *Renderer) sibling(s, other *apidoc.Symbol) bool {
	if s.Path == other.Path || s.Kind != other.Kind {
		return false
	}
	first, last := ends(baseName(s))
	if otherFirst, otherLast := ends(baseName(other)); first != otherFirst && last != otherLast {
		return false
	}
	a, b := r.shapeOf(s), r.shapeOf(other)
	if a.signature != b.signature || s.Deprecated != other.Deprecated {
		return false
	}
	return a.doc == b.doc || s.Name() == other.Name() && s.Path != s.Name() && overlap(a.doc, b.doc)
}

// overlap reports whether two texts share more than half of their words.
func overlap(a, b string) bool {
	some, more := strings.Fields(a), strings.Fields(b)
	both := 0
	for _, w := range some {
		if slices.Contains(more, w) {
			both++
		}
	}
	return 2*both > max(len(some), len(more))
}

// ends returns the first and the last word of a name, in lower case.
func ends(name string) (first, last string) {
	for w := range wordsOf(name) {
		if last = w; first == "" {
			first = w
		}
	}
	return first, last
}
